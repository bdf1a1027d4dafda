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
/// convolutions have: outputs are large, filters, borders and steps small, and
/// another size that bounds no loop (a pitch) is either.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_SIZESAMPLES_H
#define CONVOPT_NEST_SIZESAMPLES_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// The loops that index what \p nest writes.
std::set<Var> loopsOfOutputs(const Nest &nest);

class SizeSamples {
public:
  /// Sizes for which the loops of \p nest, which stays, run; the same ones
  /// every time.
  explicit SizeSamples(const Nest &nest);

  /// How often `fact >= 0`, over parameters, holds: for hardly any of the sizes
  /// (one in 32, or those with one value of some parameter, as of `P` in
  /// `W / P >= W`), for some, for many (two in five), as that a width is odd,
  /// or for nearly all (all but one in 32), as that an image is wider than a
  /// border. Nearly all where there is nothing to judge by.
  enum Share : uint8_t { HardlyAny, Some, Many, NearlyAll };
  Share shareOf(const IndexExpr &fact) const;

  /// Of \p facts, over parameters, as few as together hold for hardly any
  /// sizes, by their numbers; none where all hold for more. A caller who knows
  /// facts chooses pitches and borders by them, so there are hardly any sizes
  /// where he finds none for most images and filters, or where one size is what
  /// the others make it, as of `p % q == 0` with `q % p == 0`.
  std::vector<size_t> rareTogether(llvm::ArrayRef<Constraint> facts) const;

  /// What guards and loops say of a parameter: nothing, that it is taken off
  /// where a window begins (padding, the border of a mirrored image), that it
  /// moves windows either way, that it is a step of a loop there (a stride, a
  /// dilation), or that it counts outputs or what is summed up.
  enum class Role : uint8_t { Free, Border, Shift, Step, Large, Small };
  Role roleOf(Var v) const { return roles[v.id]; }
  /// Whether no loop says how large parameter \p v is.
  bool isFree(Var v) const {
    return roleOf(v) != Role::Large && roleOf(v) != Role::Small;
  }

private:
  void findSteps();
  void findBorders(const std::set<Var> &outputs);
  void draw();
  Share judge(const IndexExpr &fact) const;
  bool areRare(llvm::ArrayRef<Constraint> facts) const;

  const Nest &nest;
  std::vector<Role> roles;                   // by parameter
  std::vector<std::vector<int64_t>> samples; // values by parameter
  mutable std::map<IndexExpr, Share> shares; // of facts that were asked about
};

} // namespace convopt

#endif // CONVOPT_NEST_SIZESAMPLES_H
