//===- RegisterTile.cpp - Several outputs a thread -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for y in 0 .. H {            for y_o in 0 .. ceildiv(H, 2) {
//     for x in 0 .. W {            for x in 0 .. W {
//       local sum                    local sum // sum[2]
//       S0: sum = 0                  for y_r in 0 .. min(2, H - 2 * y_o)
//       for n in 0 .. N {              S0: sum[y_r] = 0
//         S1: sum += ...             for n in 0 .. N {
//       }                              for y_r_2 in 0 .. min(2, ...)
//       S2: out[y][x] = sum              S1: sum[y_r_2] += ...
//     }                              }
//   }                                for y_r_3 in 0 .. min(2, ...)
//                                      S2: out[y][x] = sum[y_r_3]
//                                  }
//                                }
//
// The loops y_r are unrolled.
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/RegisterTile.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Distribute.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/StripMine.h"
#include "convopt/Transforms/Structure.h"
#include "convopt/Transforms/Unroll.h"

using namespace llvm;

namespace convopt {

namespace {

class RegisterTiling {
public:
  RegisterTiling(const Nest &nest, PrimitiveDone done)
      : nest(nest), done(done) {}

  Expected<Nest> run(unsigned loop, std::optional<int64_t> factor) {
    if (factor) {
      ASSIGN_OR_RETURN(unsigned inner, strip(loop, *factor));
      loop = inner;
    }
    RETURN_IF_ERROR(sink(loop));
    return nest;
  }

private:
  std::string name(unsigned loop) const { return nest.loopNames[loop]; }

  /// Takes \p next for the nest at hand once `done` agrees.
  Error take(const std::string &step, Expected<Nest> next) {
    if (!next)
      return next.takeError();
    nest = std::move(*next);
    return done(step, nest);
  }

  /// A name that is free, numbered where it must be.
  std::string freeName(const std::string &wanted) const {
    Nest scratch = nest;
    return scratch.loopNames[scratch.addLoopName(wanted)];
  }

  Expected<unsigned> strip(unsigned loop, int64_t factor) {
    if (Expected<LoopPath> path = findLoop(nest, loop); !path)
      return path.takeError();
    std::string outer = freeName(name(loop) + "_o");
    std::string inner = freeName(name(loop) + "_r");
    std::string step = "strip-mine=" + name(loop) + "," +
                       std::to_string(factor) + "," + outer + "," + inner;
    RETURN_IF_ERROR(take(step, stripMine(nest, loop, factor, outer, inner)));
    return unsigned(find(nest.loopNames, inner) - nest.loopNames.begin());
  }

  /// Brings \p loop as far inwards as it goes, through distribution where
  /// loops stand beside other parts, and unrolls it.
  Error sink(unsigned loop) {
    RETURN_IF_ERROR(moveInwards(loop));
    ASSIGN_OR_RETURN(LoopPath path, findLoop(nest, loop));
    if (!hasLoopsBesideOthers(path.loop->body))
      return take("unroll=" + name(loop), unroll(nest, loop));
    unsigned firstCopy = nest.loopNames.size();
    RETURN_IF_ERROR(take("distribute=" + name(loop), distribute(nest, loop)));
    unsigned end = nest.loopNames.size();
    RETURN_IF_ERROR(sink(loop));
    for (unsigned copy = firstCopy; copy != end; ++copy)
      RETURN_IF_ERROR(sink(copy));
    return Error::success();
  }

  /// Interchanges \p loop with the serial loops of its perfect band whose
  /// bounds do not use it.
  Error moveInwards(unsigned loop) {
    ASSIGN_OR_RETURN(LoopPath path, findLoop(nest, loop));
    std::vector<const Loop *> band = guardedBand(*path.loop);
    std::vector<unsigned> order;
    for (const Loop *l : drop_begin(band)) {
      if (l->kind != LoopKind::Serial || boundsUse(*l, loopVar(loop)))
        break;
      order.push_back(l->id);
    }
    if (order.empty())
      return Error::success();
    order.push_back(loop);
    std::string step;
    for (unsigned id : order)
      step += (step.empty() ? "interchange=" : ",") + name(id);
    return take(step, interchange(nest, order));
  }

  static bool boundsUse(const Loop &l, Var v) {
    auto uses = [&](const Bound &b) { return b.expr.uses(v); };
    return any_of(l.bounds(), uses);
  }

  /// True where unrolling in place would write out a loop that is not.
  static bool hasLoopsBesideOthers(const Body &body) {
    auto isLocal = [](const NodeRef &n) { return isa<Local>(n.get()); };
    auto isRolled = [](const Loop *l) { return l->kind == LoopKind::Serial; };
    return any_of(collect<Loop>(body), isRolled) &&
           body.size() - count_if(body, isLocal) > 1;
  }

  Nest nest;
  PrimitiveDone done;
};

} // namespace

Expected<Nest> registerTile(const Nest &nest, unsigned loop,
                            std::optional<int64_t> factor, PrimitiveDone done) {
  return RegisterTiling(nest, done).run(loop, factor);
}

static Expected<PassCall> bindRegisterTile(StepWords &words) {
  if (words.size() > 2)
    return words.refuseArguments();
  std::optional<int64_t> factor;
  if (words.size() == 2) {
    ASSIGN_OR_RETURN(int64_t given, words.number(1));
    factor = given;
  }
  return PassCall([name = words[0], factor](
                      const Nest &nest, PrimitiveDone done) -> Expected<Nest> {
    ASSIGN_OR_RETURN(unsigned loop, findLoopByName(nest, name));
    return registerTile(nest, loop, factor, done);
  });
}

const Pass registerTilePass{"register-tile", "LOOP[,FACTOR]",
                            "Compute several outputs in a thread",
                            bindRegisterTile};

} // namespace convopt
