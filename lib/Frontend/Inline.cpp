//===- Inline.cpp - Calls of functions with a visible body ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The body of a function stands in the place of its call, with the arguments
/// in the place of its parameters. So the tiled code needs no declaration of
/// it, which C hides from CUDA, and indices, bounds, conditions and elements
/// that come from a call are what they would be without it.
///
/// Arguments are read where the call stands, and converted as parameters are.
/// A parameter that the body changes is a variable of the nest.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Half.h"
#include "NestBuilder.h"
#include "ReadOnly.h"
#include "Records.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// What \p e refers to: another name of a variable is the variable.
const ValueDecl *NestBuilder::named(const Expr *e) const {
  e = e->IgnoreParens();
  if (const auto *m = dyn_cast<MemberExpr>(e)) {
    const VarDecl *v = splitMember(m);
    const Binding *alias = bound(v, Binding::Alias);
    return alias ? alias->variable : v;
  }
  const auto *u = dyn_cast<UnaryOperator>(e);
  const bool isTarget = u && u->getOpcode() == UO_Deref;
  if (isTarget)
    e = u->getSubExpr()->IgnoreParenImpCasts();
  const auto *ref = dyn_cast<DeclRefExpr>(e);
  if (!ref)
    return nullptr;
  const Binding *alias = bound(ref->getDecl(), Binding::Alias);
  if (alias && ref->getDecl()->getType()->isPointerType() == isTarget)
    return alias->variable;
  return isTarget ? nullptr : ref->getDecl();
}

/// After \p s, or before it runs again, what it assigns has one of several
/// values. Names of variables stay names.
void NestBuilder::forgetAssigned(const Stmt *s) {
  for (const VarDecl *v : VariableUse::assignedIn(s)) {
    auto it = findVariable(v);
    if (it != scope.end() && it->second.kind != Binding::Local &&
        it->second.kind != Binding::Element &&
        it->second.kind != Binding::Fields)
      it->second = Binding();
  }
}

/// A value in the place of a variable that nothing changes.
std::optional<Binding> NestBuilder::standsFor(const VarDecl *v,
                                              const Expr *value) {
  const QualType type = v->getType().getNonReferenceType();
  if (type.isVolatileQualified())
    return none(diag::Volatile, value->getSourceRange(),
                "'" + v->getNameAsString() + "' is volatile");
  Binding b;
  auto index = [&] {
    const size_t obliged = obligations.size();
    std::optional<IndexExpr> e = this->index(value);
    b.divided = takeDivided(obliged);
    return e;
  };
  const bool isBool = type->isBooleanType();
  const bool isSame =
      ast.hasSameUnqualifiedType(type, value->IgnoreParenImpCasts()->getType());
  const bool mayWrap = isNarrow(type) && !isSame && !use.isPlace(v); // data?
  if (type->isIntegralOrEnumerationType() && !isBool) {
    auto plain = [&] {
      return isPlainInteger(type, value->getSourceRange()) ? index()
                                                           : std::nullopt;
    };
    // What blocks and threads compute is no data: that it is no index is why
    // it is refused.
    const bool isThreads = namesHardware(value);
    // What bounds a loop is the least of several; elsewhere it is one of them.
    const ValueDecl *d =
        isThreads || mayWrap ? nullptr : named(value->IgnoreParenImpCasts());
    if (const Binding *extreme = bound(d, Binding::Extreme))
      return *extreme;
    if (auto e = isThreads ? plain()
                 : mayWrap ? std::nullopt
                           : attempt(plain)) {
      b.kind = Binding::Value;
      b.index = std::move(*e);
      return b;
    }
    if (isThreads)
      return std::nullopt;
  }
  std::optional<Binding> condition =
      isBool ? attempt([&] { return truth(value); }) : std::nullopt;
  Statement s(0);
  auto text = [&] { return converted(value, type, s); };
  if (condition) {
    b = std::move(*condition);
    if (!attempt(text))
      return b;
  } else {
    b.kind = Binding::Constant;
    if (!text())
      return std::nullopt;
  }
  b.text = std::move(s.text);
  b.operands = std::move(s.operands);
  return b;
}

