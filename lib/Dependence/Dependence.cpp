//===- Dependence.cpp - Exact dependences of a nest -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory-based dependences: two accesses to one cell, at least one of them a
// write, in the order of the original program. Pairs are split by the loop
// that carries them, so that each piece is a conjunction.
//
//===----------------------------------------------------------------------===//

#include "Impl.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include <isl/map.h>
#include <isl/space.h>
#include <isl/version.h>
#include <set>

using namespace llvm;

namespace convopt {

using Impl = DependenceAnalysis::Impl;

std::optional<unsigned> Impl::find(unsigned id) const {
  for (size_t i = 0; i < statements.size(); ++i)
    if (statements[i].occurrence->statement->id == id)
      return i;
  return std::nullopt;
}

static constexpr const char *originalRemedy =
    "analyse the nest as it was before its steps";

/// Dependences are those of a nest as written: each statement once, its
/// instance being the iteration of the loops around it.
static Error checkOriginal(const Nest &nest, const Tree &tree) {
  for (const Array &array : nest.arrays)
    if (array.expandedDims)
      return refuse("analysis",
                    "dependences are computed from an original nest, and '" +
                        array.name + "' has been expanded",
                    array.range, originalRemedy);
  std::set<unsigned> ids;
  for (const Occurrence &occurrence : tree.occurrences) {
    const Statement &s = *occurrence.statement;
    bool identity = s.iterators == loopIds(occurrence.place.loops) &&
                    s.instance.size() == s.iterators.size();
    for (size_t i = 0; identity && i < s.iterators.size(); ++i)
      identity = s.instance[i] == IndexExpr::loop(s.iterators[i]);
    if (!identity || !ids.insert(s.id).second)
      return refuse("analysis",
                    "dependences are computed from an original nest, and S" +
                        std::to_string(s.id) + " has been transformed",
                    s.range, originalRemedy);
  }
  return Error::success();
}

static void computeStatements(Impl &impl) {
  LoopSpace none(impl.context.get(), impl.params, {});
  isl::set facts = none.universe();
  for (const Assumption &a : impl.nest.assumptions)
    if (a.spanned)
      continue; // kernels that copy nothing run without it
    else if (std::optional<isl::set> fact = none.where(a.fact))
      facts = facts.intersect(*fact);
  impl.assumptions = facts.params();
  for (const Occurrence &occurrence : impl.tree.occurrences) {
    LoopSpace space(impl.context.get(), impl.params,
                    loopIds(occurrence.place.loops));
    Domain domain = domainOf(space, occurrence.place);
    domain.set = domain.set.intersect_params(*impl.assumptions);
    impl.statements.push_back({&occurrence, space, std::move(domain)});
  }
}

/// The map from iterations to `cell`, its unknown dimensions left free.
static isl::map cellMap(const LoopSpace &space, ArrayRef<IndexExpr> cell) {
  isl::map map = isl::map::universe(space.mapSpace(cell.size()));
  for (size_t i = 0; i < cell.size(); ++i) {
    std::optional<isl::multi_aff> value = space.map(cell.slice(i, 1));
    if (!value)
      continue;
    isl::map one = isl::manage(isl_map_from_multi_aff(value->release()));
    one = isl::manage(isl_map_insert_dims(one.release(), isl_dim_out, 0, i));
    one = isl::manage(isl_map_insert_dims(one.release(), isl_dim_out, i + 1,
                                          cell.size() - i - 1));
    map = map.intersect(one);
  }
  return map;
}

namespace {

class AccessCollector {
public:
  std::vector<AccessRelation> accesses;

  AccessCollector(const Impl &impl, unsigned statement)
      : impl(impl), index(statement), statement(impl.statements[statement]) {}

  void collect() {
    const Statement &s = *statement.occurrence->statement;
    for (const Operand &operand : s.operands)
      if (operand.kind == Operand::Read)
        add(operand.access, operand.guard, false, false);
    if (s.isReduction())
      add(s.target, {}, false, true);
    add(s.target, {}, true, s.isReduction());
  }

private:
  void add(const Access &access, ArrayRef<Constraint> guard, bool isWrite,
           bool isReductionTarget) {
    std::vector<IndexExpr> cell;
    unsigned declaration = 0;
    auto local = statement.occurrence->scope.find(access.array);
    if (local != statement.occurrence->scope.end()) {
      declaration = local->second;
      for (const Loop *home : impl.tree.declarations[declaration].home)
        cell.push_back(IndexExpr::loop(home->id));
    }
    llvm::append_range(cell, access.subscripts);
    isl::map cells = cellMap(statement.space, cell);
    for (const Constraint &c : guard)
      if (std::optional<isl::set> points = statement.space.where(c))
        cells = cells.intersect_domain(*points);
    bool isExact = llvm::all_of(cell, [&](const IndexExpr &e) {
      return statement.space.map(e).has_value();
    });
    accesses.push_back({index, &access, isWrite, isReductionTarget, declaration,
                        cells, isExact});
  }

