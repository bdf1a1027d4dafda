//===- SumReads.h - What a mapped sum reads, and by which loops -*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_SUMREADS_H
#define CONVOPT_LIB_SCHEDULE_SUMREADS_H

#include "convopt/Nest/Nest.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace convopt {

/// The innermost reduction of a nest whose loops are mapped to threads and
/// whose registers are tiled. Points into that nest.
struct SumReads {
  const Nest *nest;
  std::vector<const Loop *> grid, blocks, serial, tiled; // outermost first
  std::vector<unsigned> arrays; // that it reads, in the order of the text
  /// Of each, the subscripts of the first read over current loops.
  std::map<unsigned, std::vector<IndexExpr>> subscripts;
  std::map<unsigned, std::set<Var>> vars; // of each, what any read uses

  /// None where nothing is summed in threads.
  static std::optional<SumReads> find(const Nest &nest);

  std::string name(const Loop *l) const { return nest->loopNames[l->id]; }
  bool uses(unsigned array, const Loop *l) const;
  /// Whether any of several reads of \p array does.
  bool anyUses(unsigned array, const Loop *l) const {
    return vars.at(array).count(loopVar(l->id));
  }

  /// Whether threads of a block read the same elements: those along a loop
  /// that the subscripts do not use, or whose windows overlap.
  bool isSame(unsigned array) const;

  /// Whether neighbours along x read from different rows of \p array, each one
  /// element after the other: one access would touch as many rows as threads.
  bool areRowsApart(unsigned array) const;

  /// Whether threads of a block had better read \p array for one another: what
  /// is the same, and with that what lies in rows apart.
  bool isShared(unsigned array) const;

  /// Whether iterations of \p l read different boxes of \p array: it has a
  /// subscript to itself.
  bool isSeparate(unsigned array, const Loop *l) const;

  /// Whether the nest writes elsewhere in each iteration of \p l.
  bool isOfOutputs(const Loop *l) const;

  /// What lies between neighbours of the elements of \p array that the sum
  /// reads along dimension \p dim.
  int64_t strideOf(unsigned array, size_t dim) const;

  /// The loop of \p from that goes through them one by one, if there is one.
  const Loop *along(unsigned array, size_t dim,
                    llvm::ArrayRef<const Loop *> from) const;

  /// Whether threads read windows of \p array that move with a serial loop.
  bool slidesAlongSerial(unsigned array) const;

  /// Elements of \p array in 16 bytes.
  int64_t vectorOf(unsigned array) const;

  /// The dimension of \p array that a thread reads in vectors: the contiguous
  /// one if a register tile runs along it, else one along which another does,
  /// else the contiguous one if the innermost loop of the sum, of a length that
  /// the compiler knows, runs along it and no thread does.
  std::optional<unsigned> vectorDim(unsigned array) const;
};

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_SUMREADS_H
