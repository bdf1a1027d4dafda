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
  WarpRead r = alongX(32 * 4, 4);
  EXPECT_EQ(wavefronts(r), 32);
  r.row = 32 * 4;
  r.unit = 4;
  EXPECT_EQ(wavefronts(r), 1);
  EXPECT_EQ(wavefronts(alongX(33 * 4, 4)), 1);
}

TEST(BankConflicts, VectorsDownAColumn) {
  WarpRead r = alongX(64 * 4, 16);
  EXPECT_EQ(wavefronts(r), 32);
  r.row = 64 * 4;
  r.unit = 16;
  EXPECT_EQ(wavefronts(r), 4); // 512 bytes
}

TEST(BankConflicts, AlongARowNothingChanges) {
  WarpRead r = alongX(4, 4);
  r.row = 32 * 4;
  r.unit = 4;
  EXPECT_EQ(wavefronts(r), 1);
}

/// Columns of rows that are shorter than the banks, by two rows of threads.
TEST(BankConflicts, ShortRows) {
  WarpRead r;
  r.threads = {8, 4, 1, 1};
  r.strides = {4, 8 * 16, 0, 0};
  r.bytes = 4;
  EXPECT_EQ(wavefronts(r), 4);
  r.row = 32;
  r.unit = 4;
  EXPECT_EQ(wavefronts(r), 4); // every fourth row: the same places of a unit
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
