//===- ReadOnly.cpp - Functions without side effects ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadOnly.h"
#include "ForEach.h"
#include "Records.h"
#include "convopt/Nest/MathFunctions.h"
#include "clang/Basic/SourceManager.h"
#include <set>

using namespace llvm;
using namespace clang;

namespace convopt {

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
    if (const auto *ref = dyn_cast<DeclRefExpr>(written))
      result.name = ref->getDecl()->getNameAsString();
    else if (const auto *open = dyn_cast<DependentScopeDeclRefExpr>(written))
      result.name = open->getDeclName().getAsString();
    else if (const auto *open = dyn_cast<CXXDependentScopeMemberExpr>(written))
      result.name = open->getMember().getAsString();
    else if (result.name.empty())
      result.name = "a pointer";
    return result;
  }
  result.name = callee->getNameAsString();
  const DeclContext *home = callee->getDeclContext()->getRedeclContext();
  // Some overloads of a function of std are those of C.
  const auto *open = dyn_cast<UnresolvedLookupExpr>(written);
  result.isStd = callee->isInStdNamespace() ||
                 (open && any_of(open->decls(), [](const NamedDecl *d) {
                    return d->getUnderlyingDecl()->isInStdNamespace();
                  }));
  // A definition in the user's own file may do anything.
  const SourceManager &sm = callee->getASTContext().getSourceManager();
  const auto *f = dyn_cast<FunctionDecl>(callee);
  const FunctionDecl *definition = nullptr;
  bool isOwn = f && f->hasBody(definition) &&
               sm.isInMainFile(sm.getExpansionLoc(definition->getLocation()));
  const DeviceForm form = deviceForm(result.name);
  result.name = form.name.str();
  result.rest = form.rest.str();
  const bool isClamp = result.isStd && result.name == "clamp" &&
                       call->getNumArgs() == 3; // with no other comparison
  result.isPure = isClamp || (isMathFunction(result.name) && !isOwn &&
                              (home->isTranslationUnit() || result.isStd));
  return result;
}

/// The elements of `{a, b, c}`, or null.
static const InitListExpr *listOf(const Expr *e) {
  e = e->IgnoreParenImpCasts();
  if (const auto *made = dyn_cast<CXXStdInitializerListExpr>(e))
    e = made->getSubExpr()->IgnoreImplicit();
  return dyn_cast<InitListExpr>(e);
}

SmallVector<const Expr *> comparedBy(const CallExpr *call) {
  if (!call->getNumArgs() || call->getNumArgs() > 2)
    return {};
  const InitListExpr *list = listOf(call->getArg(0));
  if (call->getNumArgs() == 2) // of a list, with a comparison
    return list ? SmallVector<const Expr *>()
                : SmallVector<const Expr *>(call->arguments());
  return list ? SmallVector<const Expr *>(list->inits())
              : SmallVector<const Expr *>();
}

bool isLambda(const FunctionDecl *f) {
  const auto *method = dyn_cast<CXXMethodDecl>(f);
  return method && method->getParent()->isLambda();
}

std::vector<std::pair<const ParmVarDecl *, Expr *>>
argumentsOf(CallExpr *call, const FunctionDecl *callee) {
  // Of an operator, the first argument is the object.
  const unsigned first =
      isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(callee);
  std::vector<std::pair<const ParmVarDecl *, Expr *>> result;
  // A call that depends on a template has no default arguments yet.
  for (auto [k, p] : enumerate(callee->parameters()))
    if (first + k < call->getNumArgs())
      result.emplace_back(p, call->getArg(first + k));
  return result;
}

const Expr *objectOf(const CallExpr *call) {
  const auto *m = dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
  if (!m || m->isStatic() || isLambda(m))
    return nullptr;
  if (isa<CXXOperatorCallExpr>(call))
    return call->getArg(0);
  const auto *member =
      dyn_cast<MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
  return member ? member->getBase() : nullptr;
}

