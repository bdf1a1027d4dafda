//===- Shuffle.h - Values that lanes of a warp exchange ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TARGET_SHUFFLE_H
#define CONVOPT_TARGET_SHUFFLE_H

#include "llvm/ADT/StringRef.h"
#include <array>

namespace convopt {

/// Lanes of a warp.
inline constexpr unsigned WarpSize = 32;

/// Whether the threads of a block of \p block threads along x, y and z that
/// differ along \p dimension alone are lanes of one warp whose numbers differ
/// in some bits, whichever these threads are; and all warps are full.
bool areLanesOfWarp(const std::array<int64_t, 3> &block, unsigned dimension);

/// Whether CUDA's `__shfl_xor_sync` takes values of \p type as they are.
bool hasShuffle(llvm::StringRef type);

} // namespace convopt

#endif // CONVOPT_TARGET_SHUFFLE_H
