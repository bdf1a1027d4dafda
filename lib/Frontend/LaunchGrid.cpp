//===- LaunchGrid.cpp - What the host says about the grid -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `dim3 grid(B, M, Z); f<<<grid, block>>>(y, x, k, B, M, ...)`: grid.x is the
/// kernel's parameter B. A host expression is one over parameters where each of
/// its parts is the same expression as one argument, a constant, or a sum,
/// product or quotient of those.
///
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "VariableUse.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace llvm;
using namespace clang;

namespace convopt {
namespace {

/// Does a function assign to a variable, or to a field of it?
class WriteFinder : public RecursiveASTVisitor<WriteFinder> {
public:
  explicit WriteFinder(const VarDecl *v) : v(v) {}

  bool found = false;

  bool VisitBinaryOperator(BinaryOperator *b) {
    if (b->isAssignmentOp())
      note(b->getLHS());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *o) {
    if (o->isAssignmentOp())
      note(o->getArg(0));
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *u) {
    if (u->isIncrementDecrementOp() || u->getOpcode() == UO_AddrOf)
      note(u->getSubExpr());
    return true;
  }

private:
  void note(const Expr *e) {
    e = e->IgnoreParens();
    if (const auto *m = dyn_cast<MemberExpr>(e))
      e = m->getBase();
    found |= namedVariable(e) == v;
  }

  const VarDecl *v;
};

class HostExpressions {
public:
  HostExpressions(ASTContext &ast, const CUDAKernelCallExpr *call,
                  const Function &kernel)
      : ast(ast), call(call), kernel(kernel), names(kernel.signature()) {}

  LaunchFacts facts() const;

private:
  std::array<const Expr *, 3> extents(const Expr *e) const;
  std::optional<IndexExpr> value(const Expr *e) const;
  std::optional<IndexExpr> argument(const Expr *e) const;
  std::string sourceOf(const Expr *e, unsigned k) const;

