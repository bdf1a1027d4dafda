//===- Emit.h - CUDA text from a mapped nest --------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prints the kernel, the launcher and the drop-in replacement. The text is a
/// function of the arguments alone: the same bytes on every run.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_EMIT_EMIT_H
#define CONVOPT_EMIT_EMIT_H

#include "convopt/Nest/Nest.h"
#include "convopt/Target/Gpu.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace convopt {

struct EmitOptions {
  std::string suffix = "_tiled"; // -suffix=
  bool isC = false;              // the source is C: `extern "C"`, no fallback
  /// Names that mean something else where the code goes: macros.
  std::vector<std::string> reserved = {};
  /// Tiles that need no guards run a copy of the code without them.
  bool fullTiles = true;
};

/// The kernel, `<name><suffix>_launch`, and `<name><suffix>` (a nest) or
/// `<name><suffix>_dispatch` (a kernel): everything that is added after the
/// naive function. \p nest must be mapped (docs/Design.md, Emission); refuses
/// (rule "Mapping") where it is not, and (rule "limit") what \p gpu cannot run.
llvm::Expected<std::string> emitCuda(const Nest &nest, const Gpu &gpu,
                                     const EmitOptions &options);

/// Whether the added code uses \p name for something of CUDA's, so that the
/// source must not declare it as something else.
bool isCudaName(llvm::StringRef name);

/// The `#include` lines that the added \p code needs.
std::string emittedIncludes(llvm::StringRef code);

} // namespace convopt

#endif // CONVOPT_EMIT_EMIT_H
