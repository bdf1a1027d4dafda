//===- Pipeline.h - Transform, well-formed, legal ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_PIPELINE_H
#define CONVOPT_SCHEDULE_PIPELINE_H

#include "convopt/Dependence/Dependence.h"
#include "convopt/Legality/CheckedNest.h"
#include "convopt/Legality/Legality.h"
#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Remarks.h"
#include "convopt/Schedule/Step.h"

namespace convopt {

/// Is shown the nest after each step: the step's text and the result. A
/// composite shows its primitives and then, by its own text, the whole.
using PrintHook = std::function<void(llvm::StringRef step, const Nest &after)>;

/// A nest on its way, with the dependences that it must keep. The only place
/// that applies steps: nobody can skip the checks.
class Pipeline {
public:
  /// Checks and analyses \p original. A nest that earlier steps have already
  /// transformed is taken as a computation of its own (`rebase`).
  static llvm::Expected<Pipeline>
  create(Nest original, LegalityOptions options = {}, PrintHook hook = nullptr);

  /// Applies \p step and asks whether the result is well-formed and legal.
  /// After a refusal, which has the step's text as a note, nothing changed.
  llvm::Error apply(const Step &step);
  /// Applies \p steps and asks once, of what comes of all: it is compared with
  /// the original nest, whatever came between. If that is refused, or a file
  /// has the steps, each is asked about, so that the refusal names the one that
  /// it came about in; the steps before it stay applied.
  llvm::Error applyAll(llvm::ArrayRef<Step> steps);

  const Nest &nest() const { return current; }
  /// The nest as something that code may come from. Refuses, by the rules of
  /// Legality, a nest that came here mapped and must not be.
  llvm::Expected<CheckedNest> checked() const;
  /// What dependences are about; the result of scalar-replace, if that ran.
  const Nest &original() const { return start; }
  const DependenceAnalysis &dependences() const { return analysis; }
  /// What the steps may change.
  const LegalityOptions &legality() const { return options; }
  const std::vector<Step> &steps() const { return applied; }
  /// What the steps did, and what the nest that they made needs of sizes.
  Remarks remarks() const;

private:
  Pipeline(Nest original, DependenceAnalysis analysis, LegalityOptions options,
           PrintHook hook)
      : written(original), start(original), current(std::move(original)),
        analysis(std::move(analysis)), options(options), hook(std::move(hook)) {
  }

  llvm::Error applyChecked(const Step &step);
  llvm::Error applyToStatements(const Step &step, PrimitiveDone done);
  llvm::Error check(const Nest &next) const;
  llvm::Error checkAtOnce(const Nest &next) const;
  llvm::Error checkOrder(const Nest &next, const LegalityOptions &asked) const;
  llvm::Error startFrom(Nest next);

  Nest written;        // as the source has it
  Nest start, current; // start: after steps that change statements
  DependenceAnalysis analysis;
  LegalityOptions options;
  PrintHook hook;
  std::vector<Step> applied;
  Remarks said;
  bool defers = false; // asks whether nests are well-formed, and no more
};

/// A hook that prints `// *** after strip-mine=y,16 ***` and the loops, after
/// every step or, where \p passes is not empty, after those passes.
PrintHook printAfter(llvm::raw_ostream &os, std::vector<std::string> passes);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_PIPELINE_H