  const Impl &impl;
  unsigned index;
  const OriginalStatement &statement;
};

} // namespace

/// The pairs of \p same in the order of the program, by the loop that carries
/// them, where both are in their domains.
static std::vector<std::optional<isl::map>>
orderedLevels(const Impl &impl, const OriginalStatement &source,
              const OriginalStatement &sink, isl::map same) {
  const Place &a = source.occurrence->place, &b = sink.occurrence->place;
  unsigned common = commonLoops(a, b);
  std::vector<std::optional<isl::map>> levels(common + 1);
  auto keep = [&](unsigned level, const isl::map &pairs) {
    isl::map bounded = pairs.intersect_domain(source.domain.set)
                           .intersect_range(sink.domain.set);
    if (!bounded.is_empty())
      levels[level] = pairs;
  };
  for (unsigned level = 0; level < common; ++level) {
    keep(level, orderBefore(same, level, level));
    same = equate(same, level, level);
  }
  if (precedes(a, b, common))
    keep(common, same);
  return levels;
}

static DependenceKind kindOf(const AccessRelation &source,
                             const AccessRelation &sink) {
  if (!source.isWrite)
    return DependenceKind::Anti;
  return sink.isWrite ? DependenceKind::Output : DependenceKind::Flow;
}

/// Both accesses are those of an accumulation by the same operator.
static bool isReduction(const Impl &impl, const AccessRelation &source,
                        const AccessRelation &sink) {
  auto op = [&](const AccessRelation &a) {
    return impl.statements[a.statement].occurrence->statement->op;
  };
  return source.isReductionTarget && sink.isReductionTarget &&
         op(source) == op(sink);
}

/// The threads of a naive kernel are taken to be free of races: where it is not
/// known which elements they access, different ones access different ones.
static isl::map withinThread(const Impl &impl, const AccessRelation &source,
                             const AccessRelation &sink, isl::map same) {
  const Place &a = impl.statements[source.statement].occurrence->place,
              &b = impl.statements[sink.statement].occurrence->place;
  unsigned common = commonLoops(a, b);
  for (unsigned level = 0; level < common; ++level)
    if (llvm::any_of(impl.nest.function.threadMaps, [&](const ThreadMap &m) {
          return m.loop == a.loops[level]->id;
        }))
      same = equate(same, level, level);
  return same;
}

static void relate(Impl &impl, const AccessRelation &source,
                   const AccessRelation &sink) {
  if (source.access->array != sink.access->array ||
      source.declaration != sink.declaration ||
      (!source.isWrite && !sink.isWrite))
    return;
  isl::map same = source.cells.apply_range(sink.cells.reverse());
  if (!source.isExact || !sink.isExact)
    same = withinThread(impl, source, sink, same);
  std::vector<std::optional<isl::map>> levels =
      orderedLevels(impl, impl.statements[source.statement],
                    impl.statements[sink.statement], same);
  isl::map all = same.subtract(same);
  for (const std::optional<isl::map> &level : levels)
    if (level)
      all = all.unite(*level);
  if (all.is_empty())
    return;
  Relation r{kindOf(source, sink),
             source.statement,
             sink.statement,
             source.access,
             sink.access,
             isReduction(impl, source, sink),
             std::move(levels),
             all,
             {}};
  for (unsigned i = 0; i + 1 < r.levels.size(); ++i)
    r.equal.push_back(all.is_subset(equate(all, i, i)));
  r.repeated = llvm::any_of(impl.relations, [&](const Relation &o) {
    return o.source == r.source && o.sink == r.sink &&
           o.reduction == r.reduction &&
           isl_map_plain_is_equal(o.map.get(), r.map.get()) == isl_bool_true;
  });
  impl.relations.push_back(std::move(r));
}

/// Extents and roles do not matter: only what is written can depend.
static void computeRelations(Impl &impl) {
  std::vector<AccessRelation> accesses;
  for (size_t i = 0; i < impl.statements.size(); ++i) {
    AccessCollector collector(impl, i);
    collector.collect();
    llvm::append_range(accesses, collector.accesses);
  }
  // Flow before anti before output, each in program order.
  for (DependenceKind kind :
       {DependenceKind::Flow, DependenceKind::Anti, DependenceKind::Output})
    for (const AccessRelation &source : accesses)
      for (const AccessRelation &sink : accesses)
        if (kindOf(source, sink) == kind)
          relate(impl, source, sink);
}

Expected<DependenceAnalysis>
DependenceAnalysis::compute(const Nest &original, unsigned long maxOperations) {
  auto impl = std::make_shared<Impl>(original, maxOperations);
  impl->tree = scan(impl->nest);
  if (Error e = checkOriginal(impl->nest, impl->tree))
    return e;
  Error e =
      guarded(impl->context, original, ExitStatus::BadInput, [&]() -> Error {
        computeStatements(*impl);
        computeRelations(*impl);
        for (const Relation &relation : impl->relations)
          appendRows(*impl, relation, impl->rows);
        return Error::success();
      });
  if (e)
    return e;
  DependenceAnalysis analysis;
  analysis.p = std::move(impl);
  return analysis;
}

const std::vector<Dependence> &DependenceAnalysis::dependences() const {
  return p->rows;
}

bool DependenceAnalysis::isParallel(unsigned loop) const {
  return llvm::none_of(p->rows,
                       [&](const Dependence &d) { return carrier(d) == loop; });
}

std::vector<unsigned> DependenceAnalysis::deadStatements() const {
  std::vector<unsigned> dead;
  for (const OriginalStatement &s : p->statements)
    // What isl cannot tell is taken to run.
    consumeError(
        guarded(p->context, p->nest, ExitStatus::Illegal, [&]() -> Error {
          if (s.domain.set.is_empty())
            dead.push_back(s.occurrence->statement->id);
          return Error::success();
        }));
  return dead;
}

std::vector<LoopFacts> DependenceAnalysis::loopFacts() const {
  return convopt::loopFacts(*p);
}

std::string islVersion() {
  // "isl-0.25-GMP" and a line end.
  StringRef text = StringRef(isl_version()).trim();
  text.consume_front("isl-");
  return ("isl " + text.split('-').first).str();
}

} // namespace convopt
