//===- RandomNest.h - Small nests and steps at random -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_RANDOMNEST_H
#define CONVOPT_TEST_UNIT_RANDOM_RANDOMNEST_H

#include "convopt/Schedule/Step.h"
#include <random>

namespace convopt::test {

/// Nests of two to four loops of constant or triangular extents and one to
/// four statements, with affine accesses to two arrays that they write and one
/// that they only read. The same for the same seed on every machine.
class RandomNest {
public:
  explicit RandomNest(unsigned seed) : engine(seed) {}

  /// The nest as .nest text.
  std::string text();
  /// A step on a loop or two of \p nest; nothing says that it fits.
  Step step(const Nest &nest);

private:
  std::mt19937 engine;
  std::string body;
  unsigned depth = 0, statements = 0;
  std::vector<std::string> loops; // around

  unsigned pick(unsigned n) { return engine() % n; }
  bool chance(unsigned percent) { return pick(100) < percent; }

  void line(const std::string &text) {
    body += std::string(2 * loops.size(), ' ') + text + "\n";
  }
  Step skewed(const Nest &nest, const Loop &l);
  std::string subscript();
  std::string element(bool mayBeInput);
  std::string value();
  void statement(const std::string &target, const std::string &rhs);
  void statement();
  void level();
  void innermost();
  void guardedProduct();
  void reduction();
  void open();
  void close();
};

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_RANDOMNEST_H
