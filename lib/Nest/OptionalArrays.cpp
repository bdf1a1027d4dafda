//===- OptionalArrays.cpp - Arrays that may be missing --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/OptionalArrays.h"
#include "convopt/Nest/Recompute.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

static constexpr StringLiteral isThere = " != 0";

std::string presenceText(StringRef pointer) {
  return (pointer + isThere).str();
}

bool isPresence(const Argument &a) {
  return a.role == Argument::ParamArg && StringRef(a.source).ends_with(isThere);
}

std::optional<unsigned> presenceOf(const Function &f, const Argument &array) {
  const std::string text =
      presenceText(array.isPart() ? array.source : array.name);
  for (const Argument &a : f.arguments)
    if (isPresence(a) && a.source == text)
      return a.index;
  return std::nullopt;
}

/// What accesses to \p array ask of sizes, each once; some may ask nothing.
static std::vector<std::vector<Constraint>> askedOfSizes(const Nest &nest,
                                                         unsigned array) {
  std::vector<std::vector<Constraint>> all;
  auto touch = [&](const Access &a, const StatementPath &p,
                   ArrayRef<Constraint> guard) {
    if (a.array != array)
      return;
    std::vector<Constraint> here;
    auto add = [&](ArrayRef<Constraint> conditions) {
      for (const Constraint &c : conditions)
        if (!c.expr.usesLoops() && !is_contained(here, c))
          here.push_back(c);
    };
    for (const NodeRef &n : p.enclosing)
      if (const auto *g = dyn_cast<Guard>(n.get()))
        add(g->conditions);
    add(guard);
    if (!is_contained(all, here))
      all.push_back(std::move(here));
  };
  for (const StatementPath &p : statements(nest)) {
    touch(p.statement->target, p, predicatesOf(*p.statement));
    for (const Operand &o : p.statement->operands)
      if (o.kind == Operand::Read)
        touch(o.access, p, o.guard);
  }
  return all;
}

std::vector<std::vector<Constraint>> touchedUnder(const Nest &nest,
                                                  unsigned array) {
  std::vector<std::vector<Constraint>> all = askedOfSizes(nest, array);
  if (any_of(all, [](const auto &sizes) { return sizes.empty(); }))
    all.clear();
  return all;
}

bool asksVariously(const Nest &nest, unsigned array) {
  return askedOfSizes(nest, array).size() > 1;
}

static bool multipliesLoops(const Constraint &c) {
  return any_of(c.expr.terms(), [](const auto &term) {
    return count_if(term.first, [](const Atom &a) {
             return a.isVar() && a.asVar().kind == Var::Loop;
           }) > 1;
  });
}

const Guard *roundGuard(const Nest &nest, unsigned array) {
  for (const StatementPath &p : statements(nest))
    for (const NodeRef &n : p.enclosing) {
      const auto *g = dyn_cast<Guard>(n.get());
      if (g && any_of(g->conditions, multipliesLoops) &&
          any_of(p.statement->operands, [&](const Operand &o) {
            return o.kind == Operand::Read && o.access.array == array;
          }))
        return g;
    }
  return nullptr;
}

} // namespace convopt
