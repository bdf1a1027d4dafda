//===- Helpers.h - Functions that emitted files share -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_HELPERS_H
#define CONVOPT_LIB_EMIT_HELPERS_H

#include "convopt/Program/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <set>

namespace convopt::emit {

using program::Helper;

inline bool isOfDevice(Helper h) { return h <= Helper::Bulk; }

/// The text of \p h, a file of Helpers/ or, of a header, none. \p prefix stands
/// for `HELPER`; names after a `$` are the file's own and get one that is none
/// of \p reserved.
std::string helperText(Helper h, llvm::StringRef prefix,
                       llvm::ArrayRef<std::string> reserved);

/// The functions by which a kernel copies boxes of \p ranks dimensions by
/// TMA, each once in a program.
std::string tensorCopyTexts(const std::set<unsigned> &ranks);

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_HELPERS_H
