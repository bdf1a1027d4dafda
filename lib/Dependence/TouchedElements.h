//===- TouchedElements.h - Elements of arrays as sets -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a nest touches of its arrays, as isl's sets of subscripts, and the
/// sizes at which host code would copy anything.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_DEPENDENCE_TOUCHEDELEMENTS_H
#define CONVOPT_LIB_DEPENDENCE_TOUCHEDELEMENTS_H

#include "IslModel.h"
#include "convopt/Dependence/Boxes.h"
#include "convopt/Nest/Borders.h"

namespace convopt {

class TouchedElements {
public:
  /// Of \p original, as the source has it. isl may take \p maxOperations for
  /// each question.
  TouchedElements(const Nest &original, unsigned long maxOperations)
      : nest(withCases(original)), tree(scan(nest)), context(maxOperations),
        params(context.get(), nest) {}

  /// What \p ask says; false where isl gives up.
  bool isShown(llvm::function_ref<bool()> ask);

  enum Kind : uint8_t { Any, Written };
  /// Elements of an array. What isl does not know exactly is in `perhaps`
  /// alone.
  struct Elements {
    isl::set surely, perhaps;
  };
  /// The elements of \p array that are touched; none where it is not known what
  /// they may be.
  std::optional<Elements> touched(unsigned array, Kind kind);
  /// The same where they are known exactly.
  std::optional<isl::set> touched(unsigned array);
  /// The sizes for which the launcher's checks hold. Of arrays in \p loose no
  /// fact is asked.
  isl::set assumptions(llvm::ArrayRef<unsigned> loose);
  /// The sizes for which \p c holds; none where isl cannot hold that.
  std::optional<isl::set> where(const Constraint &c);
  /// The sizes for which all of \p constraints hold that isl can hold.
  isl::set where(llvm::ArrayRef<Constraint> constraints);
  /// The subscripts in \p box.
  isl::set within(llvm::ArrayRef<SubscriptRange> box);
  /// Of \p sizes those at which host code copies something of \p array, for all
  /// that it asks: its tests of the array and what holds where something is
  /// touched.
  isl::set copiedAt(isl::set sizes, unsigned array);
  /// \p a over parameters as a polynomial; none where a coefficient is no
  /// integer.
  std::optional<IndexExpr> polynomial(const isl::aff &a) const;
  /// Whether an access to \p array has no instance.
  bool hasDead(unsigned array);

private:
  using AccessTest =
      llvm::function_ref<bool(const Occurrence &, const Access &,
                              llvm::ArrayRef<Constraint>, bool isWrite)>;
  bool forAccesses(unsigned array, AccessTest f);
  bool add(const Occurrence &o, const Access &a,
           llvm::ArrayRef<Constraint> guard, Elements &all);
  LoopSpace subscriptSpace(size_t count);

  const Nest nest;
  Tree tree;
  IslContext context;
  ParamTable params;
};

} // namespace convopt

#endif // CONVOPT_LIB_DEPENDENCE_TOUCHEDELEMENTS_H
