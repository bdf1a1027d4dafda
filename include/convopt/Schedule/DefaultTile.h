//===- DefaultTile.h - Tiles where none are given ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_DEFAULTTILE_H
#define CONVOPT_SCHEDULE_DEFAULTTILE_H

#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Schedule/Shorthand.h"
#include "convopt/Target/Gpu.h"

namespace convopt {

/// A tile for \p nest from its roles, the sizes that are constant and the
/// limits of \p gpu (docs/passes/shorthand.md says which and why). What it
/// returns always passes the checks of expandShorthand. For sums that read from
/// global memory; chooseStagedTile is for others.
TileSpec defaultTile(const Nest &nest, const Roles &roles, const Gpu &gpu);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_DEFAULTTILE_H
