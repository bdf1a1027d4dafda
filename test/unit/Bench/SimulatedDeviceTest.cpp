//===- SimulatedDeviceTest.cpp - Launches that a driver refuses -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Device.h"
#include "convopt/Bench/Job.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace convopt::bench;

namespace {

/// Two kernels, and a function that is none.
const char *const Code = R"(
__device__ inline int first(int n) { return n; }
template <typename T, int R>
__global__ void __launch_bounds__(224, 2)
conv_kernel(const T *__restrict__ in, const float (*w)[3], T *out, int n) {
  out[0] = first(n);
}
template <typename T> __global__ void conv_kernel_of_none() {}
)";

std::unique_ptr<Device> simulatedDevice() {
  SmallString<128> path;
  int file = -1;
  EXPECT_FALSE(sys::fs::createTemporaryFile("device", "json", file, path));
  raw_fd_ostream(file, /*shouldClose=*/true) << "{}";
  Expected<std::unique_ptr<Device>> device = openSimulatedDevice(path);
  sys::fs::remove(path);
  EXPECT_TRUE(bool(device)) << messageOf(device.takeError());
  return std::move(*device);
}

KernelSource sourceOf(const char *entry) {
  KernelSource source;
  source.label = "it";
  source.code = Code;
  source.entry = entry;
  return source;
}

Launch goodLaunch() { return {{3, 2, 1}, {28, 8, 1}, 0, {1, 2, 3, 4}}; }

/// What the device says of \p launch.
std::string said(const Launch &launch, int64_t sharedBytes = 0,
                 const char *entry = "conv_kernel<float, 1>") {
  std::unique_ptr<Device> device = simulatedDevice();
  KernelSource source = sourceOf(entry);
  source.dynamicSharedBytes = sharedBytes;
  Expected<LoadedKernel> kernel = device->load(source);
  if (!kernel)
    return messageOf(kernel.takeError());
  return messageOf(device->launch(*kernel, launch));
}

const std::string Invalid = "launching it: CUDA_ERROR_INVALID_VALUE: ";

TEST(SimulatedDevice, LaunchesWhatFits) {
  EXPECT_EQ(said(goodLaunch()), "");
  Launch launch = goodLaunch();
  launch.grid = {2147483647, 65535, 65535};
  launch.dynamicSharedBytes = 232448;
  EXPECT_EQ(said(launch, 232448), "");
  launch.arguments.clear();
  launch.block = {1, 1024, 1};
  EXPECT_EQ(said(launch, 232448, "conv_kernel_of_none<float>"), "");
}

TEST(SimulatedDevice, RefusesMoreThreadsThanTheLaunchBounds) {
  Launch launch = goodLaunch();
  launch.block = {32, 8, 1};
  EXPECT_EQ(said(launch), Invalid + "a block has 256 threads, the kernel's "
                                    "launch bounds are 224");
}

TEST(SimulatedDevice, RefusesGridsAndBlocksBeyondItsLimits) {
  Launch launch = goodLaunch();
  launch.grid = {1, 0, 1};
  EXPECT_EQ(said(launch), Invalid + "grid.y is 0, not from 1 to 65535");
  launch.grid = {1, 1, 65536};
  EXPECT_EQ(said(launch), Invalid + "grid.z is 65536, not from 1 to 65535");
  launch = goodLaunch();
  launch.block = {1, 1, 65};
  EXPECT_EQ(said(launch), Invalid + "block.z is 65, not from 1 to 64");
  launch.block = {0, 1, 1};
  EXPECT_EQ(said(launch), Invalid + "block.x is 0, not from 1 to 1024");
  launch.block = {64, 32, 1};
  EXPECT_EQ(said(launch),
            Invalid + "a block has 2048 threads, sm_90 allows 1024");
}

TEST(SimulatedDevice, RefusesSharedMemoryThatWasNotAskedForOrIsNotThere) {
  Launch launch = goodLaunch();
  launch.dynamicSharedBytes = 49153;
  EXPECT_EQ(said(launch), Invalid + "a block gets 49153 bytes of shared "
                                    "memory, the kernel was loaded with 0");
  EXPECT_EQ(said(launch, 232449), "asking for 232449 bytes of shared memory: "
                                  "CUDA_ERROR_INVALID_VALUE");
}

TEST(SimulatedDevice, RefusesOtherArgumentsThanTheKernelTakes) {
  Launch launch = goodLaunch();
  launch.arguments.push_back(5);
  EXPECT_EQ(said(launch), Invalid + "the kernel takes 4 arguments, not 5");
  EXPECT_EQ(said(goodLaunch(), 0, "conv_kernel_of_none<float>"),
            Invalid + "the kernel takes 0 arguments, not 4");
}

TEST(SimulatedDevice, RefusesAKernelThatIsNotInTheText) {
  EXPECT_EQ(said(goodLaunch(), 0, "first"), "there is no kernel 'first'");
  EXPECT_EQ(said(goodLaunch(), 0, "kernel<float, 1>"),
            "there is no kernel 'kernel<float, 1>'");
}

} // namespace
