//===- StripMine.h - Split a loop into strips -------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_STRIPMINE_H
#define CONVOPT_TRANSFORMS_STRIPMINE_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Splits \p loop into a loop over strips of \p factor iterations and a loop
/// inside a strip, `loop = lower + factor * outer + inner`. Exact for any
/// extent: the last strip ends where the loop ends. The new loops are printed
/// as \p outer and \p inner, by default `<loop>_o` and `<loop>_i`.
///
/// Always legal. Refuses a factor that is not in 1 .. 2^31-1, a name that is
/// no identifier or taken (rule "usage"), and a loop that is already mapped or
/// unrolled (rule "structure").
llvm::Expected<Nest> stripMine(const Nest &nest, unsigned loop, int64_t factor,
                               llvm::StringRef outer = "",
                               llvm::StringRef inner = "");

/// `strip-mine=LOOP,FACTOR[,OUTER,INNER]`
extern const Pass stripMinePass;

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_STRIPMINE_H
