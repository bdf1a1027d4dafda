//===- SizeSamples.h - How many sizes a fact leaves -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Facts about sizes that cannot be proved are checked when the kernel is
/// launched. Whether a fact is one that users meet is not a question of logic:
/// `W >= K` and `K >= W` leave as many pairs. So it is tried with sizes such as
/// convolutions have: outputs are large, filters small, and a size that bounds
/// no loop (a pitch, a stride, padding) is either.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_SIZESAMPLES_H
#define CONVOPT_NEST_SIZESAMPLES_H

#include "convopt/Nest/Nest.h"
#include "llvm/ADT/ArrayRef.h"

namespace convopt {

class SizeSamples {
public:
  /// Sizes for which the loops of \p nest run; the same ones every time.
  explicit SizeSamples(const Nest &nest);

  /// How often `fact >= 0`, over parameters, holds: for hardly any of the sizes
  /// (one in 32, or those with one value of some parameter, as of `P` in
  /// `W / P >= W`), for some, or for many (two in five), as that a width is
  /// odd. Many where there is nothing to judge by.
  enum Share : uint8_t { HardlyAny, Some, Many };
  Share shareOf(const IndexExpr &fact) const;

  /// Whether no loop says how large parameter \p v is.
  bool isFree(Var v) const { return roles[v.id] == Role::Free; }

private:
  void draw(const Nest &nest);
  Share judge(const IndexExpr &fact) const;

  enum Role : uint8_t { Free, Large, Small };
  std::vector<Role> roles;                   // by parameter
  std::vector<std::vector<int64_t>> samples; // values by parameter
  mutable std::map<IndexExpr, Share> shares; // of facts that were asked about
};

} // namespace convopt

#endif // CONVOPT_NEST_SIZESAMPLES_H
