//===- Layouts.h - Outputs of one or another layout -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_LAYOUTS_H
#define CONVOPT_LIB_FRONTEND_LAYOUTS_H

#include "Outline.h"

namespace convopt {

/// The values of a parameter that alone says at which of several places \p nest
/// writes an element, as of `y[nhwc ? a : b]`: an array has one shape, so that
/// each layout is a nest of its own. None where no parameter does.
std::vector<FixedVariable> layoutValues(const Nest &nest);

/// What to say of \p nest where it holds several layouts all the same, as no
/// nest of its own can be made of each: a kernel's, or those that a field
/// tells apart. Empty where it has one.
std::string severalLayouts(const Nest &nest);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_LAYOUTS_H
