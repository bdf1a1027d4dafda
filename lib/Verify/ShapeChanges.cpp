//===- ShapeChanges.cpp - Shapes next to others ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeCheck.h"
#include "ShapeChooser.h"

using namespace llvm;

namespace convopt::verify {

void ShapeChooser::startFrom(const Shape &from) {
  shape = from;
  sizes = Values(nest);
  for (unsigned p = 0; p != nest.params.size(); ++p)
    if (!nest.params[p].definition)
      sizes.set(p, from.sizes.at(nest.params[p].name));
}

/// Opens what equations give of \p changed, and what has to hold it, such as a
/// pitch.
void ShapeChooser::openDependents(unsigned changed) {
  for (const auto &[large, small] : bases)
    if (small == changed)
      sizes.set(large, std::nullopt);
  for (const Assumption &a : nest.assumptions) {
    const IndexExpr e = nest.expandDefinitions(a.fact.expr);
    if (a.fact.kind != Constraint::Zero || !e.uses(paramVar(changed)))
      continue;
    for (Var v : e.vars())
      if (v.id != changed && std::abs(e.coefficient(v)) == 1) {
        sizes.set(v.id, std::nullopt);
        break;
      }
  }
}

/// The shape after its size \p changed was, which was \p from: sizes that are
/// open, and another one of each fact that does not hold, give way.
std::optional<Shape> ShapeChooser::repaired(const Shape &from,
                                            unsigned changed) {
  auto settleAnew = [&](unsigned p) {
    const int64_t old = from.sizes.at(nest.params[p].name);
    if (!settle(p, old) && !settle(p, 1))
      set(p, old);
  };
  settleEquations();
  for (unsigned p = 0; p != nest.params.size(); ++p)
    if (isOpen(p))
      settleAnew(p);
  std::set<unsigned> fixed{changed};
  for (const Fact &fact : facts)
    for (unsigned p : fact.params)
      if (!fact.mayHold(sizes) && fixed.insert(p).second)
        settleAnew(p);
  return !isAmong(nest.params[changed], *sizes.at(changed)) ||
                 errorToBool(checkShape(nest, shape))
             ? std::nullopt
             : std::optional(shape);
}

std::optional<Shape> ShapeChooser::withTrips(const Shape &from, unsigned loop,
                                             int64_t trips) {
  const auto l = find_if(order, [&](const Loop *l) { return l->id == loop; });
  return withCount(from, l == order.end() ? IndexExpr() : tripCount(**l),
                   trips);
}

std::optional<Shape> ShapeChooser::withCount(const Shape &from,
                                             const IndexExpr &count,
                                             int64_t value) {
  std::vector<unsigned> open;
  if (count.isValid())
    for (Var v : count.vars())
      if (v.kind == Var::Param)
        open.push_back(v.id);
  if (open.empty())
    return std::nullopt;
  startFrom(from);
  const unsigned param = solvedFor(count, open);
  openDependents(param);
  search(count, param, value);
  return repaired(from, param);
}

std::optional<Shape> ShapeChooser::withSize(const Shape &from, unsigned param,
                                            int64_t value) {
  startFrom(from);
  openDependents(param);
  set(param, value);
  return repaired(from, param);
}

} // namespace convopt::verify
