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

#include "ForEach.h"
#include "Launches.h"
#include "VariableUse.h"

using namespace llvm;
using namespace clang;

namespace convopt {
namespace {

class HostExpressions {
public:
  HostExpressions(ASTContext &ast, const CUDAKernelCallExpr *call,
                  NestBuilder &b)
      : ast(ast), call(call), b(b), kernel(b.nest.function),
        names(kernel.signature()) {}

  LaunchFacts facts(bool ofGrid) const;

private:
  std::array<const Expr *, 3> extents(const Expr *e) const;
  std::optional<IndexExpr> value(const Expr *e) const;
  std::optional<int64_t> number(const Expr *e) const;
  std::optional<IndexExpr> argument(const Expr *e) const;
  std::string sourceOf(const Expr *e, unsigned k) const;
  bool isSame(const Expr *a, const Expr *b) const;
  bool isPart(const Expr *e, StringRef part) const;
  std::optional<IndexExpr> unreadPart(const Expr *e) const;

  ASTContext &ast;
  const CUDAKernelCallExpr *call;
  NestBuilder &b;
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
  bool isWritten = false; // it, or a field of it
  forEach<Expr>(f->getBody(), [&](Expr *e) {
    const auto *b = dyn_cast<BinaryOperator>(e);
    const auto *o = dyn_cast<CXXOperatorCallExpr>(e);
    const auto *u = dyn_cast<UnaryOperator>(e);
    const Expr *target =
        b && b->isAssignmentOp()   ? b->getLHS()
        : o && o->isAssignmentOp() ? o->getArg(0)
        : u && (u->isIncrementDecrementOp() || u->getOpcode() == UO_AddrOf)
            ? u->getSubExpr()
            : nullptr;
    target = target ? target->IgnoreParens() : nullptr;
    if (const auto *m = dyn_cast_or_null<MemberExpr>(target))
      target = m->getBase();
    isWritten |= target && namedVariable(target) == v;
  });
  return isWritten ? nullptr : v->getInit();
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
  else if (isRecord(e->getType()))
    result = {valueOfPart(e, "x"), valueOfPart(e, "y"), valueOfPart(e, "z")};
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

bool HostExpressions::isSame(const Expr *a, const Expr *b) const {
  FoldingSetNodeID id, other;
  a->Profile(id, ast, /*Canonical=*/true);
  b->Profile(other, ast, /*Canonical=*/true);
  return id == other;
}

/// \p e over parameter \p k of the kernel, where it is the argument there or a
/// field of it; else nothing.
std::string HostExpressions::sourceOf(const Expr *e, unsigned k) const {
  e = bare(e);
  if (isSame(e, bare(call->getArg(k))))
    return names[k].name;
  const auto *member = dyn_cast<MemberExpr>(e);
  if (!member || member->isArrow())
    return "";
  const std::string base = sourceOf(member->getBase(), k);
  return base.empty() ? ""
                      : base + "." + member->getMemberDecl()->getNameAsString();
}

/// Whether \p e is the value of \p part of an argument, such as `d.in.h`, or
/// what the host puts into it.
bool HostExpressions::isPart(const Expr *e, StringRef part) const {
  auto [object, path] = part.split('.');
  auto k = find_if(names, [&](const Parameter &p) { return p.name == object; });
  if (path.empty() || k == names.end())
    return false;
  const unsigned number = k - names.begin();
  const Expr *value = valueOfPart(call->getArg(number), path);
  return sourceOf(e, number) == part || (value && isSame(bare(e), value));
}

/// The one part of an argument that \p e is, where the kernel does not read it:
/// from now on a parameter of the nest.
std::optional<IndexExpr> HostExpressions::unreadPart(const Expr *e) const {
  std::vector<NestBuilder::SizePart> found = b.sizeParts();
  erase_if(found, [&](const auto &p) { return !isPart(e, p.text); });
  return found.size() == 1 ? std::optional(b.take(found.front()))
                           : std::nullopt;
}

/// The one parameter that gets \p e. Two with one value here may differ
/// elsewhere.
std::optional<IndexExpr> HostExpressions::argument(const Expr *e) const {
  if (!isValue(e->IgnoreParenImpCasts(), ast))
    return std::nullopt;
  auto isIt = [&](const Argument &a) {
    if (a.isPart())
      return isPart(e, a.text());
    return any_of(enumerate(names), [&](auto p) {
      return p.value().name == a.name && sourceOf(e, p.index()) == a.name;
    });
  };
  std::optional<IndexExpr> found;
  for (const Argument &a : kernel.arguments) {
    if (a.role != Argument::ParamArg || !isIt(a))
      continue;
    if (found)
      return std::nullopt;
    found = IndexExpr::param(a.index);
  }
  return found ? found : unreadPart(e);
}

static std::optional<int64_t> constant(const Expr *e, const ASTContext &ast) {
  Expr::EvalResult known;
  if (!e->isValueDependent() && !e->getType().isNull() &&
      e->getType()->isIntegerType() && e->EvaluateAsInt(known, ast) &&
      !known.HasSideEffects && known.Val.getInt().getActiveBits() < 32)
    return known.Val.getInt().getExtValue();
  return std::nullopt;
}

std::optional<IndexExpr> HostExpressions::value(const Expr *e) const {
  e = bare(e);
  // A number is many things' value, a constant's name one thing's.
  std::optional<IndexExpr> named =
      namedVariable(e) ? argument(e) : std::nullopt;
  if (named)
    return named;
  if (std::optional<int64_t> c = constant(e, ast))
    return IndexExpr(*c);
  if (std::optional<IndexExpr> a = argument(e))
    return a;
  if (const Expr *init = fixedValue(e))
    return value(init);
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (!b || !e->getType()->isIntegerType())
    return std::nullopt;
  std::optional<IndexExpr> l = value(b->getLHS());
  ASSIGN_OR_RETURN(IndexExpr r, l ? value(b->getRHS()) : std::nullopt);
  switch (b->getOpcode()) {
  case BO_Add:
    return *l + r;
  case BO_Sub:
    return *l - r;
  case BO_Mul:
    return *l * r;
  case BO_Div:
    // Of a grid that a division makes negative there is no launch.
    if (r.asConstant().value_or(0) > 0)
      return IndexExpr::floorDiv(*l, r);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// The number that \p e is, or that the variable is set to.
std::optional<int64_t> HostExpressions::number(const Expr *e) const {
  e = bare(e);
  const Expr *init = fixedValue(e);
  return init ? number(init) : constant(e, ast);
}

LaunchFacts HostExpressions::facts(bool ofGrid) const {
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
    if (ofGrid && grid[d])
      result.grid[d] = value(grid[d]);
    result.isUnknown[d] = grid[d] && !result.grid[d];
    if (result.grid[d] && result.grid[d]->isConstant() && takesSizes)
      result.grid[d].reset();
    if (block[d])
      result.block[d] = number(block[d]);
    else if (block[0]) // what is left out is 1
      result.block[d] = 1;
  }
  return result;
}

LaunchFacts launchFacts(ASTContext &ast,
                        ArrayRef<const CUDAKernelCallExpr *> calls,
                        NestBuilder &kernel, bool ofGrid) {
  LaunchFacts agreed;
  for (const CUDAKernelCallExpr *call : calls) {
    LaunchFacts facts = HostExpressions(ast, call, kernel).facts(ofGrid);
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
