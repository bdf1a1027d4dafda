//===- OptionalArrays.h - Arrays that may be missing ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `if (bias) sum += bias[o];` is a guard of a parameter that host code sets to
/// `bias != 0`. An array that is used only where sizes say so may be missing
/// where they do not, whatever its pointer is: nothing may touch it there.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_OPTIONALARRAYS_H
#define CONVOPT_NEST_OPTIONALARRAYS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// The parameter of \p f that is 0 where \p array is null, or none.
std::optional<unsigned> presenceOf(const Function &f, const Argument &array);

/// What holds of sizes where \p array is touched: one of these conjunctions.
/// None where it is touched whatever the sizes are, as far as loops run.
std::vector<std::vector<Constraint>> touchedUnder(const Nest &nest,
                                                  unsigned array);

/// Whether some accesses to \p array ask of sizes what others do not, such as a
/// flag: for some sizes less of it may be touched than for others.
bool asksVariously(const Nest &nest, unsigned array);

/// Whether guards leave out reads of \p array for another reason than that a
/// subscript may lie outside, as `x % 2 == 0`, `2 * x + y <= w` and
/// `i * i + j * j <= r * r` do: their loops are not those of a subscript.
bool isMasked(const Nest &nest, unsigned array);

} // namespace convopt

#endif // CONVOPT_NEST_OPTIONALARRAYS_H
