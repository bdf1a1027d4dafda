//===- Facts.h - Work and resources, counted --------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_BENCH_FACTS_H
#define CONVOPT_BENCH_FACTS_H

#include "convopt/Bench/Result.h"
#include "convopt/Nest/Nest.h"
#include "convopt/Verify/Verify.h"

namespace convopt::bench {

/// The work of \p original for \p shape, exactly: 2 flops for each time that a
/// reduction runs, except where it adds a padding zero; the bytes of every
/// distinct element that is read from outside, and of every distinct element
/// that is written, once. Refuses (rule "count") domains and subscripts that
/// are not affine once sizes are known, those too large to count, and element
/// types of unknown size.
llvm::Expected<StaticFacts> countWork(const Nest &original, const Shape &shape);

/// Adds to \p facts what \p mapped asks of a block: threads and shared bytes.
void addBlock(const Nest &mapped, StaticFacts &facts);

} // namespace convopt::bench

#endif // CONVOPT_BENCH_FACTS_H
