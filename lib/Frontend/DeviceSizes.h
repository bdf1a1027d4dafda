//===- DeviceSizes.h - Sizes that a kernel's pointers lead to ---*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_DEVICESIZES_H
#define CONVOPT_LIB_FRONTEND_DEVICESIZES_H

#include "clang/AST/Decl.h"

namespace convopt {

/// Whether \p p, a parameter of \p f, points at one structure, or a few that
/// constants tell apart, some field of which is an integer: what `d->height`
/// is, every thread is told alike. An array of structures of one type of
/// floating-point numbers, such as float4, is none.
bool leadsToSizes(const clang::ParmVarDecl *p, const clang::FunctionDecl *f);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_DEVICESIZES_H
