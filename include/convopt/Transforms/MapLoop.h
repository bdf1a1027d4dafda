//===- MapLoop.h - Give a loop to grid or block -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_MAPLOOP_H
#define CONVOPT_TRANSFORMS_MAPLOOP_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Streams of `map=LOOP,stream`: while one copies in, the next computes and the
/// third copies out.
constexpr unsigned DefaultStreams = 3;

/// Runs the iterations of \p loop as \p kind: blocks of a grid dimension,
/// which several loops may share, threads of a block dimension, which only one
/// may take, launches that the host makes (Launch), in \p streams streams
/// (Stream), or one after the other (Serial). With \p isAtomic, blocks or
/// threads that share sums add their parts to the outputs by atomic operations.
///
/// Refuses (rule "Mapping") a block dimension that is taken, a grid loop inside
/// a block loop, a loop of the host inside of any other, a second loop of
/// streams, and an atomic loop that adds to no sum of a thread; (rule "usage")
/// any other kind, and streams other than 1 to MaxStreams.
llvm::Expected<Nest> mapLoop(const Nest &nest, unsigned loop, LoopKind kind,
                             unsigned streams = 1, bool isAtomic = false);

/// `map=LOOP,grid.x`
extern const Pass mapLoopPass;

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_MAPLOOP_H
