//===- OneThread.h - What one thread of a kernel computes -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_ONETHREAD_H
#define CONVOPT_LIB_SCHEDULE_ONETHREAD_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// Whether one thread computes \p n: a statement, or a sum to one element.
bool isOfOneThread(const Node &n);

/// \p body, of which isOfOneThread holds, in a loop that a grid can have. Where
/// it sets no more than arrays \p ofWarp, which have an element for each thread
/// of a warp, and what nothing in it reads, all these threads compute the same
/// and copy for one another; the first sets the rest. Else the loop has one
/// iteration.
Body inOneThread(Nest &nest, const Body &body, llvm::ArrayRef<unsigned> ofWarp);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_ONETHREAD_H
