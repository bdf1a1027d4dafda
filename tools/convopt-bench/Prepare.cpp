//===- Prepare.cpp - What comes before measuring --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "convopt/Schedule/Siblings.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace convopt {

using namespace bench;

static std::string now() {
  const auto seconds = std::chrono::time_point_cast<std::chrono::seconds>(
      std::chrono::system_clock::now());
  return formatv("{0:%Y-%m-%dT%H:%M:%SZ}",
                 sys::UtcTime<std::chrono::seconds>(seconds.time_since_epoch()))
      .str();
}

Error Run::readNest() {
  ASSIGN_OR_RETURN(Input input, readInput(options, ownPath));
  report.sourceName = input.name;
  report.source = input.text;
  ASSIGN_OR_RETURN(Pipeline pipeline,
                   Pipeline::create(input.nest, options.legality));
  jamSiblings(pipeline);
  // Without one, a nest is measured all the same, by its own sizes.
  convolution = expectedToOptional(
      findConvolution(pipeline.nest(), pipeline.dependences()));
  ASSIGN_OR_RETURN(Plan made, Plan::create(std::move(input.nest), gpu,
                                           options.legality, options.suffix));
  plan = std::move(made);
  return Error::success();
}

/// Whether another candidate has the same \p steps.
bool Run::hasSteps(ArrayRef<Step> steps) const {
  return any_of(candidates, [&](const Tried &t) {
    return any_of(t.kernels, [&](const Candidate &k) {
      return ArrayRef(k.steps) == steps;
    });
  });
}

Error Run::expandCandidates() {
  ASSIGN_OR_RETURN(std::vector<CandidateRequest> expanded,
                   expandFolders(options.candidates, plan->nest().sourceFile));
  requests = std::move(expanded);
  return Error::success();
}

/// `K=64`, `R=3`: what -assume= would say of \p shape.
std::vector<std::string> Run::sizesOf(const Shape &shape) const {
  std::vector<std::string> facts;
  for (const Param &p : plan->nest().params)
    if (auto size = shape.sizes.find(p.name);
        !p.definition && size != shape.sizes.end())
      facts.push_back(p.name + "=" + std::to_string(size->second));
  return facts;
}

/// Makes the candidates, with \p facts beside their own.
void Run::prepareCandidates(const std::vector<std::string> &facts) {
  candidates.clear();
  unsigned left = 0; // tiles of a search that are no candidates
  std::string whyLeft;
  for (CandidateRequest request : requests) {
    if (request.file.empty())
      append_range(request.facts, facts);
    Expected<std::vector<Candidate>> made = plan->candidates(request);
    if (request.schedule.place) {
      if (!made)
        whyLeft = messageOf(made.takeError());
      if (!made || hasSteps(made->front().steps)) {
        ++left;
        continue;
      }
    }
    Tried &tried = candidates.emplace_back(Tried{request.label, {}, {}});
    if (made) {
      tried.kernels = std::move(*made);
      continue;
    }
    errs() << "convopt-bench: " << request.label << " is refused:\n";
    Error why = handleErrors(made.takeError(),
                             [&](std::unique_ptr<Refusal> r) -> Error {
                               tried.refusal = "refused: " + r->message;
                               return Error(std::move(r));
                             });
    const ExitStatus status =
        convopt::report(std::move(why), errs(), options.input);
    refused = std::max(refused, status);
  }
  if (left)
    errs() << "convopt-bench: " << left << " of " << options.searched()
           << " tiles are left out: "
           << (whyLeft.empty() ? "others have the same steps" : whyLeft)
           << '\n';
}

Error Run::prepare() {
  RETURN_IF_ERROR(checkOutputs(options));
  ASSIGN_OR_RETURN(Gpu found, findGpu(options.arch));
  gpu = found;
  ASSIGN_OR_RETURN(Peak nominal, findPeak(options.device, options.arch));
  peak = nominal;
  report.environment.command = options.command;
  report.environment.date = now();
  report.environment.arch = options.arch;
  RETURN_IF_ERROR(readNest());
  if (any_of(plan->nest().arrays,
             [](const Array &a) { return a.elementType == "double"; })) {
    report.environment.elementType = "double";
    hasCudnn = false;
  }
  RETURN_IF_ERROR(expandCandidates());
  if (!options.knownSizes)
    prepareCandidates({});
  ASSIGN_OR_RETURN(std::vector<Case> collected,
                   collectCases(options, plan->nest(),
                                convolution ? &*convolution : nullptr));
  cases = std::move(collected);
  if (!options.best.empty() && cases.size() != 1)
    return refuse("usage", "-best takes one shape, here " +
                               std::to_string(cases.size()));
  return Error::success();
}

} // namespace convopt
