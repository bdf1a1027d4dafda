//===- SumShape.h - A sum's loops and reads as numbers ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_SUMSHAPE_H
#define CONVOPT_LIB_SCHEDULE_SUMSHAPE_H

#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Schedule/Step.h"

namespace convopt {

/// A number for each loop: x, y, z, then the loops of the reduction, outermost
/// first.
using PerLoop = llvm::SmallVector<int64_t, 8>;
constexpr unsigned RoleCount = 3;

/// An array that the sum reads.
struct ReadShape {
  unsigned array = 0;
  std::vector<PerLoop> coefficients; // by dimension
  /// Of the last dimension: elements that each iteration reads, where these are
  /// fields; else 0.
  int64_t fields = 0;
  bool areAllFields = false;         // of an element of the array
  int64_t bytes = 4;                 // of an element
  int64_t vector = 4;                // elements of 16 bytes
  bool isOfOthers = false; // a parallel loop without a role uses another part
  int64_t copied = 4;      // elements that a copy along rows can move at once
  int64_t step = 1;     // elements of a row from one that is read to the next
  std::optional<int64_t> allBytes; // of the array, if its extents are known
  int64_t elements = 1;            // of the array, unknown extents taken for 1
  /// Iterations of parallel loops without a role that read the same.
  int64_t reuse = 1;
  bool hasBox = true;   // no stride in it is known at run time only
  int64_t ofOther = 0;  // iterations of another sum, which alone reads it

  bool uses(unsigned loop) const;
  bool isField(unsigned dim) const {
    return fields != 0 && dim + 1 == coefficients.size();
  }
  /// The coefficients of the dimension that rows go along.
  const PerLoop &along() const {
    return coefficients[coefficients.size() - 1 - (fields != 0)];
  }
  /// Elements along \p dim that \p counts iterations of the loops read; where
  /// all are as far apart, as of one colour of pixels, none in between.
  int64_t extent(unsigned dim, const PerLoop &counts) const;
  /// Elements of the box that they reach.
  int64_t box(const PerLoop &counts) const;
  /// Elements of such a box that lie next to one another.
  int64_t row(const PerLoop &counts) const;
};

/// Boxes that a buffer holds; of rows.
constexpr int64_t Depth = 2, DepthOfRows = 4;

/// What sizes are taken to be that are not known: a dimension of an image, or
/// of a matrix, and of what has one dimension only; how many images there are;
/// and a dimension of a filter.
struct UnknownSizes {
  int64_t image, line, images, filter = 9;
};
/// Filters for which tiles are chosen that serve any width: kernels of their
/// own serve narrower ones.
constexpr std::array<int64_t, 2> UsualFilters{4, 16};
constexpr std::array<UnknownSizes, 2> UsualImages{
    {{2048, 1 << 22, 16}, {112, 1 << 16, 16}}};

/// The reduction of a nest as written, with sizes in place of those that are
/// not known.
struct SumShape {
  std::array<std::optional<unsigned>, RoleCount> ids; // x, y, z
  bool hasChannels = false;          // along z; the image is the same for them
  bool hasPixels = false;            // whose colours are along z
  std::optional<unsigned> outermost; // loop of the reduction that is staged
  int64_t rounds = 1;                // iterations of those around it
  PerLoop extents;
  std::array<bool, RoleCount> isKnown{true, true, true}; // the extent of a role
  bool isGuessed = false;       // an extent, or one of the others
  int64_t others = 1;           // iterations of parallel loops without a role
  std::optional<unsigned> last; // the innermost of them, if they are known
  int64_t lastExtent = 1;
  int64_t registers = 1; // that a sum takes
  int64_t cells = 1;     // that an output sums in
  int64_t cases = 1;     // of an iteration, each under a guard of its own
  int64_t products = 1;  // multiply-adds of an iteration
  int64_t instructions = 1; // of an iteration, loads left out of account
  int64_t fields = 1;    // that it sums, of as many products at least
  int64_t storedFields = 1; // elements of an output, next to one another
  int64_t sums = 1;      // of the nest, each with loops of its own
  int64_t stored = 1;    // elements that a store along output rows can move
  std::vector<ReadShape> reads;
  bool takesParts =
      false; // the outermost reduction loop can be staged in parts
  bool slides = false;     // these overlap
  bool hasStrips = false;  // of the innermost loop, whose length is unknown
  bool isReordered = true; // no term asks for those before it to come first
  /// The nearest cache serves outputs as well as shared memory: each sums a few
  /// elements of a window, and none asks where a row ends, or of columns and
  /// rows where (on an H200, 9 taps of 4096 x 4096 take 0.047 ms, and staged
  /// 0.052).
  bool isShort = false;
  /// Neighbours along x read from different rows, along which the sum goes, and
  /// no outputs but all read the same: the sum takes no longer than its rows
  /// take to come.
  bool hasRows = false;

  unsigned loops() const { return extents.size(); }
  /// Whether a window slides along a line, and no filter does: the nearest
  /// cache serves it as well (on an H200, 9 elements take 0.016 ms, in parts
  /// 0.025, and staged whole 0.050).
  bool isWindowAlone() const {
    return loops() == RoleCount + 1 && reads.size() == 1;
  }
  /// Boxes that a buffer of parts holds. Parts that overlap are long: copies
  /// need no head start (on an H200, 64 taps take 0.026 ms and 0.029 ms).
  int64_t depth() const {
    return hasRows ? DepthOfRows : slides && rounds == 1 ? 1 : Depth;
  }
  unsigned column() const { return loops() - 1; }
  double outputs() const; // of the whole nest
  /// Multiply-adds of an output; of the whole nest.
  int64_t length() const;
  double work() const;

  /// None without a reduction inside of the parallel loops. What is staged has
  /// constant sizes: where a loop but the outermost has no length that the
  /// compiler of the emitted code knows, the innermost such loop is the
  /// outermost that is staged, and none is returned if no parts of it can be;
  /// all are staged if \p anyLength.
  static std::optional<SumShape> of(const Nest &nest, const Roles &roles,
                                    bool anyLength = false,
                                    UnknownSizes sizes = UsualImages.front());
};

/// SumShape::isShort of the sum of \p nest; false where there is none.
bool isShortSum(const Nest &nest, const Roles &roles);

/// Whether \p steps stage all that windows of the sum \p shape of \p nest slide
/// along, by its innermost loop: a filter alone gains nothing.
bool stagesWindows(const Nest &nest, const SumShape &shape,
                   llvm::ArrayRef<Step> steps);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_SUMSHAPE_H
