//===- RandomEmissionTest.cpp - What is emitted computes the same ---------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random nests with random schedules, as the kernels that would be emitted:
/// these do nothing that a device leaves undefined, and leave what the nest
/// leaves. Then mistakes, as a pass might make them: rules of Legality refuse
/// them, or they do no harm.
///
/// From the environment: CONVOPT_RANDOM_CASES, how many; CONVOPT_RANDOM_SEED,
/// the first one's; CONVOPT_RANDOM_NEEDLESS, to run what is refused as illegal,
/// too; CONVOPT_RANDOM_WITHOUT, a rule of Legality that is not asked about, so
/// that there should be failures; CONVOPT_RANDOM_WRITE, a folder for cases as
/// naive functions with their schedules, one for each seed.
///
//===----------------------------------------------------------------------===//

#include "Apart.h"
#include "Emitted.h"
#include "Mistake.h"
#include "NaiveText.h"
#include "RandomCase.h"
#include "RandomSchedule.h"
#include "Shrink.h"
#include "convopt/Nest/SplitSum.h"
#include "convopt/Nest/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "gtest/gtest.h"
#include <chrono>

using namespace convopt;
using namespace convopt::test;
using namespace llvm;

namespace {

/// Prints the case at hand where something crashes.
class CaseEntry : public PrettyStackTraceEntry {
public:
  explicit CaseEntry(const Case &c) : c(c) {}
  void print(raw_ostream &os) const override { os << c.str(); }

private:
  const Case &c;
};

/// What was counted, as rows of a table, which scripts/random.sh adds up. Of
/// rows that begin with "first" it takes the least.
class Tally {
public:
  uint64_t &operator[](const std::string &what) { return counts[what]; }
  void print() const {
    outs() << "| what | count |\n|---|---:|\n";
    for (const auto &[what, count] : counts)
      outs() << "| " << what << " | " << count << " |\n";
    outs().flush();
  }

private:
  std::map<std::string, uint64_t> counts;
};

/// The nest of a seed and what becomes of it.
class RandomEmission {
public:
  using Failed = function_ref<void(const Case &, const Verdict &)>;

  /// \p without: a rule of Legality that is not asked about.
  RandomEmission(unsigned seed, Draw draw, StringRef without, Tally &tally,
                 Failed failed)
      : seed(seed), draw(draw), without(without), random(seed), tally(tally),
        failed(failed) {}
  void run();

private:
  const unsigned seed;
  const Draw draw;
  const std::string without;
  Random random;
  Tally &tally;
  Failed failed;
  std::optional<Pipeline> unasked; // without rules

