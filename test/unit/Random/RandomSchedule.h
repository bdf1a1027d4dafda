//===- RandomSchedule.h - Whole schedules at random -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_RANDOMSCHEDULE_H
#define CONVOPT_TEST_UNIT_RANDOM_RANDOMSCHEDULE_H

#include "RandomCase.h"
#include "convopt/Schedule/Request.h"
#include "convopt/Target/Gpu.h"

namespace convopt::test {

/// Tries steps on a pipeline, most of which make sense: tiles, by the
/// shorthands or by hand, staging with any layout, and anything else.
class RandomSchedule {
public:
  /// Is told of steps that were refused; the pipeline is as it was before.
  using Refused = std::function<void(const Step &, llvm::Error)>;

  RandomSchedule(Random &random, Draw draw, Pipeline &pipeline, const Gpu &gpu,
                 bool isAlgebraic, Refused refused)
      : random(random), draw(draw), pipeline(pipeline), gpu(gpu),
        isAlgebraic(isAlgebraic), refused(std::move(refused)) {}

  void run();

private:
  Random &random;
  const Draw draw;
  const bool isOfSums = draw == Draw::Sums;
  Pipeline &pipeline;
  const Gpu &gpu;
  const bool isAlgebraic;
  Refused refused;

  const Nest &nest() const { return pipeline.nest(); }
  std::string name(const Loop *l) const { return nest().loopNames[l->id]; }
  bool tryStep(const std::string &text);
  bool tryStep(const Step &step);
  void trySteps(llvm::ArrayRef<Step> steps);
  std::string number(unsigned low, unsigned high) {
    return std::to_string(random.between(low, high));
  }
  std::vector<const Loop *> band(const Loop *outermost) const;
  std::vector<unsigned> arrays() const;

  void siblings();
  void beforeTiles();
  bool shorthand();
  void fuse();
  std::optional<std::vector<Step>> planned(ScheduleRequest request,
                                           const Gpu &device);
  bool product();
  void mapOutermost();
  void byHand();
  void stage();
  void unfoldSome();
  void anything();
  void split();
  void splitAmongLanes();
  std::string order(size_t dims);
  std::string layout(const std::string &memory, size_t dims);
  Step otherLayout(const Step &step);
};

/// \p nest, that of \p c, with a random schedule. Gives \p c sizes and a
/// target.
llvm::Expected<Pipeline> randomPipeline(Nest nest, Case &c, Draw draw,
                                        Random &random);

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_RANDOMSCHEDULE_H
