//===- Cuts.cpp - Where the body of a band is cut -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cuts.h"
#include "convopt/Transforms/Distribute.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

/// After how many parts \p body can be cut, by its locals: where what comes
/// after uses none of before, or sets it anew.
static std::vector<unsigned> cutsBetweenLocals(const Body &body) {
  std::vector<unsigned> cuts;
  Body parts, locals;
  for (const NodeRef &n : body)
    (isa<Local>(n.get()) ? locals : parts).push_back(n);
  for (unsigned cut = 1; cut < parts.size(); ++cut) {
    const Body before(parts.begin(), parts.begin() + cut),
        after(parts.begin() + cut, parts.end());
    if (all_of(locals, [&](const NodeRef &l) {
          const unsigned array = cast<Local>(l.get())->array;
          return !touches(before, array) || setsFirst(after, array);
        }))
      cuts.push_back(cut);
  }
  return cuts;
}

/// Whether \p n sets an element, and reads nothing.
static bool isSet(const NodeRef &n) {
  const auto *s = dyn_cast<Statement>(n.get());
  return s && !s->accumulates() && s->operands.empty();
}

/// Whether what stands before and after a cut of \p body sets elements: sums
/// that a loop adds up begin together.
static bool isBetweenSets(const Body &body, unsigned cut) {
  Body parts = body;
  erase_if(parts, [](const NodeRef &n) { return isa<Local>(n.get()); });
  return isSet(parts[cut - 1]) && isSet(parts[cut]);
}

bool distribute(const Loop &root, Pipeline &pipeline) {
  std::vector<std::string> band;
  for (const Loop *l : perfectBand(root))
    band.push_back(pipeline.nest().loopNames[l->id]);
  bool hasCut = false;
  for (const std::string &loop : reverse(band)) {
    const std::vector<const Loop *> all = loops(pipeline.nest());
    const Loop *own = *find_if(all, [&](const Loop *l) {
      return pipeline.nest().loopNames[l->id] == loop;
    });
    std::vector<std::string> words{loop};
    for (unsigned cut : cutsBetweenLocals(own->body)) {
      if (isBetweenSets(own->body, cut))
        continue;
      Pipeline trial = pipeline;
      if (!errorToBool(
              trial.apply({distributePass, {loop, std::to_string(cut)}})))
        words.push_back(std::to_string(cut));
    }
    if (words.size() == 1 ||
        errorToBool(pipeline.apply({distributePass, words})))
      return hasCut;
    hasCut = true;
  }
  return hasCut;
}

} // namespace convopt
