//===- OccupancyTest.cpp - Warps held, and nominal peaks ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Target/Occupancy.h"
#include "convopt/Target/Peak.h"
#include "gtest/gtest.h"

using namespace convopt;

namespace {

/// As the CUDA driver says on an H200.
TEST(Occupancy, AsTheDriverSays) {
  const Gpu gpu = *findGpu("sm_90");
  EXPECT_EQ(occupancyOf(gpu, {256, 32, 0}), 1);
  EXPECT_EQ(occupancyOf(gpu, {128, 40, 0}), 0.75);
  EXPECT_EQ(occupancyOf(gpu, {128, 72, 2736}), 0.4375);
  EXPECT_EQ(occupancyOf(gpu, {128, 96, 0}), 0.3125);
  EXPECT_EQ(occupancyOf(gpu, {128, 119, 0}), 0.25);
}

TEST(Occupancy, SharedMemoryBoundsIt) {
  const Gpu gpu = *findGpu("sm_90");
  EXPECT_EQ(occupancyOf(gpu, {256, 32, 227 * 1024}), 0.125);
  EXPECT_EQ(occupancyOf(gpu, {256, 32, 113 * 1024}), 0.25);
  EXPECT_EQ(occupancyOf(gpu, {256, 32, 113 * 1024 + 1}), 0.125);
  EXPECT_EQ(occupancyOf(gpu, {256, 32, 228 * 1024}), 0);
}

TEST(Occupancy, BlocksAndThreadsBoundIt) {
  const Gpu gpu = *findGpu("sm_86");
  EXPECT_EQ(occupancyOf(gpu, {32, 16, 0}), 16.0 / 48);
  EXPECT_EQ(occupancyOf(gpu, {1024, 32, 0}), 32.0 / 48);
  EXPECT_EQ(occupancyOf(gpu, {33, 16, 0}), 32.0 / 48);
}

TEST(Occupancy, SaysWhatLimitsIt) {
  const Gpu gpu = *findGpu("sm_90");
  EXPECT_EQ(occupancyLimiter(gpu, {256, 32, 0}), "");
  EXPECT_EQ(occupancyLimiter(gpu, {128, 40, 0}), "registers");
  EXPECT_EQ(occupancyLimiter(gpu, {256, 32, 113 * 1024}), "shared memory");
  EXPECT_EQ(occupancyLimiter(gpu, {128, 255, 113 * 1024}), "registers");
  EXPECT_EQ(occupancyLimiter(*findGpu("sm_86"), {1024, 32, 0}), "threads");
  EXPECT_EQ(occupancyLimiter(*findGpu("sm_86"), {32, 16, 0}), "blocks");
}

TEST(Peak, FollowsFromLanesAndClock) {
  llvm::Expected<Peak> h200 = findPeak("", "sm_90");
  ASSERT_TRUE(bool(h200));
  EXPECT_EQ(h200->name, "H200");
  EXPECT_NEAR(h200->flopsPerSecond(), 66.9e12, 0.1e12);
  llvm::Expected<Peak> h100 = findPeak("H100", "sm_90");
  ASSERT_TRUE(bool(h100));
  EXPECT_EQ(h100->bytesPerSecond, 3.35e12);
}

TEST(Peak, EveryArchitectureHasOne) {
  for (const Gpu &gpu : knownGpus()) {
    llvm::Expected<Peak> peak = findPeak("", gpu.name);
    ASSERT_TRUE(bool(peak)) << gpu.name;
    EXPECT_GT(peak->flopsPerSecond(), 5e12);
  }
  llvm::Expected<Peak> none = findPeak("A100", "sm_90");
  ASSERT_FALSE(bool(none));
  EXPECT_NE(llvm::toString(none.takeError()).find("H200, H100"),
            std::string::npos);
}

} // namespace
