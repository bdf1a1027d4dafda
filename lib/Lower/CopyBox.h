//===- CopyBox.h - A copy as rows of elements -------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_COPYBOX_H
#define CONVOPT_LIB_LOWER_COPYBOX_H

#include "KernelBody.h"

namespace convopt::lower {

/// One dimension of a box as the loops of a copy go through it.
struct CopyDim {
  unsigned dim;
  IndexExpr extent;
  std::string name;
};

/// A box as rows of elements.
struct CopyBox {
  std::vector<CopyDim> rows;  // the outer dimensions, slowest first
  std::optional<CopyDim> row; // along a row; none for a single element
  /// A row is several dimensions of the array, from `row->dim` on.
  bool isJoined = false;
  int64_t vector = 1; // elements that an access moves where rows are aligned
  program::Expr step; // how many it does move; none for one
  /// Between buffers, all rows lie one after the other in both of them.
  bool isContiguous = false;
};

/// An element of the box as the loops' variables have it.
struct CopyPlace {
  std::vector<IndexExpr> at; // by dimension; 0 in those of a joined row
  IndexExpr along;           // the place in a joined row
  IndexExpr number;          // of the row, of contiguous ones
  bool isRowInside = false;  // the row's ends have been tested
  std::set<Var> unrolled = {}; // loops that are constants in each copy
  /// Of unfolded buffers, iterators that have a variable.
  std::map<unsigned, IndexExpr> iterators = {};
  /// By dimension with a border that the box may be past, what is read there.
  std::map<unsigned, IndexExpr> images = {};
};

/// How threads stand before the rows of \p box in the kernel's instances, and
/// whether they go through its outer dimensions in loops of their own: unless
/// that takes a quarter longer.
struct CopyPartition {
  bool alongX = false; // a row for each group of threads along x
  program::Expr across, down;
  program::Expr guard; // what the threads that take part have; none: all do
  bool isNested = false;
  size_t sharedDim = 0; // of nested dimensions, the one that threads share
  /// Loops are unrolled, and those of threads count their turns: where each
  /// element is an access of its own, what its place takes is most of the copy.
  bool isCounted = false;
  int64_t rows = 0;       // where they are counted
  bool isOneTurn = false; // every place of a row has its thread
  bool isEven = false;    // places of a row, and rows, are as many a thread
};

/// What stands in \p buffer for elements outside of the array; empty where any
/// value will do. What is not there is read by threads whose results nobody
/// takes: some values of types that are not floating are undefined.
std::string fillOf(const Array &buffer);

/// Whether \p buffer holds elements past the ends of its array in dimension
/// \p d of that.
bool continuesPast(const Nest &nest, const Array &buffer, size_t d);

/// The ends of the array that places of \p c's box may pass, as conditions on
/// \p here, the element of one of them. \p isProved says whether something is
/// never negative in the iterations of loops over the places.
std::vector<Constraint>
endsToTest(const Nest &nest, const Copy &c, llvm::ArrayRef<IndexExpr> here,
           llvm::function_ref<bool(const IndexExpr &,
                                   llvm::ArrayRef<std::shared_ptr<Loop>>)>
               isProved);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_COPYBOX_H
