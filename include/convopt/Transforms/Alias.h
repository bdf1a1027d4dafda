//===- Alias.h - Other names for inputs -------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_ALIAS_H
#define CONVOPT_TRANSFORMS_ALIAS_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Gives the reads of the input \p array whose subscripts use \p loop another
/// name (Array::alias), so that what they read is staged apart from what others
/// do: a row of a matrix and each of its rows, a body and each of the bodies.
///
/// Always legal. Refuses (rule "structure") an array that the nest writes or
/// has as a local, and one of which all reads use the loop, or none.
llvm::Expected<Nest> alias(const Nest &nest, unsigned array, unsigned loop);

/// `alias=ARRAY,LOOP`
extern const Pass aliasPass;

/// \p nest with each input by one name, as it is emitted.
Nest withoutAliases(const Nest &nest);

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_ALIAS_H
