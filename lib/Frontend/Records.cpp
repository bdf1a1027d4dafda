//===- Records.cpp - Structures of numbers --------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Records.h"
#include "ForEach.h"
#include "Half.h"
#include "Mentions.h"
#include "ReadOnly.h"

using namespace llvm;
using namespace clang;

namespace convopt {

std::vector<const FieldDecl *> recordFields(QualType type) {
  const RecordDecl *r =
      type.isNull() ? nullptr : type.getNonReferenceType()->getAsRecordDecl();
  r = r ? r->getDefinition() : nullptr;
  const auto *c = dyn_cast_or_null<CXXRecordDecl>(r);
  if (!r || r->isUnion() || r->isDependentContext() || isHalf(type) ||
      (c && (c->getNumBases() || c->isPolymorphic() || c->isLambda() ||
             !c->isTriviallyCopyable())))
    return {};
  std::vector<const FieldDecl *> fields(r->field_begin(), r->field_end());
  const bool areNumbers = all_of(fields, [](const FieldDecl *f) {
    const QualType t = f->getType();
    return isNumber(t) && !t->isBooleanType() && !t.isVolatileQualified() &&
           !f->isBitField() && !f->isMutable() && f->getIdentifier();
  });
  return areNumbers ? fields : std::vector<const FieldDecl *>();
}

std::optional<RecordElements> recordElements(QualType type) {
  const std::vector<const FieldDecl *> fields = recordFields(type);
  if (fields.empty())
    return std::nullopt;
  const ASTContext &ast = fields.front()->getASTContext();
  const QualType element = fields.front()->getType().getUnqualifiedType();
  const bool areSame = all_of(fields, [&](const FieldDecl *f) {
    return ast.hasSameUnqualifiedType(f->getType(), element);
  });
  if (!areSame || ast.getTypeSize(type.getNonReferenceType()) !=
                      fields.size() * ast.getTypeSize(element))
    return std::nullopt;
  return RecordElements{element, int64_t(fields.size())};
}

/// The implicit variable \p name of \p function, made where there is none: one
/// for each \p at.
static const VarDecl *implicitVariable(const DeclContext *function,
                                       SourceLocation at, StringRef name,
                                       QualType type) {
  auto *context = const_cast<DeclContext *>(function);
  for (const Decl *d : context->decls())
    if (const auto *v = dyn_cast<VarDecl>(d);
        v && v->isImplicit() && v->getLocation() == at && v->getName() == name)
      return v;
  ASTContext &ast = context->getParentASTContext();
  VarDecl *v =
      VarDecl::Create(ast, context, at, at, &ast.Idents.get(name), type,
                      ast.getTrivialTypeSourceInfo(type, at), SC_None);
  v->setImplicit();
  context->addHiddenDecl(v);
  return v;
}

const VarDecl *fieldVariable(const VarDecl *v, const FieldDecl *f) {
  QualType type = f->getType();
  if (v->getType().getNonReferenceType().isConstQualified())
    type.addConst();
  return implicitVariable(v->getDeclContext(), v->getLocation(),
                          (v->getName() + "_" + f->getName()).str(), type);
}

const VarDecl *fieldOfThis(const FieldDecl *f) {
  // The first method, of which there is one that has `this`.
  for (const Decl *d : f->getParent()->decls()) {
    const auto *t = dyn_cast<FunctionTemplateDecl>(d);
    const auto *m = dyn_cast<CXXMethodDecl>(t ? t->getTemplatedDecl() : d);
    if (m)
      return implicitVariable(m, m->getLocation(), f->getName(), f->getType());
  }
  return nullptr;
}

/// What \p m is a field of, through `*` and `->`.
static const Expr *ownerOf(const MemberExpr *m) {
  const Expr *base = m->getBase()->IgnoreParenImpCasts();
  const auto *u = dyn_cast<UnaryOperator>(base);
  return u && u->getOpcode() == UO_Deref
             ? u->getSubExpr()->IgnoreParenImpCasts()
             : base;
}

const VarDecl *memberVariable(const MemberExpr *m) {
  const auto *f = dyn_cast<FieldDecl>(m->getMemberDecl());
  if (!f || recordFields(f->getASTContext().getCanonicalTagType(f->getParent()))
                .empty())
    return nullptr;
  const Expr *owner = ownerOf(m);
  if (isa<CXXThisExpr>(owner))
    return fieldOfThis(f);
  const auto *ref = dyn_cast<DeclRefExpr>(owner);
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return v && !v->hasGlobalStorage() ? fieldVariable(v, f) : nullptr;
}

const Expr *withoutCopies(const Expr *e) {
  while (true) {
    e = e->IgnoreParens();
    if (const auto *full = dyn_cast<FullExpr>(e))
      e = full->getSubExpr();
    else if (const auto *m = dyn_cast<MaterializeTemporaryExpr>(e))
      e = m->getSubExpr();
    else if (const auto *c = dyn_cast<CastExpr>(e);
             c && is_contained(
                      {CK_NoOp, CK_LValueToRValue, CK_ConstructorConversion},
                      c->getCastKind()))
      e = c->getSubExpr();
    else if (const auto *made = dyn_cast<CXXConstructExpr>(e);
             made && made->getNumArgs() == 1 &&
             made->getConstructor()->isCopyOrMoveConstructor())
      e = made->getArg(0);
    else if (const auto *literal = dyn_cast<CompoundLiteralExpr>(e))
      e = literal->getInitializer();
    else if (const auto *list = dyn_cast<InitListExpr>(e);
             list && list->getNumInits() == 1 &&
             list->getType()->isRecordType() &&
             list->getInit(0)->getType()->isRecordType())
      e = list->getInit(0);
    else
      return e;
  }
}

/// The definition of \p c where it does nothing but initialise, else null.
static const CXXConstructorDecl *onlyInitialises(const CXXConstructorDecl *c) {
  const FunctionDecl *definition = nullptr;
  const auto *body = c->hasBody(definition)
                         ? dyn_cast<CompoundStmt>(definition->getBody())
                         : nullptr;
  return body && body->body_empty() ? cast<CXXConstructorDecl>(definition)
                                    : nullptr;
}

bool leavesUnset(const Expr *init, const FieldDecl *f) {
  const auto *made = dyn_cast<CXXConstructExpr>(withoutCopies(init));
  if (!made || made->requiresZeroInitialization() ||
      made->getConstructor()->isCopyOrMoveConstructor())
    return false;
  const CXXConstructorDecl *c = made->getConstructor();
  if (c->isTrivial())
    return true;
  c = onlyInitialises(c);
  return c && !c->isDelegatingConstructor() &&
         none_of(c->inits(), [&](const CXXCtorInitializer *one) {
           return one->getMember() == f;
         });
}

/// What \p e, the value of a field, is where it is written at the field.
static const Expr *ofDefault(const Expr *e) {
  const auto *usual = dyn_cast<CXXDefaultInitExpr>(e);
  return usual ? usual->getExpr() : e;
}

/// What \p made, a constructor's call, gives field \p f; null where that is not
/// seen at once.
static const Expr *constructed(const CXXConstructExpr *made,
                               const FieldDecl *f) {
  const ASTContext &ast = f->getASTContext();
  if (!made->getNumArgs() && made->requiresZeroInitialization())
    return new (ast) ImplicitValueInitExpr(f->getType());
  const CXXConstructorDecl *c = onlyInitialises(made->getConstructor());
  if (!c)
    return nullptr;
  for (const CXXCtorInitializer *one : c->inits()) {
    if (one->getMember() != f)
      continue;
    const Expr *value = ofDefault(one->getInit())->IgnoreParenImpCasts();
    if (const auto *list = dyn_cast<InitListExpr>(value);
        list && list->getNumInits() == 1)
      value = list->getInit(0)->IgnoreParenImpCasts();
    const auto *ref = dyn_cast<DeclRefExpr>(value);
    const auto *p = ref ? dyn_cast<ParmVarDecl>(ref->getDecl()) : nullptr;
    if (!p || !ast.hasSameUnqualifiedType(p->getType().getNonReferenceType(),
                                          f->getType()))
      return value->isEvaluatable(ast) ? value : nullptr;
    const Expr *given = made->getArg(p->getFunctionScopeIndex());
    if (const auto *usual = dyn_cast<CXXDefaultArgExpr>(given))
      return usual->getExpr();
    return given;
  }
  return nullptr;
}

const Expr *memberOf(const Expr *e, const FieldDecl *f) {
  ASTContext &ast = f->getASTContext();
  const unsigned k = f->getFieldIndex();
  const Expr *bare = withoutCopies(e);
  if (const auto *list = dyn_cast<InitListExpr>(bare)) {
    if (k < list->getNumInits())
      return ofDefault(list->getInit(k));
    return new (ast) ImplicitValueInitExpr(f->getType());
  }
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(bare))
    return new (ast) ImplicitValueInitExpr(f->getType());
  if (const auto *made = dyn_cast<CXXConstructExpr>(bare))
    if (const Expr *value = constructed(made, f))
      return value;
  if (const auto *c = dyn_cast<ConditionalOperator>(bare)) {
    const Expr *yes = memberOf(c->getTrueExpr(), f),
               *no = memberOf(c->getFalseExpr(), f);
    return new (ast) ConditionalOperator(
        c->getCond(), c->getQuestionLoc(), const_cast<Expr *>(yes),
        c->getColonLoc(), const_cast<Expr *>(no),
        f->getType().getUnqualifiedType(), VK_PRValue, OK_Ordinary);
  }
  const auto *call = dyn_cast<CallExpr>(bare);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  // Of CUDA's headers, whose functions have no body here.
  if (callee && callee->getIdentifier() &&
      callee->getName().starts_with("make_") && !visibleDefinition(call) &&
      call->getNumArgs() == recordFields(call->getType()).size())
    return call->getArg(k);
  return MemberExpr::CreateImplicit(
      ast, const_cast<Expr *>(bare), bare->getType()->isPointerType(),
      const_cast<FieldDecl *>(f), f->getType(), VK_LValue, OK_Ordinary);
}

