//===- Random.h - The same numbers on every machine -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_RANDOM_H
#define CONVOPT_TEST_UNIT_RANDOM_RANDOM_H

#include <random>
#include <utility>

namespace convopt::test {

/// The same for the same seed on every machine, which the standard library's
/// distributions are not.
class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}

  unsigned pick(unsigned n) { return engine() % n; } // below n
  unsigned between(unsigned low, unsigned high) {
    return low + pick(high - low + 1);
  }
  bool chance(unsigned percent) { return pick(100) < percent; }
  template <typename T> auto &oneOf(T &&all) { return all[pick(all.size())]; }
  template <typename T> void shuffle(T &all) {
    for (size_t k = all.size(); k > 1; --k)
      std::swap(all[k - 1], all[pick(k)]);
  }

private:
  std::mt19937 engine;
};

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_RANDOM_H
