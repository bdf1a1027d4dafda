//===- PlannedKernel.cpp - One kernel of a nest ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/PlannedKernel.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/MathFunctions.h"
#include "convopt/Nest/SplitSum.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/IfConvert.h"
#include "convopt/Transforms/Stage.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

Error PlannedKernel::addFacts(const Nest &nest, ArrayRef<std::string> texts) {
  for (const std::string &text : texts) {
    ASSIGN_OR_RETURN(Assumption fact, parseFact(nest, text));
    facts.push_back(std::move(fact));
  }
  return Error::success();
}

/// Refuses \p facts of which no statement of \p pipeline has an iteration.
static Error checkRuns(const Pipeline &pipeline, ArrayRef<Assumption> facts) {
  // Where none has, all stay in the nest.
  if (facts.empty() || pipeline.dependences().deadStatements().empty())
    return Error::success();
  std::vector<std::string> texts;
  for (const Assumption &a : facts)
    texts.push_back(factText(a).str());
  return refuse("usage",
                "with -assume=" + join(texts, ",") + ", the loops of '" +
                    pipeline.nest().function.name + "' have no iteration",
                {}, "give sizes for which they have one");
}

Error PlannedKernel::create(const PlanInput &source) {
  ASSIGN_OR_RETURN(SpecialNest special, specialise(source.nest, facts));
  facts = std::move(special.facts);
  ASSIGN_OR_RETURN(
      Pipeline created,
      Pipeline::create(std::move(special.nest), source.legality, source.hook));
  pipeline = std::move(created);
  return checkRuns(*pipeline, facts);
}

Error PlannedKernel::transform(const Gpu &gpu) {
  Error e = applyRequest(*pipeline, request, gpu, notes);
  append_range(notes.remarks, pipeline->remarks());
  if (!name.empty())
    nameRemarks();
  append_range(notes.remarks, memoryRemarks(pipeline->nest(), gpu));
  if (name.empty())
    return e;
  return handleErrors(std::move(e), [&](std::unique_ptr<Refusal> r) -> Error {
    r->message = name + ": " + r->message;
    return Error(std::move(r));
  });
}

Error PlannedKernel::plan(const PlanInput &source) {
  RETURN_IF_ERROR(create(source));
  return transform(source.gpu);
}

void PlannedKernel::nameRemarks() {
  // Of what is said without being asked for, that of the general kernel will
  // do.
  erase_if(notes.remarks, [](const Remark &r) { return r.isAlwaysPrinted(); });
  for (Remark &r : notes.remarks)
    r.message = name + ": " + r.message;
}

bool PlannedKernel::keepsOrder() const {
  return !errorToBool(
      checkLegality(pipeline->dependences(), pipeline->nest(), {}));
}

bool PlannedKernel::keepsSignsOfZeros() const {
  return none_of(pipeline->steps(), [](const Step &step) {
    return step.is(ifConvertPass) && !asksExact(step.words);
  });
}

/// Whether a host and a device may compute \p s with other bits.
static bool callsRounding(const Nest &nest, const Statement &s) {
  return rhsOf(nest, s).any([](const CExpr &e) {
    return e.kind == CExpr::Verbatim ||
           (e.kind == CExpr::Call &&
            !is_contained({"abs", "fabs", "fma", "fmax", "fmin", "max", "min"},
                          ofDoubles(e.callee())));
  });
}

bool PlannedKernel::hasSums() const {
  return any_of(collect<Statement>(pipeline->nest().body),
                std::mem_fn(&Statement::isReduction));
}

bool PlannedKernel::keepsBits() const {
  const Nest &nest = pipeline->nest();
  const bool rounds =
      !nest.function.isKernel &&
      any_of(collect<Statement>(nest.body),
             [&](const Statement *s) { return callsRounding(nest, *s); });
  return !rounds && !splitLoop(nest) && keepsSignsOfZeros() && keepsOrder();
}

bool PlannedKernel::stages() const {
  return any_of(pipeline->steps(),
                [](const Step &step) { return step.is(stagePass); });
}

bool PlannedKernel::unfolds() const {
  return any_of(pipeline->nest().arrays,
                [](const Array &a) { return a.buffer && a.buffer->unfolding; });
}

/// `K7_C4`, which no other kernel has.
static std::string nameOf(ArrayRef<std::string> facts,
                          ArrayRef<PlannedKernel> others) {
  std::string name;
  for (const std::string &fact : facts)
    name += (name.empty() ? "" : "_") + identifierOf(fact);
  std::string unique = name.empty() ? "v1" : name;
  for (unsigned n = 2;
       any_of(others, [&](const PlannedKernel &k) { return k.name == unique; });
       ++n)
    unique = name.empty() ? "v" + std::to_string(n)
                          : name + "_v" + std::to_string(n);
  return unique;
}

Error addVersion(const Nest &nest, ArrayRef<Assumption> general,
                 ArrayRef<std::string> texts, const ScheduleRequest &request,
                 std::vector<PlannedKernel> &kernels) {
  PlannedKernel k;
  k.name = nameOf(texts, kernels);
  k.request = request;
  k.facts = general;
  RETURN_IF_ERROR(k.addFacts(nest, texts));
  kernels.push_back(std::move(k));
  return Error::success();
}

} // namespace convopt
