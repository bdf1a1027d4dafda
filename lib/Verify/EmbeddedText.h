//===- EmbeddedText.h - Headers that drivers are made of --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_EMBEDDEDTEXT_H
#define CONVOPT_LIB_VERIFY_EMBEDDEDTEXT_H

#include "llvm/ADT/StringRef.h"

namespace convopt::verify {

/// The text of include/convopt/Verify/cuda_on_cpu.h.
llvm::StringRef cudaOnCpuText();
/// The texts of its parts, cuda_on_cpu_bulk.h and cuda_on_cpu_streams.h, and of
/// cuda_on_cpu_half.h, which stands for the headers of 16-bit types.
llvm::StringRef cudaOnCpuBulkText();
llvm::StringRef cudaOnCpuHalfText();
llvm::StringRef cudaOnCpuStreamsText();
/// The texts of DriverRuntime.h, DriverValues.h and DriverArrays.h.
llvm::StringRef driverRuntimeText();

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_EMBEDDEDTEXT_H
