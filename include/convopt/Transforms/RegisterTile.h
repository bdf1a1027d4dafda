//===- RegisterTile.h - Several outputs a thread ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_REGISTERTILE_H
#define CONVOPT_TRANSFORMS_REGISTERTILE_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Register tiling, a composition of primitives: with \p factor, strip-mines
/// \p loop into `<loop>_o` and `<loop>_r`, else takes \p loop itself, of
/// constant extent, for the register loop; interchanges that innermost in its
/// perfect band; distributes it where loops stand beside other parts, which
/// expands the locals; sinks the copies in the same way; unrolls them.
///
/// Refuses what the primitives refuse, and what \p done does.
llvm::Expected<Nest> registerTile(const Nest &nest, unsigned loop,
                                  std::optional<int64_t> factor,
                                  PrimitiveDone done);

/// `register-tile=LOOP[,FACTOR]`
extern const Pass registerTilePass;

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_REGISTERTILE_H
