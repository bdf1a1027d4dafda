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
#include "TouchedElements.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Nest/OptionalArrays.h"

using namespace llvm;

namespace convopt {

namespace {
class TightnessCheck {
public:
  TightnessCheck(const Nest &nest, unsigned long maxOperations)
      : nest(nest), elements(nest, maxOperations) {}

  /// False also where isl gives up. Of arrays in \p loose no fact is asked.
  bool isTight(unsigned array, ArrayRef<unsigned> loose) {
    return elements.isShown([&] {
      const std::optional<isl::set> sizes = reachedAt(array, loose);
      return sizes && isAskedFor(*sizes, array, loose);
    });
  }
  /// Whether the footprint is reached wherever something is touched.
  bool isReached(unsigned array) {
    std::vector<unsigned> others;
    for (unsigned id = 0; id != nest.arrays.size(); ++id)
      if (id != array)
        others.push_back(id);
    return elements.isShown(
        [&] { return reachedAt(array, others).has_value(); });
  }
  /// Whether some access to \p array has no instance.
  bool hasDead(unsigned array) {
    return elements.isShown([&] { return elements.hasDead(array); });
  }

private:
  std::optional<isl::set> reachedAt(unsigned array, ArrayRef<unsigned> loose);
  bool isCovered(const isl::set &sizes, const isl::multi_aff &last,
                 const Array &array);
  bool isAskedFor(const isl::set &sizes, unsigned id, ArrayRef<unsigned> loose);

  const Nest &nest;
  TouchedElements elements;
};
} // namespace

/// Whether some bound of the footprint is the offset of \p last, for each of
/// \p sizes.
bool TightnessCheck::isCovered(const isl::set &sizes,
                               const isl::multi_aff &last, const Array &array) {
  IndexExpr offset;
  for (size_t d = 0; d != array.extents.size(); ++d) {
    isl::aff at = last.at(d);
    std::optional<IndexExpr> e = elements.polynomial(at);
    if (!e)
      return false;
    offset = offset * nest.expandDefinitions(array.extents[d]) + *e;
  }
  std::vector<IndexExpr> bounds = array.footprint;
  if (bounds.empty())
    bounds.push_back(wholeOf(nest, array));
  isl::set open = sizes;
  for (const IndexExpr &b : bounds)
    if (auto equal = elements.where(Constraint{
            Constraint::Zero, nest.expandDefinitions(b) - offset - 1}))
      open = open.subtract(*equal);
  return open.is_empty();
}

/// Whether all that host code asks before it copies \p array holds nowhere
/// outside of \p sizes, at which it is touched.
bool TightnessCheck::isAskedFor(const isl::set &sizes, unsigned id,
                                ArrayRef<unsigned> loose) {
  const Array &array = nest.arrays[id];
  std::vector<Constraint> copied;
  for (const IndexExpr &e :
       concat<const IndexExpr>(array.extents, array.footprint))
    copied.push_back({Constraint::NonNegative, e - 1});
  return elements
      .copiedAt(elements.assumptions(loose).intersect(elements.where(copied)),
                id)
      .is_subset(sizes);
}

/// The sizes at which something is touched, where the footprint is reached at
/// each of them.
std::optional<isl::set> TightnessCheck::reachedAt(unsigned id,
                                                  ArrayRef<unsigned> loose) {
  const Array &array = nest.arrays[id];
  ASSIGN_OR_RETURN(isl::set touched, elements.touched(id));
  bool isTight = true;
  touched.intersect_params(elements.assumptions(loose))
      .coalesce()
      .lexmax_pw_multi_aff()
      .foreach_piece([&](isl::set sizes, isl::multi_aff last) {
        isTight = isTight && isCovered(sizes, last, array);
      });
  return isTight ? std::optional(touched.params()) : std::nullopt;
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

/// Whether \p a is at least \p b in each dimension, everywhere.
static bool isBehind(ArrayRef<IndexExpr> a, ArrayRef<IndexExpr> b) {
  return all_of(zip_equal(a, b), [](const auto &pair) {
    const auto &[of, other] = pair;
    return (of - other).asConstant().value_or(-1) >= 0;
  });
}

/// Whether sizes may decide which access to \p array has the last element: none
/// is behind all others.
static bool isReadVariously(const Nest &nest, unsigned array) {
  std::vector<ArrayRef<IndexExpr>> all;
  const std::vector<StatementPath> cases = statementsByCase(nest);
  for (const StatementPath &p : cases)
    for (const Access *a : accessesOf(*p.statement))
      if (a->array == array)
        all.push_back(a->subscripts);
  return none_of(all, [&](ArrayRef<IndexExpr> last) {
    return all_of(all,
                  [&](ArrayRef<IndexExpr> a) { return isBehind(last, a); });
  });
}

/// Operations of isl that it may take to find that an array that is read at
/// several places is read to its end: most have one place behind all others.
static constexpr unsigned long QuickOperations = 400'000;

std::vector<unsigned> partlyTouched(const Nest &nest,
                                    unsigned long maxOperations) {
  std::vector<unsigned> partly;
  TightnessCheck check(nest, maxOperations),
      quick(nest, std::min(maxOperations, QuickOperations));
  for (unsigned id = 0; id != nest.arrays.size(); ++id) {
    if (!isTouched(nest.arrays[id]))
      continue;
    const bool isAsked =
        asksVariously(nest, id) || isMasked(nest, id) || check.hasDead(id);
    if (isAsked ? !check.isReached(id)
                : isReadVariously(nest, id) && !quick.isReached(id))
      partly.push_back(id);
  }
  return partly;
}

} // namespace convopt
