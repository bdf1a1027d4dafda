//===- GpuTest.cpp - Device limits ----------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Target/Gpu.h"
#include "convopt/Support/Refusal.h"
#include <gtest/gtest.h>

using namespace convopt;

namespace {

TEST(Gpu, FindsEveryKnownOne) {
  for (const Gpu &gpu : knownGpus()) {
    llvm::Expected<Gpu> found = findGpu(gpu.name);
    ASSERT_TRUE(bool(found));
    EXPECT_EQ(found->name, gpu.name);
    EXPECT_EQ(found->threadsPerBlock, 1024);
    EXPECT_EQ(found->threadsPerMultiprocessor % found->warpSize, 0);
    EXPECT_GE(found->sharedPerBlockOptIn, found->sharedPerBlock);
    EXPECT_GE(found->sharedPerMultiprocessor, found->sharedPerBlockOptIn);
    EXPECT_GE(found->multiprocessors, 40);
    EXPECT_GE(found->memoryBytes, 2);
    EXPECT_GE(found->cacheBytes, 3e6);
    EXPECT_GE(found->deviceBytes, 16e9);
  }
}

TEST(Gpu, LimitsOfTheGuide) {
  Gpu hopper = llvm::cantFail(findGpu("sm_90"));
  EXPECT_EQ(hopper.sharedPerBlockOptIn, 227 * 1024);
  EXPECT_EQ(hopper.threadsPerMultiprocessor, 2048);
  Gpu turing = llvm::cantFail(findGpu("sm_75"));
  EXPECT_EQ(turing.threadsPerMultiprocessor, 1024);
  EXPECT_EQ(turing.blocksPerMultiprocessor, 16);
}

/// The default's have been measured: they change no more than the device does.
TEST(Gpu, FiguresOfTheModel) {
  Gpu h200 = llvm::cantFail(findGpu("sm_90"));
  EXPECT_EQ(h200.multiprocessors, 132);
  EXPECT_EQ(h200.memoryBytes, 16);
  EXPECT_EQ(h200.cacheBytes, 40e6);
  Gpu a100 = llvm::cantFail(findGpu("sm_80"));
  EXPECT_EQ(a100.multiprocessors, 108);
  EXPECT_EQ(a100.memoryBytes, 12);
}

TEST(Gpu, UnknownOneIsRefusedWithTheKnown) {
  llvm::Expected<Gpu> gpu = findGpu("sm_91");
  ASSERT_FALSE(bool(gpu));
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_EQ(report(gpu.takeError(), os, ""), ExitStatus::BadInput);
  EXPECT_NE(text.find("unknown architecture 'sm_91'"), std::string::npos);
  EXPECT_NE(text.find("sm_70, sm_75, sm_80"), std::string::npos);
}

} // namespace
