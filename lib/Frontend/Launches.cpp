//===- Launches.cpp - `<<<>>>` in the source ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "VariableUse.h"
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

//===----------------------------------------------------------------------===//
// What the grid is
//===----------------------------------------------------------------------===//

/// The three extents of a grid, as expressions of the host; null where not
/// given or not understood.
static std::array<const Expr *, 3> gridExtents(const Expr *e) {
  std::array<const Expr *, 3> result{};
  e = e->IgnoreParenImpCasts();
  if (const auto *full = dyn_cast<FullExpr>(e))
    return gridExtents(full->getSubExpr());
  if (const auto *m = dyn_cast<MaterializeTemporaryExpr>(e))
    return gridExtents(m->getSubExpr());
  if (const auto *cast = dyn_cast<CXXFunctionalCastExpr>(e))
    return gridExtents(cast->getSubExpr());
  if (const auto *c = dyn_cast<CXXConstructExpr>(e)) {
    bool copies =
        c->getNumArgs() == 1 && c->getArg(0)->getType()->isRecordType();
    if (copies)
      return gridExtents(c->getArg(0));
    for (unsigned k = 0; k < c->getNumArgs() && k < 3; ++k)
      if (!isa<CXXDefaultArgExpr>(c->getArg(k)))
        result[k] = c->getArg(k);
    return result;
  }
  const auto *ref = dyn_cast<DeclRefExpr>(e);
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  // A variable of the launching function that nothing may have changed.
  if (v && v->isLocalVarDecl() && v->hasInit()) {
    const auto *f = dyn_cast<FunctionDecl>(v->getDeclContext());
    if (!f || !f->getBody())
      return result;
    VariableUse use(f->getBody());
    bool isSet = use.isAddressTaken(v);
    struct MemberWrites : RecursiveASTVisitor<MemberWrites> {
      const VarDecl *v;
      bool found = false;
      bool VisitBinaryOperator(BinaryOperator *b) {
        const auto *m = dyn_cast<MemberExpr>(b->getLHS()->IgnoreParens());
        found |= b->isAssignmentOp() && m && namedVariable(m->getBase()) == v;
        return true;
      }
      bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *o) {
        found |= o->isAssignmentOp() && namedVariable(o->getArg(0)) == v;
        return true;
      }
    } writes;
    writes.v = v;
    writes.TraverseStmt(f->getBody());
    if (!isSet && !writes.found)
      return gridExtents(v->getInit());
  }
  if (e->getType()->isIntegerType())
    result[0] = e;
  return result;
}

/// True where two host expressions are the same text of variables that do not
/// change, constants and fields.
static bool isSame(ASTContext &ast, const Expr *a, const Expr *b) {
  FoldingSetNodeID x, y;
  a->IgnoreParenImpCasts()->Profile(x, ast, /*Canonical=*/true);
  b->IgnoreParenImpCasts()->Profile(y, ast, /*Canonical=*/true);
  return x == y && !a->HasSideEffects(ast);
}

std::array<std::optional<unsigned>, 3>
gridArguments(ASTContext &ast, ArrayRef<const CUDAKernelCallExpr *> calls) {
  std::array<std::optional<unsigned>, 3> result;
  for (unsigned d = 0; d != 3; ++d) {
    std::set<unsigned> agreed;
    for (auto [n, call] : enumerate(calls)) {
      std::set<unsigned> same;
      const Expr *extent = call->getConfig()->getNumArgs()
                               ? gridExtents(call->getConfig()->getArg(0))[d]
                               : nullptr;
      for (unsigned k = 0; extent && k != call->getNumArgs(); ++k)
        if (call->getArg(k)->getType()->isIntegerType() &&
            isSame(ast, extent, call->getArg(k)))
          same.insert(k);
      if (n == 0) {
        agreed = same;
        continue;
      }
      std::set<unsigned> both;
      for (unsigned k : agreed)
        if (same.count(k))
          both.insert(k);
      agreed = both;
    }
    // Two parameters with one value here may differ elsewhere.
    if (agreed.size() == 1)
      result[d] = *agreed.begin();
  }
  return result;
}

} // namespace convopt
