//===- ShorthandRefusal.h - Refusals of steps nobody wrote ------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_SHORTHANDREFUSAL_H
#define CONVOPT_LIB_SCHEDULE_SHORTHANDREFUSAL_H

#include "convopt/Schedule/Step.h"

namespace convopt {

/// \p refused in the words of `-staging=` with \p value, if it is of one of the
/// \p steps that this stands for: which array cannot be staged, and what to do
/// about the option.
llvm::Error refuseStaging(llvm::Error refused, llvm::ArrayRef<Step> steps,
                          llvm::StringRef value);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_SHORTHANDREFUSAL_H
