//===- Fuse.h - Run two loops as one ----------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_FUSE_H
#define CONVOPT_TRANSFORMS_FUSE_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Makes one loop of \p outer and of \p inner, which is all that \p outer
/// holds: `outer = floor(fused / n)` and `inner = fused mod n`, where n is the
/// number of iterations of \p inner (loop coalescing: Polychronopoulos, Loop
/// Coalescing: A Compiler Transformation for Parallel Machines, 1987). The new
/// loop is printed as \p name, by default `<outer>_<inner>`. Instances keep
/// their order.
///
/// Always legal. Refuses a name that is no identifier or taken (rule "usage");
/// loops of which one does not hold just the other, an inner one whose bounds
/// are not constant, and loops that are mapped or unrolled (rule "structure").
llvm::Expected<Nest> fuse(const Nest &nest, unsigned outer, unsigned inner,
                          llvm::StringRef name = "");

/// `fuse=OUTER,INNER[,NAME]`
extern const Pass fusePass;

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_FUSE_H
