//===- Render.h - Results files shown again ---------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_BENCH_RENDER_H
#define CONVOPT_TOOLS_CONVOPT_BENCH_RENDER_H

#include "Options.h"

namespace convopt {

/// Columns of a terminal; many where the output goes to a file.
unsigned outputColumns();

/// `-render=`: the table of a results file, and its other forms as outputs
/// ask; or, of a folder, the benchmarks page (readSections).
llvm::Error runRender(const Options &options);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_BENCH_RENDER_H
