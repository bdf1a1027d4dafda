//===- Jam.h - Run loops that follow one another together -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_JAM_H
#define CONVOPT_TRANSFORMS_JAM_H

#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Runs what \p second holds in the iterations of \p first, after what that
/// holds: loop fusion, or jamming. \p done is told of the jammed nest. The
/// result is a computation of its own, with statements over \p first.
///
/// Refuses (rule "structure") a \p second that does not come right after
/// \p first, loops of other bounds, and what is mapped or unrolled. Rule Order
/// refuses what would run before what it has to wait for.
llvm::Expected<Nest> jam(const Nest &nest, unsigned first, unsigned second,
                         PrimitiveDone done);

/// `jam=FIRST,SECOND`
extern const Pass jamPass;

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_JAM_H
