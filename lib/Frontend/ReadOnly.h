//===- ReadOnly.h - Functions without side effects --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_READONLY_H
#define CONVOPT_LIB_FRONTEND_READONLY_H

#include "clang/AST/Expr.h"

namespace convopt {

struct PureCallee {
  std::string name;    // on devices, if it has another there
  std::string rest;    // DeviceForm::rest
  bool isPure = false; // one of the math functions that CUDA also has
  bool isStd = false;  // written or found in namespace std
};

/// What \p call calls; in a template also where the overload is still open.
PureCallee pureCallee(const clang::CallExpr *call);

/// The definition of the function that \p call calls, whose body can stand in
/// the place of the call: not variadic or virtual, and of a system header where
/// it is of structures of numbers. Null where there is none.
const clang::FunctionDecl *visibleDefinition(const clang::CallExpr *call);
/// Why there is none.
std::string whyNotVisible(const clang::CallExpr *call);

/// Whether \p s, or what a variable in it begins with, reads an element.
bool readsElement(const clang::Stmt *s);

/// The parameters of \p callee, each with what \p call passes for it.
std::vector<std::pair<const clang::ParmVarDecl *, clang::Expr *>>
argumentsOf(clang::CallExpr *call, const clang::FunctionDecl *callee);

/// What \p call, of a function like std::max, compares: two arguments, or the
/// elements of a list that is the only one. Empty where it is something else.
llvm::SmallVector<const clang::Expr *> comparedBy(const clang::CallExpr *call);

/// The object whose method \p call calls, lambdas apart, or null.
const clang::Expr *objectOf(const clang::CallExpr *call);

/// What \p e is that is no element of an array, for a message.
std::string notAnElement(const clang::Expr *e);

bool isLambda(const clang::FunctionDecl *f);

/// The numbers in \p v where that is an array of at most 32 constant integers,
/// such as the steps to neighbours, that is const or that nothing writes; else
/// none. It may be null.
std::vector<int64_t> tableOf(const clang::VarDecl *v);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_READONLY_H
