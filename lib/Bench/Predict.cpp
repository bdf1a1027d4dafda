//===- Predict.cpp - What the model expects of a candidate ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Plan.h"
#include "convopt/Nest/Facts.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/Peak.h"

using namespace llvm;

namespace convopt::bench {

/// \p nest with \p values for its sizes.
static Expected<Nest> withSizes(const Nest &nest, ArrayRef<int64_t> values) {
  std::vector<Assumption> facts;
  for (auto [id, p] : enumerate(nest.params))
    if (!p.definition)
      facts.push_back(
          {{Constraint::Zero, IndexExpr::param(id) - values[id]}, p.name});
  ASSIGN_OR_RETURN(SpecialNest special, specialise(nest, facts));
  return std::move(special.nest);
}

std::optional<double> Plan::predict(const Candidate &candidate,
                                    ArrayRef<int64_t> values) const {
  const PlanNotes &notes = candidate.notes;
  std::optional<double> cycles = notes.productCycles;
  if (notes.tile) {
    const auto sized = expectedToOptional(withSizes(*notes.tiled, values));
    if (const std::optional<StagedCost> cost =
            sized ? costOf(*sized, notes.roles, gpu, *notes.tile)
                  : std::nullopt)
      cycles = cost->cycles;
  }
  const auto peak = expectedToOptional(findPeak("", gpu.name));
  if (!peak || !cycles)
    return std::nullopt;
  return *cycles / (1e3 * double(peak->boostMegahertz));
}

} // namespace convopt::bench
