//===- Fuse.cpp - Run two loops as one ------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for y in 0 .. H {            for p in 0 .. 14 * H {
//     for x in 0 .. 14 {           S[y = floordiv(p, 14),
//       S[y, x]: ...                 x = p - 14 * floordiv(p, 14)]: ...
//     }                          }
//   }
//
// A bound `y < ceil(e / d)` becomes `p < ceil(e / d) * 14`, which is exact
// where d is 1.
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Fuse.h"
#include "NewName.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

static Error check(const Nest &nest, const Loop &outer, unsigned inner,
                   StringRef newName) {
  auto refuseLoop = [&](const Loop &l, const Twine &what, StringRef remedy) {
    return refuse("structure",
                  ("loop '" + nest.loopNames[l.id] + "' " + what).str(),
                  l.range, remedy.str());
  };
  if (!newName.empty())
    RETURN_IF_ERROR(checkNewName(nest, newName, "loop", outer.range));
  const std::vector<const Loop *> band = perfectBand(outer);
  if (band.size() < 2 || band[1]->id != inner)
    return refuseLoop(outer,
                      "does not hold just loop '" + nest.loopNames[inner] + "'",
                      "interchange loops until one holds just the other");
  for (const Loop *l : {band[0], band[1]}) {
    if (l->kind != LoopKind::Serial)
      return refuseLoop(*l, "is already mapped or unrolled",
                        "fuse it before that");
    auto isExact = [](const Bound &b) { return b.divisor == 1; };
    if (!all_of(l->lower, isExact) || !all_of(l->upper, isExact))
      return refuseLoop(*l, "ends at a quotient",
                        "fuse loops before they are strip-mined");
  }
  const Loop &l = *band[1];
  if (l.lower.size() != 1 || l.upper.size() != 1 || !constantTrips(nest, l))
    return refuseLoop(l, "has no constant number of iterations",
                      "give its size (-assume)");
  if (*constantTrips(nest, l) < 1)
    return refuseLoop(l, "has no iteration", "take the step off");
  return Error::success();
}

Expected<Nest> fuse(const Nest &nest, unsigned outer, unsigned inner,
                    StringRef name) {
  ASSIGN_OR_RETURN(LoopPath path, findLoop(nest, outer));
  if (Expected<LoopPath> found = findLoop(nest, inner); !found)
    return found.takeError();
  RETURN_IF_ERROR(check(nest, *path.loop, inner, name));
  const Loop &around = *path.loop, &within = *perfectBand(around)[1];
  const IndexExpr trips(*constantTrips(nest, within));

  Nest named = nest;
  auto fused = std::make_shared<Loop>(
      named.addLoopName(name.empty() ? nest.loopNames[outer] + "_" +
                                           nest.loopNames[inner]
                                     : name.str()),
      around.range);
  auto scaled = [&](std::vector<Bound> bounds) -> Expected<std::vector<Bound>> {
    for (Bound &b : bounds) {
      b.expr = b.expr * trips;
      if (!b.expr.isValid())
        return refuse("limit",
                      "loops '" + nest.loopNames[outer] + "' and '" +
                          nest.loopNames[inner] +
                          "' have more than 2^63 iterations",
                      around.range, "leave them apart");
    }
    return bounds;
  };
  for (auto [to, from] : {std::pair(&fused->lower, &around.lower),
                          std::pair(&fused->upper, &around.upper)}) {
    ASSIGN_OR_RETURN(std::vector<Bound> bounds, scaled(*from));
    *to = std::move(bounds);
  }
  for (const Bound &b : fused->upper) {
    const IndexExpr room =
        named.expandDefinitions(IndexExpr(INT32_MAX) - b.expr);
    if (room.asConstant().value_or(0) < 0)
      return refuse("limit",
                    "loop '" + named.loopNames[fused->id] +
                        "' would have more than 2^31 - 1 iterations",
                    around.range, "leave the loops apart");
    if (!room.isConstant() && !room.usesLoops())
      named.assumptions.push_back(
          {{Constraint::NonNegative, room},
           "loop '" + named.loopNames[fused->id] + "' counts in an int",
           around.range});
  }
  const IndexExpr p = IndexExpr::loop(fused->id);
  fused->body = substituteLoops(
      named, within.body, [&](Var v) -> std::optional<IndexExpr> {
        if (v == loopVar(outer))
          return IndexExpr::floorDiv(p, trips);
        if (v == loopVar(inner))
          return within.lower[0].expr + IndexExpr::mod(p, trips);
        return std::nullopt;
      });
  return replaceLoop(named, outer, {fused});
}

const Pass fusePass{"fuse", "OUTER,INNER[,NAME]", "Run two loops as one",
                    bindTo<fuse, Word::Loop, Word::Loop, Word::NewName>};

} // namespace convopt
