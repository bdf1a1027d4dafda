//===- Text.h - Pieces of C that kernel, host and driver share --*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_TEXT_H
#define CONVOPT_LIB_EMIT_TEXT_H

#include "Names.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace convopt::emit {

/// `ceil(e / d)` as C; exact for every e unless \p nonNegative, which says
/// that a negative value may as well come out as any value of at most 0.
std::string ceilText(const Bound &b, const Names &names, bool nonNegative);
/// The loop's exclusive upper and its lower bound as C.
std::string upperText(const Loop &l, const Names &names);
std::string lowerText(const Loop &l, const Names &names);
/// Upper minus lower.
std::string extentText(const Loop &l, const Names &names);

/// Whether constant extents show that every offset into \p a fits an int.
bool isSmall(const Array &a);
/// Whether a kernel gets \p a as a pointer.
bool isInGlobalMemory(const Array &a);
/// Whether the kernel's first template parameter is the type of its offsets.
bool hasOffsetType(const Nest &nest);

/// `((Offset)n * H + y) * W + x`: the offset of \p a in an array of global
/// memory, in the names' offset type unless the array is small.
std::string offsetText(const Nest &nest, const Access &a, const Names &names);
/// A test that \p a, which is within the extents of its array, lies before the
/// end that the array's footprint says; empty where it has none.
std::string footprintTest(const Nest &nest, const Access &a,
                          const Names &names);
/// `inputs[((Offset)n * H + y) * W + x]` or, for a local, `sum[y_r]`.
std::string accessText(const Nest &nest, const Access &a, const Names &names);

/// \p text with `$k` replaced by `operand(k)` and `$$` by a dollar.
std::string substituteOperands(llvm::StringRef text,
                               llvm::function_ref<std::string(size_t)> operand);

/// \p text fit to stand in a `//` comment: names come from users, and nothing
/// in one may end the comment or continue it on the next line.
std::string forComment(llvm::StringRef text);

/// Whether the identifier \p word stands in \p text.
bool usesWord(llvm::StringRef text, llvm::StringRef word);

/// `target += rhs` and the like.
std::string assignmentText(Statement::Op op, const std::string &target,
                           const std::string &rhs);

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_TEXT_H
