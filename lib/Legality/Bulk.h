//===- Bulk.h - What a TMA bulk copy can fill -------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LEGALITY_BULK_H
#define CONVOPT_LIB_LEGALITY_BULK_H

#include "CurrentNest.h"

namespace convopt {

/// Whether TMA's ranges have all that the threads' copy to the same
/// buffer would bring, where its rows can be copied by vectors. Refuses (rule
/// "Storage") what it has no place for: a copy from a buffer that is not in
/// global memory or not contiguous there, of an array's box a fill, a box that
/// may begin before the array, and one of integers that may pass its end, where
/// there is nothing to read.
llvm::Error checkBulk(const CurrentNest &current, const CopySite &f);

} // namespace convopt

#endif // CONVOPT_LIB_LEGALITY_BULK_H
