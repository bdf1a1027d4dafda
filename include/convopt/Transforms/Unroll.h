//===- Unroll.h - Unroll a loop ---------------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_UNROLL_H
#define CONVOPT_TRANSFORMS_UNROLL_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// The most statements that all unrolled loops together come to; of the
/// iterations of one loop, MaxUnrolledTrips.
constexpr int64_t MaxUnrolledStatements = 16384;

/// Marks \p loop to be unrolled in full; emission prints `#pragma unroll` and
/// keeps locals that it indexes in registers.
///
/// Refuses (rule "structure") a loop whose lower bound is not constant or that
/// has no constant upper bound, unless template parameters alone bound it, and
/// one that is mapped; (rule "limit") what passes the limits above.
llvm::Expected<Nest> unroll(const Nest &nest, unsigned loop);

/// How many statements \p body, a part of \p nest, comes to once its unrolled
/// loops are unrolled, each counted by its \p weight; INT64_MAX where that
/// overflows.
int64_t unrolledStatements(
    const Nest &nest, const Body &body,
    llvm::function_ref<int64_t(const Statement &)> weight =
        [](const Statement &) { return 1; });

/// `unroll=LOOP`
extern const Pass unrollPass;

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_UNROLL_H
