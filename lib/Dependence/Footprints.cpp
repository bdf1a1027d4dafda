//===- Footprints.cpp - Is what an array spans touched? -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Subscripts stay within their extents, so the last element of an array that
// is touched is the lexicographic maximum of the subscripts:
//
//   T = { subscripts(i) : i in the domain of an access to the array }
//   for all sizes where T is not empty:
//     offset(lexmax T) + 1 = min(footprint)
//
// The maximum is affine in the sizes piece by piece; its offset need not be, as
// it is a sum of products with extents. So each piece comes back as a
// polynomial, and is compared with the bounds of the footprint. As these are
// upper bounds all, one that is equal is the least.
//
//===----------------------------------------------------------------------===//

#include "convopt/Dependence/Footprints.h"
#include "IslModel.h"
#include "convopt/Nest/OptionalArrays.h"
#include "convopt/Nest/Touched.h"
#include "llvm/ADT/STLExtras.h"
#include <isl/aff.h>
#include <isl/val.h>

using namespace llvm;

namespace convopt {

namespace {
class TightnessCheck {
public:
  TightnessCheck(const Nest &nest, unsigned long maxOperations)
      : nest(nest), tree(scan(nest)), context(maxOperations),
        params(context.get(), nest) {}

  /// False also where isl gives up. Of arrays in \p loose no fact is asked.
  bool isTight(unsigned array, ArrayRef<unsigned> loose) {
    return isShown([&] { return isProved(array, loose); });
  }
  /// Whether the footprint is reached wherever something is touched.
  bool isReached(unsigned array) {
    std::vector<unsigned> others;
    for (unsigned id = 0; id != nest.arrays.size(); ++id)
      if (id != array)
        others.push_back(id);
    return isShown([&] { return reachedAt(array, others).has_value(); });
  }
  /// Whether some access to \p array has no instance.
  bool hasDead(unsigned array) {
    return isShown([&] { return findsDead(array); });
  }

private:
  bool isShown(function_ref<bool()> ask);
  bool isProved(unsigned array, ArrayRef<unsigned> loose);
  std::optional<isl::set> reachedAt(unsigned array, ArrayRef<unsigned> loose);
  bool findsDead(unsigned array);
  using AccessTest = function_ref<bool(const Occurrence &, const Access &,
                                       ArrayRef<Constraint>)>;
  bool forAccesses(unsigned array, AccessTest f);
  std::optional<isl::set> touched(unsigned array);
  bool add(const Occurrence &o, const Access &a, ArrayRef<Constraint> guard,
           std::optional<isl::set> &all);
  isl::set assumptions(ArrayRef<unsigned> loose);
  bool isCovered(const isl::set &sizes, const isl::multi_aff &last,
                 const Array &array);
  bool isAskedFor(const isl::set &sizes, unsigned id, ArrayRef<unsigned> loose);

