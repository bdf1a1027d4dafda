//===- Barriers.cpp - What stands between two places ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Barriers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

bool isUniform(const Place &place) {
  if (!place.guards.empty())
    return false;
  auto dependsOnThread = [&](const Bound &bound) {
    return any_of(place.loops, [&](const Loop *thread) {
      return isBlock(thread->kind) && bound.expr.uses(loopVar(thread->id));
    });
  };
  return none_of(place.loops, [&](const Loop *loop) {
    return !isBlock(loop->kind) && (any_of(loop->bounds(), dependsOnThread));
  });
}

/// True where \p barrier runs in each iteration of its loops that runs
/// \p place, later than it.
static bool follows(const Place &barrier, const Place &place) {
  unsigned depth = barrier.loops.size();
  return commonLoops(barrier, place) == depth &&
         place.position[depth] < barrier.position[depth];
}

static bool leads(const Place &barrier, const Place &place) {
  unsigned depth = barrier.loops.size();
  return commonLoops(barrier, place) == depth &&
         barrier.position[depth] < place.position[depth];
}

Barriers::Barriers(const Tree &tree, const Place &source, const Place &sink)
    : source(source), sink(sink) {
  for (const Place &barrier : tree.barriers)
    if (isUniform(barrier))
      uniform.push_back(&barrier);
}

bool Barriers::separateIterations(unsigned level) const {
  return any_of(uniform, [&](const Place *barrier) {
    return barrier->loops.size() > level &&
           (follows(*barrier, source) || leads(*barrier, sink));
  });
}

bool Barriers::separateWithin(unsigned common) const {
  return any_of(uniform, [&](const Place *barrier) {
    bool after = follows(*barrier, source), before = leads(*barrier, sink);
    if (barrier->loops.size() <= common)
      return after && before;
    return after || before;
  });
}

} // namespace convopt
