//===- Boxes.cpp - Boxes of an array that a nest touches ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// isl gives the least and the greatest value of each subscript piece by piece
// over the sizes. Where the greatest value of all pieces is the least subscript
// at all sizes, no piece is needed to say so, and likewise at the other end.
//
//===----------------------------------------------------------------------===//

#include "convopt/Dependence/Boxes.h"
#include "TouchedElements.h"

using namespace llvm;

namespace convopt {

namespace {
class BoxFinder {
public:
  BoxFinder(const Nest &nest, ArrayRef<unsigned> loose,
            unsigned long maxOperations)
      : nest(nest), loose(loose), elements(nest, maxOperations) {}

  std::vector<SubscriptRange> find(unsigned array, TouchedElements::Kind kind);

private:
  bool bound(const isl::pw_aff &value, bool isUpper,
             std::vector<IndexExpr> &all);
  bool isBox(unsigned array, TouchedElements::Kind kind,
             std::vector<SubscriptRange> &box);

  const Nest &nest;
  ArrayRef<unsigned> loose;
  TouchedElements elements;
};
} // namespace

/// A box has more pieces seldom, and its text gets long.
static constexpr size_t MostPieces = 4;

/// Whether \p value, a subscript, is the greatest (the least, where \p isUpper)
/// of \p all at all sizes.
bool BoxFinder::bound(const isl::pw_aff &value, bool isUpper,
                      std::vector<IndexExpr> &all) {
  std::vector<std::pair<isl::set, IndexExpr>> pieces;
  bool isKnown = true;
  isl::pw_multi_aff(value).foreach_piece([&](isl::set sizes, isl::multi_aff a) {
    std::optional<IndexExpr> e = elements.polynomial(a.at(0));
    isKnown = isKnown && e;
    if (!isKnown)
      return;
    pieces.push_back({sizes, *e});
    if (!is_contained(all, *e))
      all.push_back(*e);
  });
  return isKnown && !all.empty() && all.size() <= MostPieces &&
         llvm::all_of(pieces, [&](const auto &piece) {
           return llvm::all_of(all, [&](const IndexExpr &other) {
             const IndexExpr beyond =
                 isUpper ? piece.second - other : other - piece.second;
             auto where = elements.where(
                 Constraint{Constraint::NonNegative, beyond - 1});
             return where && where->is_disjoint(piece.first);
           });
         });
}

/// Sets \p box to what is touched of \p array; false where that is none.
bool BoxFinder::isBox(unsigned array, TouchedElements::Kind kind,
                      std::vector<SubscriptRange> &box) {
  std::optional<TouchedElements::Elements> all = elements.touched(array, kind);
  if (!all)
    return false;
  const isl::set facts = elements.assumptions(loose),
                 perhaps = all->perhaps.intersect_params(facts);
  const isl::multi_pw_aff least = perhaps.min_multi_pw_aff(),
                          greatest = perhaps.max_multi_pw_aff();
  std::vector<Constraint> isSome; // no range is empty
  for (size_t d = 0; d != nest.arrays[array].extents.size(); ++d) {
    SubscriptRange &r = box.emplace_back();
    if (!bound(least.at(d), /*isUpper=*/false, r.first) ||
        !bound(greatest.at(d), /*isUpper=*/true, r.end))
      return false;
    for (IndexExpr &e : r.end)
      e += 1;
    for (const IndexExpr &first : r.first)
      for (const IndexExpr &end : r.end)
        isSome.push_back({Constraint::NonNegative, end - first - 1});
  }
  const isl::set copied = elements.within(box).intersect_params(
      elements.copiedAt(facts.intersect(elements.where(isSome)), array));
  const isl::set shown = kind == TouchedElements::Written
                             ? copied
                             : copied.lexmin().unite(copied.lexmax());
  return shown.is_subset(all->surely);
}

std::vector<SubscriptRange> BoxFinder::find(unsigned array,
                                            TouchedElements::Kind kind) {
  std::vector<SubscriptRange> box;
  if (!elements.isShown([&] { return isBox(array, kind, box); }))
    box.clear();
  return box;
}

std::vector<ArrayBoxes> boxesOf(const Nest &nest, ArrayRef<unsigned> loose,
                                unsigned long maxOperations) {
  std::vector<ArrayBoxes> all(nest.arrays.size());
  BoxFinder finder(nest, loose, maxOperations);
  for (const auto &[a, boxes] : zip_equal(nest.arrays, all)) {
    const unsigned id = &a - nest.arrays.data();
    if (a.role == Array::Input || a.role == Array::InOut)
      boxes.touched = finder.find(id, TouchedElements::Any);
    if (a.role == Array::InOut)
      boxes.written = finder.find(id, TouchedElements::Written);
  }
  return all;
}

} // namespace convopt
