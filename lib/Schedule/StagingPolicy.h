//===- StagingPolicy.h - The decisions of staging ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each decision is a function of numbers. StagingPlan.cpp asks it of a mapped
/// nest, whose steps it then makes; ModelledTile.h asks it of sizes and a tile,
/// whose kernel it prices.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_STAGINGPOLICY_H
#define CONVOPT_LIB_SCHEDULE_STAGINGPOLICY_H

#include "llvm/ADT/ArrayRef.h"

namespace convopt {

/// What moves the element that a thread reads along a dimension of an array.
struct DimUse {
  unsigned threads = 0;  // loops over the threads of a block, a bit for each
  bool bySum = false;    // a loop of the sum
  bool byColumn = false; // the innermost one
  bool isRow = false;    // that one, of known length, one element at a time
  bool byPart = false;   // the outermost one
  bool byOthers = false; // any loop but the outermost one
  bool isField = false;  // constants index it: the fields of an element
  int64_t outputs = 0;   // of a thread, side by side; 0: it has one there
};

/// Whether threads of a block, which the bits of \p threads stand for, read the
/// same elements of an array: those along a loop that does not move them, or
/// whose windows overlap.
bool isShared(llvm::ArrayRef<DimUse> dims, unsigned threads);

/// Whether neighbours along \p x, the bit of a loop over threads, read from
/// different rows of an array, along which the sum goes: one access would touch
/// as many rows as threads, which then had better copy them beside what they
/// share.
bool areRowsApart(llvm::ArrayRef<DimUse> dims, unsigned x);

/// The dimension of an array that a thread reads in vectors of \p vector
/// elements: the contiguous one if outputs run along it, else one along which
/// others do, in which a window begins at any element unless the innermost loop
/// of the sum moves it; else the contiguous one if it is a row that threads
/// share.
std::optional<unsigned> vectorDim(llvm::ArrayRef<DimUse> dims, int64_t vector);

/// Whether some iterations of the outermost loop of a sum can be staged at a
/// time, of arrays that threads share: one uses it, and each that does has a
/// dimension that nothing else moves. Those of others overlap and are copied
/// several times, unless \p mayOverlap.
bool takesParts(llvm::ArrayRef<std::vector<DimUse>> shared, bool mayOverlap);

/// Why memory that the launcher fills with an array is not worth another
/// command on the stream.
enum class PackingFault : uint8_t {
  None,
  Large,    // the array is
  Short,    // the whole sum is done as soon
  Unshared, // an element is read by few blocks
};

/// \p work: multiply-adds of the whole sum, if they are known. \p blocks read
/// an element.
PackingFault packingFault(int64_t elements, std::optional<double> work,
                          int64_t blocks);

/// Whether an array of \p bytes, if that is a constant, comes from constant
/// memory, of which \p available bytes are left: all threads of a block read
/// the same, and filling it \p isWorthIt (packingFault).
bool isConstant(llvm::ArrayRef<DimUse> dims, std::optional<int64_t> bytes,
                int64_t available, bool isWorthIt);

/// The most multiply-adds that one body may come to.
constexpr int64_t MaxStagedBody = 2048;
/// What a read of global memory counts there, which has an address of its own.
constexpr int64_t OfGlobalRead = 8;

/// What \p multiplyAdds come to in a body, beside \p globalReads. Those on
/// elements of fewer than 32 bits count more: these are taken out of their
/// words, and the compiler fuses nothing.
int64_t bodyOf(int64_t multiplyAdds, bool isNarrow, int64_t globalReads);

/// The most iterations of a loop for which a window is held in registers.
constexpr int64_t MostWindow = 128;

/// A loop of a sum.
struct SumLoop {
  bool isInnermost = false;
  bool isPart = false;    // over the iterations of a stage
  bool isConstant = true; // its length is
  bool hasWindow = false; // a window in registers is held for all of it
};

/// Whether it is written out, with those inside of it, where an iteration of
/// the loop around it then comes to \p body: a window needs constant indices,
/// and the compiler sees what iterations share.
bool isUnrolled(const SumLoop &l, int64_t body, int64_t most);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_STAGINGPOLICY_H
