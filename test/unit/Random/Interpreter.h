//===- Interpreter.h - Runs nests -------------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Executes a nest on 64-bit integers, for comparing it with what it was before
/// a transformation. Knows nothing of dependences.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_INTERPRETER_H
#define CONVOPT_TEST_UNIT_RANDOM_INTERPRETER_H

#include "convopt/Nest/Nest.h"
#include <map>

namespace convopt::test {

/// How to run what may be run in several ways.
struct RunOptions {
  uint64_t data = 1; // chooses the initial values
  /// Grid and block loops run backwards: threads have no order.
  bool backwards = false;
  /// Sums and products have their algebra; else every operation is one that
  /// depends on the order of its operands (Values.h).
  bool associative = false;
  std::vector<int64_t> params = {}; // by id
  /// Is told what the nest must not do: subscripts out of bounds, and reads of
  /// what has no value.
  std::string *fault = nullptr;
};

/// An element: array and subscripts.
using Element = std::pair<unsigned, std::vector<int64_t>>;
using Memory = std::map<Element, uint64_t>;

/// What \p nest leaves in the elements that it wrote, local arrays apart.
Memory run(const Nest &nest, const RunOptions &options);

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_INTERPRETER_H
