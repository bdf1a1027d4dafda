//===- SharedMemory.cpp - Buffers that a block has no room for ------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which strips are too long is found by trying: the schedule is applied again
// with another factor, without asking whether that is legal, and the bytes are
// counted. A loop's share in a box may be a halo, a stride, a pitch or several
// boxes at once, and this is right for all of them.
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Resources.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/StripMine.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

namespace {

/// A schedule of which one strip-mining may have another factor.
class Trial {
public:
  Trial(const Nest &start, ArrayRef<Step> steps, int64_t limit)
      : start(start), steps(steps), limit(limit) {}

  /// The largest factor below that of \p step with which all buffers fit, in
  /// whole parts of the strips that later steps make of its strips.
  std::optional<int64_t> largestFactor(const Step &step) const;

private:
  bool fits(const Step &step, int64_t factor) const;

  const Nest &start;
  ArrayRef<Step> steps;
  int64_t limit;
};

} // namespace

static int64_t factorOf(const Step &stripMine) {
  return cantFail(stripMine.words.number(1));
}

static Step withFactor(const Step &stripMine, int64_t factor) {
  std::vector<std::string> words(stripMine.words.begin(),
                                 stripMine.words.end());
  words[1] = std::to_string(factor);
  return {stripMinePass, std::move(words)};
}

bool Trial::fits(const Step &step, int64_t factor) const {
  Nest nest = start;
  for (const Step &s : steps) {
    std::optional<Nest> next = expectedToOptional(
        (&s == &step ? withFactor(s, factor) : s).apply(nest));
    if (!next)
      return false;
    nest = std::move(*next);
  }
  return estimateResources(nest).sharedBytes <= limit;
}

/// How many iterations a later step takes \p step's strips apart by.
static int64_t partOf(const Step &step, ArrayRef<Step> steps) {
  std::string inner =
      step.words.size() == 4 ? step.words[3] : step.words[0] + "_i";
  auto part = find_if(steps, [&](const Step &s) {
    return s.is(stripMinePass) && s.words[0] == inner;
  });
  return part == steps.end() ? 1 : factorOf(*part) * partOf(*part, steps);
}

std::optional<int64_t> Trial::largestFactor(const Step &step) const {
  int64_t part = partOf(step, steps);
  int64_t least = 0, above = divideCeilSigned(factorOf(step), part);
  while (least + 1 < above) {
    int64_t middle = least + (above - least) / 2;
    (fits(step, middle * part) ? least : above) = middle;
  }
  if (least == 0)
    return std::nullopt;
  return least * part;
}

/// What would make the buffers of \p pipeline's nest fit.
static std::string remedyFor(const Pipeline &pipeline, int64_t limit) {
  // What changed statements came before the nest that dependences are about.
  ArrayRef<Step> steps = pipeline.steps();
  while (
      any_of(steps, [](const Step &s) { return s.pass->changesStatements(); }))
    steps = steps.drop_front();
  Trial trial(pipeline.original(), steps, limit);
  std::vector<std::string> shorter;
  for (const Step &s : steps) {
    if (!s.is(stripMinePass))
      continue;
    if (std::optional<int64_t> factor = trial.largestFactor(s))
      shorter.push_back("'" + s.words[0] + "' by at most " +
                        std::to_string(*factor) + " instead of " + s.words[1]);
  }
  if (shorter.empty())
    return "stage at a loop further in, or strip-mine more than one loop by "
           "less";
  return "strip-mine " + join(shorter, ", or ") +
         ", or stage at a loop further in";
}

Error checkSharedMemory(const Pipeline &pipeline, const Gpu &gpu) {
  const Nest &nest = pipeline.nest();
  int64_t limit = gpu.sharedPerBlockOptIn;
  int64_t bytes = estimateResources(nest).sharedBytes;
  if (bytes <= limit)
    return Error::success();
  return refuse("limit",
                "a block would stage " + std::to_string(bytes) +
                    " bytes in shared memory, " + gpu.name + " allows " +
                    std::to_string(limit),
                nest.function.range, remedyFor(pipeline, limit));
}

} // namespace convopt
