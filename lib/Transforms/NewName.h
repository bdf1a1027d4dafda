//===- NewName.h - Names that passes are given ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_TRANSFORMS_NEWNAME_H
#define CONVOPT_LIB_TRANSFORMS_NEWNAME_H

#include "convopt/Nest/Nest.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// Refuses (rule "usage") \p name, which is not empty, for a new \p thing
/// ("loop", "buffer") where it is no identifier, means something in CUDA C++,
/// or is that of a loop, parameter or array of \p nest.
llvm::Error checkNewName(const Nest &nest, llvm::StringRef name,
                         llvm::StringRef thing, SourceRange where);

} // namespace convopt

#endif // CONVOPT_LIB_TRANSFORMS_NEWNAME_H