  void trySchedule(const Original &nest, const Pipeline &start, Case c);
  void tryMistake(const Original &nest, const Pipeline &pipeline, Case c);
  void tryKernels(const Original &nest, const Pipeline &pipeline,
                  const Case &c);
  void tryIllegal(const Original &nest, const Pipeline &before,
                  const Step &step, const RefusalText &why, Case c);
  void count(const std::string &what, const Case &c, const Verdict &v);
};

/// \p what: "cases" or "mistakes".
void RandomEmission::count(const std::string &what, const Case &c,
                           const Verdict &v) {
  tally["launches"] += v.launches;
  tally["operations"] += v.operations;
  ++tally[what + ": " +
          (v.isFailure()             ? "failed"
           : v.kind == Verdict::Same ? "the same"
           : v.kind == Verdict::Invalid
               ? "invalid"
               : v.rule + ": " + kindOfMessage(v.message))];
  if (v.kind == Verdict::Same &&
      any_of(c.steps, [](StringRef step) { return step.ends_with(",atomic"); }))
    ++tally[what + ": the same, with atomic sums"];
  if (v.kind == Verdict::Same && v.hasExchanges)
    ++tally[what + ": the same, with sums of lanes"];
  if (v.isFailure())
    failed(c, v);
}

/// Whether the kernel tells that \p step is illegal.
void RandomEmission::tryIllegal(const Original &nest, const Pipeline &before,
                                const Step &step, const RefusalText &why,
                                Case c) {
  c.without = "all";
  if (!unasked) {
    Expected<Pipeline> made = Pipeline::create(nest.nest, legalityOf(c));
    if (!made)
      return consumeError(made.takeError());
    unasked = std::move(*made);
  }
  Pipeline pipeline = *unasked;
  for (const Step &s : before.steps()) {
    c.steps.push_back(s.str());
    if (Error e = pipeline.apply(s))
      return consumeError(std::move(e));
  }
  c.steps.push_back(step.str());
  CaseEntry entry(c);
  if (Error e = pipeline.apply(step))
    return consumeError(std::move(e));
  const Verdict v = runApart([&] { return runEmitted(nest, pipeline, c); });
  if (v.kind != Verdict::Same && !v.isFailure())
    return;
  const bool isMistake = step.is(mistakePass);
  const std::string row =
      (isMistake ? "mistakes: " : "steps: ") + why.rule + ", but run";
  ++tally[row];
  tally[row + ", needlessly refused"] += v.kind == Verdict::Same;
  if (!isMistake)
    return;
  const std::string condition = why.rule + ": " + kindOfMessage(why.message);
  ++tally["condition, run: " + condition];
  if (v.isFailure() && tally["condition, at fault: " + condition]++ == 0)
    tally["first seed at fault: " + condition] = seed;
}

/// What is wrong is refused, or does no harm.
void RandomEmission::tryMistake(const Original &nest, const Pipeline &pipeline,
                                Case c) {
  Pipeline wrong = pipeline;
  const Step step = randomMistake(random);
  Case planted = c;
  planted.steps.push_back(step.str());
  CaseEntry entry(planted);
  Error e = wrong.apply(step);
  auto run = [&] { return runEmitted(nest, wrong, planted); };
  if (!e)
    return count("mistakes", planted,
                 c.without.empty() ? run() : runApart(run));
  const RefusalText why(std::move(e));
  ++tally["mistakes: " + why.rule];
  if (why.isIllegal && getenv("CONVOPT_RANDOM_NEEDLESS"))
    tryIllegal(nest, pipeline, step, why, c);
}

/// What the rule Kernels refuses of several kernels does harm without it.
void RandomEmission::tryKernels(const Original &nest, const Pipeline &pipeline,
                                const Case &c) {
  const Loop *split = splitLoop(pipeline.nest());
  if (!split || !(isGrid(split->kind) || split->isAtomic))
    return;
  Case of = c;
  of.without = "";
  Pipeline asked = cantFail(Pipeline::create(nest.nest, legalityOf(of)));
  Expected<std::vector<LoweredKernel>> kernels = lowered(pipeline, c);
  Error refused = asked.applyAll(pipeline.steps());
  if (!kernels || refused)
    return consumeError(joinErrors(kernels.takeError(), std::move(refused)));
  const CheckedNest unasked = cantFail(pipeline.checked()),
                    whole = cantFail(asked.checked());
  for (unsigned n = 0; n != 16; ++n) {
    std::vector<Nest> nests;
    for (const LoweredKernel &kernel : *kernels)
      nests.push_back(kernel.nest);
    Nest &wrong = nests[random.pick(nests.size())];
    Expected<Nest> mistaken = randomMistake(random).apply(wrong);
    if (!mistaken) {
      consumeError(mistaken.takeError());
      continue;
    }
    wrong = std::move(*mistaken);
    Error refusal = checkKernels(whole, nests).takeError();
    if (!refusal)
      continue;
    Verdict v = runApart([&] {
      std::vector<LoweredKernel> all;
      for (const CheckedNest &k : cantFail(checkKernels(unasked, nests)))
        if (Expected<std::vector<LoweredKernel>> kernel = lowered(k, c)) {
          append_range(all, *kernel);
        } else {
          consumeError(kernel.takeError());
          return Verdict();
        }
      return runKernels(nest, all, c);
    });
    v.message += "; refused: " + toString(std::move(refusal));
    count("mistakes", c, v);
  }
}

void RandomEmission::trySchedule(const Original &nest, const Pipeline &start,
                                 Case c) {
  ++tally["cases"];
  CaseEntry entry(c);
  Pipeline pipeline = start;
  const Gpu gpu = *findGpu(c.arch);
  auto refused = [&](const Step &step, Error e) {
    const RefusalText why(std::move(e));
    ++tally["steps: " + why.rule];
    if (why.isIllegal && getenv("CONVOPT_RANDOM_NEEDLESS"))
      tryIllegal(nest, pipeline, step, why, c);
  };
  RandomSchedule(random, draw, pipeline, gpu, c.isAlgebraic, refused).run();
  for (const Step &s : pipeline.steps())
    c.steps.push_back(s.str());
  tally["steps: accepted"] += c.steps.size();
  if (c.without == "Kernels") // of which the nest has none
    return tryKernels(nest, pipeline, c);
  const Verdict v = runEmitted(nest, pipeline, c);
  count("cases", c, v);
  if (const char *folder = getenv("CONVOPT_RANDOM_WRITE");
      folder && v.kind == Verdict::Same)
    writeNaive(c, folder, std::to_string(seed));
  // Quotients of fused loops take the rules a while.
  for (unsigned n = draw == Draw::Products ? 1 : 2; n != 0; --n)
    tryMistake(nest, pipeline, c);
}

void RandomEmission::run() {
  Case c = randomCase(random, draw);
  c.without = without;
  Expected<Nest> nest = parseNest(c.nest);
  if (!nest) { // constant sizes may leave less than no output
    const std::string why = toString(nest.takeError());
    ASSERT_TRUE(StringRef(why).contains("not positive") ||
                StringRef(why).contains("negative extent"))
        << why << "\n"
        << c.nest;
    tally["cases: invalid"] += 4;
    return;
  }
  const Original original(*nest, c.isAlgebraic);
  c.sizes = randomSizes(*nest, random);
  Expected<Pipeline> start = Pipeline::create(std::move(*nest), legalityOf(c));
  ASSERT_TRUE(bool(start)) << toString(start.takeError()) << "\n" << c.nest;
  for (unsigned n = 0; n != 4; ++n) {
    chooseTarget(c, random);
    trySchedule(original, *start, c);
  }
}

unsigned environment(const char *name, unsigned otherwise) {
  unsigned value;
  const char *text = getenv(name);
  return text && !StringRef(text).getAsInteger(10, value) ? value : otherwise;
}

void tryCases(Draw draw, unsigned cases) {
  unsigned seed = environment("CONVOPT_RANDOM_SEED", 1);
  cases = environment("CONVOPT_RANDOM_CASES", cases);
  sys::PrintStackTraceOnErrorSignal("");
  EnablePrettyStackTrace();
  const char *without = getenv("CONVOPT_RANDOM_WITHOUT");
  unsigned failures = 0;
  auto failed = [&](const Case &c, const Verdict &v) {
    ++failures;
    // Before the case shrinks, which takes a while.
    errs() << "seed " << seed << ": " << v.message << "\n" << c.str();
    const Case small = shrunk(c);
    const Verdict least = runCase(small);
    ADD_FAILURE() << "seed " << seed << ": " << v.message << "\nshrunk to\n"
                  << small.str() << least.message << "\n";
  };
  Tally tally;
  const auto start = std::chrono::steady_clock::now();
  for (; tally["cases"] < cases && failures < 5; ++seed) {
    RandomEmission(seed, draw, without ? without : "", tally, failed).run();
    if (testing::Test::HasFatalFailure())
      return;
  }
  tally["milliseconds"] = std::chrono::duration_cast<std::chrono::milliseconds>(
                              std::chrono::steady_clock::now() - start)
                              .count();
  tally.print();
  EXPECT_GT(tally["cases: the same"], cases / 4);
}

/// Some case tells that \p rule is not asked about.
void findWithout(StringRef rule) {
  Tally tally;
  bool isFound = false;
  unsigned seed = 1;
  for (; seed != 400 && !isFound; ++seed)
    RandomEmission(seed, Draw::Any, rule, tally,
                   [&](const Case &c, const Verdict &v) {
                     if (!isFound)
                       outs() << rule << ": seed " << seed << ": " << v.message
                              << "\n";
                     isFound = true;
                   })
        .run();
  EXPECT_TRUE(isFound) << "no case needs " << rule.str();
}

} // namespace

