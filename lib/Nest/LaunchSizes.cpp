//===- LaunchSizes.cpp - Sizes that a kernel's launch gives ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/LaunchSizes.h"

using namespace llvm;

namespace convopt {

static constexpr StringLiteral gridDim = "::gridDim.", blockDim = "::blockDim.";

static std::string partOf(StringRef object, unsigned dimension) {
  return object.str() + "xyz"[dimension];
}

std::string blocksOfLaunch(unsigned dimension) {
  return partOf(gridDim, dimension);
}

std::string blockOfLaunch(unsigned dimension) {
  return partOf(blockDim, dimension);
}

std::string threadsOfLaunch(unsigned blocks, unsigned threads) {
  return blocksOfLaunch(blocks) + " * " + blockOfLaunch(threads);
}

bool isOfLaunch(const Argument &a) {
  const StringRef source = a.source;
  return source.starts_with(gridDim) || source.starts_with(blockDim);
}

std::string sourceInLaunch(const Argument &a, StringRef grid, StringRef block) {
  std::string text;
  StringRef rest = a.source;
  while (!rest.empty())
    if (rest.consume_front(gridDim)) {
      text += grid.str() + ".";
    } else if (rest.consume_front(blockDim)) {
      text += block.str() + ".";
    } else {
      text += rest.front();
      rest = rest.drop_front();
    }
  return text;
}

} // namespace convopt
