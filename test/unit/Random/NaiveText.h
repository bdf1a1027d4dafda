//===- NaiveText.h - A nest as a function -----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_NAIVETEXT_H
#define CONVOPT_TEST_UNIT_RANDOM_NAIVETEXT_H

#include "Emitted.h"

namespace convopt::test {

/// \p nest, which no step has changed, as a function of C++ over flat arrays;
/// empty where it is a template, has types that C++ has no form for, or bounds
/// that depend on other loops.
std::string naiveText(const Nest &nest);

/// Writes \p c into \p folder: NAME.cpp, NAME.sched, and NAME.options for
/// convopt. Nothing where its nest has no text.
void writeNaive(const Case &c, llvm::StringRef folder, llvm::StringRef name);

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_NAIVETEXT_H
