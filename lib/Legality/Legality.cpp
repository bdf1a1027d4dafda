//===- Legality.cpp - Does a nest still compute the same thing? -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/Legality.md has the rules and their conditions.
//
//===----------------------------------------------------------------------===//

#include "convopt/Legality/Legality.h"
#include "CurrentNest.h"
#include "convopt/Nest/Recompute.h"
#include "convopt/Nest/Text.h"

using namespace llvm;

namespace convopt {

/// Half of the steps of a schedule only map or unroll a loop. Such a step
/// leaves instances, times, dependences and storage as they were, so those of
/// the last legal nest are kept.
struct LegalityMemo {
  std::string text; // serialText
  bool associativeMath;
  std::vector<Running> running;            // occurrences are stale
  std::vector<DependentPairs> dependences; // into `running`
};

/// \p body with every loop serial, but for parallel loops and those of launches
/// in the scope of a local array, of which each thread has its own.
static Body serial(const Body &body, bool inScope) {
  for (const NodeRef &node : body)
    inScope = inScope || isa<Local>(node.get());
  return rewrite(body, [&](const NodeRef &node) -> std::optional<Body> {
    if (const auto *guard = dyn_cast<Guard>(node.get()))
      return Body{withBody(*guard, serial(guard->body, inScope))};
    const auto *loop = dyn_cast<Loop>(node.get());
    if (!loop)
      return std::nullopt;
    auto copy = std::make_shared<Loop>(*loop);
    if (!inScope || !(isParallel(loop->kind) || isHost(loop->kind)))
      copy->kind = LoopKind::Serial;
    copy->isAtomic = false;
    copy->body = serial(loop->body, inScope);
    return Body{copy};
  });
}

/// Equal for nests that differ at most in what only Mapping asks about.
static std::string serialText(const Nest &nest) {
  Nest copy = nest;
  copy.body = serial(nest.body, /*inScope=*/false);
  std::string text;
  raw_string_ostream os(text);
  print(copy, os, {/*locations=*/false, /*bodyOnly=*/false});
  return text;
}

/// Takes over from \p memo, which is of the same tree.
static void resume(const LegalityMemo &memo, CurrentNest &current) {
  for (const Running &r : memo.running) {
    current.running.push_back(r);
    current.running.back().occurrence =
        &current.tree.occurrences[&r - memo.running.data()];
  }
  auto at = [&](const Running *r) {
    return &current.running[r - memo.running.data()];
  };
  for (const DependentPairs &d : memo.dependences)
    current.dependences.push_back(
        {d.relation, at(d.source), at(d.sink), d.pairs, d.equal});
}

/// Those that are asked about, from the first one.
static Error checkSome(CurrentNest &current) {
  const LegalityOptions &options = current.options;
  RETURN_IF_ERROR(joinWithOriginal(current));
  RETURN_IF_ERROR(checkRecomputed(current.nest));
  if (options.asks("Instances"))
    RETURN_IF_ERROR(checkInstances(current));
  locateDependences(current);
  if (options.asks("Order"))
    RETURN_IF_ERROR(checkOrder(current));
  if (options.asks("Mapping"))
    RETURN_IF_ERROR(checkMapping(current));
  if (!options.asks("Storage"))
    return Error::success();
  RETURN_IF_ERROR(checkStorage(current));
  return checkStaging(current);
}

static Error checkRules(CurrentNest &current) {
  if (!current.options.without.empty()) // nothing that others may rely on
    return checkSome(current);
  std::shared_ptr<LegalityMemo> &memo = current.original.memo;
  std::string text = serialText(current.nest);
  bool associativeMath = current.options.associativeMath;
  if (memo && memo->text == text && memo->associativeMath == associativeMath) {
    resume(*memo, current);
    RETURN_IF_ERROR(checkMapping(current));
    return checkStaging(current);
  }
  RETURN_IF_ERROR(checkSome(current));
  memo = std::make_shared<LegalityMemo>(
      LegalityMemo{std::move(text), associativeMath, std::move(current.running),
                   std::move(current.dependences)});
  return Error::success();
}

Error checkLegality(const DependenceAnalysis &dependences, const Nest &nest,
                    LegalityOptions options) {
  const DependenceAnalysis::Impl &original = dependences.impl();
  original.params.use(nest);
  Error e =
      guarded(original.context, nest, ExitStatus::Illegal, [&]() -> Error {
        CurrentNest current{original, nest, options, scan(nest), {}, {}};
        findSplitSums(current);
        return checkRules(current);
      });
  original.params.use(original.nest);
  return e;
}

} // namespace convopt
