//===- Memory.h - What memory moves at once ---------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Units of memory, in bytes. All known devices have these (CUDA C++
/// Programming Guide: device memory accesses, shared memory, asynchronous
/// copies, tensor maps).
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TARGET_MEMORY_H
#define CONVOPT_TARGET_MEMORY_H

#include <cstdint>

namespace convopt {

/// What global memory and its caches move at once.
inline constexpr int64_t SectorBytes = 32;
/// Four of these, for which a cache has one tag.
inline constexpr int64_t LineBytes = 128;
/// All banks of shared memory, four bytes each: a wavefront.
inline constexpr int64_t BankBytes = 128;
/// The most that one access of a thread moves, and the unit that TMA copies.
inline constexpr int64_t AccessBytes = 16;
/// What TMA tensor copies align boxes to in shared memory.
inline constexpr int64_t TensorAlignment = 128;
/// What the nearest cache of constants holds, in whatever order it is read.
inline constexpr int64_t NearCache = 2048;

/// Whether a thread's asynchronous copy can move \p bytes.
inline bool isAsyncSize(int64_t bytes) {
  return bytes == 4 || bytes == 8 || bytes == AccessBytes;
}

} // namespace convopt

#endif // CONVOPT_TARGET_MEMORY_H
