//===- StorageMap.h - Where the elements of a buffer lie --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The options of a layout (BufferLayout) as one map from the places of a
/// buffer to its storage. Code that asks where an element lies, how far its
/// neighbours are, or what is next to what asks this map.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_STORAGEMAP_H
#define CONVOPT_NEST_STORAGEMAP_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// A digit of the number of a place: `k / weight % count` of place k along
/// `dim`.
struct StorageDigit {
  unsigned dim;       // of the buffer
  IndexExpr count;    // of its values, over parameters
  int64_t weight = 1; // places along `dim` from one value to the next
};

/// Where the places of a box of a buffer lie: at the number that the digits
/// make, the units of a row exchanged by the swizzle, if there is one.
class StorageMap {
public:
  /// Both are kept by reference.
  StorageMap(const Nest &nest, const Array &buffer);

  /// The slowest first. The stride of each is the product of the counts after
  /// it. Dimensions of one place have none, a row in blocks has two.
  llvm::ArrayRef<StorageDigit> digits() const { return all; }
  /// The dimensions in storage order, but for those of one place.
  llvm::ArrayRef<unsigned> dims() const { return stored; }
  /// What the extent of dimension \p dim is rounded up to: that of a row, to
  /// its pitch and its blocks.
  int64_t multiple(unsigned dim) const;
  /// Whether dimension \p dim has the array's extent in storage: all of the
  /// linear dimensions but the outermost.
  bool isLinear(unsigned dim) const;
  /// The extent of dimension \p dim in storage.
  IndexExpr extent(unsigned dim) const;
  /// Elements from one place along \p dim to the next, definitions expanded;
  /// none where that differs from place to place, or there is one place.
  std::optional<IndexExpr> stride(unsigned dim) const;
  /// Whether places along the dimensions from \p first on lie as far apart as
  /// the elements of the array.
  bool liesAsArray(unsigned first) const;

  /// Elements that are no place of the boxes: after linear dimensions, for what
  /// lies beyond the array; up to 128 bytes after each of many tensor boxes.
  int64_t slack() const;
  /// The elements that the buffer takes, every box counted, where sizes have
  /// the values \p valueOf; none where one has none.
  std::optional<int64_t> elements(
      llvm::function_ref<std::optional<int64_t>(const IndexExpr &)> valueOf)
      const;

private:
  const Nest &nest;
  const Array &buffer;
  std::vector<unsigned> stored;
  std::vector<StorageDigit> all;
};

/// StorageMap::elements where an extent of \p buffer is not constant: none.
std::optional<int64_t> constantElements(const Nest &nest, const Array &buffer);

/// An option of a layout, as schedules write it, that a buffer cannot have.
struct LayoutFault {
  std::string option, remedy;
};
/// The first of \p b, a buffer of \p rank dimensions.
std::optional<LayoutFault> faultOf(const Buffer &b, size_t rank);

/// Whether all shared buffers of \p nest have constant sizes, so that it is
/// known before the launch that a block has room for them.
bool hasConstantBuffers(const Nest &nest);

} // namespace convopt

#endif // CONVOPT_NEST_STORAGEMAP_H