TEST(RandomEmission, WhatIsEmittedComputesTheSame) { tryCases(Draw::Any, 400); }

TEST(RandomEmission, WhatProductsAreComputesTheSame) {
  tryCases(Draw::Products, 200);
}

TEST(RandomEmission, WhatThreadsShareComputesTheSame) {
  tryCases(Draw::Sums, 200);
}

TEST(RandomEmission, WhatIsJammedComputesTheSame) {
  tryCases(Draw::Siblings, 100);
}

// The pass makes no such layout, but a nest may have it.
TEST(RandomEmission, LinearBufferHasRowsOfARunTimeNumber) {
  Case c;
  c.nest = R"(nest f from "f.cu"
argument M "int @" param
argument C "int @" param
argument w "const float *@" array
argument y "float *@" array
param M: int
param C: int
array w: float[M][C][3] input
array y: float[M] output
array sum: float local
for m in 0 .. M {
  local sum
  S0: sum = 0
  for c in 0 .. C {
    for k in 0 .. 3 {
      S1: sum += w[m][c][k]
    }
  }
  S2: y[m] = sum
}
)";
  c.steps = {"strip-mine=m,4,m_b,m_t", "map=m_b,grid.x", "map=m_t,block.x",
             "stage=w,m_t,shared", "mistake=layout,4,22"};
  c.sizes = {{{"M", 6}, {"C", 5}}};
  const Verdict v = runCase(c);
  EXPECT_EQ(v.kind, Verdict::Same) << v.rule << ": " << v.message;
}

