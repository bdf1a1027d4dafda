//===- Expansion.h - Locals as arrays in memory -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_EXPANSION_H
#define CONVOPT_LIB_SCHEDULE_EXPANSION_H

#include "convopt/Dependence/Dependence.h"
#include "convopt/Nest/Nest.h"

namespace convopt {

/// What a local array gets in front of its own dimensions, so that it is one
/// array for all iterations of the loops around its declaration (scalar
/// expansion: Allen and Kennedy, Optimizing Compilers for Modern Architectures,
/// 5.3).
struct Expansion {
  unsigned array;
  std::vector<IndexExpr> extents, subscripts;
  /// It is a scalar of all iterations, with an element for each thread of a
  /// warp, of which the first counts.
  bool isOfWarp = false;
  /// What sizes have to be so that no place is beyond its own dimensions.
  std::vector<Assumption> facts = {};
};

/// Of the locals of \p nest, which is as written, those that a loop reads after
/// what sets them, with a dimension for each loop around that is
/// parallel or a reduction's; iterations of others run in order, and reuse the
/// memory. None of those whose loops reach as far as no sizes say, and none of
/// scalars that are read where nothing has set them.
std::vector<Expansion> expansionsOf(const Nest &nest,
                                    const DependenceAnalysis &dependences);

/// \p nest with what does no more than set \p arrays right before what first
/// uses them, as far as the two are in one body: a sum then begins where it is
/// added up.
Nest setLate(const Nest &nest, llvm::ArrayRef<unsigned> arrays);

/// A name for \p array as a parameter of functions, its own if it can be.
std::string freshName(const Nest &nest, unsigned array);

/// \p nest with \p expansions done: each local is an array of the device, which
/// comes by an argument after all others.
Nest expand(const Nest &nest, llvm::ArrayRef<Expansion> expansions);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_EXPANSION_H
