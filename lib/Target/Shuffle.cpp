//===- Shuffle.cpp - Values that lanes of a warp exchange -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Target/Shuffle.h"
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
  return is_contained({"int",
                       "signed",
                       "signed int",
                       "int32_t",
                       "unsigned",
                       "unsigned int",
                       "uint32_t",
                       "long",
                       "long long",
                       "int64_t",
                       "ptrdiff_t",
                       "unsigned long",
                       "unsigned long long",
                       "uint64_t",
                       "size_t",
                       "float",
                       "double",
                       "half",
                       "__half",
                       "__nv_bfloat16"},
                      type);
}

} // namespace convopt
