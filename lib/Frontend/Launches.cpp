//===- Launches.cpp - Launches and calls in the source --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clang;

namespace convopt {
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

static std::vector<const CallExpr *> callsOf(ASTContext &ast,
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
    ast.getSourceManager()
        .getExpansionLoc(call->getBeginLoc())
        .print(errs(), ast.getSourceManager());
    errs() << ": warning: this launch is not redirected to the tiled kernel: "
              "a macro or another file writes it\n";
  }
  llvm::sort(sites, [](const LaunchSite &a, const LaunchSite &b) {
    return a.begin < b.begin;
  });
  return sites;
}

/// Why \p call cannot be one of another function with the same parameters by
/// another name at \p name; empty where it can.
static StringRef whyKept(const CallExpr *call, SourceLocation name,
                         const SourceManager &sm) {
  const auto *open =
      dyn_cast<OverloadExpr>(call->getCallee()->IgnoreParenImpCasts());
  if (name.isInvalid())
    return "it does not name the function alone";
  if (!name.isFileID() || !sm.isInMainFile(name))
    return "a macro or another file writes it";
  if (open && open->getNumDecls() > 1)
    return "the types of a template choose the function";
  if (any_of(call->arguments(), IsaPred<CXXDefaultArgExpr>))
    return "it leaves arguments out";
  return "";
}

std::vector<size_t> callSites(ASTContext &ast, const FunctionDecl *function) {
  const SourceManager &sm = ast.getSourceManager();
  std::vector<size_t> ends;
  for (const CallExpr *call : callsOf(ast, function)) {
    const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
    const auto *open = dyn_cast<OverloadExpr>(callee);
    const auto *named = dyn_cast<DeclRefExpr>(callee);
    SourceLocation name = open    ? open->getNameLoc()
                          : named ? named->getLocation()
                                  : SourceLocation();
    StringRef why = whyKept(call, name, sm);
    if (why.empty()) {
      ends.push_back(sm.getFileOffset(
          Lexer::getLocForEndOfToken(name, 0, sm, ast.getLangOpts())));
      continue;
    }
    sm.getExpansionLoc(call->getBeginLoc()).print(errs(), sm);
    errs() << ": warning: this call stays one of the naive function: " << why
           << '\n';
  }
  llvm::sort(ends);
  return ends;
}

} // namespace convopt
