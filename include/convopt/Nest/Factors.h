//===- Factors.h - What a right-hand side multiplies ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_FACTORS_H
#define CONVOPT_NEST_FACTORS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// The operands of \p s that its right-hand side is a product with, so that it
/// is zero where one of them is: of `alpha * (float)$0 * ($1 + $2)` the first.
/// None of a text that holds more than products, sums and conversions of
/// operands, numbers and scalar arguments: a call or a division may have no
/// value for some elements.
std::vector<unsigned> factorsOf(const Nest &nest, const Statement &s);

/// Source text of zero in \p type: `0.0f`, `ElTp(0)`.
std::string zeroOf(llvm::StringRef type);

} // namespace convopt

#endif // CONVOPT_NEST_FACTORS_H
