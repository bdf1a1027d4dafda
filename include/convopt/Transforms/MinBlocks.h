//===- MinBlocks.h - Blocks that reside at once -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_MINBLOCKS_H
#define CONVOPT_TRANSFORMS_MINBLOCKS_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Has the compiler give a thread so few registers that \p blocks blocks reside
/// on a multiprocessor at once. Refuses (rule "usage") fewer than one.
llvm::Expected<Nest> minBlocks(const Nest &nest, int64_t blocks);

/// `min-blocks=BLOCKS`
extern const Pass minBlocksPass;

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_MINBLOCKS_H
