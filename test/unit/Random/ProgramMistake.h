//===- ProgramMistake.h - Programs that break a rule ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Ways to break each rule of the programs' checker, for kernels that were
/// lowered from nests.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_PROGRAMMISTAKE_H
#define CONVOPT_TEST_UNIT_RANDOM_PROGRAMMISTAKE_H

#include "Random.h"
#include "convopt/Program/Stmt.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace convopt::test {

class ProgramPlant;

/// What is to be seen of a broken rule while the checker does not ask for it.
enum class Seen {
  Nothing, // the rule alone stands between it and the text
  Values,  // other ones are left
  Fault,   // of the interpreter
};

struct ProgramMistake {
  const char *name;
  const char *rule;
  void (*plant)(ProgramPlant &);
  Seen seen; // the most in many cases
};

llvm::ArrayRef<ProgramMistake> programMistakes();

/// \p kernel with the mistake at any of the places that there are for it, if
/// there are any.
std::optional<program::Kernel> withMistake(const ProgramMistake &mistake,
                                           const program::Kernel &kernel,
                                           Random &random);

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_PROGRAMMISTAKE_H
