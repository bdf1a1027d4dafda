//===- Bounds.h - Bounds that others imply ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_BOUNDS_H
#define CONVOPT_TRANSFORMS_BOUNDS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// \p nest without the conditions of guards that hold in every iteration, such
/// as those of a padding that is known to be 0.
Nest withoutImpliedGuards(const Nest &nest);

/// Folds constant bounds of \p l into one, keeps one of equal bounds, and
/// drops upper bounds that the constant one implies, given that \p l stands in
/// \p enclosing (outermost first). The constant bound comes first.
void simplifyBounds(const Nest &nest, Loop &l,
                    llvm::ArrayRef<const Loop *> enclosing);

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_BOUNDS_H
