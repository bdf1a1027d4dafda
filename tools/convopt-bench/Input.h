//===- Input.h - A nest from a file -----------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_BENCH_INPUT_H
#define CONVOPT_TOOLS_CONVOPT_BENCH_INPUT_H

#include "Options.h"

namespace convopt {

struct Input {
  Nest nest;
  std::string name, text; // base name and text of what the user gave
};

/// Reads the .nest that \p options name, or has `convopt`, from beside this
/// program (at \p ownPath) or from the path, read the source. Refuses (status
/// Missing) a source where there is no convopt.
llvm::Expected<Input> readInput(const Options &options,
                                const std::string &ownPath);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_BENCH_INPUT_H
