//===- Distribute.h - Split a loop over its body ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_DISTRIBUTE_H
#define CONVOPT_TRANSFORMS_DISTRIBUTE_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Gives each part of the body of \p loop a copy of the loop to itself; with
/// \p copies, a number for each part, those of one number the same, in the
/// order of numbers (1, 2, ...) and in each as they were. The first copy keeps
/// its identity, the others get new ones (`y_r_2`). Barriers stand between
/// copies. A local array that one copy uses moves into that; one that several
/// use is declared before the copies and expanded by a leading dimension, an
/// element for each iteration, if not each sets it anew.
///
/// Refuses (rule "structure") a body of a single part, a loop that is mapped
/// or unrolled, and an expansion whose extent is not constant; (rule "usage")
/// numbers that are not one for each part, or leave a copy without any.
llvm::Expected<Nest> distribute(const Nest &nest, unsigned loop,
                                llvm::ArrayRef<unsigned> copies = {});

/// `distribute=LOOP[,COPY...]`
extern const Pass distributePass;

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_DISTRIBUTE_H