/// Whether the pointer \p v to structures, set to \p value, leads into an array
/// of them, which is an array of numbers.
bool NestBuilder::isPlaceOfRecords(const VarDecl *v, const Expr *value) {
  return v->getType()->isPointerType() &&
         recordElements(v->getType()->getPointeeType()) &&
         !attempt([&] { return object(value); }) &&
         attempt([&] { return pointer(value); });
}

/// What the pointer or reference \p v, set to \p value, leads to.
std::optional<Binding> NestBuilder::refersTo(const VarDecl *v,
                                             const Expr *value) {
  const QualType type = v->getType();
  if (const CXXRecordDecl *r = objectType(type)->getAsCXXRecordDecl();
      r && r->isLambda() && isa<ParmVarDecl>(v)) {
    // One that has a name was seen to where that is declared.
    const bool isNew = !namedVariable(value);
    return !isNew || lambda(v, r) ? std::optional(Binding()) : std::nullopt;
  }
  const QualType of = objectType(type);
  if (type->isReferenceType() && containerType(of) && isRow(value)) {
    std::optional<ArrayPlace> p = rowData(value);
    return p ? std::optional(Binding(Binding::Pointer, std::move(*p)))
             : std::nullopt;
  }
  if (of->isRecordType() && !isHalf(of) && !isPlaceOfRecords(v, value)) {
    if (std::optional<Object> o = object(value))
      return std::move(*o);
    return none(diag::Call, value->getSourceRange(),
                "'" + v->getNameAsString() + "' is no part of a parameter",
                "pass numbers, pointers and parts of parameters");
  }
  if (!type->isPointerType() && !type->isReferenceType())
    return none(diag::Call, value->getSourceRange(),
                "'" + v->getNameAsString() + "' is of type '" + spelling(type) +
                    "'",
                "pass numbers and pointers");
  if (type->isReferenceType() && of->isConstantArrayType())
    if (std::optional<Object> o = arrayOfParts(value))
      return std::move(*o);
  const bool isPointer = type->isPointerType();
  const Expr *target = value->IgnoreParenImpCasts();
  if (isPointer) {
    const auto *u = dyn_cast<UnaryOperator>(target);
    auto it = scope.end();
    if (const auto *ref = dyn_cast<DeclRefExpr>(target))
      it = scope.find(ref->getDecl());
    if (it != scope.end() &&
        (it->second.kind == Binding::Alias || it->second.kind == Binding::Part))
      return it->second;
    target = u && u->getOpcode() == UO_AddrOf ? u->getSubExpr() : nullptr;
  }
  if (!isPointer && type->getPointeeType()->isPointerType())
    if (const auto *d = dyn_cast_or_null<VarDecl>(named(target))) {
      if (!isa<ParmVarDecl>(v) && use.assignments(d))
        return none(diag::Alias, value->getSourceRange(),
                    "'" + v->getNameAsString() +
                        "' is another name for pointer '" +
                        d->getNameAsString() + "', which is changed",
                    "copy the pointer");
      return d;
    }
  if (const ValueDecl *d = target ? named(target) : nullptr;
      d && isa<VarDecl>(d) && isNumber(d->getType()) &&
      !(scope.count(d) && scope[d].kind == Binding::Element))
    return d;
  const bool isElement = !isPointer && isNumber(type->getPointeeType());
  if (isElement && value->isGLValue() &&
      !isa<MaterializeTemporaryExpr>(value->IgnoreImpCasts())) {
    ASSIGN_OR_RETURN(Access a, access(target));
    return Binding(Binding::Element, {a.array, std::move(a.subscripts)});
  }
  if (isElement && type->getPointeeType().isConstQualified())
    return standsFor(v, value);
  ASSIGN_OR_RETURN(ArrayPlace p, pointer(value));
  return Binding(Binding::Pointer, std::move(p));
}

