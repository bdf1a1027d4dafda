//===- EmitFile.h - The text that is written --------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_EMITFILE_H
#define CONVOPT_TOOLS_CONVOPT_EMITFILE_H

#include "PlannedFile.h"

namespace convopt {

/// The CUDA file: the source with the tiled code. Refuses what emitCuda and
/// checkAddedNames refuse.
llvm::Expected<std::string> emitFile(const PlannedFile &file);

/// The steps of the general kernel, after those of others as comments.
std::string printSchedules(const PlannedFile &file);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_EMITFILE_H
