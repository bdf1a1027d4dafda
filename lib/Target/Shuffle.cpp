//===- Shuffle.cpp - Values that lanes of a warp exchange -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Target/Shuffle.h"
#include "convopt/Target/ElementSize.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

bool areLanesOfWarp(const std::array<int64_t, 3> &block, unsigned dimension) {
  // Up to the dimension, and with it: a divisor of 32 is a power of two.
  int64_t lanes = 1, threads = 1;
  for (unsigned d = 0; d != 3; ++d) {
    threads *= block[d];
    if (d <= dimension)
      lanes = threads;
  }
  return WarpSize % lanes == 0 && threads % WarpSize == 0;
}

bool hasShuffle(StringRef type) {
  type.consume_front("std::");
  return elementSize(type).value_or(0) >= 4 ||
         is_contained(
             {"signed", "signed int", "half", "__half", "__nv_bfloat16"}, type);
}

} // namespace convopt
