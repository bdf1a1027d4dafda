//===- RandomExpr.h - Random index expressions ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_NEST_RANDOMEXPR_H
#define CONVOPT_TEST_UNIT_NEST_RANDOMEXPR_H

#include "convopt/Nest/IndexExpr.h"
#include <array>
#include <random>
#include <utility>

namespace convopt {

/// Expressions over three loops and three parameters with their values, for
/// comparing the canonical form with plain arithmetic.
class RandomExpr {
public:
  explicit RandomExpr(unsigned seed) : engine(seed) {}

  /// An expression and its value.
  std::pair<IndexExpr, int64_t> make(unsigned depth) {
    if (depth == 0 || pick(5) == 0)
      return leaf();
    auto [a, va] = make(depth - 1);
    if (unsigned op = pick(5); op < 2) {
      int64_t d = 1 + pick(6);
      int64_t floor = va >= 0 ? va / d : -((-va + d - 1) / d);
      return op ? std::pair(IndexExpr::floorDiv(a, d), floor)
                : std::pair(IndexExpr::mod(a, d), va - d * floor);
    }
    auto [b, vb] = make(depth - 1);
    switch (pick(3)) {
    case 0:
      return {a + b, va + vb};
    case 1:
      return {a - b, va - vb};
    default:
      return {a * b, va * vb};
    }
  }

  int64_t value(Var v) const {
    return values[v.kind == Var::Loop ? v.id : 3 + v.id];
  }

private:
  unsigned pick(unsigned n) { return engine() % n; }
  std::pair<IndexExpr, int64_t> leaf() {
    unsigned n = pick(8);
    if (n >= 6) {
      int64_t constant = int64_t(pick(21)) - 10;
      return {constant, constant};
    }
    Var v = n < 3 ? loopVar(n) : paramVar(n - 3);
    return {IndexExpr::of(v), value(v)};
  }

  std::mt19937 engine;
  std::array<int64_t, 6> values{3, -5, 7, 13, 4, 2};
};

} // namespace convopt

#endif // CONVOPT_TEST_UNIT_NEST_RANDOMEXPR_H
