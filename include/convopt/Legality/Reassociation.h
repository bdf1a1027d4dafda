//===- Reassociation.h - What the order of a sum can change -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LEGALITY_REASSOCIATION_H
#define CONVOPT_LEGALITY_REASSOCIATION_H

#include "convopt/Legality/Legality.h"
#include "convopt/Nest/Nest.h"

namespace convopt {

/// What becomes of a reduction whose operations run in another order.
enum class Reordering : uint8_t {
  Exact,    // the same bits
  Licensed, // rounding, or a signed overflow: with -fassociative-math
  Changed,  // another result
};

/// Of the reduction \p s of \p nest. docs/Legality.md has the reasons.
Reordering reordering(const Nest &nest, const Statement &s);
/// Whether \p options allow what \p r changes.
bool isAllowed(Reordering r, const LegalityOptions &options);
/// The remedy where nothing but -fassociative-math is lacking for another order
/// of the operations into \p array of \p nest.
std::string licenseRemedy(const Nest &nest, unsigned array);

} // namespace convopt

#endif // CONVOPT_LEGALITY_REASSOCIATION_H
