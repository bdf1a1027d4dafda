//===- Driver.h - From the command line to a file ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_DRIVER_H
#define CONVOPT_TOOLS_CONVOPT_DRIVER_H

#include "Options.h"
#include "convopt/Support/Refusal.h"

namespace convopt {

/// Reads each input, transforms its nest, and writes what `-emit` asks for.
/// Reports what is refused on stderr, of all inputs; then nothing is written.
ExitStatus runDriver(const Options &options);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_DRIVER_H