/// What parameter \p p of a call is for \p value. It is read at once where
/// what it reads may be \p written before it is used.
std::optional<Binding>
NestBuilder::argument(const ParmVarDecl *p, const Expr *value,
                      function_ref<bool(const Operand &)> isWritten) {
  const bool isChanged = use.assignments(p);
  if (!isChanged || (!mayHoist && isMoving(p))) {
    std::optional<Binding> b = standsFor(p, value);
    if (!b || (isChanged ? b->kind == Binding::Value
                         : none_of(b->operands, isWritten)))
      return b;
  }
  if (!mayHoist)
    return none(
        diag::Call, value->getSourceRange(),
        "parameter '" + p->getNameAsString() +
            "' is changed in a function that is called within an index or "
            "under a condition");
  if (!variable(p, value))
    return std::nullopt;
  return scope[p];
}

/// The arrays that a function may write that takes \p bound, of all that is
/// read by an operand. What a lambda captures is anything.
static bool mayWrite(const std::map<const VarDecl *, Binding> &bound,
                     const std::map<const ValueDecl *, Binding> &scope,
                     const Operand &o) {
  return any_of(bound, [&](const auto &entry) {
    const auto &[p, b] = entry;
    if (b.kind == Binding::Part)
      return true;
    const QualType to = p->getType()->getPointeeType();
    if (!to.isNull() && to.isConstQualified())
      return false;
    auto it = scope.find(b.variable);
    if (b.kind == Binding::Alias)
      return it != scope.end() && it->second.kind == Binding::Local &&
             it->second.number == o.access.array;
    return b.place.array == o.access.array;
  });
}

std::string NestBuilder::nameOf(const CallExpr *call, const FunctionDecl *f) {
  const auto *o = dyn_cast<CXXOperatorCallExpr>(call);
  if (o && isLambda(f))
    if (const auto *ref =
            dyn_cast<DeclRefExpr>(o->getArg(0)->IgnoreParenImpCasts()))
      return ref->getDecl()->getNameAsString();
  return f->getNameAsString();
}

/// Whether a function reads \p p once, when it is called. One that is called
/// for its value changes nothing that a reference to a constant could show.
static bool isPassedByValue(const ParmVarDecl *p, bool isValue) {
  const QualType type = p->getType();
  const QualType of = type.getNonReferenceType();
  const bool isOpen = of->getAs<TemplateTypeParmType>() != nullptr;
  return (of->isArithmeticType() || of->isEnumeralType() || isHalf(of) ||
          isOpen) &&
         (!type->isReferenceType() ||
          (isValue && type->getPointeeType().isConstQualified()));
}

/// Whether \p p is a structure of numbers, or leads to one, that is no part of
/// a parameter of the nest's function.
bool NestBuilder::isOfFields(const ParmVarDecl *p, const Expr *value) {
  const auto *c = dyn_cast<UnaryOperator>(value->IgnoreParenImpCasts());
  const bool isPlace =
      !p->getType()->isPointerType() || (c && c->getOpcode() == UO_AddrOf);
  return isPlace && !recordFields(objectType(p->getType())).empty() &&
         !isPlaceOfRecords(p, value) && !attempt([&] { return object(value); });
}

