//===- RequestedKernels.h - What the command line asks for ------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_REQUESTEDKERNELS_H
#define CONVOPT_TOOLS_CONVOPT_REQUESTEDKERNELS_H

#include "Options.h"
#include "convopt/Schedule/PlannedKernel.h"

namespace convopt {

/// The general kernel first, then the versions: each has its own facts and
/// those of the general one. Refuses (rule "usage") what is no fact about
/// \p source.
llvm::Expected<std::vector<PlannedKernel>> requestedKernels(const Options &o,
                                                            const Nest &source);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_REQUESTEDKERNELS_H
