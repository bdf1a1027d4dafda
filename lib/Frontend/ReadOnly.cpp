//===- ReadOnly.cpp - Functions without side effects ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadOnly.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace clang;

namespace convopt {

static bool isMathFunction(StringRef name) {
  static const StringSet<> names = {
      "abs",  "fabs",   "sqrt",   "rsqrt",      "exp",       "exp2", "expm1",
      "log",  "log2",   "log10",  "log1p",      "sin",       "cos",  "tan",
      "sinh", "cosh",   "tanh",   "asin",       "acos",      "atan", "erf",
      "ceil", "floor",  "round",  "rint",       "trunc",     "cbrt", "fmax",
      "fmin", "pow",    "fmod",   "atan2",      "copysign",  "fma",  "max",
      "min",  "__expf", "__logf", "__fdividef", "__fmaf_rn",
  };
  if (names.contains(name))
    return true;
  return name.consume_back("f") && names.contains(name) && name != "abs" &&
         name != "max" && name != "min" && !name.starts_with("__");
}

PureCallee pureCallee(const CallExpr *call) {
  PureCallee result;
  const NamedDecl *callee = call->getDirectCallee();
  const Expr *written = call->getCallee()->IgnoreParenImpCasts();
  if (!callee)
    if (const auto *open = dyn_cast<UnresolvedLookupExpr>(written)) {
      result.name = open->getName().getAsString();
      if (open->decls_begin() != open->decls_end())
        callee = (*open->decls_begin())->getUnderlyingDecl();
    }
  if (!callee) {
    if (result.name.empty())
      result.name = "a pointer";
    return result;
  }
  result.name = callee->getNameAsString();
  const DeclContext *home = callee->getDeclContext()->getRedeclContext();
  result.isStd = callee->isInStdNamespace();
  // A definition in the user's own file may do anything.
  const SourceManager &sm = callee->getASTContext().getSourceManager();
  const auto *f = dyn_cast<FunctionDecl>(callee);
  const FunctionDecl *definition = nullptr;
  bool isOwn = f && f->hasBody(definition) &&
               sm.isInMainFile(sm.getExpansionLoc(definition->getLocation()));
  result.isPure = isMathFunction(result.name) && !isOwn &&
                  (home->isTranslationUnit() || result.isStd);
  return result;
}

} // namespace convopt
