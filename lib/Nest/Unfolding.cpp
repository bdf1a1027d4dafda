//===- Unfolding.cpp - What lies at coordinates ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Unfolding.h"

using namespace llvm;

namespace convopt {

std::vector<IndexExpr> elementAt(const Unfolding &u,
                                 ArrayRef<IndexExpr> coordinates,
                                 const std::map<unsigned, IndexExpr> &known) {
  std::map<Var, IndexExpr> values;
  for (auto [dim, coordinate] : zip(u.dims, coordinates))
    values[loopVar(dim)] = coordinate;
  auto valueOf = [&](Var v) -> std::optional<IndexExpr> {
    auto found = values.find(v);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  std::map<Var, IndexExpr> iterators;
  for (const auto &[iterator, value] : u.iterators)
    if (auto k = known.find(iterator); k != known.end())
      iterators[loopVar(iterator)] = k->second;
    else
      iterators[loopVar(iterator)] = value.substitute(valueOf);
  values.merge(iterators);
  std::vector<IndexExpr> element;
  for (const IndexExpr &e : u.subscripts)
    element.push_back(e.substitute(valueOf));
  return element;
}

} // namespace convopt
