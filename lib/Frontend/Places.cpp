//===- Places.cpp - What pointers and subscripts refer to -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A pointer expression is an array parameter and subscripts; the last one is
/// where pointer arithmetic adds. Parameters are distinct arrays: as in
/// Fortran, and as `restrict` says, a caller does not pass overlapping ones.
///
//===----------------------------------------------------------------------===//

#include "ChosenPointers.h"
#include "Diagnostics.h"
#include "Half.h"
#include "NestBuilder.h"
#include "ReadOnly.h"
#include "Records.h"

using namespace llvm;
using namespace clang;

namespace convopt {

bool NestBuilder::isElement(const ArrayPlace &p) const {
  const size_t rank = p.subscripts.size() + p.rows;
  return rank == nest.arrays[p.array].extents.size() ||
         (!nest.arrays[p.array].isLocal() &&
          rank == sourceArrays[p.array].innerExtents.size() + 1);
}

/// A pointer is wider than an unsigned index, and adds what that wraps to.
void NestBuilder::obligeOffset(const Expr *by, const IndexExpr &e) {
  if (by->getType()->isUnsignedIntegerType() &&
      ast.getTypeSize(by->getType()) < ast.getTypeSize(ast.VoidPtrTy))
    oblige(e, by->getSourceRange(), "an unsigned index does not wrap");
}

std::optional<ArrayPlace> NestBuilder::offset(const Expr *base, const Expr *by,
                                              bool negated) {
  std::optional<ArrayPlace> p = pointer(base);
  std::optional<IndexExpr> e = p ? index(by) : std::nullopt;
  if (!e)
    return std::nullopt;
  if (!p->subscripts.back().isZero())
    obligeOffset(by, *e);
  e = inElements(*e, base, p->array);
  if (!e)
    return std::nullopt;
  if (negated)
    p->subscripts.back() -= *e;
  else
    p->subscripts.back() += *e;
  return p;
}

/// Why nobody says where \p e leads, which is \p otherwise where its type does
/// not tell, and what to do.
static std::pair<const char *, const char *> whyUnknown(const Expr *e,
                                                        const char *otherwise) {
  const QualType type = e->getType();
  const QualType to = type.isNull() ? type : type->getPointeeType();
  if (!to.isNull() && to->isPointerType())
    return {": it leads to pointers, and the rows behind them lie anywhere in "
            "memory",
            to->getPointeeType()->isPointerType()
                ? "lay all rows one after another in one array, and pass that: "
                  "in[(c * H + y) * W + x]"
                : "lay the rows one after another in one array, and pass that: "
                  "in[y * W + x]"};
  if (!to.isNull() && to->isVoidType())
    return {": it leads to void, which has no elements",
            "take a pointer to the elements, such as 'const float *'"};
  return {otherwise, "subscript the parameters themselves"};
}

static constexpr char severalArrays[] = "one of several arrays is chosen here";
static std::string chooseOne() {
  return "write 'if (...) ... else ...' with a statement for each array, or "
         "pass the one that is to be used; " +
         std::string(diag::TakeTurns);
}

std::optional<ArrayPlace> NestBuilder::pointer(const Expr *e) {
  e = e->IgnoreParens();
  if (const auto *cast = dyn_cast<CastExpr>(e)) {
    switch (cast->getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp:
    case CK_ArrayToPointerDecay:
    case CK_Dependent:
      if (cast->getCastKind() != CK_Dependent ||
          ast.hasSameType(cast->getType(), cast->getSubExpr()->getType()))
        return pointer(cast->getSubExpr());
      break;
    case CK_BitCast:
      if (std::optional<ArrayPlace> p = viewed(cast); p || pending)
        return p;
      break;
    default:
      break;
    }
    return none(diag::PointerCast, e->getSourceRange(),
                "this pointer is converted to another type",
                "subscript the parameter itself");
  }
  if (e->getType()->isPointerType() || e->getType()->isConstantArrayType() ||
      isa<UnresolvedLookupExpr>(e))
    if (std::optional<Binding> p = part(e))
      return p->place;
  if (std::optional<ArrayPlace> p = recordsAt(e); p || pending)
    return p;
  if (const auto *ref = dyn_cast<DeclRefExpr>(e)) {
    auto it = scope.find(named(ref));
    if (it == scope.end() && bindGlobal(named(ref), e->getSourceRange()))
      it = scope.find(named(ref));
    if (it != scope.end() && it->second.kind == Binding::Pointer) {
      for (const Obligation &o : it->second.divided)
        oblige(o);
      for (const IndexExpr &s : it->second.place.subscripts)
        noteUnknown(s, e->getSourceRange());
      return it->second.place;
    }
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    if (v && v->hasInit() && chosenPointer(v->getInit(), ast))
      return none(diag::PointerChoice, e->getSourceRange(), severalArrays,
                  chooseOne());
    const auto [why, remedy] =
        whyUnknown(ref, ": what it points at is not known here");
    return none(diag::Alias, e->getSourceRange(),
                "pointer '" + ref->getDecl()->getNameAsString() +
                    "' may alias" + why,
                remedy);
  }
  auto sum = [&](const Expr *lhs, const Expr *rhs, bool isLess) {
    bool onRight = !isLess && lhs->getType()->isIntegerType();
    return onRight ? offset(rhs, lhs, false) : offset(lhs, rhs, isLess);
  };
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (b && b->isAdditiveOp())
    return sum(b->getLHS(), b->getRHS(), b->getOpcode() == BO_Sub);
  // Of a template's type, whose name of some operator is in scope.
  const auto *o = dyn_cast<CXXOperatorCallExpr>(e);
  if (o && !visibleDefinition(o) && o->getNumArgs() == 2 &&
      is_contained({OO_Plus, OO_Minus}, o->getOperator()))
    return sum(o->getArg(0), o->getArg(1), o->getOperator() == OO_Minus);
  if (const auto c = containerElement(e)) { // a row of a view
    std::optional<ArrayPlace> p = elementOfContainer(*c);
    if (p)
      p->subscripts.push_back(0);
    return p;
  }
  if (const auto *call = dyn_cast<CallExpr>(e))
    if (const FunctionDecl *callee = visibleDefinition(call))
      return inlined(call, callee, /*hoists=*/false,
                     [&](const Expr *value) { return pointer(value); });
  const auto *u = dyn_cast<UnaryOperator>(e);
  if (u && u->getOpcode() == UO_AddrOf)
    return element(u->getSubExpr());
  if (std::optional<IndexExpr> by = offsetWithin(e)) {
    std::optional<ArrayPlace> p = pointer(u->getSubExpr());
    if (!p)
      return p;
    by = inElements(*by, u->getSubExpr(), p->array);
    if (!by)
      return std::nullopt;
    p->subscripts.back() += *by;
    return p;
  }
  if (isa<ArraySubscriptExpr>(e) || (u && u->getOpcode() == UO_Deref)) {
    // A sub-array, which decays to a pointer to its first element.
    ASSIGN_OR_RETURN(ArrayPlace p, element(e));
    if (!isElement(p)) {
      p.subscripts.push_back(0);
      return p;
    }
    if (e->getType()->isArrayType()) // a row of a view
      return p;
  }
  if (const auto *full = dyn_cast<FullExpr>(e))
    return pointer(full->getSubExpr());
  if (const auto *value = dyn_cast<MaterializeTemporaryExpr>(e))
    return pointer(value->getSubExpr());
  if (isa<ConditionalOperator>(e))
    return none(diag::PointerChoice, e->getSourceRange(), severalArrays,
                chooseOne());
  if (pending)
    return std::nullopt;
  if (refuseRecords(e))
    return std::nullopt;
  const auto [why, remedy] = whyUnknown(e, "");
  return none(diag::Alias, e->getSourceRange(),
              Twine("this pointer may alias") + why, remedy);
}

/// Whether \p e is a field of an element of an array of structures that are not
/// numbers of one type, which it then refuses.
bool NestBuilder::refuseRecords(const Expr *e) {
  const Expr *of = e->IgnoreParenImpCasts();
  const MemberExpr *outermost = nullptr;
  while (true) {
    if (const auto *s = dyn_cast<ArraySubscriptExpr>(of);
        s && s->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      of = s->getBase()->IgnoreParenImpCasts();
    else if (const auto *m = dyn_cast<MemberExpr>(of)) {
      outermost = m;
      of = m->getBase()->IgnoreParenImpCasts();
    } else
      break;
  }
  const QualType type = outermost ? objectType(of->getType()) : QualType();
  const RecordDecl *record = type.isNull() ? nullptr : type->getAsRecordDecl();
  const bool isElement =
      isa<ArraySubscriptExpr>(of) ||
      (isa<UnaryOperator>(of) && cast<UnaryOperator>(of)->isPrefix()) ||
      (outermost && outermost->isArrow());
  if (!record || !isElement || recordElements(type) ||
      attempt([&] { return object(of); })) // one that a parameter points at
    return false;
  std::string arrays;
  for (const auto &[k, f] : enumerate(record->fields())) {
    QualType number = f->getType();
    while (const ArrayType *a = ast.getAsArrayType(number))
      number = a->getElementType();
    if (k == 2 || !isNumber(number))
      break;
    arrays += (k ? " and '" : ", as '") +
              spelling(ast.getPointerType(number.getUnqualifiedType()),
                       f->getName()) +
              "'";
  }
  fail(diag::Field, e->getSourceRange(),
       "this is in an array of '" + spelling(type.getUnqualifiedType()) +
           "', which is not made of numbers of one type, so that it is no "
           "array of numbers",
       "keep each field in an array of its own" + arrays);
  return true;
}

/// Where \p e is a field of an element of a container, or of a table that is
/// no parameter, the structure that elements are; else null.
static const RecordDecl *structureIn(const Expr *e) {
  const Expr *of = e;
  while (const auto *m = dyn_cast<MemberExpr>(of))
    of = m->getBase()->IgnoreParenImpCasts();
  const auto *s = dyn_cast<ArraySubscriptExpr>(of);
  const auto *table =
      s ? dyn_cast<DeclRefExpr>(s->getBase()->IgnoreParenImpCasts()) : nullptr;
  const bool isTable = table && !isa<ParmVarDecl>(table->getDecl());
  return of != e && (isTable || containerElement(of))
             ? of->getType()->getAsRecordDecl()
             : nullptr;
}

std::optional<ArrayPlace> NestBuilder::element(const Expr *e) {
  e = e->IgnoreParens();
  if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
    bool swapped = s->getLHS()->getType()->isIntegerType();
    return swapped ? offset(s->getRHS(), s->getLHS(), false)
                   : offset(s->getLHS(), s->getRHS(), false);
  }
  if (const auto *u = dyn_cast<UnaryOperator>(e))
    if (u->getOpcode() == UO_Deref)
      return pointer(u->getSubExpr());
  if (const auto *cast = dyn_cast<ImplicitCastExpr>(e))
    if (cast->getCastKind() == CK_NoOp ||
        cast->getCastKind() == CK_LValueToRValue)
      return element(cast->getSubExpr());
  if (const Binding *b = bound(named(e), Binding::Element))
    return b->place;
  if (std::optional<ContainerElement> c = containerElement(e))
    return elementOfContainer(*c);
  if (const auto *call = dyn_cast<CallExpr>(e))
    if (const FunctionDecl *callee = visibleDefinition(call))
      return inlined(call, callee, /*hoists=*/false,
                     [&](const Expr *value) { return element(value); });
  if (const auto *m = dyn_cast<MemberExpr>(e))
    if (auto p = attempt([&] { return fieldAt(m); }))
      return p;
  if (const auto *member = dyn_cast<MemberExpr>(e); member && object(e))
    return none(diag::Field, e->getSourceRange(),
                "field '" + member->getMemberDecl()->getNameAsString() +
                    "' is written in the nest, or taken by its address",
                "use a variable of its own for what changes");
  if (const RecordDecl *r = structureIn(e))
    return none(diag::Container, e->getSourceRange(),
                "this is a field of an element of type '" +
                    r->getNameAsString() + "', which is no number",
                "keep each field in an array or a vector of its own");
  if (refuseRecords(e))
    return std::nullopt;
  return none(diag::Expression, e->getSourceRange(), notAnElement(e),
              isa<CXXOperatorCallExpr>(e) ? "take the data as a pointer" : "");
}

/// The element that \p p is.
Access NestBuilder::elementAt(ArrayPlace p) const {
  const size_t last = p.subscripts.size() - 1;
  for (; p.rows; --p.rows) {
    const IndexExpr &extent =
        sourceArrays[p.array].innerExtents[last + p.rows - 1];
    const IndexExpr all = p.subscripts[last];
    p.subscripts[last] = IndexExpr::floorDiv(all, extent);
    p.subscripts.insert(p.subscripts.begin() + last + 1,
                        IndexExpr::mod(all, extent));
  }
  return Access{p.array, std::move(p.subscripts)};
}

/// A scalar or an array element, as something that is read or written.
std::optional<Access> NestBuilder::access(const Expr *e) {
  e = e->IgnoreParens();
  const ValueDecl *d = named(e);
  if (d && !bound(d, Binding::Element)) {
    const Binding *local = bound(d, Binding::Local);
    if (local && nest.arrays[local->number].extents.empty())
      return Access{local->number, {}};
    return none(diag::Expression, e->getSourceRange(),
                "'" + d->getNameAsString() +
                    "' is neither an array element nor a variable of the nest");
  }
  ASSIGN_OR_RETURN(ArrayPlace p, element(e));
  if (isViewed(e->getType(), p.array))
    return none(diag::PointerCast, e->getSourceRange(),
                "an element of '" + nest.arrays[p.array].name +
                    "' is used as one of another type",
                "convert the pointer to the type that the array has");
  if (!isElement(p))
    return none(diag::WholeRow, e->getSourceRange(),
                "this is a whole row of an array");
  return elementAt(std::move(p));
}

} // namespace convopt
