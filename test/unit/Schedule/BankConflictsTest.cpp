//===- BankConflictsTest.cpp - Cycles of a warp's read --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Schedule/BankConflicts.h"
#include "gtest/gtest.h"

using namespace convopt;

namespace {

/// Threads along x that read \p bytes each, \p stride bytes apart.
WarpRead alongX(int64_t stride, int64_t bytes) {
  WarpRead r;
  r.threads = {32, 1, 1, 1};
  r.strides = {stride, 0, 0, 0};
  r.bytes = bytes;
  return r;
}

TEST(BankConflicts, DownAColumn) {
  EXPECT_EQ(wavefronts(alongX(32 * 4, 4)), 32);
  EXPECT_EQ(wavefronts(alongX(33 * 4, 4)), 1);
  EXPECT_EQ(wavefronts(alongX(64 * 4, 16)), 32); // vectors
}

TEST(BankConflicts, AlongARow) {
  EXPECT_EQ(wavefronts(alongX(4, 4)), 1);
  EXPECT_EQ(wavefronts(alongX(16, 16)), 4); // 512 bytes
}

/// Columns of rows that are shorter than the banks, by two rows of threads.
TEST(BankConflicts, ShortRows) {
  WarpRead r;
  r.threads = {8, 4, 1, 1};
  r.strides = {4, 8 * 16, 0, 0};
  r.bytes = 4;
  EXPECT_EQ(wavefronts(r), 4);
  r.strides[1] = 8 * 4;
  EXPECT_EQ(wavefronts(r), 1);
}

/// Half a warp has other terms of the same sums, in the same bank or the next.
TEST(BankConflicts, LanesThatShareASum) {
  WarpRead r;
  r.threads = {1, 1, 16, 2};
  r.strides = {0, 0, 0, 32 * 4};
  r.bytes = 4;
  EXPECT_EQ(wavefronts(r), 2);
  r.strides[3] = 33 * 4;
  EXPECT_EQ(wavefronts(r), 1);
}

} // namespace
