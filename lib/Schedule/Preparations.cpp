//===- Preparations.cpp - What comes before tiles are chosen --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for c in 0 .. C {            for y in 0 .. H {
//     for y in 0 .. H {            for c in 0 .. C {
//       for i in 0 .. K {            for i in 0 .. K {
//         out[y] +=                    out[y] +=
//
//   for i in 0 .. N {            for i in 0 .. N {
//     for j in 0 .. i + 1 {        for j in 0 .. N {
//       out[i][j] =                  if i - j >= 0 {
//                                      out[i][j] =
//
//===----------------------------------------------------------------------===//

#include "Preparations.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Transforms/Gather.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/ScalarReplace.h"
#include "convopt/Transforms/Structure.h"
#include "convopt/Transforms/Widen.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace convopt {

/// The arrays of sums that are scattered over loops that are not parallel. Of a
/// kernel they are what threads add up without a word to one another, which
/// means nothing.
static std::vector<std::string> scatters(const Pipeline &pipeline) {
  const Nest &nest = pipeline.nest();
  std::vector<std::string> arrays;
  if (nest.function.isKernel)
    return arrays;
  for (const StatementPath &p : statements(nest)) {
    const Statement &s = *p.statement;
    const std::string &name = nest.arrays[s.target.array].name;
    auto isSerial = [&](unsigned l) {
      return !isFree(pipeline.dependences(), l);
    };
    auto areSerial = [&](ArrayRef<unsigned> added) {
      return all_of(added, isSerial);
    };
    if (s.isReduction() && !is_contained(arrays, name) &&
        any_of(scatteredLoops(nest, s), areSerial))
      arrays.push_back(name);
  }
  return arrays;
}

/// The loops of the outermost band, those first that elements of sums in memory
/// are over.
static std::vector<unsigned> elementsFirst(const Nest &nest) {
  std::vector<unsigned> order;
  for (const Loop *l : outermostBand(nest))
    order.push_back(l->id);
  std::stable_partition(order.begin(), order.end(), [&](unsigned l) {
    return any_of(statements(nest), [&](const StatementPath &p) {
      const Access &sum = p.statement->target;
      return p.statement->isReduction() && !nest.arrays[sum.array].isLocal() &&
             uses(sum, l);
    });
  });
  return order;
}

/// Whether \p l is one side of a diagonal: about half of the box around it. A
/// band, both of whose ends move, may be any small part of that.
static bool isTriangle(const Loop &l) {
  auto moves = [](ArrayRef<Bound> bounds) {
    return any_of(bounds, [](const Bound &b) { return b.expr.usesLoops(); });
  };
  return moves(l.lower) != moves(l.upper);
}

std::vector<std::vector<Step>> preparations(const Pipeline &pipeline) {
  std::vector<std::vector<Step>> all;
  for (const std::string &array : scatters(pipeline))
    all.push_back({{gatherPass, {array}}});
  const Nest &nest = pipeline.nest();
  std::vector<std::string> order, old;
  for (unsigned l : elementsFirst(nest))
    order.push_back(nest.loopNames[l]);
  for (const Loop *l : outermostBand(nest))
    old.push_back(nest.loopNames[l->id]);
  if (order != old)
    all.push_back({{interchangePass, order}});
  // Guards within its loop would keep a sum in memory.
  std::vector<Step> widening;
  for (auto [id, a] : enumerate(nest.arrays))
    if (isSummedInMemory(nest, id))
      widening.push_back({scalarReplacePass, {a.name}});
  const size_t sums = widening.size();
  for (const Loop *l : outermostBand(nest))
    if (isTriangle(*l) && isFree(pipeline.dependences(), l->id))
      widening.push_back({widenPass, {nest.loopNames[l->id]}});
  if (widening.size() != sums)
    all.push_back(std::move(widening));
  return all;
}

} // namespace convopt
