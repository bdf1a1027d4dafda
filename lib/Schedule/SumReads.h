//===- SumReads.h - What a mapped sum reads, and by which loops -*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_SUMREADS_H
#define CONVOPT_LIB_SCHEDULE_SUMREADS_H

#include "StagingPolicy.h"
#include "convopt/Nest/Nest.h"

namespace convopt {

/// Whether the subscript \p e moves with the loop \p id, and whether with
/// others.
std::pair<bool, bool> movedBy(const IndexExpr &e, unsigned id);

/// How many of \p serial, the loops of a sum, stand around those that are
/// staged: all around the innermost whose length the compiler of the emitted
/// code does not know, so that what is staged has a constant size.
size_t loopsAround(const Nest &nest, llvm::ArrayRef<const Loop *> serial);

/// Whether sizes that are known at run time only say how long \p l is, as those
/// of a filter do.
bool hasUnknownLength(const Nest &nest, const Loop &l);

/// Whether parts of \p l may overlap, the one loop of a sum in which windows
/// slide: what two have in common is little of a block's. All at once takes
/// less time (on an H200, of 4096 taps 0.80 ms and 1.03 ms), where the compiler
/// of the emitted code knows its size and it has room. All threads take the
/// same parts.
bool mayOverlap(const Nest &nest, const Loop &l);

/// The innermost reduction of a nest whose loops are mapped to threads and
/// whose registers are tiled. Points into that nest.
struct SumReads {
  const Nest *nest;
  std::vector<const Loop *> grid, blocks, serial, tiled; // outermost first
  /// Loops of the sum around `serial`, which have stages of their own.
  std::vector<const Loop *> around;
  bool hasRows = false;         // StagingSpec's, or parts of a window
  std::vector<unsigned> arrays; // that it reads, in the order of the text
  /// Of each, the subscripts of the first read over current loops.
  std::map<unsigned, std::vector<IndexExpr>> subscripts;
  std::map<unsigned, std::set<Var>> vars; // of each, what any read uses

  /// None where nothing is summed in threads. Without \p anyLength, `serial`
  /// begins as loopsAround says.
  static std::optional<SumReads> find(const Nest &nest, bool anyLength = true,
                                      bool hasRows = false);

  /// The loop in whose iteration all of `serial` runs.
  const Loop *outside() const {
    return around.empty() ? blocks.back() : around.back();
  }

  /// Whether what \p l goes through fits registers with constant indices: the
  /// compiler of the emitted code knows the bounds or, of a part of a row, a
  /// number that its iterations do not pass.
  bool hasConstantLength(const Loop &l) const;

  std::string name(const Loop *l) const { return nest->loopNames[l->id]; }
  bool uses(unsigned array, const Loop *l) const;
  /// Whether any of several reads of \p array does.
  bool anyUses(unsigned array, const Loop *l) const {
    return vars.at(array).count(loopVar(l->id));
  }

  /// By dimension of \p array, for StagingPolicy.h.
  std::vector<DimUse> useOf(unsigned array) const;

  /// Whether threads of a block read it for one another.
  bool isStaged(unsigned array) const;

  /// Whether the nest writes elsewhere in each iteration of \p l.
  bool isOfOutputs(const Loop *l) const;

  /// What lies between neighbours of the elements of \p array that the sum
  /// reads along dimension \p dim.
  int64_t strideOf(unsigned array, size_t dim) const;

  /// Elements of \p array in 16 bytes.
  int64_t vectorOf(unsigned array) const;

  /// The dimension of \p array that a thread reads in vectors.
  std::optional<unsigned> vectorDim(unsigned array) const {
    return convopt::vectorDim(useOf(array), vectorOf(array));
  }
};

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_SUMREADS_H
