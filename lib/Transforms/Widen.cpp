//===- Widen.cpp - Begin and end a loop at sizes --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for i in 0 .. N {            for i in 0 .. N {
//     for j in 0 .. i + 1 {        for j in 0 .. N {
//       S[i, j]: ...                 if i - j >= 0 {
//     }                                S[i, j]: ...
//   }                                }
//                                  }
//                                }
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Widen.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

/// Has \p bounds of the loop \p v, upper ones if \p isUpper, use no loops: what
/// they said is added to \p said. False where one may be anywhere.
static bool widenBounds(const Nest &nest, std::vector<Bound> &bounds, Var v,
                        bool isUpper, ArrayRef<const Loop *> around,
                        std::vector<Constraint> &said) {
  std::vector<Bound> wide;
  for (Bound b : bounds) {
    if (b.expr.usesLoops()) {
      const IndexExpr after = IndexExpr(b.divisor) * IndexExpr::of(v) - b.expr;
      said.push_back({Constraint::NonNegative, isUpper ? -after - 1 : after});
      const std::optional<IndexExpr> most =
          mostAtEnds(nest, isUpper ? b.expr : -b.expr, around);
      if (!most || most->usesLoops() || !most->isValid())
        return false;
      b.expr = isUpper ? *most : -*most;
    }
    if (!is_contained(wide, b))
      wide.push_back(std::move(b));
  }
  bounds = std::move(wide);
  return true;
}

Expected<Nest> widen(const Nest &nest, unsigned loop) {
  ASSIGN_OR_RETURN(LoopPath path, findLoop(nest, loop));
  const std::string name = "loop '" + nest.loopNames[loop] + "'";
  auto wide = std::make_shared<Loop>(*path.loop);
  if (wide->kind != LoopKind::Serial)
    return refuse("structure", name + " is already mapped or unrolled",
                  wide->range, "widen it before that");
  const std::vector<const Loop *> around = loopsAmong(path.enclosing);
  std::vector<Constraint> said;
  for (bool isUpper : {false, true})
    if (!widenBounds(nest, isUpper ? wide->upper : wide->lower, loopVar(loop),
                     isUpper, around, said))
      return refuse("structure",
                    "the bounds of " + name +
                        " are not known to be within some of sizes",
                    wide->range, "widen the loops that they use first");
  if (said.empty())
    return refuse("structure", "the bounds of " + name + " use no loops",
                  wide->range, "leave the step out");
  // Loops around barriers stay outside of the guards.
  wide->body =
      rewrite(wide->body, [&](const NodeRef &n) -> std::optional<Body> {
        if (!isa<Statement>(n.get()))
          return std::nullopt;
        auto guard = std::make_shared<Guard>(n->range);
        guard->conditions = said;
        guard->body = {n};
        return Body{guard};
      });
  return replaceLoop(nest, loop, {wide});
}

const Pass widenPass{"widen", "LOOP", "Begin and end a loop at sizes",
                     bindTo<widen, Word::Loop>};

} // namespace convopt
