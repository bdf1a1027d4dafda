//===- RoofCheck.h - Figures that no device reaches -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_ROOFCHECK_H
#define CONVOPT_LIB_BENCH_ROOFCHECK_H

#include "convopt/Bench/Job.h"

namespace convopt::bench {

/// Makes \p row AboveRoof where it passes a ceiling of \p job, by more than
/// chance allows: that of arithmetic (unless \p isTransform: less arithmetic
/// than is counted) or, where cold, of memory. What is written may still be in
/// the cache, of \p l2Bytes, when the kernel ends, and is not counted as far.
/// A time that is none, or not positive, makes it Failed.
void checkRoofs(Row &row, const Job &job, bool isTransform, double outputBytes,
                double l2Bytes);

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_ROOFCHECK_H
