//===- Wraps.cpp - Remainders that go around an array ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coordinates.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Polynomial.h"
#include "convopt/Nest/Terms.h"

using namespace llvm;

namespace convopt {

/// Subscript \p dimension of a read is a remainder: value % extent.
namespace {
struct Wrap {
  size_t dimension;
  IndexExpr value, extent;

  /// What is not negative where the value is less than an extent away.
  std::vector<IndexExpr> near() const {
    return {value + extent, 2 * extent - 1 - value};
  }
};
} // namespace

/// The v of \p e = v % \p extent, if e is a remainder of loops.
static std::optional<IndexExpr> dividendOf(const IndexExpr &e,
                                           const IndexExpr &extent) {
  const std::optional<Atom> q = findQuotient(e, [&](const Atom &a) {
    return a.den() == extent && a.num().usesLoops();
  });
  return q && e == IndexExpr::mod(q->num(), extent) ? std::optional(q->num())
                                                    : std::nullopt;
}

/// The remainders in \p o that may be a border, unless they are on one side.
static std::vector<Wrap> wrapsOf(const Nest &nest, const BorderFacts &facts,
                                 const ProofDomain &around, const Operand &o) {
  std::vector<Wrap> result;
  if (o.kind != Operand::Read || o.access.buffer ||
      (!o.guard.empty() && o.otherwise != AtBorder))
    return result;
  const Array &a = nest.arrays[o.access.array];
  if (a.role != Array::Input)
    return result;
  for (const auto &[d, e] : enumerate(o.access.subscripts)) {
    const IndexExpr extent = nest.expandDefinitions(a.extents[d]);
    const auto v = dividendOf(nest.expandDefinitions(e), extent);
    const Border b = borderOf(a, d);
    if (v && (b == Border::None || b == Border::Wrap) &&
        !facts.isAlways(-*v - 1, around) &&
        !facts.isAlways(*v - extent, around))
      result.push_back({d, *v, extent});
  }
  return result;
}

NodeRef withWraps(Nest &nest, const BorderFacts &facts,
                  const ProofDomain &around, const Statement &old) {
  auto s = std::make_shared<Statement>(old);
  for (Operand &o : s->operands)
    for (const Wrap &w : wrapsOf(nest, facts, around, o)) {
      if (!all_of(w.near(), [&](const IndexExpr &e) {
            return facts.isAlways(e, around);
          }))
        continue;
      o.access.subscripts[w.dimension] = w.value;
      Array &a = nest.arrays[o.access.array];
      const Coordinate here{w.value, w.extent};
      for (const Constraint &end : {here.first(), here.last()})
        if (!facts.isAlways(end.expr, around)) {
          a.borders.resize(a.extents.size());
          a.borders[w.dimension] = Border::Wrap;
          o.guard.push_back(end);
          o.otherwise = AtBorder;
        }
    }
  return s;
}

std::vector<WrapFact> factsOfWraps(const Nest &nest) {
  const BorderFacts facts(nest);
  Prover prover(nest);
  for (const IndexExpr &fact : assumedFacts(nest))
    prover.know(fact);
  std::vector<WrapFact> result;
  for (const StatementPath &p : statements(nest)) {
    const ProofDomain around = ProofDomain::of(p.enclosing);
    for (const Operand &o : p.statement->operands)
      for (const Wrap &w : wrapsOf(nest, facts, around, o)) {
        Needs all;
        const bool isBounded = all_of(w.near(), [&](const IndexExpr &e) {
          const std::optional<Needs> needs = prover.nonNegative(e, around);
          merge(all, needs.value_or(Needs()));
          return needs.has_value();
        });
        if (isBounded && prover.shareOf(all) == SizeSamples::NearlyAll)
          for (const IndexExpr &fact : all)
            result.push_back({fact, p.statement->range});
      }
  }
  return result;
}

} // namespace convopt
