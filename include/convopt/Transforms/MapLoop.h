//===- MapLoop.h - Give a loop to grid or block -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_MAPLOOP_H
#define CONVOPT_TRANSFORMS_MAPLOOP_H

#include "convopt/Nest/Nest.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// Runs the iterations of \p loop as \p kind: blocks of a grid dimension,
/// which several loops may share, threads of a block dimension, which only one
/// may take, or one after the other (Serial).
///
/// Refuses (rule "Mapping") a block dimension that is taken, and a grid loop
/// inside a block loop; (rule "usage") any other kind.
llvm::Expected<Nest> mapLoop(const Nest &nest, unsigned loop, LoopKind kind);

/// "grid.x", "block.z", "serial", ... and back.
llvm::StringRef str(LoopKind kind);
std::optional<LoopKind> parseLoopKind(llvm::StringRef text);

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_MAPLOOP_H
