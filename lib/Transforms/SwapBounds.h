//===- SwapBounds.h - Bounds of two loops turned round ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_TRANSFORMS_SWAPBOUNDS_H
#define CONVOPT_LIB_TRANSFORMS_SWAPBOUNDS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// Rewrites the bounds of \p outer and \p inner, which stands directly inside
/// of it, for \p inner to stand outside. Where the bounds of \p inner use
/// \p outer, the two loops still have the same iterations between them;
/// iterations of the new outer loop may find none inside. False where a bound
/// of \p inner is not linear in \p outer with a constant coefficient.
bool swapBounds(Loop &outer, Loop &inner);

} // namespace convopt

#endif // CONVOPT_LIB_TRANSFORMS_SWAPBOUNDS_H
