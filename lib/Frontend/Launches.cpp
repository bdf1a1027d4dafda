//===- Launches.cpp - Launches and calls in the source --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

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

  bool VisitCallExpr(CallExpr *call) override {
    if (calls(call))
      found.push_back(call);
    return true;
  }

private:
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
    return open && any_of(open->decls(),
                          [&](const NamedDecl *d) { return isFunction(d); });
  }

  const FunctionDecl *function;
};

} // namespace

std::vector<const CallExpr *> callsOf(ASTContext &ast,
                                      const FunctionDecl *function) {
  CallFinder finder(function);
  finder.TraverseDecl(ast.getTranslationUnitDecl());
  return std::move(finder.found);
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
