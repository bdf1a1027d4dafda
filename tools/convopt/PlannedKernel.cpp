//===- PlannedKernel.cpp - One kernel of the emitted file -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedKernel.h"
#include "convopt/Schedule/FilterFacts.h"
#include "convopt/Schedule/Request.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

Error PlannedKernel::create(const Nest &source, const SharedOptions &shared,
                            raw_ostream &printed) {
  Expected<SpecialNest> special = specialise(source, facts);
  if (!special)
    return special.takeError();
  facts = std::move(special->facts);
  Expected<Pipeline> created = Pipeline::create(
      std::move(special->nest), shared.legality, shared.hook(printed));
  if (!created)
    return created.takeError();
  pipeline = std::move(*created);
  return Error::success();
}

Error PlannedKernel::transform(const Gpu &gpu) {
  Error e = applyRequest(*pipeline, request, gpu, remarks);
  append_range(remarks, pipeline->remarks());
  if (name.empty())
    return e;
  for (Remark &r : remarks)
    r.message = name + ": " + r.message;
  return handleErrors(std::move(e), [&](std::unique_ptr<Refusal> r) -> Error {
    r->message = name + ": " + r->message;
    return Error(std::move(r));
  });
}

bool PlannedKernel::keepsOrder() const {
  Error e = checkLegality(pipeline->dependences(), pipeline->nest(), {});
  bool kept = !e;
  consumeError(std::move(e));
  return kept;
}

bool PlannedKernel::keepsSignsOfZeros() const {
  return none_of(pipeline->steps(), [](const Step &step) {
    return step.kind == Step::Kind::IfConvert;
  });
}

static Error parseFacts(ArrayRef<std::string> texts, const Nest &source,
                        std::vector<Assumption> &facts) {
  for (const std::string &text : texts) {
    Expected<Assumption> fact = parseFact(source, text);
    if (!fact)
      return fact.takeError();
    facts.push_back(std::move(*fact));
  }
  return Error::success();
}

/// `K7_C4`, which no other kernel has.
static std::string nameOf(const VersionOptions &v,
                          ArrayRef<PlannedKernel> others) {
  std::string name;
  for (const std::string &fact : v.facts)
    name += (name.empty() ? "" : "_") + identifierOf(fact);
  std::string unique = name.empty() ? "v1" : name;
  for (unsigned n = 2;
       any_of(others, [&](const PlannedKernel &k) { return k.name == unique; });
       ++n)
    unique = name.empty() ? "v" + std::to_string(n)
                          : name + "_v" + std::to_string(n);
  return unique;
}

/// Those that were asked for, then one for each width of the filter.
static Expected<std::vector<VersionOptions>> allVersions(const Options &o,
                                                         const Nest &source) {
  std::vector<VersionOptions> all = o.versions;
  for (unsigned width : o.filterWidths) {
    Expected<std::vector<std::string>> facts = filterFacts(source, width);
    if (!facts)
      return facts.takeError();
    VersionOptions v;
    v.facts = std::move(*facts);
    v.request.boundary = o.shared.request.boundary;
    all.push_back(std::move(v));
  }
  return all;
}

Expected<std::vector<PlannedKernel>> requestedKernels(const Options &o,
                                                      const Nest &source) {
  std::vector<PlannedKernel> kernels(1);
  kernels[0].request = o.shared.request;
  if (Error e = parseFacts(o.facts, source, kernels[0].facts))
    return std::move(e);
  Expected<std::vector<VersionOptions>> versions = allVersions(o, source);
  if (!versions)
    return versions.takeError();
  for (const VersionOptions &v : *versions) {
    PlannedKernel k;
    k.name = nameOf(v, kernels);
    k.request = v.request;
    k.facts = kernels[0].facts;
    if (Error e = parseFacts(v.facts, source, k.facts))
      return std::move(e);
    kernels.push_back(std::move(k));
  }
  return kernels;
}

} // namespace convopt
