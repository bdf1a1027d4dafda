//===- PlanTest.cpp - Jobs, and that their text compiles ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Plan.h"
#include "convopt/Nest/Text.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace convopt;
using namespace convopt::bench;

namespace {

/// A kernel with padding, a bias in its epilogue and sizes of its template.
const char *const Padded = R"(
nest conv from "conv.cu"
kernel
template "template <class T, int R>"
template argument "T" type
template argument "R"
argument in "const T *@" array
argument w "const T *@" array
argument out "T *@" array
argument C "int @" param
argument H "int @" param
argument W "long @" param
param R: int template
param C: int
param H: int
param W: long
array in: T[C][H][W] input
array w: T[C][2 * R + 1] input
array out: T[H][W] output
array sum: T local

for y in 0 .. H {
  for x in 0 .. W {
    local sum
    S0: sum = 0.0f
    for c in 0 .. C {
      for r in 0 .. 2 * R + 1 {
        S1: sum += guarded(x + r - R >= 0 and W - 1 - x - r + R >= 0, in[c][y][x + r - R], 0.0f) * w[c][r]
      }
    }
    S2: out[y][x] = fmaxf(sum, 0.0f)
  }
}
)";

/// A sum that the source keeps in the output, in and out.
const char *const InPlace = R"(
nest add from "add.c"
argument in "const float *@" array
argument w "const float *@" array
argument out "float *@" array
argument W "int @" param
param W: int
array in: float[W + 4] input
array w: float[5] input
array out: float[W] inout

for x in 0 .. W {
  for r in 0 .. 5 {
    S0: out[x] -= in[x + r] * w[r]
  }
}
)";

Plan planOf(const char *text) {
  Expected<Nest> nest = parseNest(text);
  EXPECT_TRUE(bool(nest)) << messageOf(nest.takeError());
  Expected<Plan> plan =
      Plan::create(std::move(*nest), *findGpu("sm_90"), {}, "_tiled");
  EXPECT_TRUE(bool(plan)) << messageOf(plan.takeError());
  return std::move(*plan);
}

Job naiveJob(const Plan &plan, StringRef sizes) {
  Expected<Shape> shape = parseShape(sizes, plan.nest());
  EXPECT_TRUE(bool(shape)) << messageOf(shape.takeError());
  Expected<Job> job = plan.naiveJob(*shape);
  EXPECT_TRUE(bool(job)) << messageOf(job.takeError());
  return std::move(*job);
}

TEST(Plan, NaiveLaunch) {
  Plan plan = planOf(Padded);
  Job job = naiveJob(plan, "R=1,C=2,H=33,W=70");
  ASSERT_FALSE(job.variants.empty());
  const KernelSpec &k = job.variants.front();
  EXPECT_EQ(k.source.block, (std::array<int64_t, 3>{256, 1, 1}));
  EXPECT_EQ(k.grid, (std::array<int64_t, 3>{33, 1, 1}));
  EXPECT_EQ(k.source.entry, "conv_naive_kernel<int, float, 1>");
  EXPECT_EQ(k.source.launcher, "conv_naive_launch<float, 1>");
  ASSERT_EQ(k.arguments.size(), 6u);
  EXPECT_EQ(k.arguments[2].kind, ArgumentSpec::Data);
  EXPECT_EQ(k.arguments[2].index, 2u);
  EXPECT_EQ(k.arguments[5].bits, 70u);
  ASSERT_EQ(job.arrays.size(), 3u);
  EXPECT_EQ(job.arrays[0].elements, 2 * 33 * 70);
  EXPECT_EQ(job.arrays[2].role, Array::Output);
}

TEST(Plan, ReferenceArguments) {
  Plan plan = planOf(InPlace);
  Job job = naiveJob(plan, "W=100");
  ASSERT_TRUE(job.reference.has_value());
  const std::vector<ArgumentSpec> &a = job.reference->arguments;
  ASSERT_EQ(a.size(), 5u);
  EXPECT_EQ(a[0].kind, ArgumentSpec::Data);
  EXPECT_EQ(a[2].kind, ArgumentSpec::Value);
  EXPECT_EQ(a[4].kind, ArgumentSpec::Magnitude);
  EXPECT_EQ(a[4].index, 2u);
  EXPECT_GE(job.tolerance.depth, 5);
  EXPECT_TRUE(job.tolerance.exact);
}

TEST(Plan, LargeArraysTakeWideOffsets) {
  Plan plan = planOf(Padded);
  EXPECT_EQ(naiveJob(plan, "R=1,C=1,H=32768,W=65535").variants[0].source.entry,
            "conv_naive_kernel<int, float, 1>");
  EXPECT_EQ(naiveJob(plan, "R=1,C=1,H=32768,W=65536").variants[0].source.entry,
            "conv_naive_kernel<long long, float, 1>");
}

/// Compiles \p kernel alone with NVRTC.
Outcome compile(const KernelSpec &kernel) {
  Job job;
  job.kind = Job::Compile;
  job.arch = "sm_90";
  job.variants = {kernel};
  return runCompile(job);
}

TEST(Plan, TextCompiles) {
  for (auto [text, sizes] :
       {std::pair(Padded, "R=1,C=2,H=33,W=70"), std::pair(InPlace, "W=100")}) {
    Plan plan = planOf(text);
    Job job = naiveJob(plan, sizes);
    std::vector<KernelSpec> all = job.variants;
    all.push_back(*job.reference);
    for (const KernelSpec &k : all) {
      Outcome outcome = compile(k);
      if (outcome.missing)
        GTEST_SKIP() << outcome.row.reason;
      EXPECT_NE(outcome.row.status, Row::Status::Failed)
          << k.source.code << outcome.row.reason;
      EXPECT_GT(outcome.row.facts.registers.value_or(0), 0);
    }
  }
}

TEST(Plan, JobsAndOutcomesSurviveTheirJson) {
  Plan plan = planOf(Padded);
  Job job = naiveJob(plan, "R=1,C=2,H=33,W=70");
  job.naive = Fingerprint{~0ull, 1ull << 63};
  job.layer.groups = 7;
  Expected<Job> again = readJob(toJson(job));
  ASSERT_TRUE(bool(again)) << messageOf(again.takeError());
  EXPECT_EQ(toJson(*again), toJson(job));
  Outcome outcome;
  outcome.row.kernel = "naive";
  outcome.row.status = Row::Status::Measured;
  outcome.row.cold = Timing{1, 0.5, 0.25, 7, Timing::Stop::TimeLimit};
  outcome.fingerprint = job.naive;
  Expected<Outcome> read = readOutcome(toJson(outcome));
  ASSERT_TRUE(bool(read)) << messageOf(read.takeError());
  EXPECT_EQ(toJson(*read), toJson(outcome));
  EXPECT_EQ(read->row.cold->stop, Timing::Stop::TimeLimit);
}

} // namespace