const CallExpr *callOfMember(const MemberExpr *e) {
  const auto *call = dyn_cast<CallExpr>(withoutCopies(e->getBase()));
  return call && !e->isArrow() && visibleDefinition(call) &&
                 !recordFields(call->getType()).empty()
             ? call
             : nullptr;
}

std::pair<const Expr *, const Expr *> recordAssignment(const Stmt *s) {
  if (const auto *b = dyn_cast<BinaryOperator>(s);
      b && b->getOpcode() == BO_Assign &&
      !recordFields(b->getLHS()->getType()).empty())
    return {b->getLHS(), b->getRHS()};
  const auto *o = dyn_cast<CXXOperatorCallExpr>(s);
  const auto *m = o && o->getOperator() == OO_Equal
                      ? dyn_cast_or_null<CXXMethodDecl>(o->getDirectCallee())
                      : nullptr;
  if (m && (m->isCopyAssignmentOperator() || m->isMoveAssignmentOperator()) &&
      m->isTrivial() && !recordFields(o->getArg(0)->getType()).empty())
    return {o->getArg(0), o->getArg(1)};
  return {nullptr, nullptr};
}

/// The field of \p v that \p s sets, and to what; else null.
static std::pair<const FieldDecl *, const Expr *> fieldSet(const Stmt *s,
                                                           const VarDecl *v) {
  const auto *b = dyn_cast<BinaryOperator>(s);
  const auto *m = b && b->getOpcode() == BO_Assign
                      ? dyn_cast<MemberExpr>(b->getLHS()->IgnoreParens())
                      : nullptr;
  const auto *ref =
      m ? dyn_cast<DeclRefExpr>(m->getBase()->IgnoreParens()) : nullptr;
  if (!ref || ref->getDecl() != v)
    return {nullptr, nullptr};
  return {dyn_cast<FieldDecl>(m->getMemberDecl()), b->getRHS()};
}

