//===- Borders.h - Arrays that continue past their ends ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A read past the ends of an array, as of an image that is clamped or
/// mirrored, is one statement with a border (Array::borders) or one for each
/// case of its subscripts:
///
///   s += guarded(v >= 0, in[v], border)     if v >= 0: s += in[v]
///                                           if v < 0:  s += in[0]
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_BORDERS_H
#define CONVOPT_NEST_BORDERS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// The element that stands for coordinate \p v, which is below the first of
/// \p extent elements, or with \p isAbove past the last.
IndexExpr imageOf(Border b, const IndexExpr &v, const IndexExpr &extent,
                  bool isAbove);

/// The border of \p array in dimension \p d.
Border borderOf(const Array &array, size_t d);

/// Whether the guard of the read \p o is made of `0 <= s` and `s < extent` for
/// its subscripts s: what holds inside the array.
/// With \p hasBorders, only the ends of dimensions with a border count.
bool isGuardedByEnds(const Nest &nest, const Operand &o,
                     bool hasBorders = false);

/// Makes one statement of cases that are a border: statements in guards side by
/// side, of which exactly one runs, and which differ in no more than the
/// subscripts of reads of inputs; and of remainders by an extent, as of a
/// periodic grid. Sums keep their order.
Nest joinBorders(const Nest &nest);

/// That `fact >= 0` makes a border of a remainder at \p where.
struct WrapFact {
  IndexExpr fact;
  SourceRange where;
};

/// Facts that nearly all sizes have, under which `joinBorders` makes borders of
/// more remainders: a window is no wider than what it goes around.
std::vector<WrapFact> factsOfWraps(const Nest &nest);

/// For who asks which elements are read: in place of each statement with a
/// border one for each case of each read that has it. One of those of a read
/// runs; the first, inside of the array, has the number of the statement.
/// Reads from buffers stay as they are.
Nest withCases(const Nest &nest);

/// The statements of \p nest, those with a border once for each such case, in a
/// guard of its own within the loops and guards of \p nest.
std::vector<StatementPath> statementsByCase(const Nest &nest);

} // namespace convopt

#endif // CONVOPT_NEST_BORDERS_H
