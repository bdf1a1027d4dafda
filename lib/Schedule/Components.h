//===- Components.h - What of a loop's body stays together ------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_COMPONENTS_H
#define CONVOPT_LIB_SCHEDULE_COMPONENTS_H

#include "convopt/Schedule/Pipeline.h"

namespace convopt {

/// What loops are distributed over.
enum class Units : uint8_t {
  Parts,      // of the body of a band
  Statements, // in it, whose loops are distributed, too
};

/// Distributes the band that \p root begins, or what begins with an inner loop
/// of it, over the strongly connected components of the dependences among
/// \p units; false where that is a single one, of statements also where all
/// wait for others in the same loops of the band.
bool distribute(const Loop &root, Units units, Pipeline &pipeline);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_COMPONENTS_H
