//===- Mistake.h - A pass that is wrong -------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Passes keep to the rules of Legality or are refused by them. To see that
/// rules refuse what no pass does, this one makes mistakes of all kinds.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_MISTAKE_H
#define CONVOPT_TEST_UNIT_RANDOM_MISTAKE_H

#include "Random.h"
#include "convopt/Schedule/Step.h"

namespace convopt::test {

/// `mistake=KIND,WHERE,HOW`: makes one mistake in the WHEREth place that there
/// is for it; numbers that are too large begin again. Refuses (rule
/// "structure") a nest that has no such place.
extern const Pass mistakePass;

/// Any.
Step randomMistake(Random &random);

/// A step of a schedule, or a mistake.
llvm::Expected<Step> parseAnyStep(llvm::StringRef text);

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_MISTAKE_H
