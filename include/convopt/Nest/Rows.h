//===- Rows.h - Contiguous runs of a copy -----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How the box of a copy from an array falls into rows that are contiguous in
/// the array and in the buffer, and when vectors can move along them. The one
/// place that answers whether rows are aligned.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_ROWS_H
#define CONVOPT_NEST_ROWS_H

#include "convopt/Nest/Nest.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// The rows of a copy: its dimensions from `first` on, all but the first of
/// which the box covers in full.
struct CopyRows {
  unsigned first = 0;
  IndexExpr length; // elements of a row of the box, over parameters
  /// What must be multiples of the buffer's vector for every vector to begin at
  /// a multiple of its size and to lie inside of the array as a whole, over
  /// parameters: what the nest does not prove. That the array itself begins at
  /// a multiple of a vector comes on top.
  std::vector<IndexExpr> multiples;
  /// What must not be negative for that.
  std::vector<IndexExpr> notNegative = {};

  /// Whether more than the array's last dimension makes up a row.
  bool isJoined(const Array &buffer) const {
    return first + 1 < buffer.extents.size();
  }
};

/// The longest rows of \p c, which is no copy from a buffer, along which
/// vectors of its buffer can move. An error says why there are none; single
/// elements always can.
llvm::Expected<CopyRows> rowsOf(const Nest &nest, const Copy &c);

/// Refuses (rule "Storage") \p c where vectors of its buffer cannot move along
/// rows: those of the array, by rowsOf, or those of the buffer that it copies
/// from, in which they begin at multiples of their size, too.
llvm::Error checkVectors(const Nest &nest, const Copy &c);

/// How a copy from a buffer of the launcher's falls into runs that are
/// contiguous there and in the buffer that it fills.
struct CopyRuns {
  std::vector<unsigned> dims; // gone through run by run, slowest first
  IndexExpr length;           // elements of a run, over parameters
};

/// The longest runs of \p c, a copy from a buffer in global memory, which begin
/// and end at multiples of its buffer's vector. Refuses (rule "Storage") orders
/// and pitches that leave none.
llvm::Expected<CopyRuns> runsBetween(const Nest &nest, const Copy &c);

/// \p e with definitions expanded, and the loops of \p nest that have at most
/// one iteration in it.
IndexExpr inOnlyIterations(const Nest &nest, const IndexExpr &e);

/// The terms of \p e that its coefficients do not make multiples of \p n.
IndexExpr remainder(const Nest &nest, const IndexExpr &e, int64_t n);

} // namespace convopt

#endif // CONVOPT_NEST_ROWS_H
