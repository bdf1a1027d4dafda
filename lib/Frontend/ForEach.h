//===- ForEach.h - All nodes of a class -------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_FOREACH_H
#define CONVOPT_LIB_FRONTEND_FOREACH_H

#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace convopt {

/// Calls `f` for each statement, or each declaration, that is a T.
template <class T, class F>
struct NodeVisitor : clang::DynamicRecursiveASTVisitor {
  F f;

  explicit NodeVisitor(F f) : f(std::move(f)) {}
  bool VisitStmt(clang::Stmt *s) override { return visit(s); }
  bool VisitDecl(clang::Decl *d) override { return visit(d); }
  template <class Node> bool visit(Node *node) {
    if constexpr (std::is_base_of_v<Node, T>)
      if (auto *t = llvm::dyn_cast<T>(node))
        f(t);
    return true;
  }
};

/// Calls \p f for each \p T in \p root, a statement or declaration, in the
/// order of the text; in instances of templates, too, where \p withInstances.
template <class T, class Root, class F>
void forEach(const Root *root, F f, bool withInstances = false) {
  NodeVisitor<T, F> visitor(std::move(f));
  visitor.ShouldVisitTemplateInstantiations = withInstances;
  if constexpr (std::is_base_of_v<clang::Decl, Root>)
    visitor.TraverseDecl(const_cast<Root *>(root));
  else
    visitor.TraverseStmt(const_cast<Root *>(root));
}

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_FOREACH_H
