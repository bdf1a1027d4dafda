//===- SharedMemory.h - Buffers of a block ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_SHAREDMEMORY_H
#define CONVOPT_LIB_EMIT_SHAREDMEMORY_H

#include "Names.h"

namespace convopt::emit {

/// Whether the compiler of the kernel knows the value of \p e: no loop and no
/// parameter but of the template.
bool isCompileTime(const Nest &nest, const IndexExpr &e);

/// The shared buffers of a nest, and how the kernel gets them.
struct SharedMemory {
  std::vector<unsigned> buffers; // arrays, in the order of their declarations
  /// One region whose size the launcher gives, because a size is not known to
  /// the compiler or all pass 48 KB; else an array each.
  bool isDynamic = false;
};
SharedMemory findSharedMemory(const Nest &nest);

/// How many elements \p buffer has, as C in the names' offset type.
std::string elementsText(const Array &buffer, const Names &names);

/// The size in bytes of the dynamic region, up to and without the buffer at
/// \p end of `buffers`, each beginning at a multiple of 16.
std::string bytesText(const Nest &nest, const SharedMemory &shared,
                      const Names &names, size_t end);

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_SHAREDMEMORY_H
