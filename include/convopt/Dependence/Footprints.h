//===- Footprints.h - Is what an array spans touched? -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_DEPENDENCE_FOOTPRINTS_H
#define CONVOPT_DEPENDENCE_FOOTPRINTS_H

#include "convopt/Dependence/Dependence.h"
#include "convopt/Nest/Nest.h"

namespace convopt {

/// The arrays of \p nest, which is as the source has it, whose footprint is not
/// proved to be tight: that the nest, wherever it touches an array at all,
/// touches the last element that its footprint counts, whatever the sizes that
/// the assumptions allow. Of the others, a host function copies no element too
/// many. For each array isl may take \p maxOperations; 0: without end.
std::vector<unsigned>
looseFootprints(const Nest &nest,
                unsigned long maxOperations = DefaultMaxOperations);

/// The arrays of \p nest that sizes, flags or guards may leave less of than
/// their footprint counts: accesses differ in what they ask of sizes or in
/// their subscripts, are masked, or never run, and the footprint is not proved
/// to be reached all the same.
std::vector<unsigned>
partlyTouched(const Nest &nest,
              unsigned long maxOperations = DefaultMaxOperations);

} // namespace convopt

#endif // CONVOPT_DEPENDENCE_FOOTPRINTS_H
