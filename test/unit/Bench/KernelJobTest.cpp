//===- KernelJobTest.cpp - What a job has a device do ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerNests.h"
#include "convopt/Bench/Job.h"
#include "convopt/Bench/Plan.h"

using namespace llvm;
using namespace convopt;
using namespace convopt::bench;
using namespace convopt::test;

namespace {

/// A device that computes nothing and notes what is launched.
class RecordingDevice : public Device {
public:
  std::vector<std::array<int64_t, 3>> timed, untimed; // grids

  RecordingDevice() {
    about.multiprocessors = 10;
    about.memoryBytes = int64_t(1) << 40;
  }
  const DeviceInfo &info() const override { return about; }
  Expected<int64_t> freeBytes() override { return about.memoryBytes; }
  Clocks clocks() override { return {}; }
  double seconds() const override { return now; }
  Expected<bench::Buffer> allocate(StringRef type, int64_t n) override {
    return bench::Buffer{++buffers, type.str(), n};
  }
  Error release(const bench::Buffer &) override { return Error::success(); }
  Error fill(const bench::Buffer &, Data, uint64_t) override {
    return Error::success();
  }
  Error poison(const bench::Buffer &) override { return Error::success(); }
  Error widen(const bench::Buffer &, const bench::Buffer &,
              const bench::Buffer &) override {
    return Error::success();
  }
  Expected<uint64_t> hash(const bench::Buffer &) override { return 1; }
  Expected<Comparison> compare(const bench::Buffer &, const bench::Buffer &,
                               const bench::Buffer &,
                               const Tolerance &) override {
    return Comparison();
  }
  Expected<LoadedKernel> load(const KernelSource &) override {
    return LoadedKernel();
  }
  void inspect(LoadedKernel &, const Launch &) override {}
  Error launch(const LoadedKernel &, const Launch &launch) override {
    (isTimed ? timed : untimed).push_back(launch.grid);
    return Error::success();
  }
  Error synchronize() override { return Error::success(); }
  Expected<double> time(bool, function_ref<Error()> work, Clocks *) override {
    isTimed = true;
    Error e = work();
    isTimed = false;
    if (e)
      return std::move(e);
    now += 0.001;
    return 1;
  }
  double overrun() const override { return 0; }

private:
  DeviceInfo about;
  double now = 0;
  uint64_t buffers = 0;
  bool isTimed = false;
};

} // namespace

static int64_t blocksOf(const std::array<int64_t, 3> &grid) {
  return grid[0] * grid[1] * grid[2];
}

/// Which block shape is the fastest is found by a part of a large grid; what
/// counts is all of it.
TEST(KernelJob, FindsTheFastestBlockByAPartOfTheGrid) {
  std::string text = Figure3;
  text.insert(text.find("param N"), R"(argument inputs "const float *@" array
argument filters "const float *@" array
argument outputs "float *@" array
argument N "int @" param
argument O "int @" param
argument H "int @" param
argument W "int @" param
argument F "int @" param
)");
  Expected<Nest> nest = parseNest(text);
  ASSERT_TRUE(bool(nest)) << messageOf(nest.takeError());
  Expected<Plan> plan =
      Plan::create(std::move(*nest), *findGpu("sm_90"), {}, "_tiled");
  ASSERT_TRUE(bool(plan)) << messageOf(plan.takeError());
  Expected<Shape> shape =
      parseShape("N=1,O=64,H=4096,W=4096,F=3", plan->nest());
  ASSERT_TRUE(bool(shape));
  Expected<Job> job = plan->naiveJob(*shape);
  ASSERT_TRUE(bool(job)) << messageOf(job.takeError());
  const size_t variants = job->variants.size();
  ASSERT_GT(variants, 1u);
  RecordingDevice device;
  const Outcome outcome = runKernelJob(*job, device);
  ASSERT_EQ(outcome.row.status, Row::Status::Measured) << outcome.row.reason;

  ASSERT_GT(device.timed.size(), 2 * variants);
  for (size_t k = 0; k != 2 * variants; ++k)
    EXPECT_LE(blocksOf(device.timed[k]), 512 * 10);
  const auto &full = job->variants[outcome.variant].grid;
  EXPECT_GT(blocksOf(full), 512 * 10);
  for (size_t k = 2 * variants; k != device.timed.size(); ++k)
    EXPECT_EQ(device.timed[k], full);
  ASSERT_FALSE(device.untimed.empty());
  EXPECT_EQ(device.untimed.front(), full);
}
