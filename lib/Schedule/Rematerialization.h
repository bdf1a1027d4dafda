//===- Rematerialization.h - A value for each that reads it -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_REMATERIALIZATION_H
#define CONVOPT_LIB_SCHEDULE_REMATERIALIZATION_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// \p nest, which is as written, in which no two statements read one local
/// scalar that a single statement sets, at its declaration: each of them has a
/// scalar of its own, set there to the same. None where no two do, and where
/// that takes many.
std::optional<Nest> rematerialized(const Nest &nest);

/// \p nest in which those share one again that are set side by side.
Nest withoutRepeats(Nest nest);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_REMATERIALIZATION_H
