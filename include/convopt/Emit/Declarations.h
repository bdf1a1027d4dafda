//===- Declarations.h - What other files call -------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_EMIT_DECLARATIONS_H
#define CONVOPT_EMIT_DECLARATIONS_H

#include "convopt/Emit/Emit.h"

namespace convopt {

/// The added functions for a header, each with its contract in a comment above:
/// what it takes, and what it refuses. They have neither bodies nor default
/// arguments, so that a header can stand before the definitions.
struct Declarations {
  std::string launcher;    // `cudaError_t conv_tiled_launch(...);`
  std::string replacement; // `void conv_tiled(...);`, or of a kernel's launches
};

/// Refuses what emitCuda refuses of a nest without versions, or emitSequence if
/// it has \p parts.
llvm::Expected<Declarations>
emitDeclarations(const CheckedNest &nest, const Gpu &gpu,
                 const LowerOptions &options,
                 llvm::ArrayRef<SequencePart> parts = {});

} // namespace convopt

#endif // CONVOPT_EMIT_DECLARATIONS_H
