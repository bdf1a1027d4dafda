//===- Shrink.h - The least of a failing case -------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_SHRINK_H
#define CONVOPT_TEST_UNIT_RANDOM_SHRINK_H

#include "Emitted.h"

namespace convopt::test {

/// Leaves out of \p c, which fails, steps, their options, statements and loops,
/// and makes numbers smaller, for as long as it fails.
Case shrunk(Case c);

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_SHRINK_H