std::optional<BuiltRecord> builtRecord(ArrayRef<const Stmt *> body) {
  const auto *r = body.empty() ? nullptr : dyn_cast<ReturnStmt>(body.back());
  const Expr *returned = r ? r->getRetValue() : nullptr;
  const auto *ref =
      returned ? dyn_cast<DeclRefExpr>(withoutCopies(returned)) : nullptr;
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (!v || !v->isLocalVarDecl() || v->isStaticLocal())
    return std::nullopt;
  const std::vector<const FieldDecl *> fields = recordFields(v->getType());
  const auto *declares = find_if(body, [&](const Stmt *s) {
    const auto *d = dyn_cast<DeclStmt>(s);
    return d && d->isSingleDecl() && d->getSingleDecl() == v;
  });
  if (fields.empty() || declares == body.end())
    return std::nullopt;
  const ArrayRef<const Stmt *> before = body.drop_back();
  size_t first = before.size() - 1;
  const Expr *value = nullptr;
  const auto *full = dyn_cast<FullExpr>(before.back());
  const auto [target, whole] =
      recordAssignment(full ? full->getSubExpr() : before.back());
  if (declares == &before.back()) {
    value = v->getInit();
  } else if (target && mentions(target, v) && !mentions(whole, v) &&
             isa<DeclRefExpr>(target->IgnoreParens())) {
    value = whole;
  } else if (before.size() > fields.size()) {
    first = before.size() - fields.size();
    SmallVector<Expr *> values(fields.size());
    for (const Stmt *s : before.drop_front(first))
      if (const auto [f, set] = fieldSet(s, v); f && !mentions(set, v))
        values[f->getFieldIndex()] = const_cast<Expr *>(set);
    if (is_contained(values, nullptr))
      return std::nullopt;
    auto *list = new (v->getASTContext()) InitListExpr(
        v->getASTContext(), r->getBeginLoc(), values, r->getEndLoc());
    list->setType(v->getType().getUnqualifiedType());
    value = list;
  }
  const bool isOnlyBuilt = all_of(before.take_front(first), [&](const Stmt *s) {
    return s == *declares || !mentions(s, v);
  });
  if (!value || !isOnlyBuilt || leavesUnset(value, fields.front()))
    return std::nullopt;
  return BuiltRecord{*declares, first, value};
}

DeclRefExpr *addedVariable(const DeclContext *function, SourceLocation at,
                           StringRef name, QualType type) {
  auto *v = const_cast<VarDecl *>(implicitVariable(function, at, name, type));
  return DeclRefExpr::Create(
      v->getASTContext(), NestedNameSpecifierLoc(), SourceLocation(), v,
      /*RefersToEnclosingVariableOrCapture=*/false, at, type, VK_LValue);
}

} // namespace convopt
