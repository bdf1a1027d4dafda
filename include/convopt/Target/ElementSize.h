//===- ElementSize.h - Bytes of an element ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TARGET_ELEMENTSIZE_H
#define CONVOPT_TARGET_ELEMENTSIZE_H

#include "llvm/ADT/StringRef.h"

namespace convopt {

/// Bytes of the arithmetic C type \p type ("float") on a CUDA device; none
/// where the name says nothing (a template parameter, a type of the user's).
std::optional<int64_t> elementSize(llvm::StringRef type);

} // namespace convopt

#endif // CONVOPT_TARGET_ELEMENTSIZE_H