// All rows of the copy from buffer to buffer are counted as one.
TEST(RandomEmission, RowsBetweenBuffersPassNoSubscriptsEnd) {
  Case c;
  c.nest = R"(nest f from "f.cu"
argument A "const float *@" array
argument y "float *@" array
array A: float[2][3][4] input
array y: float[2][3][3] output
array sum: float local
for n in 0 .. 2 {
  for o in 0 .. 3 {
    for x in 0 .. 3 {
      local sum
      S0: sum = 0
      for j in 0 .. 2 {
        S1: sum += A[n][o][x + j]
      }
      S2: y[n][o][x] = sum
    }
  }
}
)";
  c.steps = {"map=n,block.z", "map=o,block.y", "map=x,block.x",
             "stage=A,x,shared", "stage=A,j,shared"};
  c.sizes = {{}};
  const Verdict v = runCase(c);
  EXPECT_EQ(v.kind, Verdict::Same) << v.rule << ": " << v.message;
}

// Cases that shrink may come to such sizes.
TEST(RandomEmission, ArraysOfNegativeExtentsAreNoCase) {
  Case c;
  c.nest = R"(nest f from "f.c"
argument M "int @" param
argument A "float *@" array
argument B "float *@" array
param M: int
array A: float[2] output
array B: float[M - 4] output
for i in 0 .. 2 {
  S0: A[i] = 2
}
)";
  c.steps = {"map=i,grid.x"};
  c.sizes = {{{"M", 1}}};
  EXPECT_EQ(runCase(c).kind, Verdict::Invalid);
}

// The pipeline gives B no elements, the nest as it is written all of them.
TEST(RandomEmission, ArraysThatNothingTouchesStayAsTheyAre) {
  Case c;
  c.nest = R"(nest f from "f.c"
argument A "float *@" array
argument B "float *@" array
array A: float[8] output
array B: float[8] output
for i in 0 .. 8 {
  if i - 8 >= 0 {
    S0: B[i] = 1
  }
  S1: A[i] = 2
}
)";
  c.steps = {"map=i,grid.x"};
  c.sizes = {{}};
  const Verdict v = runCase(c);
  EXPECT_EQ(v.kind, Verdict::Same) << v.rule << ": " << v.message;
}

// The mistake is a second iteration of x_h that has no instance: nothing says
// so but the guards within.
TEST(RandomEmission, LocalsHaveNoElementForWhatIsNotInTheDomain) {
  Case c;
  c.nest = R"(nest f from "f.c"
argument C "int @" param
argument A "const float *@" array
argument y "float *@" array
param C: int
array A: float[C][7] input
array y: float[7] output
array sum: float local
for x in 0 .. 7 {
  local sum
  S0: sum = 0
  for c in 0 .. C {
    S1: sum += A[c][x]
  }
  S2: y[x] = sum
}
)";
  c.steps = {"strip-mine=x,5,x_b,x_i",   "strip-mine=x_i,6,x_h,x_j",
             "strip-mine=x_j,2,x_t,x_r", "interchange=x_b,x_t,x_h,x_r",
             "map=x_b,grid.x",           "map=x_t,block.x",
             "register-tile=x_r",        "register-tile=x_h",
             "mistake=bound,6,1"};
  c.sizes = {{{"C", 2}}};
  const Verdict v = runCase(c);
  EXPECT_EQ(v.kind, Verdict::Same) << v.rule << ": " << v.message;
}

TEST(RandomEmission, EachRuleOfLegalityIsNeeded) {
  for (StringRef rule :
       {"Instances", "Order", "Mapping", "Storage", "Values", "Kernels"})
    findWithout(rule);
}
