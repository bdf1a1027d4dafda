//===- Resources.h - What a mapped nest asks of a device --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_RESOURCES_H
#define CONVOPT_SCHEDULE_RESOURCES_H

#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Target/Gpu.h"

namespace convopt {

/// Counted before anything is compiled, so estimates from below.
struct Resources {
  std::array<int64_t, 3> blockDim{1, 1, 1};
  int64_t sums = 0;           // elements of local arrays that a thread keeps
  int64_t sumRegisters = 0;   // registers (32 bits) that they take
  int64_t otherRegisters = 0; // operands, subscripts and addresses
  int64_t sharedBytes = 0;    // of a block, in buffers of constant size
  int64_t minBlocks = 0;      // that reside on a multiprocessor at once
};

/// Registers that an element of \p type ("float") takes; 1 where the type is
/// not known (a template parameter).
int64_t registersOf(llvm::StringRef type);

/// Registers for subscripts and addresses that every thread needs.
constexpr int64_t AddressRegisters = 16;

Resources estimateResources(const Nest &mapped);

/// Refuses (rule "limit") what \p gpu cannot run, with the limit, the value
/// and the option to change.
llvm::Error checkResources(const Resources &r, const Gpu &gpu,
                           SourceRange where = {});

/// Refuses (rule "limit") a nest whose buffers of constant size do not fit the
/// shared memory of a block, with the bytes that they need, the limit, and for
/// each strip-mining alone the largest factor with which they would.
llvm::Error checkSharedMemory(const Pipeline &pipeline, const Gpu &gpu);

/// All of these for what \p pipeline has made, with grid extents where they
/// are constant.
llvm::Error checkResources(const Pipeline &pipeline, const Gpu &gpu);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_RESOURCES_H
