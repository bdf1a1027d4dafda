//===- RandomCase.h - A nest and where it runs ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_RANDOMCASE_H
#define CONVOPT_TEST_UNIT_RANDOM_RANDOMCASE_H

#include "Emitted.h"
#include "Random.h"

namespace convopt::test {

/// What is drawn. Each has a stream of its own: what others draw leaves its
/// seeds as they are.
enum class Draw {
  Any,      // all nests and schedules but those of
  Products, // matrices: fused loops, unfolded buffers, rows that end early
  Sums,     // that threads share, most of them lanes of a warp
  Siblings, // loops side by side, which are jammed
};

/// A nest, with leave to use algebra or without.
Case randomCase(Random &random, Draw draw);

/// Three sets: one of any sizes, one in which rows are multiples of vectors and
/// tiles, one of small ones.
std::vector<Sizes> randomSizes(const Nest &nest, Random &random);

/// The device and what the emission of \p c is told.
void chooseTarget(Case &c, Random &random);

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_RANDOMCASE_H