bool readsElement(const Stmt *s) {
  if (isa<ArraySubscriptExpr, CXXOperatorCallExpr>(s))
    return true;
  if (const auto *u = dyn_cast<UnaryOperator>(s);
      u && u->getOpcode() == UO_Deref)
    return true;
  if (const auto *ref = dyn_cast<DeclRefExpr>(s))
    if (const auto *v = dyn_cast<VarDecl>(ref->getDecl()); v && v->getInit())
      return readsElement(v->getInit());
  return any_of(s->children(),
                [](const Stmt *part) { return part && readsElement(part); });
}

std::string whyNotVisible(const CallExpr *call) {
  const FunctionDecl *f = call->getDirectCallee();
  if (isa<CUDAKernelCallExpr>(call))
    return "it launches a kernel";
  if (!f)
    return "which function that is depends on values or types";
  if (const auto *method = dyn_cast<CXXMethodDecl>(f);
      method && method->isVirtual())
    return "it is virtual";
  return f->isVariadic() ? "it takes any number of arguments"
                         : "its body is not in the program's own files";
}

std::string notAnElement(const Expr *e) {
  const auto *o = dyn_cast<CXXOperatorCallExpr>(e);
  if (!o || o->getOperator() != OO_Subscript)
    return "this is not an array element";
  PrintingPolicy policy{LangOptions()};
  policy.adjustForCPlusPlus();
  return "an element of '" +
         o->getArg(0)->getType().getUnqualifiedType().getAsString(policy) +
         "' comes from an operator whose body is not in the program's own "
         "files";
}

/// The name of one function that a template calls before it is known with which
/// types.
static const UnresolvedLookupExpr *openCallee(const CallExpr *call) {
  const auto *open =
      dyn_cast<UnresolvedLookupExpr>(call->getCallee()->IgnoreParenImpCasts());
  return open && open->getNumDecls() == 1 ? open : nullptr;
}

static const NamedDecl *declOf(const UnresolvedLookupExpr *open) {
  return (*open->decls_begin())->getUnderlyingDecl();
}

/// The function template that another one calls, both with the same types: of
/// parameters whose types are the callee's, arguments have the caller's in the
/// same places of its list, so that they are the same to Clang.
static const FunctionDecl *openTemplate(const CallExpr *call) {
  const UnresolvedLookupExpr *open = openCallee(call);
  const auto *t = open ? dyn_cast<FunctionTemplateDecl>(declOf(open)) : nullptr;
  const FunctionDecl *f = t ? t->getTemplatedDecl() : nullptr;
  if (!f || f->getNumParams() != call->getNumArgs() ||
      open->hasExplicitTemplateArgs())
    return nullptr;
  const ASTContext &ast = f->getASTContext();
  std::set<unsigned> deduced;
  for (const auto &[p, argument] : zip(f->parameters(), call->arguments())) {
    const QualType type = p->getType().getNonReferenceType();
    const auto *of = type->getAs<TemplateTypeParmType>();
    if (!type->isDependentType())
      continue;
    if (!of || !ast.hasSameUnqualifiedType(
                   type, argument->IgnoreParenImpCasts()->getType()))
      return nullptr;
    deduced.insert(of->getIndex());
  }
  return deduced.size() == t->getTemplateParameters()->size() ? f : nullptr;
}

/// CUDA's read through the read-only cache, which is a read like any other.
static const FunctionDecl *cachedRead(const CallExpr *call) {
  const NamedDecl *callee = call->getDirectCallee();
  if (const UnresolvedLookupExpr *open = openCallee(call))
    callee = declOf(open);
  if (const auto *t = dyn_cast_or_null<FunctionTemplateDecl>(callee))
    callee = t->getTemplatedDecl();
  const auto *f = dyn_cast_or_null<FunctionDecl>(callee);
  return f && f->getDeclName().isIdentifier() && f->getName() == "__ldg"
             ? f
             : nullptr;
}

