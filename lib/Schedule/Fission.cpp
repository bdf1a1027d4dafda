//===- Fission.cpp - Loops side by side in kernels of their own -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for k in 0 .. K {            for k in 0 .. K {
//     for y in 0 .. H {            for y in 0 .. H {
//       t[k][y] = ...                t[k][y] = ...
//     }                            }
//     for y in 0 .. H / 2 {      }
//       out[k][y] =
//         max(t[k][2 * y], ...)  for k_2 in 0 .. K {
//     }                            for y_2 in 0 .. H / 2 {
//   }                                out[k_2][y_2] = ...
//                                  }
//                                }
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Fission.h"
#include "convopt/Nest/Text.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Schedule/Siblings.h"
#include "convopt/Transforms/Distribute.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace convopt {

/// The most parts that are looked at: each pair of them may be jammed.
static constexpr size_t MostParts = 8;

/// Gives each part of what \p band, of perfectly nested loops, holds the band
/// to itself.
static bool distributeBand(Pipeline &pipeline, ArrayRef<const Loop *> band) {
  std::vector<Step> steps;
  for (const Loop *l : reverse(band))
    steps.push_back({distributePass, {pipeline.nest().loopNames[l->id]}});
  Pipeline trial = pipeline;
  if (steps.empty() || errorToBool(trial.applyAll(steps)))
    return false;
  pipeline = std::move(trial);
  return true;
}

/// What \p nest reads and writes of each array, for those that it writes at
/// all in another nest.
static void narrowRoles(Nest &nest) {
  std::vector<bool> reads(nest.arrays.size()), writes(nest.arrays.size());
  for (const StatementPath &p : statements(nest)) {
    writes[p.statement->target.array] = true;
    if (p.statement->accumulates())
      reads[p.statement->target.array] = true;
    for (const Operand &o : readsOf(*p.statement))
      reads[o.access.array] = true;
  }
  for (auto [id, a] : enumerate(nest.arrays))
    if (!a.isLocal() && !writes[id])
      a.role = Array::Input;
    else if (!a.isLocal() && reads[id])
      a.role = Array::InOut;
}

/// \p nest with \p body, a part of its own, and the locals of that.
static Nest withPart(const Nest &nest, const Body &body) {
  Nest part = nest;
  part.body.clear();
  for (const NodeRef &n : nest.body)
    if (const auto *local = dyn_cast<Local>(n.get());
        local && any_of(collect<Statement>(body), [&](const Statement *s) {
          return touches(*s, local->array);
        }))
      part.body.push_back(n);
  append_range(part.body, body);
  narrowRoles(part);
  return part;
}

/// Whether no two of \p parts have a local in common.
static bool haveOwnLocals(ArrayRef<Nest> parts) {
  std::set<const Node *> locals;
  return all_of(parts, [&](const Nest &part) {
    return all_of(part.body, [&](const NodeRef &n) {
      return !isa<Local>(n.get()) || locals.insert(n.get()).second;
    });
  });
}

/// \p nest with its loops side by side jammed, as far as they can be.
static std::optional<Pipeline> jammed(const Nest &nest,
                                      const LegalityOptions &legality) {
  std::optional<Pipeline> pipeline =
      expectedToOptional(Pipeline::create(nest, legality));
  if (pipeline)
    jamSiblings(*pipeline);
  return pipeline;
}

/// Whether the outermost band of \p part has a loop that blocks can share, by
/// facts that hold for most sizes.
static bool isKernel(const Nest &part, const LegalityOptions &legality) {
  const std::optional<Pipeline> p = jammed(part, legality);
  return p && !restsOnRareFacts(*p) &&
         !errorToBool(findRoles(p->nest(), p->dependences()).takeError());
}

static Body rootsOf(const Nest &nest) {
  Body roots;
  copy_if(nest.body, std::back_inserter(roots),
          [](const NodeRef &n) { return !isa<Local>(n.get()); });
  return roots;
}

/// Distributes the loops around what cannot be jammed to one band.
static void distribute(Pipeline &pipeline) {
  for (size_t k = 0; k < std::min(rootsOf(pipeline.nest()).size(), MostParts);
       ++k)
    for (bool isDone = false; !isDone;) {
      const NodeRef root = rootsOf(pipeline.nest())[k];
      const auto *loop = dyn_cast<Loop>(root.get());
      const std::optional<Pipeline> one =
          loop ? jammed(withPart(pipeline.nest(), {root}), pipeline.legality())
               : std::nullopt;
      isDone = !one || isOneBand(*one) ||
               !distributeBand(pipeline, perfectBand(*loop));
    }
}

std::vector<Nest> kernelNests(const Nest &nest,
                              const LegalityOptions &legality) {
  std::optional<Pipeline> pipeline =
      nest.function.isKernel
          ? std::nullopt
          : expectedToOptional(Pipeline::create(nest, legality));
  if (!pipeline)
    return {};
  Pipeline together = *pipeline;
  jamSiblings(together);
  if (isOneBand(together))
    return {};
  distribute(*pipeline);
  const Nest distributed = rebase(pipeline->nest());
  const Body roots = rootsOf(distributed);
  if (roots.size() < 2 || roots.size() > MostParts)
    return {};
  std::vector<Nest> parts;
  for (size_t first = 0, end; first != roots.size(); first = end) {
    end = roots.size();
    auto part = [&] {
      return withPart(distributed,
                      Body(roots.begin() + first, roots.begin() + end));
    };
    while (end - first > 1 && !runsAsOne(part(), legality))
      --end;
    parts.push_back(part());
    if (!isKernel(parts.back(), legality))
      return {};
  }
  return parts.size() > 1 && haveOwnLocals(parts) ? parts : std::vector<Nest>();
}

} // namespace convopt
