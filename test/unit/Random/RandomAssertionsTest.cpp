//===- RandomAssertionsTest.cpp - What proofs of assertions are worth -----===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels of random nests in which a test lets more pass. Where the assertions
/// are said to follow nevertheless, they hold when the kernel runs.
///
//===----------------------------------------------------------------------===//

#include "Apart.h"
#include "Emitted.h"
#include "ProgramPlant.h"
#include "RandomCase.h"
#include "RandomSchedule.h"
#include "convopt/Legality/Assertions.h"
#include "convopt/Nest/Text.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace convopt::test;
using namespace llvm;

/// \p e with each inequality off by one, so that more fulfils it.
static Expr weakened(const Expr &e) {
  if (e.kind() != Expr::Binary)
    return e;
  const Expr a = e.operand(0), b = e.operand(1);
  switch (e.op()) {
  case Op::And:
  case Op::Or:
    return Expr::binary(e.op(), weakened(a), weakened(b));
  case Op::Less:
  case Op::LessEqual:
    return Expr::binary(e.op(), a, b + 1);
  case Op::Greater:
  case Op::GreaterEqual:
    return Expr::binary(e.op(), a + 1, b);
  default:
    return e;
  }
}

/// \p kernel with the test at a place of \p random's weakened, if it has any.
static std::optional<Kernel> withWeakTest(const Kernel &kernel,
                                          Random &random) {
  auto planted = [&](uint64_t where) {
    ProgramPlant p(kernel, where);
    p.edit<If>(
        [](const If &i) { return !(weakened(i.condition) == i.condition); },
        [](If &i) { i.condition = weakened(i.condition); });
    return p;
  };
  const uint64_t places = planted(UINT64_MAX).places;
  if (places == 0)
    return std::nullopt;
  return planted(random.pick(unsigned(places))).kernel;
}

namespace {
struct Counts {
  unsigned kernels = 0, notProved = 0, proved = 0;
};
} // namespace

static void tryKernel(unsigned seed, Counts &counts) {
  Random random(seed);
  Case c = randomCase(random, Draw::Any);
  Expected<Nest> nest = parseNest(c.nest);
  if (!nest)
    return consumeError(nest.takeError());
  const Original original(*nest, c.isAlgebraic);
  Expected<Pipeline> pipeline =
      randomPipeline(std::move(*nest), c, Draw::Any, random);
  ASSERT_TRUE(bool(pipeline)) << toString(pipeline.takeError());
  c.fullTiles = true;
  Expected<std::vector<LoweredKernel>> kernels = lowered(*pipeline, c);
  if (!kernels) {
    ASSERT_TRUE(kernels.errorIsA<Refusal>()) << toString(kernels.takeError());
    return consumeError(kernels.takeError());
  }
  Kernel &kernel = kernels->front().program;
  ++counts.kernels;
  std::optional<Kernel> weak = withWeakTest(kernel, random);
  if (!weak)
    return;
  if (Error e = checkAssertions(*weak)) {
    ++counts.notProved;
    return consumeError(std::move(e));
  }
  ++counts.proved;
  kernel = std::move(*weak);
  const Verdict v = runApart([&] { return runKernels(original, *kernels, c); });
  EXPECT_EQ(v.message.find("assertion"), std::string::npos)
      << "seed " << seed << ": " << v.message;
}

TEST(RandomAssertions, WhatIsProvedHolds) {
  Counts counts;
  for (unsigned seed = 1; seed != 180; ++seed)
    tryKernel(seed, counts);
  outs() << counts.kernels << " kernels; with a weak test the assertions of "
         << counts.notProved << " do not follow, of " << counts.proved
         << " they do\n";
  EXPECT_GT(counts.notProved, 5u);
}
