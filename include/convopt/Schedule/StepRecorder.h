//===- StepRecorder.h - Steps that are written down -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_STEPRECORDER_H
#define CONVOPT_SCHEDULE_STEPRECORDER_H

#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Step.h"

namespace convopt {

/// Writes steps down and follows their structure on a nest of its own, which
/// has the names that later steps need. Legality is not asked.
class StepRecorder {
public:
  explicit StepRecorder(const Nest &original) : current(original) {}

  const Nest &nest() const { return current; }
  std::vector<Step> takeSteps() { return std::move(made); }
  size_t size() const { return made.size(); }

  /// Refuses what the step's pass refuses; then nothing has changed.
  llvm::Error add(Step step);

  /// A name for a part of \p loop that is free, numbered where it must be.
  std::string freeName(const std::string &loop, llvm::StringRef ending) const;

private:
  Nest current;
  std::vector<Step> made;
};

} // namespace convopt

#endif // CONVOPT_SCHEDULE_STEPRECORDER_H
