//===- Gather.cpp - Loops over the elements of an output ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for i in 0 .. N {            for j in 0 .. N + K - 1 {
//     for j in 0 .. K {            for i in max(0, j - K + 1) .. min(N, j + 1)
//       y[i + j] +=                  y[j] +=
//         x[i] * h[j]                  x[i] * h[j - i]
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Gather.h"
#include "convopt/Nest/Terms.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Bounds.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/Skew.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

std::vector<std::vector<unsigned>> scatteredLoops(const Nest &nest,
                                                  const Statement &s) {
  std::vector<std::vector<unsigned>> result;
  const std::vector<const Loop *> band = outermostBand(nest);
  for (const IndexExpr &e : s.target.subscripts) {
    std::vector<unsigned> added;
    for (const Loop *l : band)
      if (e.uses(loopVar(l->id)))
        added.push_back(l->id);
    const bool isSum = added.size() > 1 && all_of(added, [&](unsigned l) {
                         return e.coefficient(loopVar(l)) != 0;
                       });
    if (isSum && std::abs(e.coefficient(loopVar(added.back()))) == 1)
      result.push_back(std::move(added));
  }
  return result;
}

static const Statement *scatterInto(const Nest &nest, unsigned array) {
  for (const StatementPath &p : statements(nest))
    if (p.statement->target.array == array &&
        !scatteredLoops(nest, *p.statement).empty())
      return p.statement;
  return nullptr;
}

/// What holds for an element that has a term: each of \p inner has an
/// iteration. That the loops of \p source run is left out. Nothing where one of
/// them decides about another.
static std::optional<std::vector<Constraint>>
hasTerms(const Nest &source, const Nest &nest, ArrayRef<unsigned> inner) {
  std::vector<IndexExpr> known;
  for (const Loop *l : loops(source))
    for (const Bound &lower : l->lower)
      for (const Bound &upper : l->upper)
        known.push_back(hasOne(lower, upper));
  std::vector<Constraint> all;
  for (const Loop *l : loops(nest)) {
    if (!is_contained(inner, l->id))
      continue;
    for (const Bound &lower : l->lower)
      for (const Bound &upper : l->upper) {
        const IndexExpr runs = hasOne(lower, upper);
        if (any_of(inner, [&](unsigned o) { return runs.uses(loopVar(o)); }))
          return std::nullopt;
        if (runs.usesLoops() || !is_contained(known, runs))
          all.push_back({Constraint::NonNegative, runs});
      }
  }
  return all;
}

Expected<Nest> gather(const Nest &nest, unsigned array, PrimitiveDone done) {
  const Array &a = nest.arrays[array];
  const Statement *s = scatterInto(nest, array);
  if (!s || !isOriginal(*s))
    return refuse("structure",
                  "no subscript of '" + a.name +
                      "' adds up loops of the outermost band as it was written",
                  a.range, "name the array of a scatter, y[i + j] += ...");
  Nest current = nest;
  auto take = [&](const std::string &step, Expected<Nest> next) -> Error {
    if (!next)
      return next.takeError();
    current = std::move(*next);
    return done(step, current);
  };
  std::vector<unsigned> order, inner;
  for (const std::vector<unsigned> &added : scatteredLoops(nest, *s)) {
    const unsigned last = added.back();
    const IndexExpr &e =
        *find_if(s->target.subscripts,
                 [&](const IndexExpr &e) { return e.uses(loopVar(last)); });
    for (unsigned by : ArrayRef(added).drop_back()) {
      const int64_t factor =
          e.coefficient(loopVar(by)) * e.coefficient(loopVar(last));
      const std::string step = "skew=" + nest.loopNames[last] + "," +
                               nest.loopNames[by] + "," +
                               std::to_string(factor);
      RETURN_IF_ERROR(take(step, skew(current, last, by, factor)));
      inner.push_back(by);
    }
  }
  auto isOuter = [&](unsigned l) {
    return !is_contained(inner, l) && uses(s->target, l);
  };
  std::vector<unsigned> band, inside;
  for (const Loop *l : outermostBand(nest)) {
    band.push_back(l->id);
    (isOuter(l->id) ? order : inside).push_back(l->id);
  }
  append_range(order, inside);
  if (order != band) {
    std::string step = "interchange=";
    for (unsigned l : order)
      step += (l == order.front() ? "" : ",") + nest.loopNames[l];
    RETURN_IF_ERROR(take(step, interchange(current, order)));
  }
  // An element without terms is not touched.
  std::optional<std::vector<Constraint>> runs = hasTerms(nest, current, inside);
  if (!runs)
    return refuse("structure",
                  "which terms an element of '" + a.name +
                      "' has is decided by several loops together",
                  a.range, "write a loop over its elements");
  auto guard = std::make_shared<Guard>(s->range);
  guard->conditions = std::move(*runs);
  ASSIGN_OR_RETURN(LoopPath first, findLoop(current, inside.front()));
  guard->body = {std::make_shared<Loop>(*first.loop)};
  return withoutImpliedGuards(
      rebase(replaceLoop(current, inside.front(), {guard})));
}

const Pass gatherPass{"gather", "ARRAY",
                      "Make loops over what this array's subscripts add up",
                      bindTo<gather, Word::Array>, Pass::Effect::Iterators};

} // namespace convopt
