//===- Threads.h - Loops that the threads of a kernel stand for -*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `const int w = blockIdx.z % W_grid * 16 + threadIdx.x;` is a parallel loop
/// `w` whose extent is in the guard `if (w < W_out)`. Each such value is a
/// digit: `floor(base / divisor) mod modulus`, scaled by the width of a block.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_THREADS_H
#define CONVOPT_LIB_FRONTEND_THREADS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// Hardware indices are parameters that no nest has.
namespace hardware {
/// Rows is the number of a thread among those of a grid of two dimensions; its
/// `dimension` says how these are counted (rowsText).
enum Kind : unsigned { ThreadIdx, BlockIdx, BlockDim, GridDim, Rows };
constexpr unsigned first = 1u << 24;
inline IndexExpr index(Kind kind, unsigned dimension) {
  return IndexExpr::param(first + 3 * kind + dimension);
}
/// The kind and dimension of \p v, or none where it is no hardware index.
std::optional<std::pair<Kind, unsigned>> parse(Var v);
/// True where \p e has a hardware index anywhere.
bool isIn(const IndexExpr &e);
/// True where these are all of the launch, as blockDim.
bool isOfLaunch(const IndexExpr &e);
/// \p e with Rows in the place of what computes it: the rows of blocks, or of
/// threads, one after another.
IndexExpr withRows(const IndexExpr &e);
/// C for what Rows is, counted by way \p way.
const char *rowsText(unsigned way);
} // namespace hardware

/// A variable of the kernel whose value the hardware decides.
struct ThreadVariable {
  std::string name;
  IndexExpr value;            // over hardware indices and parameters
  std::shared_ptr<Loop> loop; // where the body or a guard uses it
  SourceRange range;
  /// A loop whose iterations threads share: any number of them covers it.
  bool isShared = false;
};

/// The loop that \p v is, made where there is none.
IndexExpr loopOf(Nest &nest, ThreadVariable &v);

struct Threads {
  std::vector<ThreadVariable> variables;
};

/// One loop's share of the hardware indices.
struct ThreadDigit {
  std::optional<unsigned> block, thread; // dimensions: 0 is x
  /// Threads of a block along this loop: a constant, or a blockDim.
  IndexExpr width = 1;
  /// `blockIdx * width + threadIdx` is one number, split by division.
  bool isFlat = false;
  IndexExpr divisor = 1;
  std::optional<IndexExpr> modulus; // none in the slowest digit
  /// Where that number is of all rows of a grid, how these are counted: `block`
  /// and `thread` are x, and a grid of one row has all.
  std::optional<unsigned> rows;

  /// Whether it is of the same number as \p o.
  bool sameIndex(const ThreadDigit &o) const {
    return block == o.block && thread == o.thread && rows == o.rows;
  }
  bool sameBase(const ThreadDigit &o) const {
    return sameIndex(o) && isFlat == o.isFlat && width == o.width;
  }
  /// Whether one counts rows and the other one of what these are made of.
  bool crossesRows(const ThreadDigit &o) const {
    return rows != o.rows &&
           std::min(block.value_or(2), thread.value_or(2)) < 2 &&
           std::min(o.block.value_or(2), o.thread.value_or(2)) < 2;
  }
};

/// The digit that \p value is; none where it is something else.
std::optional<ThreadDigit> parseDigit(const IndexExpr &value);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_THREADS_H
