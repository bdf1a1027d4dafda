//===- Facts.cpp - Work, counted ------------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Facts.h"
#include "Domain.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Nest/Text.h"
#include "convopt/Schedule/Resources.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt::bench {

/// "0", "0.f": a constant that a sum does not notice.
static bool isZero(StringRef text) {
  double value;
  return !text.trim().rtrim("fFlL").getAsDouble(value) && value == 0;
}

/// A right-hand side that is zero where any of its operands is.
static bool isProduct(StringRef text) {
  return text.contains('$') &&
         text.find_first_of("+-/%?<>=&|,") == StringRef::npos;
}

namespace {

class Counter {
public:
  Counter(const Nest &nest, const Shape &shape)
      : nest(nest), shape(shape), params(paramValues(nest, shape)),
        paths(statements(nest)) {}

  Expected<StaticFacts> run() {
    StaticFacts facts;
    for (const StatementPath &p : paths) {
      if (!p.statement->isReduction())
        continue;
      ASSIGN_OR_RETURN(double runs, countRuns(p));
      facts.flops += 2 * runs;
    }
    for (unsigned a = 0; a != nest.arrays.size(); ++a) {
      if (nest.arrays[a].isLocal())
        continue;
      ASSIGN_OR_RETURN(double bytes, countBytes(a));
      facts.compulsoryBytes += bytes;
    }
    return facts;
  }

private:
  using Constraints = std::vector<Constraint>;

  Error refuseCount(const Twine &message, SourceRange where) const {
    return refuse("count", message.str(), where);
  }
  Error refuseDomain(const StatementPath &p) const {
    return refuseCount("the iterations of S" + Twine(p.statement->id) +
                           " cannot be counted: its bounds or guards are not "
                           "affine, or there are too many",
                       p.statement->range);
  }

  std::optional<Domain> domainOf(const StatementPath &p,
                                 const Constraints &extra) const;
  Constraints paddingOf(const Operand &o) const;
  Constraints conditionOfLocal(unsigned array) const;
  Expected<double> countRuns(const StatementPath &p) const;
  Expected<double> countBytes(unsigned array) const;
  Error addElements(Footprint &elements, const StatementPath &p,
                    const Access &a, const Constraints &guard) const;

  const Nest &nest;
  const Shape &shape;
  std::vector<int64_t> params;
  std::vector<StatementPath> paths;
};

std::optional<Domain> Counter::domainOf(const StatementPath &p,
                                        const Constraints &extra) const {
  Domain domain(p.statement->iterators, params);
  for (const NodeRef &n : p.enclosing) {
    Constraints constraints;
    if (const auto *l = dyn_cast<Loop>(n.get()))
      constraints = loopConstraints(*l);
    else if (const auto *g = dyn_cast<Guard>(n.get()))
      constraints = g->conditions;
    if (!all_of(constraints,
                [&](const Constraint &c) { return domain.add(c); }))
      return std::nullopt;
  }
  if (!all_of(extra, [&](const Constraint &c) { return domain.add(c); }))
    return std::nullopt;
  return domain;
}

/// Where \p o is more than a zero that stands for padding.
Counter::Constraints Counter::paddingOf(const Operand &o) const {
  if (o.kind != Operand::Read)
    return {};
  if (!o.guard.empty())
    return isZero(o.otherwise) ? o.guard : Constraints();
  return nest.arrays[o.access.array].isLocal()
             ? conditionOfLocal(o.access.array)
             : Constraints();
}

/// The condition under which the local \p array is not just zero: of its only
/// assignment that is not of a zero.
Counter::Constraints Counter::conditionOfLocal(unsigned array) const {
  const StatementPath *only = nullptr;
  for (const StatementPath &p : paths) {
    const Statement &s = *p.statement;
    if (s.target.array != array || (!s.isReduction() && isZero(s.text)))
      continue;
    if (only || s.isReduction() || !s.target.subscripts.empty())
      return {};
    only = &p;
  }
  if (!only)
    return {};
  Constraints result;
  for (const Guard *g : select<Guard>(only->enclosing))
    llvm::append_range(result, g->conditions);
  if (isProduct(only->statement->text))
    for (const Operand &o : readsOf(*only->statement))
      if (!o.guard.empty() && isZero(o.otherwise))
        llvm::append_range(result, o.guard);
  return result;
}

Expected<double> Counter::countRuns(const StatementPath &p) const {
  Constraints padding;
  auto isOver = [&](const Constraint &c) {
    return all_of(c.expr.vars(), [&](Var v) {
      return v.kind == Var::Param || is_contained(p.statement->iterators, v.id);
    });
  };
  if (isProduct(p.statement->text))
    for (const Operand &o : p.statement->operands)
      if (Constraints c = paddingOf(o); all_of(c, isOver))
        llvm::append_range(padding, c);
  std::optional<Domain> domain = domainOf(p, padding);
  auto count = domain ? domain->count() : std::nullopt;
  if (!count)
    return refuseDomain(p);
  return *count;
}

Error Counter::addElements(Footprint &elements, const StatementPath &p,
                           const Access &a, const Constraints &guard) const {
  std::optional<Domain> domain = domainOf(p, guard);
  if (!domain)
    return refuseDomain(p);
  if (std::string wrong = elements.add(*domain, a.subscripts); !wrong.empty())
    return refuseCount("the elements of " + str(nest, a) +
                           " cannot be counted: " + wrong,
                       p.statement->range);
  return Error::success();
}

Expected<double> Counter::countBytes(unsigned array) const {
  const Array &a = nest.arrays[array];
  auto type = shape.types.find(a.elementType);
  const StringRef name =
      type == shape.types.end() ? a.elementType : type->second;
  auto bytes = elementSize(name);
  if (!bytes)
    return refuseCount("the size of '" + name + "', the element of '" + a.name +
                           "', is not known",
                       a.range);
  std::vector<int64_t> extents;
  for (const IndexExpr &e : a.extents)
    extents.push_back(
        e.evaluate([&](Var v) { return params[v.id]; }).value_or(0));
  Footprint read(extents), written(extents);
  for (const StatementPath &p : statementsByCase(nest)) {
    if (p.statement->target.array == array)
      if (Error e = addElements(written, p, p.statement->target, {}))
        return std::move(e);
    for (const Operand &o : readsOf(*p.statement))
      if (o.access.array == array && a.role != Array::Output)
        RETURN_IF_ERROR(addElements(read, p, o.access, o.guard));
    if (a.role == Array::InOut && p.statement->isReduction() &&
        p.statement->target.array == array)
      if (Error e = addElements(read, p, p.statement->target, {}))
        return std::move(e);
  }
  return double(*bytes) * (read.size() + written.size());
}

} // namespace

Expected<StaticFacts> countWork(const Nest &original, const Shape &shape) {
  return Counter(original, shape).run();
}

void addBlock(const Nest &mapped, StaticFacts &facts) {
  const Resources resources = estimateResources(withKnownIndices(mapped));
  int64_t threads = 1;
  for (int64_t extent : resources.blockDim)
    threads *= extent;
  facts.threadsPerBlock = threads;
  facts.sharedBytes = resources.sharedBytes;
}

} // namespace convopt::bench
