//===- PackPlan.cpp - Which places of a buffer a thread fills -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <functional>

using namespace llvm;

namespace convopt::lower {

/// Rows of a thread: so many loads are under way before the first store, and so
/// many that code stays small.
static constexpr int64_t LeastRows = 8, MostRows = 64;

/// How many values \p digit has at least, as far as sizes are known.
static int64_t leastCount(const Nest &nest, const StorageDigit &digit) {
  const std::optional<int64_t> least =
      nest.expandDefinitions(digit.count).evaluate([](Var) -> int64_t {
        return 1;
      });
  return std::max<int64_t>(1, least.value_or(1));
}

/// The places after which fused iterators along dimension \p dim change, the
/// most first.
static std::vector<int64_t> periodsOf(const Unfolding &u, unsigned dim) {
  std::set<int64_t, std::greater<>> periods;
  for (const auto &[iterator, value] : u.iterators)
    for (const auto &[monomial, factor] : value.terms())
      for (const Atom &a : monomial)
        if (!a.isVar() && a.num() == IndexExpr::loop(u.dims[dim]))
          if (std::optional<int64_t> period = a.den().asConstant())
            periods.insert(*period);
  return {periods.begin(), periods.end()};
}

/// Has fused iterators be digits of their own: of filters, they are numbers
/// then where loops are unrolled. Nothing where some iterations are left over.
static std::vector<PackDigit> split(PackDigit digit,
                                    ArrayRef<int64_t> periods) {
  std::vector<PackDigit> digits;
  for (int64_t period : periods) {
    if (!digit.known() || *digit.known() % period != 0)
      return {};
    PackDigit slow = digit;
    slow.count = *digit.known() / period;
    slow.weight *= period;
    digits.push_back(slow);
    digit.count = period;
  }
  digits.push_back(digit);
  return digits;
}

/// How many values of \p count a thread has, so that it has \p least rows.
static int64_t turnsOf(std::optional<int64_t> count, int64_t least,
                       int64_t most) {
  if (!count)
    return least;
  if (*count <= least)
    return std::max<int64_t>(*count, 1);
  for (int64_t turns = least; turns <= most; ++turns)
    if (*count % turns == 0)
      return turns;
  return least;
}

std::optional<int64_t> PackPlan::constantColumns() const {
  int64_t product = 1;
  for (const PackDigit &d : columns)
    if (!d.known() || MulOverflow(product, *d.known(), product) ||
        product > INT32_MAX - PackThreads)
      return std::nullopt;
  return product;
}

PackPlan packPlan(const Nest &nest, const Array &buffer) {
  PackPlan plan;
  const StorageMap map(nest, buffer);
  std::vector<PackDigit> digits;
  for (const StorageDigit &g : map.digits()) {
    digits.push_back({g});
    if (std::optional<int64_t> constant = nest.constantOf(g.count))
      digits.back().count = *constant;
  }
  auto first = digits.end();
  for (int64_t columns = 1; first != digits.begin() && columns < PackThreads;)
    columns *= leastCount(nest, *--first);
  plan.columns.assign(first, digits.end());
  for (const PackDigit &digit : make_range(digits.begin(), first)) {
    std::vector<PackDigit> parts;
    if (const auto &u = buffer.buffer->unfolding)
      parts = split(digit, periodsOf(*u, digit.dim));
    if (parts.empty())
      parts = {digit};
    append_range(plan.rows, parts);
  }
  int64_t rows = 1;
  for (PackDigit &digit : reverse(plan.rows)) {
    digit.turns =
        turnsOf(digit.known(), divideCeil(LeastRows, rows), MostRows / rows);
    rows *= digit.turns;
  }
  return plan;
}

} // namespace convopt::lower
