//===- Launches.cpp - `<<<>>>` in the source ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clang;

namespace convopt {
namespace {

class LaunchFinder : public RecursiveASTVisitor<LaunchFinder> {
public:
  explicit LaunchFinder(const FunctionDecl *kernel) : kernel(kernel) {}

  std::vector<const CUDAKernelCallExpr *> found;

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *call) {
    if (calls(call))
      found.push_back(call);
    return true;
  }

private:
  bool isKernel(const NamedDecl *d) const {
    d = d->getUnderlyingDecl();
    if (const auto *t = dyn_cast<FunctionTemplateDecl>(d))
      d = t->getTemplatedDecl();
    const auto *f = dyn_cast<FunctionDecl>(d);
    if (f && f->getPrimaryTemplate())
      f = f->getPrimaryTemplate()->getTemplatedDecl();
    return f && f->getCanonicalDecl() == kernel->getCanonicalDecl();
  }
  bool calls(const CUDAKernelCallExpr *call) const {
    if (const FunctionDecl *f = call->getDirectCallee())
      return isKernel(f);
    const auto *open =
        dyn_cast<OverloadExpr>(call->getCallee()->IgnoreParenImpCasts());
    return open && any_of(open->decls(),
                          [&](const NamedDecl *d) { return isKernel(d); });
  }

  const FunctionDecl *kernel;
};

} // namespace

std::vector<const CUDAKernelCallExpr *> launchesOf(ASTContext &ast,
                                                   const FunctionDecl *kernel) {
  LaunchFinder finder(kernel);
  finder.TraverseDecl(ast.getTranslationUnitDecl());
  return finder.found;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::optional<std::string> textOf(ASTContext &ast, const Expr *e) {
  CharSourceRange r = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(e->getSourceRange()),
      ast.getSourceManager(), ast.getLangOpts());
  if (r.isInvalid())
    return std::nullopt;
  return Lexer::getSourceText(r, ast.getSourceManager(), ast.getLangOpts())
      .str();
}

static std::optional<LaunchSite> siteOf(ASTContext &ast,
                                        const CUDAKernelCallExpr *call) {
  const SourceManager &sm = ast.getSourceManager();
  const CallExpr *config = call->getConfig();
  SourceLocation begin = call->getBeginLoc(), end = call->getRParenLoc();
  SourceLocation open = config->getBeginLoc(), close = config->getRParenLoc();
  for (SourceLocation l : {begin, end, open, close})
    if (!l.isFileID() || !sm.isInMainFile(l))
      return std::nullopt;
  StringRef text = sm.getBufferData(sm.getMainFileID());
  auto at = [&](SourceLocation l) -> size_t { return sm.getFileOffset(l); };
  size_t paren = text.find('(', at(close) + 3);
  if (paren == StringRef::npos || paren >= at(end))
    return std::nullopt;
  LaunchSite site;
  site.begin = at(begin);
  site.end = at(end) + 1;
  site.callee = text.slice(at(begin), at(open)).trim().str();
  site.arguments = text.slice(paren + 1, at(end)).trim().str();
  std::string *fields[] = {&site.grid, &site.block, &site.shared, &site.stream};
  for (auto [k, field] : enumerate(fields)) {
    *field = "0";
    if (k >= config->getNumArgs() || isa<CXXDefaultArgExpr>(config->getArg(k)))
      continue;
    std::optional<std::string> t = textOf(ast, config->getArg(k));
    if (!t)
      return std::nullopt;
    *field = *t;
  }
  return site;
}

std::vector<LaunchSite>
launchSites(ASTContext &ast, ArrayRef<const CUDAKernelCallExpr *> calls) {
  std::vector<LaunchSite> sites;
  for (const CUDAKernelCallExpr *call : calls) {
    if (auto site = siteOf(ast, call)) {
      sites.push_back(std::move(*site));
      continue;
    }
    call->getBeginLoc().print(errs(), ast.getSourceManager());
    errs() << ": warning: this launch is not redirected to the tiled kernel: "
              "a macro or another file writes it\n";
  }
  llvm::sort(sites, [](const LaunchSite &a, const LaunchSite &b) {
    return a.begin < b.begin;
  });
  return sites;
}

} // namespace convopt
