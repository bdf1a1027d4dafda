//===- SizeSamples.cpp - How many sizes a fact leaves ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/SizeSamples.h"
#include "llvm/ADT/STLExtras.h"
#include <random>

using namespace llvm;

namespace convopt {

static constexpr size_t wanted = 256, tries = 16384;

/// The loops that index what the nest writes.
static std::set<unsigned> loopsOfOutputs(const Nest &nest) {
  std::set<unsigned> result;
  for (const StatementPath &p : statements(nest))
    if (const Access &a = p.statement->target; !nest.arrays[a.array].isLocal())
      for (const IndexExpr &e : a.subscripts)
        for (Var v : e.vars())
          if (v.kind == Var::Loop)
            result.insert(v.id);
  return result;
}

static std::optional<int64_t> valueIn(const IndexExpr &e,
                                      const std::vector<int64_t> &values) {
  for (Var v : e.vars())
    if (v.kind == Var::Loop || v.id >= values.size())
      return std::nullopt;
  return e.evaluate([&](Var v) { return values[v.id]; });
}

/// False where a loop is empty for \p values, as far as they tell.
static bool runs(const std::vector<const Loop *> &all,
                 const std::vector<int64_t> &values) {
  return all_of(all, [&](const Loop *l) {
    for (const Bound &lower : l->lower)
      for (const Bound &upper : l->upper) {
        auto a = valueIn(lower.expr, values), b = valueIn(upper.expr, values);
        if (a && b && *a * upper.divisor >= *b * lower.divisor)
          return false;
      }
    return true;
  });
}

/// Sizes that \p e is more of the larger they are, each counted once: the image
/// in `(H + 2 * pad - K) / s + 1`, but neither padding nor filter nor stride.
static void sizesOf(const IndexExpr &e, std::set<Var> &sizes,
                    std::set<Var> &others) {
  for (const auto &[m, c] : e.terms())
    for (const Atom &a : m)
      if (a.isVar()) {
        (c == 1 ? sizes : others).insert(a.asVar());
      } else {
        sizesOf(a.num(), sizes, others);
        for (Var v : a.den().vars())
          others.insert(v);
      }
}

SizeSamples::SizeSamples(const Nest &nest)
    : roles(nest.params.size(), Role::Free) {
  std::set<unsigned> outputs = loopsOfOutputs(nest);
  // A filter's width bounds outputs as well (`H - K + 1`): it is small.
  for (Role role : {Role::Large, Role::Small}) {
    std::set<Var> sizes, others;
    for (const Loop *l : loops(nest))
      if ((outputs.count(l->id) != 0) == (role == Role::Large))
        for (const Bound &b : l->upper)
          sizesOf(nest.expandDefinitions(b.expr), sizes, others);
    for (Var v : sizes)
      if (v.kind == Var::Param && v.id < roles.size() && !others.count(v))
        roles[v.id] = role;
  }
  draw(nest);
}

void SizeSamples::draw(const Nest &nest) {
  // The distributions of the standard library are not the same everywhere.
  std::minstd_rand random;
  auto below = [&](uint64_t n) { return int64_t(random() % n); };
  std::vector<const Loop *> all = loops(nest);
  for (size_t k = 0; k != tries && samples.size() != wanted; ++k) {
    std::vector<int64_t> values;
    for (auto [id, p] : enumerate(nest.params)) {
      int64_t magnitude = int64_t(1) << below(20);
      int64_t small = 2 + below(8), large = 16 + below(240),
              any = magnitude + below(magnitude), stride = 1 + below(4);
      bool isStride = below(2);
      values.push_back(roles[id] == Role::Small   ? small
                       : roles[id] == Role::Large ? large
                       : isStride                 ? stride
                                                  : any);
      if (p.definition)
        values.back() = valueIn(*p.definition, values).value_or(0);
    }
    if (runs(all, values))
      samples.push_back(std::move(values));
  }
  // Of nests that hardly ever run nothing can be said.
  if (samples.size() < wanted / 4)
    samples.clear();
}

SizeSamples::Share SizeSamples::shareOf(const IndexExpr &fact) const {
  auto [share, isNew] = shares.try_emplace(fact, Many);
  if (isNew)
    share->second = judge(fact);
  return share->second;
}

SizeSamples::Share SizeSamples::judge(const IndexExpr &fact) const {
  std::vector<const std::vector<int64_t> *> holding;
  for (const std::vector<int64_t> &values : samples)
    if (valueIn(fact, values).value_or(0) >= 0)
      holding.push_back(&values);
  // The largest value that is drawn stands for all above.
  auto isFixed = [&](Var v) {
    const int64_t value = (*holding[0])[v.id];
    return all_of(holding,
                  [&](const auto *s) { return (*s)[v.id] == value; }) &&
           any_of(samples, [&](const auto &s) { return s[v.id] > value; });
  };
  if (holding.size() * 32 < samples.size() ||
      (!holding.empty() && any_of(fact.vars(), isFixed)))
    return HardlyAny;
  return holding.size() * 5 < samples.size() * 2 ? Some : Many;
}

} // namespace convopt
