//===- StorePlan.h - Outputs that are stored in vectors ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_STOREPLAN_H
#define CONVOPT_LIB_SCHEDULE_STOREPLAN_H

#include "SumReads.h"
#include "convopt/Schedule/Remarks.h"
#include "convopt/Schedule/StepRecorder.h"

namespace convopt {

/// Multiply-adds of an output beside which half a vector is not worth its
/// registers.
constexpr int64_t LongSum = 512;

/// Elements of at most 16 bytes that rows of \p array are whole numbers of,
/// whatever the launch: 1 where the length of a row is not known. Of stores,
/// since a test at launch would decide for the copies of inputs, too.
int64_t vectorAlongRows(const Nest &nest, unsigned array);

/// Elements that a thread with \p columns neighbouring outputs of \p length
/// multiply-adds each stores at once, where rows allow \p storable, and \p
/// widest make 16 bytes: of long sums only as many, or single ones.
int64_t storedVector(int64_t storable, int64_t widest, int64_t columns,
                     int64_t length);

/// Adds the steps by which threads keep their outputs of the nest of \p
/// recorder, whose sum is \p sum, in registers and store them in vectors. What
/// is stored element by element for a reason is added to \p remarks.
void planStores(StepRecorder &recorder, const SumReads &sum, Remarks &remarks);

/// The same where a thread's outputs have no box, as tiles of a fused loop do
/// not: those of one register loop that lie next to one another are stored at
/// once.
void planStoresOfRows(StepRecorder &recorder, Remarks &remarks);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_STOREPLAN_H
