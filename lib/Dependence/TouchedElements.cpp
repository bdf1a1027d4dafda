//===- TouchedElements.cpp - Elements of arrays as sets -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TouchedElements.h"
#include "convopt/Nest/OptionalArrays.h"
#include "convopt/Nest/Touched.h"
#include <isl/aff.h>
#include <isl/val.h>

using namespace llvm;

namespace convopt {

static std::optional<IndexExpr> polynomial(isl_aff *a, bool isQuotient,
                                           const ParamTable &params) {
  isl_val *denominator = isl_aff_get_denominator_val(a);
  int64_t den = isl_val_get_num_si(denominator);
  auto number = [&](isl_val *v) {
    v = isl_val_mul(v, isl_val_copy(denominator));
    int64_t n = isl_val_get_num_si(v);
    isl_val_free(v);
    return n;
  };
  std::optional<IndexExpr> sum = IndexExpr(number(isl_aff_get_constant_val(a)));
  int sizes = isl_aff_dim(a, isl_dim_param), divs = isl_aff_dim(a, isl_dim_div);
  for (int k = 0; k < sizes; ++k)
    if (int64_t c = number(isl_aff_get_coefficient_val(a, isl_dim_param, k)))
      *sum += IndexExpr(c) *
              params.value(isl_aff_get_dim_name(a, isl_dim_param, k));
  for (int k = 0; k < divs && sum; ++k) {
    int64_t c = number(isl_aff_get_coefficient_val(a, isl_dim_div, k));
    if (c == 0)
      continue;
    isl_aff *div = isl_aff_get_div(a, k);
    std::optional<IndexExpr> q = polynomial(div, /*isQuotient=*/true, params);
    isl_aff_free(div);
    if (q)
      *sum += IndexExpr(c) * *q;
    else
      sum.reset();
  }
  isl_val_free(denominator);
  if (!sum || (den != 1 && !isQuotient))
    return std::nullopt;
  return den == 1 ? *sum : IndexExpr::floorDiv(*sum, den);
}

std::optional<IndexExpr> TouchedElements::polynomial(const isl::aff &a) const {
  return convopt::polynomial(a.get(), /*isQuotient=*/false, params);
}

/// Adds what \p a touches; false where that may be anything.
bool TouchedElements::add(const Occurrence &o, const Access &a,
                          ArrayRef<Constraint> guard, Elements &all) {
  LoopSpace space(context.get(), params, loopIds(o.place.loops));
  Domain domain = domainOf(space, o.place);
  isl::set where = domain.set;
  bool isExact = domain.inexact.empty();
  for (const Constraint &c : guard)
    if (auto holds = space.where(c))
      where = where.intersect(*holds);
    else
      isExact = false;
  std::optional<isl::multi_aff> subscripts = space.map(a.subscripts);
  if (!subscripts)
    return false;
  isl::set elements = where.apply(subscripts->as_map());
  all.perhaps = all.perhaps.unite(elements);
  if (isExact)
    all.surely = all.surely.unite(elements);
  return true;
}

/// Shows \p f each access to \p array, with what guards it alone; false where
/// \p f is.
bool TouchedElements::forAccesses(unsigned array, AccessTest f) {
  for (const Occurrence &o : tree.occurrences) {
    const Statement &s = *o.statement;
    if (s.target.array == array && !f(o, s.target, {}, true))
      return false;
    for (const Operand &operand : readsOf(s))
      if (operand.access.array == array &&
          !f(o, operand.access, operand.guard, false))
        return false;
  }
  return true;
}

std::optional<TouchedElements::Elements>
TouchedElements::touched(unsigned array, Kind kind) {
  const isl::set none = isl::set::empty(
      subscriptSpace(nest.arrays[array].extents.size()).universe().space());
  Elements all{none, none};
  const bool isKnown =
      forAccesses(array, [&](const Occurrence &o, const Access &a,
                             ArrayRef<Constraint> guard, bool isWrite) {
        return (kind == Written && !isWrite) || add(o, a, guard, all);
      });
  return isKnown ? std::optional(all) : std::nullopt;
}

std::optional<isl::set> TouchedElements::touched(unsigned array) {
  std::optional<Elements> all = touched(array, Any);
  return all && all->perhaps.is_subset(all->surely) ? std::optional(all->surely)
                                                    : std::nullopt;
}

std::optional<isl::set> TouchedElements::where(const Constraint &c) {
  std::optional<isl::set> points =
      LoopSpace(context.get(), params, {}).where(c);
  return points ? std::optional(points->params()) : std::nullopt;
}

isl::set TouchedElements::where(ArrayRef<Constraint> constraints) {
  isl::set all = LoopSpace(context.get(), params, {}).universe().params();
  for (const Constraint &c : constraints)
    if (auto holds = where(c))
      all = all.intersect(*holds);
  return all;
}

isl::set TouchedElements::assumptions(ArrayRef<unsigned> loose) {
  std::vector<Constraint> all;
  for (const Assumption &a : nest.assumptions)
    if (!a.spanned || !is_contained(loose, *a.spanned))
      all.push_back(a.fact);
  return where(all);
}

LoopSpace TouchedElements::subscriptSpace(size_t count) {
  // Subscripts stand where loops do elsewhere.
  std::vector<unsigned> dims(count);
  std::iota(dims.begin(), dims.end(), 0);
  return LoopSpace(context.get(), params, dims);
}

isl::set TouchedElements::within(ArrayRef<SubscriptRange> box) {
  LoopSpace space = subscriptSpace(box.size());
  isl::set all = space.universe();
  auto keep = [&](const IndexExpr &isNonNegative) {
    all = all.intersect(*space.where({Constraint::NonNegative, isNonNegative}));
  };
  for (const auto &[d, range] : enumerate(box)) {
    for (const IndexExpr &first : range.first)
      keep(IndexExpr::of(loopVar(d)) - first);
    for (const IndexExpr &end : range.end)
      keep(end - 1 - IndexExpr::of(loopVar(d)));
  }
  return all;
}

isl::set TouchedElements::copiedAt(isl::set sizes, unsigned array) {
  const isl::set asked = sizes.intersect(where(touchedWhere(nest, array)));
  const auto under = touchedUnder(nest, array);
  if (under.empty())
    return asked;
  isl::set any = isl::set::empty(asked.space());
  for (ArrayRef<Constraint> all : under)
    any = any.unite(asked.intersect(where(all)));
  return any;
}

bool TouchedElements::hasDead(unsigned array) {
  const isl::set facts = assumptions({});
  bool found = false;
  forAccesses(array, [&](const Occurrence &o, const Access &,
                         ArrayRef<Constraint> guard, bool) {
    LoopSpace space(context.get(), params, loopIds(o.place.loops));
    isl::set where = domainOf(space, o.place).set.intersect_params(facts);
    for (const Constraint &c : guard)
      if (auto holds = space.where(c))
        where = where.intersect(*holds);
    found = found || where.is_empty();
    return !found;
  });
  return found;
}

bool TouchedElements::isShown(function_ref<bool()> ask) {
  bool shown = false;
  consumeError(guarded(context, nest, ExitStatus::Illegal, [&] {
    shown = ask();
    return Error::success();
  }));
  return shown;
}

} // namespace convopt
