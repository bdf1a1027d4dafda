//===- Transform.h - A step without its checks ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_TRANSFORM_H
#define CONVOPT_LIB_SCHEDULE_TRANSFORM_H

#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Step.h"
#include "convopt/Transforms/RegisterTile.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// The loop that the text of \p nest calls \p name; refuses (rule "usage") an
/// unknown or ambiguous one with the list of loops.
llvm::Expected<unsigned> findLoopByName(const Nest &nest, llvm::StringRef name);

/// Resolves the names of \p step and runs its pass. The pass checks structure;
/// \p done is told of the primitives of a composite.
llvm::Expected<Nest> transform(const Nest &nest, const Step &step,
                               PrimitiveDone done);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_TRANSFORM_H