/// Binds the parameters of \p callee, or enters nothing. The caller's names
/// mean the same until all of them are bound: a function may be called in its
/// own argument.
bool NestBuilder::enter(const CallExpr *call, const FunctionDecl *callee,
                        bool isValue) {
  Call entered{callee,  nameOf(call, callee), range(call->getSourceRange()),
               isValue, open.size(),          nest.arrays.size()};
  std::map<const VarDecl *, Binding> bound, values;
  bool isRecursive =
      any_of(calls, [&](const Call &c) { return c.function == callee; });
  bool good = !isRecursive || fail(diag::Call, call->getSourceRange(),
                                   "'" + entered.name + "' calls itself");
  if (const auto *method = dyn_cast<CXXMethodDecl>(callee);
      good && method && !method->isStatic() && !isLambda(method)) {
    const Expr *of = objectOf(call);
    std::vector<const FieldDecl *> fields;
    if (of) {
      fields = recordFields(objectType(of->getType()));
      entered.object =
          fields.empty() ? object(of) : attempt([&] { return object(of); });
    }
    entered.hasFields = !entered.object && !fields.empty();
    if (entered.hasFields)
      good = bindFields(of, fields, fieldOfThis, /*isReference=*/true,
                        /*isCopied=*/false, bound);
    else if (!entered.object)
      good = fail(diag::Call, call->getSourceRange(),
                  "'" + entered.name +
                      "' is a method of what is no "
                      "part of a parameter");
  }
  auto isWritten = [&](const Operand &o) {
    return o.kind == Operand::Read && !isValue &&
           (isLambda(callee) || mayWrite(bound, scope, o));
  };
  auto arguments = argumentsOf(const_cast<CallExpr *>(call), callee);
  for (bool isReference : {true, false})
    for (auto [p, value] : arguments) {
      if (!good || isReference == isPassedByValue(p, isValue))
        continue;
      if (isReference && isOfFields(p, value)) {
        const bool isCopy = p->getType()->isRecordType();
        good = bindFields(
            value, recordFields(objectType(p->getType())),
            [&](const FieldDecl *f) { return fieldVariable(p, f); },
            !isCopy || (isValue && !isRecordChanged(p)), isCopy && !isValue,
            bound);
        bound[p] = Binding::Fields;
        continue;
      }
      std::optional<Binding> b =
          isReference ? refersTo(p, value) : argument(p, value, isWritten);
      good = b.has_value();
      if (b)
        (isReference ? bound : values)[p] = std::move(*b);
      scope.erase(p);
    }
  if (!good)
    return false;
  bound.merge(values);
  for (auto &[p, b] : bound) {
    if (auto it = scope.find(p); it != scope.end() && !isa<ParmVarDecl>(p))
      entered.outer[p] = std::move(it->second);
    scope[p] = std::move(b);
  }
  calls.push_back(std::move(entered));
  return true;
}

void NestBuilder::leave() {
  for (const ParmVarDecl *p : calls.back().function->parameters())
    scope.erase(p);
  for (auto &[v, b] : calls.back().outer)
    scope[v] = std::move(b);
  calls.pop_back();
}

/// A call for what the function does.
bool NestBuilder::runCall(const CallExpr *call, const FunctionDecl *callee) {
  const size_t bounds = threadBounds();
  if (!enter(call, callee, /*isValue=*/false))
    return false;
  const SaveAndRestore outerTail(tail, true);
  const auto *body = cast<CompoundStmt>(callee->getBody());
  const bool good = list(SmallVector<const Stmt *>(body->body()));
  leave();
  afterGuard |= threadBounds() != bounds;
  return good;
}

/// Whether the functions that are called for a value leave \p v alone.
bool NestBuilder::mayChange(const VarDecl *v, clang::SourceRange where) {
  for (const Call &c : reverse(calls)) {
    if (v->getDeclContext() == c.function)
      return true;
    if (c.isValue)
      return fail(diag::Call, where,
                  "it changes '" + v->getNameAsString() +
                      "' beside returning a value",
                  "assign what it computes where it is called");
  }
  return true;
}

/// The same of array \p id.
bool NestBuilder::mayChange(unsigned id, clang::SourceRange where) {
  for (const Call &c : reverse(calls))
    if (c.isValue)
      return id >= c.arrays ||
             fail(diag::Call, where,
                  "it writes '" + nest.arrays[id].name +
                      "' beside returning a value",
                  "write what it computes where it is called");
  return true;
}

} // namespace convopt
