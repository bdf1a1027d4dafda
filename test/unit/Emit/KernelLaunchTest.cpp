//===- KernelLaunchTest.cpp - How an emitted kernel is launched -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Lower/Kernel.h"
#include "convopt/Nest/Text.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace llvm;

/// A row of F + 31 elements, rounded up to a multiple of 4, held twice, and a
/// filter of F: two buffers of a template's type.
static const char Staged[] = R"(nest f from "f.cu"
kernel
template "template <class T, int F>"
template argument "T" type
template argument "F"
argument a "const T *@" array
argument w "const T *@" array
argument b "T *@" array
argument n "int @" param
param n: int
param F: int template
array a: T[3][n + F - 1] input
array w: T[F] input
array b: T[n] output
array sum: T local
array a_s: T[1][F + 31] local buffer of a shared pitch 4 depth 2
array w_s: T[F] local buffer of w shared depth 2

for x_b in 0 .. ceildiv(n, 32) grid.x {
  for x_t in 0 .. min(32, n - 32 * x_b) block.x {
    local sum
    S0[x = 32 * x_b + x_t]: sum = 0
    for c in 0 .. 3 {
      local a_s
      local w_s
      barrier
      copy a_s = a[c][32 * x_b]
      copy w_s = w[0]
      barrier
      for j in 0 .. F {
        S1[x = 32 * x_b + x_t, c, j]: sum += a[c][x + j] in a_s * w[j] in w_s
      }
    }
    S2[x = 32 * x_b + x_t]: b[x] = sum
  }
}
)";

TEST(KernelLaunch, countsDynamicSharedMemory) {
  Expected<Nest> nest = parseNest(Staged);
  ASSERT_TRUE(bool(nest)) << toString(nest.takeError());
  Expected<Gpu> gpu = findGpu("sm_90");
  ASSERT_TRUE(bool(gpu));
  auto bytes = [&](int64_t width, const std::string &type) {
    std::vector<std::string> arguments{type, std::to_string(width)};
    Expected<KernelLaunch> launch =
        launchOf(*nest, *gpu, LowerOptions{}, {1000, width}, arguments);
    EXPECT_TRUE(bool(launch));
    return launch ? launch->dynamicSharedBytes : -1;
  };
  // 2 * 36 rows of a_s, then, at the next 16 bytes, 2 * 3 of w_s.
  EXPECT_EQ(bytes(3, "float"), 2 * 36 * 4 + 2 * 3 * 4);
  EXPECT_EQ(bytes(3, "double"), 2 * 36 * 8 + 2 * 3 * 8);
  EXPECT_EQ(bytes(1, "float"), 2 * 32 * 4 + 2 * 1 * 4);
  EXPECT_EQ(bytes(6, "float"), 2 * 40 * 4 + 2 * 6 * 4);
}
