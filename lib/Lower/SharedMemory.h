//===- SharedMemory.h - Buffers of a block ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_SHAREDMEMORY_H
#define CONVOPT_LIB_LOWER_SHAREDMEMORY_H

#include "Names.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Target/Memory.h"

namespace convopt::lower {

/// The shared buffers of a nest, and how the kernel gets them.
struct SharedMemory {
  std::vector<unsigned> buffers; // arrays, in the order of their declarations
  /// One region whose size the launcher gives, because a size is not constant
  /// or all pass what a block has without asking; else an array each.
  bool isDynamic = false;
};
/// \p unasked is how many bytes a block has without asking.
SharedMemory findSharedMemory(const Nest &nest, int64_t unasked);

/// What the buffers of \p nest begin at multiples of in the dynamic region, in
/// bytes.
int64_t sharedAlignment(const Nest &nest);

/// Whether \p buffer is a pointer with linear subscripts, since the compiler of
/// the kernel does not know its extents.
bool isFlat(const Nest &nest, const Array &buffer);

/// The extent of dimension \p dim of \p buffer in storage.
program::Expr allocatedOf(const Nest &nest, const Array &buffer, unsigned dim,
                          const Names &names);

/// How many values \p digit of \p buffer has.
program::Expr countOf(const Nest &nest, const Array &buffer,
                      const StorageDigit &digit, const Names &names);

/// The extents in storage of all dimensions, in storage order, but for those of
/// one place.
std::vector<program::Expr> allocatedOf(const Nest &nest, const Array &buffer,
                                       const Names &names);

/// The size of \p buffer in shared memory, of which an element takes
/// \p element.
program::Expr sizeOf(const Nest &nest, const Array &buffer, const Names &names,
                     const program::Expr &element);

/// The size in bytes of the dynamic region, up to and without the buffer at
/// \p end of `buffers`, each beginning at a multiple of sharedAlignment.
program::Expr bytesOf(const Nest &nest, const SharedMemory &shared,
                      const Names &names, size_t end);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_SHAREDMEMORY_H
