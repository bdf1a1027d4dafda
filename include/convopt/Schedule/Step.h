//===- Step.h - One line of a schedule --------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_STEP_H
#define CONVOPT_SCHEDULE_STEP_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// A pass with its arguments, as a value that prints and parses. Loops and
/// arrays are named as in the text of the nest at hand.
struct Step {
  const Pass *pass;
  StepWords words;
  /// Where the step was written: "conv.sched" and a line, if in a file.
  std::string file = {};
  unsigned line = 0;

  Step(const Pass &pass, std::vector<std::string> words)
      : pass(&pass), words(pass, std::move(words)) {}

  bool is(const Pass &p) const { return pass == &p; }
  /// `strip-mine=y,16,y_o,y_i`
  std::string str() const { return words.str(); }
  /// Runs the pass, which checks structure; \p done is told of the primitives
  /// of a composite.
  llvm::Expected<Nest> apply(const Nest &nest, PrimitiveDone done) const;
  /// The same where nobody asks for primitives.
  llvm::Expected<Nest> apply(const Nest &nest) const;

  friend bool operator==(const Step &a, const Step &b) {
    return a.str() == b.str();
  }
};

/// Every pass: the one place that lists them.
llvm::ArrayRef<const Pass *> passes();
/// "scalar-replace", "strip-mine", ...
std::vector<std::string> passNames();

/// Parses `pass=argument,...`; refuses (rule "usage") an unknown pass with the
/// list of them, and arguments that are not what the pass takes.
llvm::Expected<Step> parseStep(llvm::StringRef text);

/// Parses the text of a .sched file: a step a line, `#` begins a comment.
/// Refuses with \p file and the line.
llvm::Expected<std::vector<Step>> parseSchedule(llvm::StringRef text,
                                                llvm::StringRef file = "");

/// The text of a .sched file.
std::string str(llvm::ArrayRef<Step> steps);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_STEP_H
