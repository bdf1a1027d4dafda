//===- KernelUnfold.cpp - Copies to unfolded buffers ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iterators of a place are declared, and the element is that of the
// source's own subscripts:
//
//   const int y_s = (p_b + p_s) / 14 % 14;
//   const int x_s = (p_b + p_s) % 14;
//   if (y_s + r_s >= 1 && ...)
//     in_s[r_s][p_s] = in[(y_s + r_s - 1) * W + x_s];
//
//===----------------------------------------------------------------------===//

#include "CopyBox.h"
#include "Values.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Nest/Unfolding.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

static const Unfolding &unfoldingOf(const Nest &nest, const Copy &c) {
  return *nest.arrays[c.buffer].buffer->unfolding;
}

void KernelBody::declareUnfolded(const Copy &c, ArrayRef<unsigned> known,
                                 CopyPlace &p, Scope &s) {
  const Unfolding &u = unfoldingOf(nest, c);
  auto declared = [&](unsigned id, StringRef suffix, const IndexExpr &value) {
    Var v = s.names.variable(nest.loopNames[id] + suffix.str(), true);
    if (std::optional<int64_t> most = s.names.greatest(value))
      s.names.setCount(v, *most);
    declare(s, v, s.names.value(s.names.fold(value)));
    return IndexExpr::of(v);
  };
  std::map<unsigned, IndexExpr> coordinates;
  for (const auto &[iterator, value] : u.iterators) {
    const Var dim = *value.vars().begin(); // a function of one coordinate
    const unsigned d = find(u.dims, dim.id) - u.dims.begin();
    if (!is_contained(known, d) || p.iterators.count(iterator))
      continue;
    auto [coordinate, isNew] = coordinates.try_emplace(dim.id);
    if (isNew) {
      const IndexExpr at = c.base[d] + p.at[d];
      coordinate->second = declared(dim.id, "", at);
      if (!s.names.greatest(at) &&
          isAlways({Constraint::NonNegative, c.base[d]}, s)) // and an int
        s.names.setCount(*coordinate->second.asVar(), INT32_MAX);
    }
    p.iterators[iterator] =
        declared(iterator, "_s", value.substitute(dim, coordinate->second));
  }
}

std::vector<IndexExpr> KernelBody::unfoldedSource(const Copy &c,
                                                  const CopyPlace &p) const {
  std::vector<IndexExpr> coordinates;
  for (auto [base, at] : zip(c.base, p.at))
    coordinates.push_back(base + at);
  return elementAt(unfoldingOf(nest, c), coordinates, p.iterators);
}

std::vector<Constraint> endsToTest(
    const Nest &nest, const Copy &c, ArrayRef<IndexExpr> here,
    function_ref<bool(const IndexExpr &, ArrayRef<std::shared_ptr<Loop>>)>
        isProved) {
  const Array &a = nest.arrays[c.buffer];
  const Buffer &buffer = *a.buffer;
  const StorageMap map(nest, a);
  std::vector<std::shared_ptr<Loop>> places;
  std::vector<IndexExpr> any = c.base;
  for (size_t d = 0; d != any.size(); ++d) {
    if (a.extents[d] == IndexExpr(1))
      continue;
    auto place = std::make_shared<Loop>(nest.loopNames.size() + d);
    place->lower = {{IndexExpr(0), 1}};
    place->upper = {{buffer.isOnHost() ? map.extent(d) : a.extents[d], 1}};
    any[d] += IndexExpr(buffer.stride(d)) * IndexExpr::loop(place->id);
    places.push_back(std::move(place));
  }
  if (buffer.unfolding)
    any = elementAt(*buffer.unfolding, any);
  std::vector<Constraint> ends;
  auto add = [&](const IndexExpr &always, const IndexExpr &end) {
    if (!isProved(always, places))
      ends.push_back({Constraint::NonNegative, end});
  };
  for (auto [d, extent] : enumerate(nest.arrays[buffer.of].extents))
    if (!continuesPast(nest, a, d)) {
      add(any[d], here[d]);
      add(extent - 1 - any[d], extent - 1 - here[d]);
    }
  return ends;
}

Expr KernelBody::unfoldedTest(const Copy &c, const CopyPlace &p,
                              const Scope &s) const {
  std::vector<Constraint> ends = endsToTest(
      nest, c, unfoldedSource(c, p),
      [&](const IndexExpr &e, ArrayRef<std::shared_ptr<Loop>> places) {
        return isAlways({Constraint::NonNegative, e}, s, places);
      });
  for (Constraint &end : ends)
    end.expr = s.names.fold(end.expr);
  return s.names.condition(ends);
}

} // namespace convopt::lower
