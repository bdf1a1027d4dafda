//===- Siblings.h - Loops side by side become one band ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_SIBLINGS_H
#define CONVOPT_SCHEDULE_SIBLINGS_H

#include "convopt/Schedule/Pipeline.h"

namespace convopt {

/// Jams what the innermost loop of the outermost band holds, or the nest, if
/// that is loops alone, each with one over the same elements of an output in
/// its band: `for i y[i] = bias` and `for k for i y[i] += ...`. The band has
/// these loops then, too. False, with \p pipeline as it was, where nothing can
/// be jammed.
bool jamSiblings(Pipeline &pipeline);

/// Whether what \p pipeline takes for granted holds for hardly any sizes.
bool restsOnRareFacts(const Pipeline &pipeline);

/// Whether the loops that \p nest has side by side can be jammed to one band
/// that has all parallel loops over outputs, and what that takes for granted
/// holds for most sizes.
bool runsAsOne(const Nest &nest, const LegalityOptions &legality);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_SIBLINGS_H
