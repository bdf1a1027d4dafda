//===- MinBlocks.cpp - Blocks that reside at once -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/MinBlocks.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

Expected<Nest> minBlocks(const Nest &nest, int64_t blocks) {
  if (blocks < 1)
    return refuse("usage",
                  std::to_string(blocks) +
                      " blocks cannot reside on a multiprocessor",
                  nest.function.range, "give 1 or more");
  Nest next = nest;
  next.minBlocks = blocks;
  return next;
}

const Pass minBlocksPass{"min-blocks", "BLOCKS",
                         "Blocks that reside on a multiprocessor at once",
                         bindTo<minBlocks, Word::Number>};

} // namespace convopt
