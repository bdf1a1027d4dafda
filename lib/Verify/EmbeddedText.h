//===- EmbeddedText.h - Headers that drivers are made of --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_EMBEDDEDTEXT_H
#define CONVOPT_LIB_VERIFY_EMBEDDEDTEXT_H

#include "convopt/Verify/Toolchain.h"

namespace convopt::verify {

/// The texts of DriverRuntime.h, DriverValues.h and DriverArrays.h.
llvm::StringRef driverRuntimeText();

/// The headers for a host by their names.
llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> hostHeaders();

/// Writes them to \p folder/include, and under the names that CUDA code
/// includes, all the same.
llvm::Error writeHostHeaders(llvm::StringRef folder);

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_EMBEDDEDTEXT_H
