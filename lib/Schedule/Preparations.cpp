//===- Preparations.cpp - What comes before tiles are chosen --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for c in 0 .. C {            for y in 0 .. H {
//     for y in 0 .. H {            for c in 0 .. C {
//       for i in 0 .. K {            for i in 0 .. K {
//         out[y] +=                    out[y] +=
//
//   for i in 0 .. N {            for i in 0 .. N {
//     for j in 0 .. i + 1 {        for j in 0 .. N {
//       out[i][j] =                  if i - j >= 0 {
//                                      out[i][j] =
//
//===----------------------------------------------------------------------===//

#include "Preparations.h"
#include "convopt/Schedule/Request.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Transforms/Gather.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/Jam.h"
#include "convopt/Transforms/ScalarReplace.h"
#include "convopt/Transforms/Structure.h"
#include "convopt/Transforms/Widen.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace convopt {

/// The arrays of sums that are scattered over loops that are not parallel. Of a
/// kernel they are what threads add up without a word to one another, which
/// means nothing.
static std::vector<std::string> scatters(const Pipeline &pipeline) {
  const Nest &nest = pipeline.nest();
  std::vector<std::string> arrays;
  if (nest.function.isKernel)
    return arrays;
  for (const StatementPath &p : statements(nest)) {
    const Statement &s = *p.statement;
    const std::string &name = nest.arrays[s.target.array].name;
    auto isSerial = [&](unsigned l) {
      return !isFree(pipeline.dependences(), l);
    };
    auto areSerial = [&](ArrayRef<unsigned> added) {
      return all_of(added, isSerial);
    };
    if (s.isReduction() && !is_contained(arrays, name) &&
        any_of(scatteredLoops(nest, s), areSerial))
      arrays.push_back(name);
  }
  return arrays;
}

/// The loops of the outermost band, those first that elements of sums in memory
/// are over.
static std::vector<unsigned> elementsFirst(const Nest &nest) {
  std::vector<unsigned> order;
  for (const Loop *l : outermostBand(nest))
    order.push_back(l->id);
  std::stable_partition(order.begin(), order.end(), [&](unsigned l) {
    return any_of(statements(nest), [&](const StatementPath &p) {
      const Access &sum = p.statement->target;
      return p.statement->isReduction() && !nest.arrays[sum.array].isLocal() &&
             uses(sum, l);
    });
  });
  return order;
}

/// Whether \p l is one side of a diagonal: about half of the box around it. A
/// band, both of whose ends move, may be any small part of that.
static bool isTriangle(const Loop &l) {
  auto moves = [](ArrayRef<Bound> bounds) {
    return any_of(bounds, [](const Bound &b) { return b.expr.usesLoops(); });
  };
  return moves(l.lower) != moves(l.upper);
}

std::vector<std::vector<Step>> preparations(const Pipeline &pipeline) {
  std::vector<std::vector<Step>> all;
  for (const std::string &array : scatters(pipeline))
    all.push_back({{gatherPass, {array}}});
  const Nest &nest = pipeline.nest();
  std::vector<std::string> order, old;
  for (unsigned l : elementsFirst(nest))
    order.push_back(nest.loopNames[l]);
  for (const Loop *l : outermostBand(nest))
    old.push_back(nest.loopNames[l->id]);
  if (order != old)
    all.push_back({{interchangePass, order}});
  // Guards within its loop would keep a sum in memory.
  std::vector<Step> widening;
  for (auto [id, a] : enumerate(nest.arrays))
    if (isSummedInMemory(nest, id))
      widening.push_back({scalarReplacePass, {a.name}});
  const size_t sums = widening.size();
  for (const Loop *l : outermostBand(nest))
    if (isTriangle(*l) && isFree(pipeline.dependences(), l->id))
      widening.push_back({widenPass, {nest.loopNames[l->id]}});
  if (widening.size() != sums)
    all.push_back(std::move(widening));
  return all;
}

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
    Pipeline trial = pipeline;
    if (steps.empty() || errorToBool(trial.applyAll(steps)))
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

bool runsAsOne(const Nest &nest, const LegalityOptions &legality) {
  std::optional<Pipeline> pipeline =
      expectedToOptional(Pipeline::create(nest, legality));
  if (!pipeline || !jamSiblings(*pipeline))
    return false;
  const Nest &jammed = pipeline->nest();
  const std::vector<const Loop *> band = outermostBand(jammed);
  return !band.empty() &&
         none_of(collect<Loop>(band.back()->body),
                 [&](const Loop *l) {
                   return isOfOutputs(jammed, pipeline->dependences(), *l);
                 }) &&
         none_of(pipeline->remarks(), [](const Remark &r) {
           return r.kind == Remark::Kind::Warning;
         });
}

} // namespace convopt
