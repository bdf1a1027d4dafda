//===- SampleTest.cpp - Enough times, and no more -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Sample.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace convopt::bench;

namespace {

TEST(Sample, MedianAndQuartiles) {
  Timing t = summarize({5, 1, 3, 2, 4});
  EXPECT_DOUBLE_EQ(t.median, 3);
  EXPECT_DOUBLE_EQ(t.spread, (4.0 - 2.0) / 2 / 3);
  EXPECT_DOUBLE_EQ(t.minimum, 1);
  EXPECT_EQ(t.samples, 5u);
  EXPECT_DOUBLE_EQ(summarize({1, 2}).median, 1.5);
  EXPECT_DOUBLE_EQ(summarize({9, 10, 12}).spread, (12.0 - 9) / 2 / 10);
  EXPECT_EQ(summarize({}).samples, 0u);
}

/// A clock that each sample moves on by its own time, in milliseconds.
struct Clock {
  std::vector<double> times;
  size_t next = 0;
  double now = 0;

  Timing run(const SampleOptions &options) {
    Expected<Timing> timing = sample(
        [&]() -> Expected<double> {
          const double time = times[next++ % times.size()];
          now += time * 1e-3;
          return time;
        },
        [&] { return now; }, options);
    EXPECT_TRUE(bool(timing));
    return *timing;
  }
};

TEST(Sample, StopsWhereStable) {
  Timing t = Clock{{10, 10.01, 9.99}}.run({});
  EXPECT_EQ(t.stop, Timing::Stop::Stable);
  EXPECT_EQ(t.samples, 7u);
}

TEST(Sample, StopsAtTheTimeLimit) {
  SampleOptions options;
  options.seconds = 0.2;
  Timing t = Clock{{10, 20}}.run(options);
  EXPECT_EQ(t.stop, Timing::Stop::TimeLimit);
  EXPECT_EQ(t.samples, 14u); // 7 pairs of 30 ms pass 200 ms
}

TEST(Sample, SlowKernelsAreSampledAtLeastThreeTimes) {
  Timing t = Clock{{10000}}.run({});
  EXPECT_EQ(t.stop, Timing::Stop::TimeLimit);
  EXPECT_EQ(t.samples, 3u);
}

TEST(Sample, ErrorsEndIt) {
  Expected<Timing> timing = sample(
      []() -> Expected<double> {
        return createStringError(inconvertibleErrorCode(), "gone");
      },
      [] { return 0.0; }, {});
  ASSERT_FALSE(bool(timing));
  EXPECT_EQ(toString(timing.takeError()), "gone");
}

} // namespace
