//===- Atomics.h - Which updates are atomic ---------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_PROGRAM_ATOMICS_H
#define CONVOPT_PROGRAM_ATOMICS_H

#include "convopt/Program/Stmt.h"
#include "convopt/Target/Atomics.h"

namespace convopt::program {

/// The operation that CUDA has for \p update; none where it has none.
inline std::optional<Atomic> atomicOf(Assignment::Update update) {
  switch (update) {
  case Assignment::Update::Add:
    return Atomic::Add;
  case Assignment::Update::Max:
    return Atomic::Max;
  case Assignment::Update::Min:
    return Atomic::Min;
  default:
    return std::nullopt;
  }
}

} // namespace convopt::program

#endif // CONVOPT_PROGRAM_ATOMICS_H
