//===- Values.h - Bounds and offsets as expressions -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_VALUES_H
#define CONVOPT_LIB_LOWER_VALUES_H

#include "Names.h"
#include "convopt/Program/Stmt.h"

namespace convopt::lower {

/// `ceil(e / d)`; exact for every e unless \p nonNegative, which says that a
/// negative value may as well come out as any value of at most 0.
program::Expr ceilOf(const Bound &b, const Names &names, bool nonNegative);
/// \p value, which is that of \p e and fits an int, as one: CUDA's min and max
/// are overloads and no templates.
program::Expr asInt(const program::Expr &value, const Names &names,
                    const IndexExpr &e);
/// The loop's exclusive upper and its lower bound.
program::Expr upperOf(const Loop &l, const Names &names);
program::Expr lowerOf(const Loop &l, const Names &names);
/// What is taken from an extent so that rounding up counts its tiles of \p tile
/// iterations that are three quarters full.
inline int64_t shortOfFull(int64_t tile) { return tile - 1 - tile / 4; }
/// Upper minus lower; with \p isRounded, of a loop of tiles, how many of these
/// are three quarters full or more.
program::Expr extentOf(const Loop &l, const Names &names,
                       bool isRounded = false);

/// That all of \p constraints hold, with products in the offset type; nothing
/// where there are none.
program::Expr allHold(llvm::ArrayRef<Constraint> constraints,
                      const Names &names);

/// Declares the sizes that are sums and products of others, under their names,
/// and binds \p names to them; those that nothing uses go (dropUnused).
void defineSizes(const Nest &nest, Names &names, program::Block &b);

/// Whether constant extents show that every offset into \p a fits an int.
bool isSmall(const Array &a);
/// Whether a kernel gets \p a as a pointer.
bool isInGlobalMemory(const Array &a);
/// Whether the kernel's first template parameter is the type of its offsets.
bool hasOffsetType(const Nest &nest);

/// `((Offset)n * H + y) * W + x`: the offset of \p a in an array of global
/// memory, in the names' offset type unless the array is small.
program::Expr offsetOf(const Nest &nest, const Access &a, const Names &names);
/// A test that \p a, which is within the extents of its array, lies before the
/// end that the array's footprint says; none where it has none.
program::Expr footprintTest(const Nest &nest, const Access &a,
                            const Names &names);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_VALUES_H
