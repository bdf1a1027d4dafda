//===- StructuredBindings.h - Names for the parts of an object --*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_STRUCTUREDBINDINGS_H
#define CONVOPT_LIB_FRONTEND_STRUCTUREDBINDINGS_H

#include "clang/AST/DeclCXX.h"

namespace convopt {

/// The object whose parts \p d names, copied or not: `p.kernel` of
/// `auto [kh, kw] = p.kernel;`.
const clang::Expr *decomposed(const clang::DecompositionDecl *d);

/// The field of \p of that \p b, the \p k-th name, is, or the number of the
/// element of an array; null where it is what a function returns.
const clang::Expr *boundPart(const clang::BindingDecl *b, unsigned k,
                             const clang::Expr *of);

/// Whether the function around \p d does nothing with its names but read them.
bool areOnlyRead(const clang::DecompositionDecl *d);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_STRUCTUREDBINDINGS_H
