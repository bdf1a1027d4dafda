//===- Touched.h - Sizes at which an array is used --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_TOUCHED_H
#define CONVOPT_NEST_TOUCHED_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// What holds, over sizes, where the nest as written, \p source, touches
/// anything of \p array, and does not follow from its having elements. Some of
/// it may be missing: that it holds does not show that something is touched.
std::vector<Constraint> touchedWhere(const Nest &source, unsigned array);

/// Has arguments of \p nest that no statement touches have no elements.
void emptyUntouched(Nest &nest);

} // namespace convopt

#endif // CONVOPT_NEST_TOUCHED_H
