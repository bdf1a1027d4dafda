//===- Roots.h - What kernels in turn are made of ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_ROOTS_H
#define CONVOPT_LIB_SCHEDULE_ROOTS_H

#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Fission.h"

namespace convopt {

/// What stands side by side, with the guards around it inside; and the loops
/// around it.
struct Root {
  NodeRef node;
  std::vector<const Loop *> around;
  Body locals; // before it, in those loops and around them
  std::vector<const Guard *> guards; // that are inside now
};

/// The roots of \p nest, where the loops \p opened run kernels in turn.
std::vector<Root> rootsOf(const Nest &nest, const std::set<unsigned> &opened);

/// \p roots of \p nest, which follow one another, as a nest of their own.
/// Arrays in \p ofWarp have an element for each thread of a warp.
KernelSequence::Part partOf(const Nest &nest, llvm::ArrayRef<Root> roots,
                            llvm::ArrayRef<unsigned> ofWarp);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_ROOTS_H