/// Whether \p f computes with structures of numbers, as those of cuComplex.h
/// do, which have no other meaning than their bodies.
static bool isOfRecords(const FunctionDecl *f) {
  auto isRecord = [](QualType t) {
    return !t->isReferenceType() && !recordFields(t).empty();
  };
  return isRecord(f->getReturnType()) ||
         any_of(f->parameters(),
                [&](const ParmVarDecl *p) { return isRecord(p->getType()); });
}

const FunctionDecl *visibleDefinition(const CallExpr *call) {
  const FunctionDecl *read = cachedRead(call), *open = openTemplate(call),
                     *f = read   ? read
                          : open ? open
                                 : call->getDirectCallee(),
                     *definition = nullptr;
  if (!f || isa<CUDAKernelCallExpr>(call) || f->isVariadic() ||
      !f->hasBody(definition) || !isa<CompoundStmt>(definition->getBody()))
    return nullptr;
  if (const auto *method = dyn_cast<CXXMethodDecl>(f))
    if (method->isVirtual())
      return nullptr;
  const SourceManager &sm = f->getASTContext().getSourceManager();
  const bool isOfSystem =
      sm.isInSystemHeader(sm.getExpansionLoc(definition->getLocation()));
  return isOfSystem && !read && !isOfRecords(f) ? nullptr : definition;
}

/// Whether all that names \p v, an array that nothing outside of the file can
/// name, reads an element or asks for a size.
static bool isOnlyRead(const VarDecl *v) {
  size_t names = 0, reads = 0;
  auto visit = [&](const auto *root) {
    forEach<Stmt>(root, [&](const Stmt *s) {
      if (const auto *ref = dyn_cast<DeclRefExpr>(s))
        names += ref->getDecl() == v;
      if (const auto *size = dyn_cast<UnaryExprOrTypeTraitExpr>(s);
          size && !size->isArgumentType())
        forEach<DeclRefExpr>(size->getArgumentExpr(), [&](const auto *ref) {
          names -= ref->getDecl() == v;
        });
      const auto *load = dyn_cast<ImplicitCastExpr>(s);
      const auto *element =
          load && load->getCastKind() == CK_LValueToRValue
              ? dyn_cast<ArraySubscriptExpr>(load->getSubExpr()->IgnoreParens())
              : nullptr;
      const auto *base =
          element
              ? dyn_cast<DeclRefExpr>(element->getBase()->IgnoreParenImpCasts())
              : nullptr;
      reads += base && base->getDecl() == v;
    });
  };
  const auto *f = dyn_cast_or_null<Decl>(v->getParentFunctionOrMethod());
  const SourceManager &sm = v->getASTContext().getSourceManager();
  if (f)
    visit(f);
  else if (v->isFileVarDecl() && !v->isExternallyVisible())
    for (const Decl *d : v->getASTContext().getTranslationUnitDecl()->decls())
      if (!sm.isBeforeInTranslationUnit(d->getEndLoc(), v->getLocation()))
        visit(d);
  return reads && names == reads;
}

std::vector<int64_t> tableOf(const VarDecl *v) {
  const VarDecl *definition = v ? v->getInitializingDeclaration() : nullptr;
  const auto *type = dyn_cast_or_null<ConstantArrayType>(
      definition ? definition->getType()->getAsArrayTypeUnsafe() : nullptr);
  const QualType of = type ? type->getElementType() : QualType();
  if (!type || !of->isIntegerType() || of.isVolatileQualified() ||
      type->getZExtSize() > 32 || !definition->getInit() ||
      definition->getInit()->isValueDependent() ||
      (!of.isConstQualified() && !isOnlyRead(definition)))
    return {};
  const APValue *value = definition->evaluateValue();
  std::vector<int64_t> all;
  for (uint64_t k = 0; value && value->isArray() && k != value->getArraySize();
       ++k)
    all.push_back((k < value->getArrayInitializedElts()
                       ? value->getArrayInitializedElt(k)
                       : value->getArrayFiller())
                      .getInt()
                      .getExtValue());
  return all;
}

} // namespace convopt
