//===- Vectors.cpp - Direction and distance vectors -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One vector for each loop that carries the dependence: `=` up to it, `<` at
// it, and below it what the differences of that level allow.
//
//===----------------------------------------------------------------------===//

#include "Impl.h"
#include <isl/map.h>

using namespace llvm;

namespace convopt {

namespace {

struct Difference {
  Direction direction;
  std::optional<int64_t> distance;
};

} // namespace

static isl::aff coordinate(const isl::space &space, unsigned position) {
  return isl::manage(isl_aff_var_on_domain(
      isl_local_space_from_space(space.copy()), isl_dim_set, position));
}

/// How sink minus source may vary in dimension \p position of \p deltas.
static Difference difference(const isl::set &deltas, unsigned position) {
  isl::aff delta = coordinate(deltas.space(), position);
  isl::val low = deltas.min_val(delta), high = deltas.max_val(delta);
  if (low.eq(high))
    return {low.is_pos()   ? Direction::Less
            : low.is_neg() ? Direction::Greater
                           : Direction::Equal,
            low.num_si()};
  if (low.is_pos())
    return {Direction::Less, std::nullopt};
  if (high.is_neg())
    return {Direction::Greater, std::nullopt};
  return {Direction::Star, std::nullopt};
}

/// The differences of the common loops, outer dimensions alone.
static isl::set commonDeltas(isl::map pairs, unsigned common) {
  auto drop = [&](isl_dim_type type) {
    unsigned size = isl_map_dim(pairs.get(), type);
    pairs = isl::manage(
        isl_map_project_out(pairs.release(), type, common, size - common));
  };
  drop(isl_dim_in);
  drop(isl_dim_out);
  return pairs.deltas();
}

static Dependence row(const DependenceAnalysis::Impl &impl, const Relation &r,
                      const isl::map &pairs, unsigned common) {
  const OriginalStatement &source = impl.statements[r.source];
  const OriginalStatement &sink = impl.statements[r.sink];
  const Statement &a = *source.occurrence->statement;
  const Statement &b = *sink.occurrence->statement;
  Dependence d{r.kind,      a.id,   b.id, r.sourceAccess->array,
               r.reduction, {},     {},   {},
               a.range,     b.range};
  isl::map bounded = pairs.intersect_domain(source.domain.set)
                         .intersect_range(sink.domain.set);
  isl::set deltas = commonDeltas(bounded, common);
  for (unsigned i = 0; i < common; ++i) {
    Difference along = difference(deltas, i);
    d.loops.push_back(source.space.loops()[i]);
    d.direction.push_back(along.direction);
    d.distance.push_back(along.distance);
  }
  return d;
}

static bool sameRow(const Dependence &a, const Dependence &b) {
  return a.kind == b.kind && a.source == b.source && a.sink == b.sink &&
         a.array == b.array && a.reduction == b.reduction &&
         a.direction == b.direction && a.distance == b.distance;
}

std::vector<Dependence> rowsOf(const DependenceAnalysis::Impl &impl) {
  std::vector<Dependence> rows;
  std::vector<std::vector<Dependence>> byRelation;
  for (const Relation &r : impl.relations) {
    std::vector<Dependence> own;
    if (r.repeats) {
      own = byRelation[*r.repeats];
      for (Dependence &d : own) {
        d.kind = r.kind;
        d.array = r.sourceAccess->array;
      }
    } else {
      for (const std::optional<isl::map> &level : r.levels)
        if (level)
          own.push_back(row(impl, r, *level, r.levels.size() - 1));
    }
    for (const Dependence &d : own)
      if (none_of(rows, [&](const Dependence &o) { return sameRow(o, d); }))
        rows.push_back(d);
    byRelation.push_back(std::move(own));
  }
  return rows;
}

std::optional<unsigned> carrier(const Dependence &d) {
  for (size_t i = 0; i < d.direction.size(); ++i)
    if (d.direction[i] != Direction::Equal)
      return d.loops[i];
  return std::nullopt;
}

std::vector<LoopFacts> loopFacts(const DependenceAnalysis::Impl &impl) {
  std::vector<LoopFacts> facts;
  for (const Loop *loop : loops(impl.nest)) {
    LoopFacts f{loop->id, /*parallel=*/true, /*reduction=*/true};
    for (const Dependence &d : impl.rows)
      if (carrier(d) == loop->id) {
        f.parallel = false;
        f.reduction = f.reduction && d.reduction;
      }
    f.reduction = f.reduction && !f.parallel;
    facts.push_back(f);
  }
  return facts;
}

} // namespace convopt