  const Nest &nest;
  Tree tree;
  IslContext context;
  ParamTable params;
};
} // namespace

/// \p a over parameters as a polynomial; none where a coefficient is no
/// integer or a parameter stands for a product.
static std::optional<IndexExpr> polynomial(isl_aff *a, bool isQuotient) {
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
  for (int k = 0; k < sizes && sum; ++k) {
    int64_t c = number(isl_aff_get_coefficient_val(a, isl_dim_param, k));
    StringRef name = isl_aff_get_dim_name(a, isl_dim_param, k);
    unsigned id;
    if (c == 0)
      continue;
    if (name.consume_front("p") && !name.getAsInteger(10, id))
      *sum += IndexExpr(c) * IndexExpr::param(id);
    else
      sum.reset();
  }
  for (int k = 0; k < divs && sum; ++k) {
    int64_t c = number(isl_aff_get_coefficient_val(a, isl_dim_div, k));
    if (c == 0)
      continue;
    isl_aff *div = isl_aff_get_div(a, k);
    std::optional<IndexExpr> q = polynomial(div, /*isQuotient=*/true);
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

/// Adds what \p a touches; false where it is not known exactly.
bool TightnessCheck::add(const Occurrence &o, const Access &a,
                         ArrayRef<Constraint> guard,
                         std::optional<isl::set> &all) {
  LoopSpace space(context.get(), params, loopIds(o.place.loops));
  Domain domain = domainOf(space, o.place);
  isl::set where = domain.set;
  for (const Constraint &c : guard)
    if (auto holds = space.where(c))
      where = where.intersect(*holds);
    else
      return false;
  std::optional<isl::multi_aff> subscripts = space.map(a.subscripts);
  if (!domain.inexact.empty() || !subscripts)
    return false;
  isl::set elements = where.apply(subscripts->as_map());
  all = all ? all->unite(elements) : elements;
  return true;
}

/// Shows \p f each access to \p array, with what guards it alone; false where
/// \p f is.
bool TightnessCheck::forAccesses(unsigned array, AccessTest f) {
  for (const Occurrence &o : tree.occurrences) {
    const Statement &s = *o.statement;
    if (s.target.array == array && !f(o, s.target, {}))
      return false;
    for (const Operand &operand : s.operands)
      if (operand.kind == Operand::Read && operand.access.array == array &&
          !f(o, operand.access, operand.guard))
        return false;
  }
  return true;
}

/// The elements of \p array that are touched; none where they are not known
/// exactly.
std::optional<isl::set> TightnessCheck::touched(unsigned array) {
  std::optional<isl::set> all;
  const bool isKnown = forAccesses(
      array, [&](const Occurrence &o, const Access &a,
                 ArrayRef<Constraint> guard) { return add(o, a, guard, all); });
  return isKnown ? all : std::nullopt;
}

/// The sizes for which the launcher's checks hold.
isl::set TightnessCheck::assumptions(ArrayRef<unsigned> loose) {
  LoopSpace space(context.get(), params, {});
  isl::set all = space.universe();
  for (const Assumption &a : nest.assumptions)
    if (!a.spanned || !is_contained(loose, *a.spanned))
      if (auto holds = space.where(a.fact))
        all = all.intersect(*holds);
  return all.params();
}

/// Whether some bound of the footprint is the offset of \p last, for each of
/// \p sizes.
bool TightnessCheck::isCovered(const isl::set &sizes,
                               const isl::multi_aff &last, const Array &array) {
  IndexExpr offset;
  for (size_t d = 0; d != array.extents.size(); ++d) {
    isl::aff at = last.at(d);
    std::optional<IndexExpr> e = polynomial(at.get(), /*isQuotient=*/false);
    if (!e)
      return false;
    offset = offset * nest.expandDefinitions(array.extents[d]) + *e;
  }
  std::vector<IndexExpr> bounds = array.footprint;
  if (bounds.empty())
    bounds.push_back(wholeOf(nest, array));
  LoopSpace space(context.get(), params, {});
  isl::set open = sizes;
  for (const IndexExpr &b : bounds)
    if (auto equal = space.where(
            {Constraint::Zero, nest.expandDefinitions(b) - offset - 1}))
      open = open.subtract(equal->params());
  return open.is_empty();
}

/// Whether all that host code asks before it copies \p array holds nowhere
/// outside of \p sizes, at which it is touched.
bool TightnessCheck::isAskedFor(const isl::set &sizes, unsigned id,
                                ArrayRef<unsigned> loose) {
  const Array &array = nest.arrays[id];
  LoopSpace space(context.get(), params, {});
  auto ask = [&](isl::set &copied, const Constraint &c) {
    if (auto holds = space.where(c))
      copied = copied.intersect(holds->params());
  };
  isl::set copied = assumptions(loose);
  for (const IndexExpr &e :
       concat<const IndexExpr>(array.extents, array.footprint))
    ask(copied, {Constraint::NonNegative, e - 1});
  for (const Constraint &c : touchedWhere(nest, id))
    ask(copied, c);
  const isl::set untouched = copied.subtract(sizes);
  const auto under = touchedUnder(nest, id);
  return under.empty() ? untouched.is_empty()
                       : all_of(under, [&](ArrayRef<Constraint> all) {
                           isl::set asked = untouched;
                           for (const Constraint &c : all)
                             ask(asked, c);
                           return asked.is_empty();
                         });
}

/// The sizes at which something is touched, where the footprint is reached at
/// each of them.
std::optional<isl::set> TightnessCheck::reachedAt(unsigned id,
                                                  ArrayRef<unsigned> loose) {
  const Array &array = nest.arrays[id];
  std::optional<isl::set> elements = touched(id);
  if (!elements)
    return std::nullopt;
  bool isTight = true;
  elements->intersect_params(assumptions(loose))
      .lexmax_pw_multi_aff()
      .foreach_piece([&](isl::set sizes, isl::multi_aff last) {
        isTight = isTight && isCovered(sizes, last, array);
      });
  return isTight ? std::optional(elements->params()) : std::nullopt;
}

bool TightnessCheck::isProved(unsigned id, ArrayRef<unsigned> loose) {
  const std::optional<isl::set> sizes = reachedAt(id, loose);
  return sizes && isAskedFor(*sizes, id, loose);
}

bool TightnessCheck::findsDead(unsigned array) {
  const isl::set facts = assumptions({});
  bool found = false;
  forAccesses(array, [&](const Occurrence &o, const Access &,
                         ArrayRef<Constraint> guard) {
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

bool TightnessCheck::isShown(function_ref<bool()> ask) {
  bool shown = false;
  consumeError(guarded(context, nest, ExitStatus::Illegal, [&] {
    shown = ask();
    return Error::success();
  }));
  return shown;
}

/// Whether \p array is an argument that some statement touches.
static bool isTouched(const Array &array) {
  return !array.isLocal() &&
         none_of(array.extents, [](const auto &e) { return e.isZero(); });
}

std::vector<unsigned> looseFootprints(const Nest &nest,
                                      unsigned long maxOperations) {
  std::vector<unsigned> loose;
  TightnessCheck check(nest, maxOperations);
  // What is counted needs no facts, on which that of others may rest.
  for (size_t before = SIZE_MAX; before != loose.size();) {
    before = loose.size();
    for (unsigned id = 0; id != nest.arrays.size(); ++id)
      if (isTouched(nest.arrays[id]) && !is_contained(loose, id) &&
          !check.isTight(id, loose))
        loose.push_back(id);
  }
  llvm::sort(loose);
  return loose;
}

std::vector<unsigned> partlyTouched(const Nest &nest,
                                    unsigned long maxOperations) {
  std::vector<unsigned> partly;
  TightnessCheck check(nest, maxOperations);
  for (unsigned id = 0; id != nest.arrays.size(); ++id)
    if (isTouched(nest.arrays[id]) &&
        (asksVariously(nest, id) || isMasked(nest, id) || check.hasDead(id)) &&
        !check.isReached(id))
      partly.push_back(id);
  return partly;
}

} // namespace convopt
