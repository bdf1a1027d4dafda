//===- Pipeline.cpp - Transform, well-formed, legal -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Pipeline.h"
#include "convopt/Dependence/Footprints.h"
#include "convopt/Nest/SplitSum.h"
#include "convopt/Nest/Text.h"
#include "convopt/Nest/Touched.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Alias.h"
#include "convopt/Transforms/Bounds.h"
#include "convopt/Transforms/Distribute.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

/// True where the statements are as a source has them: each once, at the
/// iteration of the loops around it.
static bool isOriginal(const Nest &nest) {
  std::vector<unsigned> ids;
  for (const StatementPath &p : statements(nest)) {
    const Statement &s = *p.statement;
    std::vector<unsigned> around;
    for (const Loop *l : select<Loop>(p.enclosing))
      around.push_back(l->id);
    if (is_contained(ids, s.id) || s.iterators != around)
      return false;
    ids.push_back(s.id);
    for (size_t i = 0; i != around.size(); ++i)
      if (s.instance[i] != IndexExpr::loop(around[i]))
        return false;
  }
  return none_of(nest.arrays,
                 [](const Array &a) { return a.expandedDims != 0; });
}

Expected<Pipeline> Pipeline::create(Nest original, LegalityOptions options,
                                    PrintHook hook) {
  RETURN_IF_ERROR(checkWellFormed(original));
  if (!isOriginal(original))
    original = rebase(original);
  original = withoutImpliedGuards(original);
  // What never runs had its part in how large arrays are taken to be.
  options.partly = partlyTouched(original, options.maxOperations);
  Expected<DependenceAnalysis> analysis =
      DependenceAnalysis::compute(original, options.maxOperations);
  if (!analysis)
    return analysis.takeError();
  const std::vector<unsigned> dead = analysis->deadStatements();
  if (Body live = withoutStatements(original.body, dead);
      !dead.empty() && !live.empty()) {
    original.body = std::move(live);
    emptyUntouched(original);
    analysis = DependenceAnalysis::compute(original, options.maxOperations);
    if (!analysis)
      return analysis.takeError();
  }
  return Pipeline(std::move(original), std::move(*analysis), options,
                  std::move(hook));
}

Remarks Pipeline::remarks() const {
  Remarks all = assumptionRemarks(start, current.assumptions);
  append_range(all, said);
  return all;
}

Error Pipeline::check(const Nest &next) const {
  return defers ? checkWellFormed(next) : checkAtOnce(next);
}

Error Pipeline::checkAtOnce(const Nest &next) const {
  RETURN_IF_ERROR(checkWellFormed(next));
  return checkOrder(next, options);
}

Error Pipeline::checkOrder(const Nest &next,
                           const LegalityOptions &asked) const {
  if (asked.without == "all")
    return Error::success();
  return checkLegality(analysis, next, asked);
}

static void printBody(const Nest &nest, raw_ostream &os) {
  PrintOptions options;
  options.locations = false;
  options.bodyOnly = true;
  print(nest, os, options);
}

static std::string bodyOf(const Nest &nest) {
  std::string text;
  raw_string_ostream os(text);
  printBody(nest, os);
  return text;
}

Expected<CheckedNest> Pipeline::checked() const {
  Nest ready = withKnownIndices(withOwnLoops(current));
  // Each step was asked about; what it began with was not, nor what is made
  // ready.
  if (all_of(applied,
             [](const Step &s) { return s.pass->changesStatements(); }) ||
      bodyOf(ready) != bodyOf(current))
    RETURN_IF_ERROR(check(ready));
  if (none_of(ready.arrays, [](const Array &a) { return a.alias; }))
    return CheckedNest(std::move(ready), written, analysis, options);
  // What is emitted has a name for each array, and is checked as such.
  Pipeline plain = *this;
  RETURN_IF_ERROR(plain.startFrom(withoutAliases(start)));
  ready = withoutAliases(ready);
  RETURN_IF_ERROR(plain.check(ready));
  return CheckedNest(std::move(ready), written, plain.analysis, options);
}

