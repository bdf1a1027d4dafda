//===- Siblings.cpp - Loops side by side become one band ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for o in 0 .. O {            for o in 0 .. O {
//     for i in 0 .. N {            for i in 0 .. N {
//       out[o][i] = bias             out[o][i] = bias
//     }                              for c in 0 .. C {
//     for c in 0 .. C {                out[o][i] += ...
//       for i in 0 .. N {            }
//         out[o][i] += ...         }
//       }                        }
//     }
//   }
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Siblings.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/Jam.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

/// Whether \p l and \p m, of loops that follow one another, are over the same
/// dimension of an array that one of these writes.
static bool areOverOneDimension(const Loop &l, const Loop &m) {
  auto coincide = [&](const Access &a, const Access &b) {
    return a.array == b.array &&
           any_of(zip_equal(a.subscripts, b.subscripts), [&](const auto &both) {
             const auto &[at, other] = both;
             return at.uses(loopVar(l.id)) &&
                    at.substitute(loopVar(l.id), IndexExpr::loop(m.id)) ==
                        other;
           });
  };
  for (const Statement *s : collect<Statement>(l.body))
    for (const Statement *t : collect<Statement>(m.body)) {
      const auto of = accessesOf(*s), other = accessesOf(*t);
      if (any_of(of,
                 [&](const Access *a) { return coincide(*a, t->target); }) ||
          any_of(other,
                 [&](const Access *b) { return coincide(s->target, *b); }))
        return true;
    }
  return false;
}

/// The steps that make of \p siblings, which are all that a body holds, one
/// loop that begins with \p first, of the first's band; none where others have
/// no such loop.
static std::vector<Step> jamsOf(const Pipeline &pipeline,
                                ArrayRef<const Loop *> siblings,
                                const Loop &first) {
  const Nest &nest = pipeline.nest();
  std::vector<const Loop *> jammed;
  std::vector<Step> steps;
  for (const Loop *sibling : siblings) {
    const std::vector<const Loop *> band = perfectBand(*sibling);
    const auto l = find_if(band, [&](const Loop *m) {
      return jammed.empty() ? m == &first
                            : pipeline.dependences().isParallel(m->id) &&
                                  any_of(jammed, [&](const Loop *before) {
                                    return areOverOneDimension(*before, *m);
                                  });
    });
    if (l == band.end())
      return {};
    jammed.push_back(*l);
    std::vector<std::string> order{nest.loopNames[(*l)->id]};
    for (const Loop *outer : ArrayRef(band).take_front(l - band.begin()))
      order.push_back(nest.loopNames[outer->id]);
    if (order.size() > 1)
      steps.push_back({interchangePass, order});
  }
  for (const Loop *l : drop_begin(jammed))
    steps.push_back(
        {jamPass, {nest.loopNames[first.id], nest.loopNames[l->id]}});
  return steps;
}

/// Jams what the innermost loop of the outermost band holds, or the nest.
static bool jamOnce(Pipeline &pipeline) {
  const Nest &nest = pipeline.nest();
  const std::vector<const Loop *> band = outermostBand(nest);
  const Body &body = band.empty() ? nest.body : band.back()->body;
  const auto siblings = to_vector(select<Loop>(body));
  if (siblings.size() < 2 || siblings.size() != body.size())
    return false;
  for (const Loop *first : perfectBand(*siblings.front())) {
    if (!pipeline.dependences().isParallel(first->id))
      continue;
    const std::vector<Step> steps = jamsOf(pipeline, siblings, *first);
    if (steps.empty())
      continue;
    Pipeline trial = pipeline;
    // What reads an element of an earlier iteration would wait for that.
    if (errorToBool(trial.applyAll(steps)) ||
        !trial.dependences().isParallel(first->id))
      continue;
    pipeline = std::move(trial);
    return true;
  }
  return false;
}

bool jamSiblings(Pipeline &pipeline) {
  bool hasJammed = false;
  while (jamOnce(pipeline))
    hasJammed = true;
  return hasJammed;
}

bool restsOnRareFacts(const Pipeline &pipeline) {
  return any_of(pipeline.remarks(), [](const Remark &r) {
    return r.kind == Remark::Kind::Warning;
  });
}

/// Whether the outermost band has all parallel loops over outputs.
static bool isOneBand(const Pipeline &pipeline) {
  const Nest &nest = pipeline.nest();
  const std::vector<const Loop *> band = outermostBand(nest);
  return !band.empty() &&
         none_of(collect<Loop>(band.back()->body), [&](const Loop *l) {
           return isOfOutputs(nest, pipeline.dependences(), *l);
         });
}

bool runsAsOne(const Nest &nest, const LegalityOptions &legality) {
  std::optional<Pipeline> pipeline =
      expectedToOptional(Pipeline::create(nest, legality));
  return pipeline && jamSiblings(*pipeline) && isOneBand(*pipeline) &&
         !restsOnRareFacts(*pipeline);
}

} // namespace convopt
