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
#include "convopt/Transforms/Alias.h"
#include "convopt/Transforms/Gather.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/ScalarReplace.h"
#include "convopt/Transforms/Structure.h"
#include "convopt/Transforms/Widen.h"

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

/// The loops that \p a uses, and those of them that are free.
static std::pair<std::set<unsigned>, std::set<unsigned>>
loopsOf(const Access &a, const DependenceAnalysis &dependences) {
  std::set<unsigned> used, free;
  for (const IndexExpr &e : a.subscripts)
    for (Var v : e.vars())
      if (v.kind == Var::Loop) {
        used.insert(v.id);
        if (isFree(dependences, v.id))
          free.insert(v.id);
      }
  return {used, free};
}

/// Of inputs that a sum reads by other free loops at one place than at the
/// first, as each row of a matrix beside one, names for these reads.
static std::vector<Step> aliases(const Pipeline &pipeline) {
  const Nest &nest = pipeline.nest();
  const DependenceAnalysis &dependences = pipeline.dependences();
  std::map<unsigned, std::pair<std::set<unsigned>, std::set<unsigned>>> first;
  std::set<unsigned> named;
  std::vector<Step> steps;
  for (const StatementPath &p : statements(nest)) {
    if (all_of(select<Loop>(p.enclosing),
               [&](const Loop *l) { return isFree(dependences, l->id); }))
      continue;
    for (const Operand &o : readsOf(*p.statement)) {
      const unsigned id = o.access.array;
      const Array &a = nest.arrays[id];
      if (a.role != Array::Input || named.count(id) ||
          is_contained(pipeline.legality().partly, id))
        continue;
      const auto [used, free] = loopsOf(o.access, dependences);
      const auto &was = first.try_emplace(id, used, free).first->second;
      const auto other =
          find_if(used, [&](unsigned l) { return !was.first.count(l); });
      // An end of an array, which all read, is beside the rest of it.
      if (free == was.second || other == used.end() ||
          llvm::includes(used, was.first))
        continue;
      named.insert(id);
      steps.push_back({aliasPass, {a.name, nest.loopNames[*other]}});
    }
  }
  return steps;
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
  const std::vector<Step> named = aliases(pipeline);
  if (widening.size() != sums) {
    widening.insert(widening.begin(), named.begin(), named.end());
    all.push_back(std::move(widening));
  }
  if (!named.empty())
    all.push_back(named);
  return all;
}

} // namespace convopt
