//===- Jam.cpp - Run loops that follow one another together ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for y in 0 .. H {            for y in 0 .. H {
//     S0: out[y] = bias            S0: out[y] = bias
//   }                              for k in 0 .. K {
//   for y_2 in 0 .. H {              S1: out[y] += ...
//     for k in 0 .. K {            }
//       S1: out[y_2] += ...      }
//     }
//   }
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Jam.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

/// Whether both run for the same values of their iterators.
static bool haveSameBounds(const Nest &nest, const Loop &a, const Loop &b) {
  auto areSame = [&](const std::vector<Bound> &x, const std::vector<Bound> &y) {
    return x.size() == y.size() && all_of(zip(x, y), [&](const auto &both) {
             const auto &[p, q] = both;
             return p.divisor == q.divisor &&
                    nest.expandDefinitions(p.expr - q.expr) == IndexExpr(0);
           });
  };
  return areSame(a.lower, b.lower) && areSame(a.upper, b.upper);
}

/// The node of \p body that is \p loop.
static Body::const_iterator findIn(const Body &body, const Loop &loop) {
  return find_if(body, [&](const NodeRef &n) { return n.get() == &loop; });
}

static Error check(const Nest &nest, const Body &body, const Loop &first,
                   const Loop &second) {
  auto refuseLoop = [&](const Loop &l, const Twine &what, StringRef remedy) {
    return refuse("structure",
                  ("loop '" + nest.loopNames[l.id] + "' " + what).str(),
                  l.range, remedy.str());
  };
  const auto at = findIn(body, first);
  if (at == body.end() || std::next(at) == body.end() ||
      std::next(at)->get() != &second)
    return refuseLoop(second,
                      "does not come right after loop '" +
                          nest.loopNames[first.id] + "'",
                      "jam loops of one body that follow one another");
  for (const Loop *l : {&first, &second})
    if (l->kind != LoopKind::Serial)
      return refuseLoop(*l, "is already mapped or unrolled",
                        "jam loops before that");
  if (!haveSameBounds(nest, first, second))
    return refuseLoop(
        second, "has other bounds than loop '" + nest.loopNames[first.id] + "'",
        "jam loops with the same bounds");
  return Error::success();
}

Expected<Nest> jam(const Nest &nest, unsigned first, unsigned second,
                   PrimitiveDone done) {
  Expected<LoopPath> one = findLoop(nest, first),
                     other = findLoop(nest, second);
  RETURN_IF_ERROR(joinErrors(one.takeError(), other.takeError()));
  const Body &body =
      one->enclosing.empty() ? nest.body : *bodyOf(*one->enclosing.back());
  RETURN_IF_ERROR(check(nest, body, *one->loop, *other->loop));
  auto both = std::make_shared<Loop>(*one->loop);
  append_range(both->body, substituteLoops(nest, other->loop->body, [&](Var v) {
                 return v == loopVar(second)
                            ? std::optional(IndexExpr::loop(first))
                            : std::nullopt;
               }));
  const Nest jammed = replaceLoop(replaceLoop(nest, second, {}), first, {both});
  RETURN_IF_ERROR(done(
      "jam=" + nest.loopNames[first] + "," + nest.loopNames[second], jammed));
  return rebase(jammed);
}

const Pass jamPass{
    "jam", "FIRST,SECOND", "Run loops that follow one another together",
    bindTo<jam, Word::Loop, Word::Loop>, Pass::Effect::Iterators};

} // namespace convopt
