//===- ShuffleTest.cpp - Values that lanes of a warp exchange -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Target/Shuffle.h"
#include <gtest/gtest.h>

using namespace convopt;

TEST(Shuffle, ThreadsAreLanesOfOneWarp) {
  // Neighbours, and threads at a distance.
  EXPECT_TRUE(areLanesOfWarp({4, 8, 1}, 0));
  EXPECT_TRUE(areLanesOfWarp({8, 1, 4}, 2));
  EXPECT_TRUE(areLanesOfWarp({8, 2, 8}, 1));
  EXPECT_TRUE(areLanesOfWarp({32, 3, 1}, 0));
  EXPECT_TRUE(areLanesOfWarp({2, 6, 8}, 0));
  // In several warps.
  EXPECT_FALSE(areLanesOfWarp({64, 1, 1}, 0));
  EXPECT_FALSE(areLanesOfWarp({16, 4, 1}, 1));
  EXPECT_FALSE(areLanesOfWarp({8, 2, 8}, 2));
  // At places that no bits tell.
  EXPECT_FALSE(areLanesOfWarp({3, 32, 1}, 0));
  EXPECT_FALSE(areLanesOfWarp({6, 4, 4}, 1));
  EXPECT_FALSE(areLanesOfWarp({8, 3, 4}, 1));
  // Warps with lanes that no thread has.
  EXPECT_FALSE(areLanesOfWarp({4, 1, 1}, 0));
  EXPECT_FALSE(areLanesOfWarp({8, 6, 1}, 0));
}

TEST(Shuffle, TypesOfTheFunction) {
  for (const char *type : {"float", "double", "int", "uint64_t", "std::int32_t",
                           "__half", "__nv_bfloat16"})
    EXPECT_TRUE(hasShuffle(type)) << type;
  // What becomes an int, has no function, or may be anything.
  for (const char *type : {"char", "uint16_t", "bool", "_Float16", "T", ""})
    EXPECT_FALSE(hasShuffle(type)) << type;
}
