//===- Launches.cpp - Launches and calls in the source --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;
using namespace clang;

namespace convopt {

bool isSpecialized(const FunctionDecl *f) {
  return f->getTemplateSpecializationKind() == TSK_ExplicitSpecialization;
}

namespace {

class CallFinder : public DynamicRecursiveASTVisitor {
public:
  explicit CallFinder(const FunctionDecl *function) : function(function) {}

  std::vector<const CallExpr *> found; // launches, too
  std::vector<const Expr *> addresses; // what names it elsewhere

  bool VisitCallExpr(CallExpr *call) override {
    if (calls(call)) {
      found.push_back(call);
      skip(call->getCallee());
    } else if (asksOfKernel(call)) {
      for (const Expr *a : call->arguments())
        skip(a);
    }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    const auto *f = dyn_cast<FunctionDecl>(ref->getDecl());
    if (f && isFunction(f) && !isSpecialized(f) && !skipped.contains(ref))
      addresses.push_back(ref);
    return true;
  }
  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *open) override {
    if (names(open) && !skipped.contains(open))
      addresses.push_back(open);
    return true;
  }
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc, bool) override { return true; }

private:
  void skip(const Stmt *s) {
    skipped.insert(s);
    for (const Stmt *child : s->children())
      if (child)
        skip(child);
  }
  /// `cudaFuncSetAttribute(kernel, ...)` and the like, which launch nothing.
  static bool asksOfKernel(const CallExpr *call) {
    const FunctionDecl *f = call->getDirectCallee();
    const auto *open =
        dyn_cast<OverloadExpr>(call->getCallee()->IgnoreParenImpCasts());
    const std::string name = f      ? f->getNameAsString()
                             : open ? open->getName().getAsString()
                                    : "";
    return StringRef(name).starts_with("cudaFunc") ||
           StringRef(name).starts_with("cudaOccupancy");
  }
  bool names(const OverloadExpr *open) const {
    return any_of(open->decls(),
                  [&](const NamedDecl *d) { return isFunction(d); });
  }
  bool isFunction(const NamedDecl *d) const {
    d = d->getUnderlyingDecl();
    if (const auto *t = dyn_cast<FunctionTemplateDecl>(d))
      d = t->getTemplatedDecl();
    const auto *f = dyn_cast<FunctionDecl>(d);
    if (f && f->getPrimaryTemplate())
      f = f->getPrimaryTemplate()->getTemplatedDecl();
    return f && f->getCanonicalDecl() == function->getCanonicalDecl();
  }
  bool calls(const CallExpr *call) const {
    if (const FunctionDecl *f = call->getDirectCallee())
      return isFunction(f);
    const auto *open =
        dyn_cast<OverloadExpr>(call->getCallee()->IgnoreParenImpCasts());
    return open && names(open);
  }

  const FunctionDecl *function;
  SmallPtrSet<const Stmt *, 8> skipped;
};

} // namespace

std::vector<const CallExpr *> callsOf(ASTContext &ast,
                                      const FunctionDecl *function) {
  CallFinder finder(function);
  finder.TraverseDecl(ast.getTranslationUnitDecl());
  return std::move(finder.found);
}

std::vector<const Expr *> addressesOf(ASTContext &ast,
                                      const FunctionDecl *function) {
  CallFinder finder(function);
  finder.TraverseDecl(ast.getTranslationUnitDecl());
  return std::move(finder.addresses);
}

std::vector<const CUDAKernelCallExpr *> launchesOf(ASTContext &ast,
                                                   const FunctionDecl *kernel) {
  std::vector<const CUDAKernelCallExpr *> launches;
  for (const CallExpr *call : callsOf(ast, kernel))
    if (const auto *launch = dyn_cast<CUDAKernelCallExpr>(call))
      if (const FunctionDecl *f = call->getDirectCallee();
          !f || !isSpecialized(f))
        launches.push_back(launch);
  return launches;
}

/// What \p call gives constant number \p parameter of a template.
static std::optional<int64_t>
constantOf(const ASTContext &ast, const CallExpr *call, unsigned parameter) {
  std::optional<APSInt> value;
  const FunctionDecl *f = call->getDirectCallee();
  const auto *open =
      dyn_cast<OverloadExpr>(call->getCallee()->IgnoreParenImpCasts());
  if (const auto *all = f ? f->getTemplateSpecializationArgs() : nullptr;
      all && parameter < all->size() &&
      all->get(parameter).getKind() == TemplateArgument::Integral) {
    value = all->get(parameter).getAsIntegral();
  } else if (open && parameter < open->getNumTemplateArgs()) {
    const TemplateArgument &a =
        open->getTemplateArgs()[parameter].getArgument();
    if (a.getKind() == TemplateArgument::Expression &&
        !a.getAsExpr()->isValueDependent())
      value = a.getAsExpr()->getIntegerConstantExpr(ast);
  }
  return value && value->getSignificantBits() < 32
             ? std::optional(value->getExtValue())
             : std::nullopt;
}

std::optional<int64_t> launchedConstant(ASTContext &ast,
                                        const FunctionDecl *kernel,
                                        unsigned parameter) {
  std::optional<int64_t> agreed;
  for (const CUDAKernelCallExpr *call : launchesOf(ast, kernel)) {
    std::optional<int64_t> value = constantOf(ast, call, parameter);
    if (!value || (agreed && value != agreed))
      return std::nullopt;
    agreed = value;
  }
  return agreed;
}

} // namespace convopt
