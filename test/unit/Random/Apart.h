//===- Apart.h - In a process of its own ------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_APART_H
#define CONVOPT_TEST_UNIT_RANDOM_APART_H

#include "Emitted.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace convopt::test {

/// What \p run gives, without its counts, in a process of its own: lowering and
/// interpreter take what was checked, and may crash or never end with a nest
/// that breaks a rule. Either is a Fault.
Verdict runApart(llvm::function_ref<Verdict()> run);

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_APART_H
