//===- Layouts.cpp - Outputs of one or another layout ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"
#include "NestBuilder.h"

using namespace llvm;

namespace convopt {

/// The parameter that \p c compares with a number, or nothing.
static std::optional<Var> comparedIn(const Constraint &c) {
  const std::set<Var> vars = c.expr.vars();
  const bool isAlone = vars.size() == 1 && vars.begin()->kind == Var::Param &&
                       std::abs(c.expr.coefficient(*vars.begin())) == 1 &&
                       c.expr.terms().size() <= 2;
  return isAlone ? std::optional(*vars.begin()) : std::nullopt;
}

namespace {
/// A write and what compares a parameter with a number around it.
struct GuardedWrite {
  Access target; // whose loops have the numbers of their depths
  Conjunction when;
};
} // namespace

static std::vector<GuardedWrite> writesOf(const Nest &nest) {
  std::vector<GuardedWrite> all;
  for (const StatementPath &p : statements(nest)) {
    if (nest.arrays[p.statement->target.array].isLocal())
      continue;
    GuardedWrite w{p.statement->target, {}};
    for (IndexExpr &e : w.target.subscripts)
      e = e.substitute([&](Var v) -> std::optional<IndexExpr> {
        const auto loop = find(p.statement->iterators, v.id);
        if (v.kind != Var::Loop || loop == p.statement->iterators.end())
          return std::nullopt;
        return IndexExpr::loop(loop - p.statement->iterators.begin());
      });
    for (const Guard *g : select<Guard>(p.enclosing))
      copy_if(g->conditions, std::back_inserter(w.when), comparedIn);
    all.push_back(std::move(w));
  }
  return all;
}

/// The parameter that tells \p a from \p b, or nothing.
static std::optional<Var> tellsApart(const GuardedWrite &a,
                                     const GuardedWrite &b) {
  for (const Constraint &c : a.when)
    for (const Constraint &d : b.when)
      if (comparedIn(c) == comparedIn(d) && contradict({c, d}))
        return comparedIn(c);
  return std::nullopt;
}

std::vector<FixedVariable> layoutValues(const Nest &nest) {
  constexpr size_t most = 4; // more are no layouts
  const std::vector<GuardedWrite> writes = writesOf(nest);
  std::optional<Var> choosing;
  for (const GuardedWrite &a : writes)
    for (const GuardedWrite &b : writes)
      if (!choosing && a.target.array == b.target.array &&
          !(a.target == b.target))
        choosing = tellsApart(a, b);
  if (!choosing || nest.params[choosing->id].definition)
    return {};
  const Param &param = nest.params[choosing->id];
  std::set<int64_t> values;
  for (const GuardedWrite &w : writes)
    for (const Constraint &c : w.when)
      if (comparedIn(c) == choosing)
        values.insert(-c.expr.constantTerm() * c.expr.coefficient(*choosing));
  std::vector<FixedVariable> result;
  for (int64_t value : values)
    if (value >= 0 && (param.type != "bool" || value <= 1))
      result.push_back({param.name, value});
  return result.size() <= most ? result : std::vector<FixedVariable>();
}

std::string severalLayouts(const Nest &nest) {
  const std::vector<FixedVariable> values = layoutValues(nest);
  if (values.empty())
    return "";
  const std::string &name = values.front().name;
  std::string each;
  for (const FixedVariable &v : values)
    each += (each.empty() ? "-assume=" : " or -assume=") + name + "=" +
            std::to_string(v.value);
  return "'" + name + "' says in which layout results are written: " + each +
         " makes a kernel of one, and the naive code runs for others";
}

} // namespace convopt
