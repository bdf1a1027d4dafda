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
#include "convopt/Support/Refusal.h"
#include <isl/map.h>
#include <isl/version.h>

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
/// An access as the nest has it.
struct PlainAccess {
  unsigned statement;
  const Access *access;
  bool isWrite;
  bool isReductionTarget;
  ArrayRef<Constraint> guard;
  unsigned declaration = 0;
  std::vector<IndexExpr> cell = {};
};
} // namespace

/// \p p with the cell that it touches.
static PlainAccess placed(const Impl &impl, PlainAccess p) {
  const Occurrence &occurrence = *impl.statements[p.statement].occurrence;
  auto local = occurrence.scope.find(p.access->array);
  if (local != occurrence.scope.end()) {
    p.declaration = local->second;
    for (const Loop *home : impl.tree.declarations[local->second].home)
      p.cell.push_back(IndexExpr::loop(home->id));
  }
  llvm::append_range(p.cell, p.access->subscripts);
  return p;
}

static void collect(const Impl &impl, unsigned index,
                    std::vector<PlainAccess> &all) {
  const Statement &s = *impl.statements[index].occurrence->statement;
  for (const Operand &o : readsOf(s))
    all.push_back(placed(impl, {index, &o.access, false, false, o.guard}));
  if (s.isReduction())
    all.push_back(placed(impl, {index, &s.target, false, true, {}}));
  all.push_back(placed(impl, {index, &s.target, true, s.isReduction(), {}}));
}

static isl::set pointsOf(const Impl &impl, const PlainAccess &p) {
  const OriginalStatement &s = impl.statements[p.statement];
  isl::set points = s.domain.set;
  for (const Constraint &c : p.guard)
    if (std::optional<isl::set> where = s.space.where(c))
      points = points.intersect(*where);
  return points;
}

/// `q` and `r` of \p e = \p base * q + r with 0 <= r < \p base at every point
/// of \p p; none where that is not shown.
static std::optional<std::pair<IndexExpr, IndexExpr>>
digitsOf(const Impl &impl, const PlainAccess &p, const IndexExpr &e,
         const IndexExpr &base) {
  ASSIGN_OR_RETURN(IndexExpr q, e.symbolicCoefficient(*base.asVar()));
  const IndexExpr r = e - base * q;
  const LoopSpace &space = impl.statements[p.statement].space;
  std::optional<isl::set> least = space.where({Constraint::NonNegative, r}),
                          most = space.where(
                              {Constraint::NonNegative, base - r - 1});
  if (!least || !most || !pointsOf(impl, p).is_subset(least->intersect(*most)))
    return std::nullopt;
  return std::pair(q, r);
}

/// Subscript \p d of \p accesses, which isl does not hold as it is, as its
/// digits to a base that is a size, which are equal where it is: `y * W + x`
/// with 0 <= x < W as y and x. False where no base will do.
static bool separate(const Impl &impl, ArrayRef<PlainAccess *> accesses,
                     size_t d) {
  std::set<Var> bases;
  for (const PlainAccess *p : accesses)
    for (Var v : p->cell[d].vars())
      if (v.kind == Var::Param)
        bases.insert(v);
  for (Var base : bases) {
    std::vector<std::pair<IndexExpr, IndexExpr>> digits;
    for (const PlainAccess *p : accesses)
      if (auto both = digitsOf(impl, *p, p->cell[d], IndexExpr::of(base)))
        digits.push_back(*both);
      else
        break;
    if (digits.size() != accesses.size())
      continue;
    for (const auto &[p, both] : zip_equal(accesses, digits)) {
      p->cell[d] = both.first;
      p->cell.insert(p->cell.begin() + d + 1, both.second);
    }
    return true;
  }
  return false;
}

static void separateDigits(const Impl &impl,
                           MutableArrayRef<PlainAccess> accesses) {
  std::map<std::pair<unsigned, unsigned>, std::vector<PlainAccess *>> byArray;
  for (PlainAccess &p : accesses)
    byArray[{p.access->array, p.declaration}].push_back(&p);
  auto isInexact = [&](const PlainAccess &p, size_t d) {
    return !impl.statements[p.statement].space.affine(p.cell[d]);
  };
  for (const auto &[array, all] : byArray)
    for (size_t d = 0; d != all[0]->cell.size(); ++d)
      while (
          any_of(all, [&](const PlainAccess *p) { return isInexact(*p, d); }) &&
          separate(impl, all, d))
        ;
}

/// The pairs of \p same in the order of the program, by the loop that carries
/// them, where both are in their domains.
static std::vector<std::optional<isl::map>>
orderedLevels(const OriginalStatement &source, const OriginalStatement &sink,
              isl::map same) {
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
/// Iterations that a thread has several of are not different threads.
static isl::map withinThread(const Impl &impl, const AccessRelation &source,
                             const AccessRelation &sink, isl::map same) {
  const Place &a = impl.statements[source.statement].occurrence->place,
              &b = impl.statements[sink.statement].occurrence->place;
  unsigned common = commonLoops(a, b);
  for (unsigned level = 0; level < common; ++level)
    if (llvm::any_of(impl.nest.function.threadMaps, [&](const ThreadMap &m) {
          return m.loop == a.loops[level]->id && m.tile.empty();
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
  std::vector<std::optional<isl::map>> levels = orderedLevels(
      impl.statements[source.statement], impl.statements[sink.statement], same);
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
  auto earlier = find_if(impl.relations, [&](const Relation &o) {
    return o.source == r.source && o.sink == r.sink &&
           o.reduction == r.reduction &&
           o.sourceAccess->array == r.sourceAccess->array &&
           isl_map_plain_is_equal(o.map.get(), r.map.get()) == isl_bool_true;
  });
  if (earlier != impl.relations.end())
    r.repeats = earlier - impl.relations.begin();
  impl.relations.push_back(std::move(r));
}

/// Extents and roles do not matter: only what is written can depend.
static void computeRelations(Impl &impl) {
  std::vector<PlainAccess> plain;
  for (size_t i = 0; i < impl.statements.size(); ++i)
    collect(impl, i, plain);
  separateDigits(impl, plain);
  std::vector<AccessRelation> accesses;
  for (const PlainAccess &p : plain) {
    const LoopSpace &space = impl.statements[p.statement].space;
    isl::map cells = cellMap(space, p.cell);
    for (const Constraint &c : p.guard)
      if (std::optional<isl::set> points = space.where(c))
        cells = cells.intersect_domain(*points);
    const bool isExact = all_of(
        p.cell, [&](const IndexExpr &e) { return space.map(e).has_value(); });
    accesses.push_back({p.statement, p.access, p.isWrite, p.isReductionTarget,
                        p.declaration, cells, isExact});
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
  RETURN_IF_ERROR(checkOriginal(impl->nest, impl->tree));
  Error e =
      guarded(impl->context, original, ExitStatus::BadInput, [&]() -> Error {
        computeStatements(*impl);
        computeRelations(*impl);
        impl->rows = rowsOf(*impl);
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
