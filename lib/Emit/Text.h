//===- Text.h - Pieces of C that kernel, host and driver share --*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_TEXT_H
#define CONVOPT_LIB_EMIT_TEXT_H

#include "Values.h"

namespace convopt::emit {

/// Bounds of a loop, as C.
std::string ceilText(const Bound &b, const Names &names, bool nonNegative);
std::string upperText(const Loop &l, const Names &names);
std::string lowerText(const Loop &l, const Names &names);
std::string extentText(const Loop &l, const Names &names);

/// `inputs[((Offset)n * H + y) * W + x]`
std::string accessText(const Nest &nest, const Access &a, const Names &names);

/// \p text fit to stand in a `//` comment: names come from users, and nothing
/// in one may end the comment or continue it on the next line.
std::string forComment(llvm::StringRef text);

/// Whether the identifier \p word stands in \p text.
bool usesWord(llvm::StringRef text, llvm::StringRef word);

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_TEXT_H
