//===- RandomScheduleTest.cpp - What is legal computes the same -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random steps on random nests: whatever the pipeline accepts must compute
/// what the nest computed, run by an interpreter that knows no dependences.
///
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "RandomNest.h"
#include "convopt/Nest/Text.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Transforms/IfConvert.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace convopt::test;
using namespace llvm;

namespace {

struct Counts {
  unsigned converted = 0, accepted = 0, refused = 0, needless = 0,
           structure = 0;
};

std::string textOf(const Nest &nest) {
  std::string text;
  raw_string_ostream os(text);
  print(nest, os);
  return text;
}

/// A nest and what it computes on two sets of data.
class Original {
public:
  Original(Nest nest, bool associative)
      : nest(std::move(nest)), associative(associative) {
    for (uint64_t data : {1, 2})
      results.push_back(run(this->nest, {data, false, associative}));
  }

  /// Whether \p other computes the same, threads in either order.
  bool isSameAs(const Nest &other) const {
    const bool hasThreads = any_of(loops(other), [](const Loop *l) {
      return isParallel(l->kind) || l->kind == LoopKind::Stream;
    });
    for (uint64_t data : {1, 2})
      for (bool backwards : {false, true})
        if ((!backwards || hasThreads) &&
            run(other, {data, backwards, associative}) != results[data - 1])
          return false;
    return true;
  }

private:
  Nest nest;
  bool associative;
  std::vector<Memory> results;
};

/// What \p step makes of \p nest without a question about legality.
std::optional<Nest> transformed(const Nest &nest, const Step &step) {
  Expected<Nest> result = step.apply(nest);
  if (!result) {
    consumeError(result.takeError());
    return std::nullopt;
  }
  if (Error e = checkWellFormed(*result)) {
    consumeError(std::move(e));
    return std::nullopt;
  }
  return std::move(*result);
}

void tryNest(unsigned seed, bool associative, Counts &counts) {
  RandomNest random(seed);
  const std::string source = random.text();
  Expected<Nest> nest = parseNest(source);
  ASSERT_TRUE(bool(nest)) << toString(nest.takeError()) << "\n" << source;
  const Original original(*nest, associative);
  Expected<Pipeline> pipeline = Pipeline::create(
      std::move(*nest), {associative, associative, associative});
  ASSERT_TRUE(bool(pipeline)) << toString(pipeline.takeError()) << "\n"
                              << source;
  for (unsigned n = 0; n != 6; ++n) {
    const Step step = random.step(pipeline->nest());
    std::optional<Nest> result = transformed(pipeline->nest(), step);
    if (!result) {
      ++counts.structure;
      continue;
    }
    if (Error e = pipeline->apply(step)) {
      consumeError(std::move(e));
      ++counts.refused;
      counts.needless += original.isSameAs(*result);
      continue;
    }
    ++counts.accepted;
    counts.converted += step.is(ifConvertPass);
    ASSERT_TRUE(original.isSameAs(pipeline->nest()))
        << "seed " << seed << ", after " << str(pipeline->steps()) << "of\n"
        << source << "\nwhich gives\n"
        << textOf(pipeline->nest());
  }
}

/// Enough of both verdicts that the test says something of each.
void tryNests(unsigned first, bool associative) {
  Counts counts;
  for (unsigned seed = first; seed != first + 250; ++seed)
    tryNest(seed, associative, counts);
  outs() << counts.accepted << " steps accepted, " << counts.refused
         << " refused as illegal, of which " << counts.needless
         << " changed nothing that was seen; " << counts.structure
         << " did not apply\n";
  EXPECT_GT(counts.accepted, 500u);
  EXPECT_GT(counts.refused, 120u);
  EXPECT_EQ(counts.converted > 0, associative);
}

} // namespace

TEST(RandomSchedule, WhatIsLegalComputesTheSameInOrder) {
  tryNests(1, /*associative=*/false);
}

TEST(RandomSchedule, WhatIsLegalComputesTheSameByAlgebra) {
  tryNests(100001, /*associative=*/true);
}