  ASTContext &ast;
  const CUDAKernelCallExpr *call;
  const Function &kernel;
  std::vector<Parameter> names; // of the kernel's parameters
};

} // namespace

/// The initialiser of a local variable that nothing changes.
static const Expr *fixedValue(const Expr *e) {
  const VarDecl *v = namedVariable(e);
  const auto *f = v && v->isLocalVarDecl()
                      ? dyn_cast<FunctionDecl>(v->getDeclContext())
                      : nullptr;
  if (!f || !v->hasInit() || !f->getBody())
    return nullptr;
  WriteFinder writes(v);
  writes.TraverseStmt(f->getBody());
  return writes.found ? nullptr : v->getInit();
}

static const Expr *bare(const Expr *e) {
  while (true) {
    e = e->IgnoreParenImpCasts();
    if (const auto *full = dyn_cast<FullExpr>(e))
      e = full->getSubExpr();
    else if (const auto *m = dyn_cast<MaterializeTemporaryExpr>(e))
      e = m->getSubExpr();
    else if (const auto *cast = dyn_cast<CXXFunctionalCastExpr>(e);
             cast && cast->getType()->isRecordType())
      e = cast->getSubExpr();
    else
      return e;
  }
}

static bool isRecord(QualType type) {
  return !type.isNull() && type->isRecordType();
}

/// The parts of `dim3(a, b)`. Where a part depends on a template parameter, it
/// is not yet a call of a constructor, and a list has no type.
static SmallVector<const Expr *> partsOf(const Expr *e) {
  auto all = [](auto parts) {
    return SmallVector<const Expr *>(parts.begin(), parts.end());
  };
  if (const auto *c = dyn_cast<CXXConstructExpr>(e))
    return all(c->arguments());
  if (const auto *c = dyn_cast<CXXUnresolvedConstructExpr>(e);
      c && isRecord(c->getTypeAsWritten()))
    return all(c->arguments());
  if (const auto *list = dyn_cast<ParenListExpr>(e))
    return all(const_cast<ParenListExpr *>(list)->exprs());
  if (const auto *list = dyn_cast<InitListExpr>(e))
    return all(list->inits());
  return {};
}

/// The three extents of a dim3; null where not given or not understood.
std::array<const Expr *, 3> HostExpressions::extents(const Expr *e) const {
  std::array<const Expr *, 3> result{};
  e = bare(e);
  SmallVector<const Expr *> parts = partsOf(e);
  if (parts.size() == 1 &&
      (isa<InitListExpr>(parts[0]) || isRecord(parts[0]->getType())))
    return extents(parts[0]);
  for (unsigned k = 0; k < parts.size() && k < 3; ++k)
    if (!isa<CXXDefaultArgExpr>(parts[k]))
      result[k] = parts[k];
  if (!parts.empty())
    return result;
  if (!e->getType().isNull() && e->getType()->isIntegerType())
    result[0] = e;
  else if (const Expr *init = fixedValue(e); init && isRecord(e->getType()))
    return extents(init);
  return result;
}

/// Whether \p e does nothing but have a value; a member may be any where the
/// object's type depends on a template parameter, and is no call.
static bool isValue(const Expr *e, const ASTContext &ast) {
  const auto *m = dyn_cast<CXXDependentScopeMemberExpr>(e);
  if (m && !m->isImplicitAccess() && !m->isArrow())
    return namedVariable(m->getBase());
  return !e->HasSideEffects(ast);
}

/// \p e over parameter \p k of the kernel, where it is the argument there or a
/// field of it; else nothing.
std::string HostExpressions::sourceOf(const Expr *e, unsigned k) const {
  e = bare(e);
  FoldingSetNodeID id, other;
  e->Profile(id, ast, /*Canonical=*/true);
  const Expr *given = bare(call->getArg(k));
  if (const auto *copy = dyn_cast<CXXConstructExpr>(given);
      copy && copy->getNumArgs() == 1)
    given = bare(copy->getArg(0));
  given->Profile(other, ast, /*Canonical=*/true);
  if (id == other)
    return names[k].name;
  const auto *member = dyn_cast<MemberExpr>(e);
  if (!member || member->isArrow())
    return "";
  const std::string base = sourceOf(member->getBase(), k);
  return base.empty() ? ""
                      : base + "." + member->getMemberDecl()->getNameAsString();
}

/// The one parameter that gets \p e. Two with one value here may differ
/// elsewhere.
std::optional<IndexExpr> HostExpressions::argument(const Expr *e) const {
  std::optional<IndexExpr> found;
  for (unsigned k = 0; k != call->getNumArgs(); ++k) {
    const std::string source = sourceOf(e, k);
    auto a = find_if(kernel.arguments, [&](const Argument &a) {
      return a.role == Argument::ParamArg &&
             source == (a.isPart() ? a.source : a.name);
    });
    if (source.empty() || a == kernel.arguments.end())
      continue;
    if (found)
      return std::nullopt;
    found = IndexExpr::param(a->index);
  }
  return isValue(e->IgnoreParenImpCasts(), ast) ? found : std::nullopt;
}

std::optional<IndexExpr> HostExpressions::value(const Expr *e) const {
  e = bare(e);
  Expr::EvalResult known;
  if (!e->isValueDependent() && !e->getType().isNull() &&
      e->getType()->isIntegerType() && e->EvaluateAsInt(known, ast) &&
      !known.HasSideEffects && known.Val.getInt().getActiveBits() < 32)
    return IndexExpr(known.Val.getInt().getExtValue());
  if (std::optional<IndexExpr> a = argument(e))
    return a;
  if (const Expr *init = fixedValue(e))
    return value(init);
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (!b || !e->getType()->isIntegerType())
    return std::nullopt;
  std::optional<IndexExpr> l = value(b->getLHS());
  std::optional<IndexExpr> r = l ? value(b->getRHS()) : std::nullopt;
  if (!r)
    return std::nullopt;
  switch (b->getOpcode()) {
  case BO_Add:
    return *l + *r;
  case BO_Sub:
    return *l - *r;
  case BO_Mul:
    return *l * *r;
  case BO_Div:
    // Of a grid that a division makes negative there is no launch.
    if (r->asConstant().value_or(0) > 0)
      return IndexExpr::floorDiv(*l, *r);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

LaunchFacts HostExpressions::facts() const {
  LaunchFacts result;
  const CallExpr *config = call->getConfig();
  if (config->getNumArgs() < 2 || call->getNumArgs() != names.size())
    return result;
  std::array<const Expr *, 3> grid = extents(config->getArg(0)),
                              block = extents(config->getArg(1));
  // Where the kernel takes sizes, numbers are what one launch happens to be.
  const bool takesSizes = any_of(kernel.arguments, [](const Argument &a) {
    return a.role == Argument::ParamArg;
  });
  for (unsigned d = 0; d != 3; ++d) {
    if (grid[d])
      result.grid[d] = value(grid[d]);
    result.isUnknown[d] = grid[d] && !result.grid[d];
    if (result.grid[d] && result.grid[d]->isConstant() && takesSizes)
      result.grid[d].reset();
    if (std::optional<IndexExpr> b = block[d] ? value(block[d]) : std::nullopt)
      result.block[d] = b->asConstant();
  }
  return result;
}

LaunchFacts launchFacts(ASTContext &ast,
                        ArrayRef<const CUDAKernelCallExpr *> calls,
                        const Function &kernel) {
  LaunchFacts agreed;
  for (const CUDAKernelCallExpr *call : calls) {
    LaunchFacts facts = HostExpressions(ast, call, kernel).facts();
    if (call == calls.front())
      agreed = facts;
    for (unsigned d = 0; d != 3; ++d) {
      if (agreed.grid[d] != facts.grid[d])
        agreed.grid[d].reset();
      agreed.isUnknown[d] |= facts.isUnknown[d];
      if (agreed.block[d] != facts.block[d])
        agreed.block[d].reset();
    }
  }
  return agreed;
}

} // namespace convopt
