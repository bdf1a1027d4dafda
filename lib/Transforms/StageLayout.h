//===- StageLayout.h - How a new buffer lies --------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_TRANSFORMS_STAGELAYOUT_H
#define CONVOPT_LIB_TRANSFORMS_STAGELAYOUT_H

#include "convopt/Transforms/Footprint.h"
#include "convopt/Transforms/Stage.h"

namespace convopt {

/// Has vectors begin at multiples of their size in the array, or in the buffer
/// \p from: a box that begins in between is widened.
void alignBox(const Nest &nest, std::optional<unsigned> from,
              const StageOptions &options, llvm::ArrayRef<int64_t> strides,
              std::vector<Range> &box);

/// Gives the buffer of \p copy, which has none yet, the pitch that vectors
/// and swizzled units need: none where rows lie one behind the other in array
/// and buffer.
void setPitch(Nest &nest, const Copy &copy);

} // namespace convopt

#endif // CONVOPT_LIB_TRANSFORMS_STAGELAYOUT_H
