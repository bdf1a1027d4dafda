//===- Atomics.h - Atomic operations of CUDA --------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TARGET_ATOMICS_H
#define CONVOPT_TARGET_ATOMICS_H

#include "llvm/ADT/StringRef.h"

namespace convopt {

/// What CUDA can do to an element as one operation.
enum class Atomic : uint8_t { Add, Max, Min };

/// "atomicAdd"
llvm::StringRef str(Atomic a);

/// The oldest compute capability (70 of sm_70) that has \p a for elements of
/// the C type \p type (CUDA C++ Programming Guide, "Atomic Functions"); none
/// where CUDA has it for no device, or the name says nothing.
std::optional<unsigned> capabilityOf(Atomic a, llvm::StringRef type);

} // namespace convopt

#endif // CONVOPT_TARGET_ATOMICS_H