/// A refusal says in which step it came about; one without a place in the
/// source gets that of the step.
static Error annotate(Error e, StringRef text, const Step &step) {
  return handleErrors(std::move(e), [&](std::unique_ptr<Refusal> r) -> Error {
    std::string place;
    if (step.line != 0)
      place = " (" + step.file + ":" + std::to_string(step.line) + ")";
    r->notes.push_back({{}, "in step '" + text.str() + "'" + place});
    if (!r->where.isValid() && step.line != 0) {
      r->file = step.file;
      r->where = {step.line, 1};
    }
    return Error(std::move(r));
  });
}

Error Pipeline::startFrom(Nest next) {
  ASSIGN_OR_RETURN(DependenceAnalysis renewed,
                   DependenceAnalysis::compute(next, options.maxOperations));
  analysis = std::move(renewed);
  start = current = std::move(next);
  return Error::success();
}

/// The statements themselves change, so what depends on what is asked anew.
Error Pipeline::applyToStatements(const Step &step, PrimitiveDone done) {
  if (!all_of(applied, [](const Step &s) {
        return s.pass->changesStatements() || s.is(interchangePass) ||
               s.is(distributePass);
      }))
    return refuse(
        "structure",
        step.pass->name.str() + " comes after other steps than interchange and "
                                "distribute",
        start.function.range, "make it the first step of the schedule");
  // From here on the order that loops were put into is the one to keep.
  if (!isOriginal(current)) {
    LegalityOptions exact = options;
    exact.associativeMath = false;
    RETURN_IF_ERROR(checkOrder(current, exact));
    RETURN_IF_ERROR(startFrom(rebase(current)));
  }
  ASSIGN_OR_RETURN(Nest next, step.apply(current, done));
  RETURN_IF_ERROR(checkWellFormed(next));
  if (step.pass->effect == Pass::Effect::Values && options.asks("Values"))
    RETURN_IF_ERROR(checkIfConversion(analysis, next, options));
  return startFrom(std::move(next));
}

Error Pipeline::applyChecked(const Step &step) {
  bool wasAsked = false; // about the last primitive of a composite
  auto done = [&](StringRef text, const Nest &after) -> Error {
    // Statements that change are compared with what they were now or never.
    if (Error e =
            step.pass->changesStatements() ? checkAtOnce(after) : check(after))
      return annotate(std::move(e), text, Step(*step.pass, {}));
    wasAsked = true;
    if (hook)
      hook(text, after);
    return Error::success();
  };
  if (step.pass->changesStatements())
    return applyToStatements(step, done);
  ASSIGN_OR_RETURN(Nest next, step.apply(current, done));
  if (!wasAsked)
    RETURN_IF_ERROR(check(next));
  current = std::move(next);
  return Error::success();
}

/// The place of the loop that \p step is about, while it is still there.
static SourceRange placeOf(const Nest &nest, const Step &step) {
  for (const Loop *l : loops(nest))
    if (nest.loopNames[l->id] == step.words[0])
      return l->range;
  return nest.function.range;
}

Error Pipeline::apply(const Step &step) {
  SourceRange place = placeOf(current, step);
  if (Error e = applyChecked(step))
    return annotate(std::move(e), step.str(), step);
  applied.push_back(step);
  said.push_back({Remark::Kind::Passed, step.pass->name.str(),
                  "applied " + step.str(), place});
  if (hook)
    hook(step.str(), current);
  return Error::success();
}

Error Pipeline::applyAll(ArrayRef<Step> steps) {
  const bool areWritten =
      any_of(steps, [](const Step &step) { return step.line != 0; });
  if (!hook && !areWritten) {
    Pipeline trial = *this;
    trial.defers = true;
    Error refused = Error::success();
    for (const Step &step : steps)
      if (!refused)
        refused = trial.apply(step);
    trial.defers = false;
    if (!refused)
      refused = trial.check(trial.current);
    if (!refused) {
      *this = std::move(trial);
      return refused;
    }
    consumeError(std::move(refused));
  }
  for (const Step &step : steps)
    RETURN_IF_ERROR(apply(step));
  return Error::success();
}

PrintHook printAfter(raw_ostream &os, std::vector<std::string> passes) {
  return [&os, passes = std::move(passes)](StringRef step, const Nest &after) {
    StringRef pass = step.split('=').first;
    if (!passes.empty() && !is_contained(passes, pass))
      return;
    os << "// *** after " << step << " ***\n";
    printBody(after, os);
  };
}

} // namespace convopt
