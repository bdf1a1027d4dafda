//===- Redirect.h - Calls that go to the tiled function ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_REDIRECT_H
#define CONVOPT_TOOLS_CONVOPT_REDIRECT_H

#include "PlannedFile.h"

namespace convopt {

/// The declaration of what calls, or launches, of the naive function become.
std::string prototype(const PlannedFile &file);

/// The edits of the source that have its calls and launches of the naive
/// function, and the nest that was one among other statements, run tiled code.
/// Those before anything declares the function stay, with a warning.
std::vector<Replacement> redirectCalls(const PlannedFile &file);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_REDIRECT_H
