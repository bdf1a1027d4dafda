//===- Widen.h - Begin and end a loop at sizes ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_WIDEN_H
#define CONVOPT_TRANSFORMS_WIDEN_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Makes bounds of \p loop that depend on loops around it guards of what runs
/// in it, and has it begin and end where the outermost of these bounds do: a
/// triangle becomes a box, which a grid can have.
///
/// Always legal. Refuses (rule "structure") a loop whose bounds are those of
/// sizes already, one that is mapped or unrolled, and bounds of which no
/// formula over sizes says how far they go.
llvm::Expected<Nest> widen(const Nest &nest, unsigned loop);

/// `widen=LOOP`
extern const Pass widenPass;

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_WIDEN_H
