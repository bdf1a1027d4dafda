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
/// leaves. From the environment: CONVOPT_RANDOM_CASES, how many;
/// CONVOPT_RANDOM_SEED, the first one's; CONVOPT_RANDOM_NEEDLESS, to run what
/// is refused as illegal, too; CONVOPT_RANDOM_WITHOUT, a rule of Legality that
/// is not asked about, so that there should be failures.
///
//===----------------------------------------------------------------------===//

#include "Emitted.h"
#include "RandomConvolution.h"
#include "RandomNest.h"
#include "RandomSchedule.h"
#include "Shrink.h"
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

struct Counts {
  unsigned cases = 0, same = 0, invalid = 0, stepsAccepted = 0, needless = 0,
           askedNeedless = 0, failures = 0, launches = 0;
  uint64_t operations = 0;
  std::map<std::string, unsigned> refused, stepsRefused;
};

class RandomEmission {
public:
  RandomEmission(unsigned seed, Counts &counts)
      : seed(seed), random(seed), counts(counts) {}
  void run();

private:
  const unsigned seed;
  Random random;
  Counts &counts;

  std::vector<Sizes> sizesOf(const Nest &nest);
  std::optional<Pipeline> unasked; // without rules
  void trySchedule(const Original &nest, const Pipeline &start, Case c);
  void tryIllegal(const Original &nest, const Pipeline &before,
                  const Step &step, Case c);
  void report(const Case &c, const Verdict &v);
};

/// Three sets: one of any sizes, one in which rows are multiples of vectors and
/// tiles, one of small ones.
std::vector<Sizes> RandomEmission::sizesOf(const Nest &nest) {
  std::vector<Sizes> all(3);
  for (unsigned k = 0; k != 3; ++k)
    for (const Param &p : nest.params) {
      if (p.definition)
        continue;
      const StringRef name = p.name;
      const bool isWide = name == "H" || name == "W" || name == "D" ||
                          name == "LD" || name == "OW" || name == "OH";
      const bool isFilter = name.starts_with("K") && name.size() > 1;
      if (p.isTemplate && k != 0)
        all[k][p.name] = all[0][p.name];
      else if (isFilter)
        all[k][p.name] = random.between(1, k == 2 ? 2 : 3);
      else if (isWide)
        all[k][p.name] = k == 0   ? random.between(4, name == "LD" ? 14 : 9)
                         : k == 1 ? 4 * random.between(1, name == "LD" ? 3 : 2)
                                  : random.between(1, name == "LD" ? 12 : 5);
      else
        all[k][p.name] = k == 1 ? 2 * random.between(1, 2)
                                : random.between(1, k == 2 ? 2 : 4);
    }
  return all;
}

void RandomEmission::report(const Case &c, const Verdict &v) {
  ++counts.failures;
  // Before the case shrinks, which takes a while.
  errs() << "seed " << seed << ": " << v.message << "\n" << c.str();
  const Case small = shrunk(c);
  const Verdict least = runCase(small);
  ADD_FAILURE() << "seed " << seed << ": " << v.message << "\nshrunk to\n"
                << small.str() << least.message << "\n";
}

/// Whether the kernel tells that \p step is illegal.
void RandomEmission::tryIllegal(const Original &nest, const Pipeline &before,
                                const Step &step, Case c) {
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
  const Verdict v = runEmitted(nest, pipeline, c);
  counts.askedNeedless += v.kind == Verdict::Same || v.isFailure();
  counts.needless += v.kind == Verdict::Same;
}

void RandomEmission::trySchedule(const Original &nest, const Pipeline &start,
                                 Case c) {
  ++counts.cases;
  CaseEntry entry(c);
  Pipeline pipeline = start;
  const Gpu gpu = *findGpu(c.arch);
  auto refused = [&](const Step &step, Error e) {
    const std::string rule = ruleOf(std::move(e));
    ++counts.stepsRefused[rule];
    if (isUpper(rule[0]) && getenv("CONVOPT_RANDOM_NEEDLESS"))
      tryIllegal(nest, pipeline, step, c);
  };
  RandomSchedule(random, pipeline, gpu, c.isAlgebraic, refused).run();
  for (const Step &s : pipeline.steps())
    c.steps.push_back(s.str());
  counts.stepsAccepted += c.steps.size();
  const Verdict v = runEmitted(nest, pipeline, c);
  counts.launches += v.launches;
  counts.operations += v.operations;
  if (v.isFailure())
    return report(c, v);
  counts.same += v.kind == Verdict::Same;
  counts.invalid += v.kind == Verdict::Invalid;
  if (v.kind == Verdict::Refused)
    ++counts.refused[v.rule];
}

void RandomEmission::run() {
  Case c;
  c.nest = random.chance(80) ? RandomConvolution(random).text()
                             : RandomNest(random.pick(1u << 30)).text();
  c.isAlgebraic = random.chance(40);
  if (const char *without = getenv("CONVOPT_RANDOM_WITHOUT"))
    c.without = without;
  Expected<Nest> nest = parseNest(c.nest);
  ASSERT_TRUE(bool(nest)) << toString(nest.takeError()) << "\n" << c.nest;
  const Original original(*nest, c.isAlgebraic);
  c.sizes = sizesOf(*nest);
  Expected<Pipeline> start = Pipeline::create(std::move(*nest), legalityOf(c));
  ASSERT_TRUE(bool(start)) << toString(start.takeError()) << "\n" << c.nest;
  for (unsigned n = 0; n != 4; ++n) {
    c.hasBulk = random.chance(50);
    c.fullTiles = random.chance(80);
    c.isOfDoubles = random.chance(50);
    c.arch = random.chance(70) ? "sm_90" : "sm_80";
    trySchedule(original, *start, c);
  }
}

void print(const Counts &c, double seconds) {
  outs() << c.cases << " cases: " << c.same << " the same, " << c.failures
         << " failed, " << c.invalid << " invalid";
  for (const auto &[rule, count] : c.refused)
    outs() << ", " << count << " refused by " << rule;
  outs() << "\nsteps: " << c.stepsAccepted << " accepted";
  for (const auto &[rule, count] : c.stepsRefused)
    outs() << ", " << count << " refused by " << rule;
  outs() << "\nof " << c.askedNeedless
         << " illegal ones that could be run, needless by what was seen: "
         << c.needless << "\n"
         << c.launches << " launches, " << c.operations << " operations, "
         << format("%.1f", seconds) << " s\n";
  outs().flush();
}

unsigned environment(const char *name, unsigned otherwise) {
  unsigned value;
  const char *text = getenv(name);
  return text && !StringRef(text).getAsInteger(10, value) ? value : otherwise;
}

void tryCases(unsigned seed, unsigned cases) {
  sys::PrintStackTraceOnErrorSignal("");
  EnablePrettyStackTrace();
  Counts counts;
  const auto start = std::chrono::steady_clock::now();
  auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  };
  for (unsigned k = 0; counts.cases < cases && counts.failures < 5; ++k) {
    RandomEmission(seed + k, counts).run();
    if (testing::Test::HasFatalFailure())
      return;
    if (k % 1000 == 999)
      print(counts, seconds());
  }
  print(counts, seconds());
  EXPECT_GT(counts.same, cases / 4);
}

} // namespace

TEST(RandomEmission, WhatIsEmittedComputesTheSame) {
  tryCases(environment("CONVOPT_RANDOM_SEED", 1),
           environment("CONVOPT_RANDOM_CASES", 40));
}
