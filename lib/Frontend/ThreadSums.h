//===- ThreadSums.h - Indices of threads in parts ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `base + x + i` is the index of a thread and `i`, where `base` is that of a
/// tile's first thread, which is no index of its own, and `x` is `threadIdx.x`.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_THREADSUMS_H
#define CONVOPT_LIB_FRONTEND_THREADSUMS_H

#include "clang/AST/ASTContext.h"

namespace convopt {

/// A part of a sum.
struct SumTerm {
  const clang::Expr *e;
  bool isMinus;
};

/// The parts of \p e, which is one where it is no sum. What is converted to
/// another width is one.
llvm::SmallVector<SumTerm> termsOf(const clang::Expr *e,
                                   const clang::ASTContext &ast);

/// Two parts of a sum that are the index of a thread together.
struct TileIndex {
  const SumTerm *first, *inTile;
  unsigned thread; // of `Threads::variables`
};

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_THREADSUMS_H
