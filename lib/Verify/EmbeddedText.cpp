//===- EmbeddedText.cpp - Headers that drivers are made of ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmbeddedText.h"

namespace convopt::verify {

static const char cudaOnCpu[] =
#include "cuda_on_cpu.inc"
    ;

static const char cudaOnCpuBulk[] =
#include "cuda_on_cpu_bulk.inc"
    ;

static const char cudaOnCpuHalf[] =
#include "cuda_on_cpu_half.inc"
    ;

static const char cudaOnCpuStreams[] =
#include "cuda_on_cpu_streams.inc"
    ;

// Each is written in terms of those before.
static const char driverRuntime[] =
#include "DriverRuntime.inc"

#include "DriverValues.inc"

#include "DriverArrays.inc"
    ;

llvm::StringRef cudaOnCpuText() { return cudaOnCpu; }
llvm::StringRef cudaOnCpuBulkText() { return cudaOnCpuBulk; }
llvm::StringRef cudaOnCpuHalfText() { return cudaOnCpuHalf; }
llvm::StringRef cudaOnCpuStreamsText() { return cudaOnCpuStreams; }
llvm::StringRef driverRuntimeText() { return driverRuntime; }

} // namespace convopt::verify
