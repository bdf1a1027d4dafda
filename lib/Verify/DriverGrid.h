//===- DriverGrid.h - The grid of the naive kernel --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the naive kernel is launched with. A part of each verification driver,
/// after DriverRuntime.h.
///
//===----------------------------------------------------------------------===//

namespace convopt_verify {

/// The grid of these numbers of blocks; none along a dimension where the loops
/// of the source end before they begin.
inline dim3 gridOf(int64_t x, int64_t y, int64_t z) {
  const auto blocks = [](int64_t n) { return unsigned(n < 0 ? 0 : n); };
  return dim3(blocks(x), blocks(y), blocks(z));
}

/// Whether there is something to launch: CUDA refuses a grid without blocks.
inline bool hasBlocks(dim3 grid) { return grid.x && grid.y && grid.z; }

/// Takes a block from \p grid, along another dimension in the next shape; false
/// where there is one alone.
inline bool dropBlock(dim3 &grid) {
  if (!hasBlocks(grid))
    return false;
  unsigned *const sizes[] = {&grid.x, &grid.y, &grid.z};
  for (int k = 0; k < 3; ++k)
    if (unsigned &size = *sizes[(state.shapes + k) % 3]; size > 1)
      return --size;
  return false;
}

} // namespace convopt_verify
