//===- Namings.h - What a flat offset may be written as ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_NAMINGS_H
#define CONVOPT_LIB_FRONTEND_NAMINGS_H

#include "Delinearize.h"

namespace convopt {

/// Accesses to one flat array, their strides written in one way, and the facts
/// (each `>= 0`) under which these are the same offsets.
struct Naming {
  std::vector<PlacedAccess> accesses;
  std::vector<IndexExpr> facts;
  /// The stride of the innermost dimension, which is not 1.
  std::optional<IndexExpr> step = std::nullopt;
};

/// The ways that may show dimensions, the most readable first: as written; with
/// named strides expanded, so that `c * plane` is `c * H * W`; with all sizes
/// expanded, for `(H - K + 1) * W` in one place and `OH * W` in another; and
/// with each stride that is a parameter of its own a multiple of the next
/// smaller one, as planes are whole numbers of rows; and with channels that are
/// whole numbers of groups.
std::vector<Naming> namingsOf(llvm::ArrayRef<PlacedAccess> accesses,
                              const Nest &nest);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_NAMINGS_H
