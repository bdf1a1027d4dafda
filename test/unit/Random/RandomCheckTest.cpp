//===- RandomCheckTest.cpp - What the checker of programs is worth --------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels of random nests, in which a rule of the programs' checker is broken
/// in each way that there is: the checker names the rule. Without that rule,
/// the kernel runs, and what there is to be seen is what is expected.
///
//===----------------------------------------------------------------------===//

#include "Apart.h"
#include "ProgramMistake.h"
#include "RandomCase.h"
#include "RandomSchedule.h"
#include "convopt/Nest/Text.h"
#include "convopt/Program/Check.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace convopt::test;
using namespace llvm;

namespace {

/// The kernels of one seed with all mistakes, and what is seen of them.
class RandomCheck {
public:
  struct Sight {
    Seen seen = Seen::Nothing;
    unsigned tries = 0, seed = 0; // the first one's
    std::string message;
  };
  std::map<const ProgramMistake *, Sight> sights;

  void run(unsigned seed);
  bool isDone(const ProgramMistake &m) const {
    auto known = sights.find(&m);
    return known != sights.end() && known->second.seen == m.seen &&
           (m.seen != Seen::Nothing || known->second.tries >= Tries);
  }

private:
  /// Of what is nothing to be seen.
  static constexpr unsigned Tries = 5;
  void plant(const ProgramMistake &mistake, const Original &original,
             const std::vector<LoweredKernel> &kernels, const Case &c,
             unsigned seed, Random &random);
};

} // namespace

/// What is seen of \p kernels, of which the first breaks \p rule, and its
/// words.
static std::pair<Seen, std::string> look(const Original &original,
                                         ArrayRef<LoweredKernel> kernels,
                                         const Case &c, const char *rule) {
  if (Error e = program::check(kernels.front().program, rule))
    ADD_FAILURE() << "breaks other rules than " << rule << ": "
                  << toString(std::move(e));
  const Verdict v = runApart([&] { return runKernels(original, kernels, c); });
  return {v.kind == Verdict::Fault   ? Seen::Fault
          : v.kind == Verdict::Wrong ? Seen::Values
                                     : Seen::Nothing,
          v.message};
}

void RandomCheck::plant(const ProgramMistake &mistake, const Original &original,
                        const std::vector<LoweredKernel> &kernels,
                        const Case &c, unsigned seed, Random &random) {
  std::optional<program::Kernel> wrong =
      withMistake(mistake, kernels.front().program, random);
  if (!wrong)
    return;
  Error e = program::check(*wrong);
  ASSERT_TRUE(bool(e)) << "seed " << seed << ": " << mistake.name;
  const std::string message = toString(std::move(e));
  ASSERT_TRUE(StringRef(message).starts_with(mistake.rule))
      << "seed " << seed << ": " << mistake.name << ": " << message;
  if (isDone(mistake))
    return;
  Sight &sight = sights[&mistake];
  ++sight.tries;
  std::vector<LoweredKernel> mistaken = kernels;
  mistaken.front().program = std::move(*wrong);
  auto [seen, words] = look(original, mistaken, c, mistake.rule);
  if (sight.tries == 1 || seen > sight.seen)
    sight = {seen, sight.tries, seed, words};
}

void RandomCheck::run(unsigned seed) {
  Random random(seed);
  const Draw draw = seed % 8 ? Draw::Any : Draw::Sums;
  Case c = randomCase(random, draw);
  Expected<Nest> nest = parseNest(c.nest);
  ASSERT_TRUE(bool(nest)) << toString(nest.takeError());
  const Original original(*nest, c.isAlgebraic);
  Expected<Pipeline> pipeline =
      randomPipeline(std::move(*nest), c, draw, random);
  ASSERT_TRUE(bool(pipeline)) << toString(pipeline.takeError());
  Expected<std::vector<LoweredKernel>> kernels = lowered(*pipeline, c);
  if (!kernels)
    return consumeError(kernels.takeError());
  for (const ProgramMistake &mistake : programMistakes())
    plant(mistake, original, *kernels, c, seed, random);
}

TEST(RandomCheck, EachRuleIsNeeded) {
  static constexpr const char *names[] = {"nothing", "other values", "a fault"};
  RandomCheck all;
  auto isDone = [&](const ProgramMistake &m) { return all.isDone(m); };
  for (unsigned seed = 1; seed != 1000 && !all_of(programMistakes(), isDone) &&
                          !testing::Test::HasFatalFailure();
       ++seed)
    all.run(seed);
  outs() << "| mistake | rule | without it | seed | message |\n"
            "|---|---|---|---:|---|\n";
  for (const ProgramMistake &m : programMistakes()) {
    const RandomCheck::Sight &sight = all.sights[&m];
    EXPECT_GT(sight.tries, 0u) << m.name << ": no kernel has a place for it";
    EXPECT_EQ(sight.seen, m.seen) << m.name;
    outs() << "| " << m.name << " | " << m.rule << " | "
           << names[unsigned(sight.seen)] << " | " << sight.seed << " | "
           << sight.message << " |\n";
  }
}
