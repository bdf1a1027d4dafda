//===- ResourcesTest.cpp - What a block takes -----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Resources.h"
#include "convopt/Nest/Text.h"
#include "convopt/Transforms/SharedBuffers.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace llvm;

namespace {

/// Two branches declare one buffer; boxes of tensor copies begin at multiples
/// of 128 bytes, and have a barrier each.
TEST(Resources, SharedBuffersAreCountedOnce) {
  Expected<Nest> nest = parseNest(R"(nest f from "f.cu"
template "template <class T>"
template argument "T" type
param N: int
array a: T[3] input
array b: float[8][32] input
array y: float[N] output
array a_s: T[3] local buffer of a shared
array b_s: float[8][32] local buffer of b shared vector 4 depth 2 tensor
for x in 0 .. N grid.x {
  if N - 8 >= 0 {
    local a_s
    local b_s
    S0: y[x] = 0.0f
  }
  if 7 - N >= 0 {
    local a_s
    S1: y[x] = 0.0f
  }
}
)");
  ASSERT_TRUE(bool(nest)) << toString(nest.takeError());
  EXPECT_EQ(sharedBuffers(*nest), (std::vector<unsigned>{3, 4}));
  EXPECT_EQ(endInShared(*nest, nest->arrays[3], 0, /*unknown=*/8), 24);
  EXPECT_EQ(endInShared(*nest, nest->arrays[3], 0, /*unknown=*/1), 3);
  EXPECT_EQ(endInShared(*nest, nest->arrays[4], 24, 8),
            128 + 2 * (8 * 32 * 4 + 8));
  EXPECT_EQ(endInShared(*nest, nest->arrays[4], INT32_MAX, 8), INT32_MAX);
  EXPECT_EQ(estimateResources(*nest).sharedBytes, 128 + 2 * (8 * 32 * 4 + 8));
}

} // namespace
