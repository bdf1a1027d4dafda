//===- StepRecorder.cpp - Steps that are written down ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/StepRecorder.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

Error StepRecorder::add(Step step) {
  ASSIGN_OR_RETURN(Nest next, step.apply(current));
  current = std::move(next);
  made.push_back(std::move(step));
  return Error::success();
}

std::string StepRecorder::freeName(const std::string &loop,
                                   StringRef ending) const {
  Nest scratch = current;
  return scratch.loopNames[scratch.addLoopName(loop + ending.str())];
}

} // namespace convopt
