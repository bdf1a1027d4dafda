//===- Legality.cpp - Does a nest still compute the same thing?
//----------------===//
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
#include "convopt/Nest/Text.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt {

/// Half of the steps of a schedule only map or unroll a loop. Such a step
/// leaves instances, times and dependences as they were, so those of the last
/// legal nest are kept.
struct LegalityMemo {
  std::string text; // of the nest with every loop serial
  bool associativeMath;
  std::vector<Running> running;            // occurrences are stale
  std::vector<DependentPairs> dependences; // into `running`
};

static Body serial(const Body &body) {
  return rewrite(body, [](const NodeRef &node) -> std::optional<Body> {
    const auto *loop = dyn_cast<Loop>(node.get());
    if (!loop)
      return std::nullopt;
    auto copy = std::make_shared<Loop>(*loop);
    copy->kind = LoopKind::Serial;
    copy->body = serial(loop->body);
    return Body{copy};
  });
}

static std::string serialText(const Nest &nest) {
  Nest copy = nest;
  copy.body = serial(nest.body);
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
        {d.relation, at(d.source), at(d.sink), d.pairs});
}

/// Instances and Order, which the kinds of loops do not touch.
static Error checkSerial(CurrentNest &current) {
  if (Error e = joinWithOriginal(current))
    return e;
  if (Error e = checkInstances(current))
    return e;
  locateDependences(current);
  return checkOrder(current);
}

static Error checkRules(CurrentNest &current) {
  std::shared_ptr<LegalityMemo> &memo = current.original.memo;
  std::string text = serialText(current.nest);
  bool associativeMath = current.options.associativeMath;
  if (memo && memo->text == text && memo->associativeMath == associativeMath)
    resume(*memo, current);
  else if (Error e = checkSerial(current))
    return e;
  if (Error e = checkMapping(current))
    return e;
  if (Error e = checkStorage(current))
    return e;
  memo = std::make_shared<LegalityMemo>(
      LegalityMemo{std::move(text), associativeMath, std::move(current.running),
                   std::move(current.dependences)});
  return Error::success();
}

Error checkLegality(const DependenceAnalysis &dependences, const Nest &nest,
                    LegalityOptions options) {
  const DependenceAnalysis::Impl &original = dependences.impl();
  original.params.use(nest);
  Error e = guarded(original.context, ExitStatus::Illegal, [&]() -> Error {
    CurrentNest current{original, nest, options, scan(nest), {}, {}};
    return checkRules(current);
  });
  original.params.use(original.nest);
  return e;
}

} // namespace convopt
