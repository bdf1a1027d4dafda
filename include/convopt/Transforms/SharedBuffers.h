//===- SharedBuffers.h - Buffers in shared memory ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_SHAREDBUFFERS_H
#define CONVOPT_TRANSFORMS_SHAREDBUFFERS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// The arrays of \p nest that the threads of a block share, each once, in the
/// order of their declarations.
std::vector<unsigned> sharedBuffers(const Nest &nest);

/// Where \p buffer ends in the shared memory of a block, in bytes, if what
/// comes before it ends at \p begin; INT32_MAX where that is more. A buffer
/// takes none where its size is not constant, and an element \p unknown where
/// its type is one of a template.
int64_t endInShared(const Nest &nest, const Array &buffer, int64_t begin,
                    int64_t unknown);

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_SHAREDBUFFERS_H
