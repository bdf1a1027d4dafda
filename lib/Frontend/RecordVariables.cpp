//===- RecordVariables.cpp - Variables of structures, one for each field --===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   Pixel p = {0, 0, 0};                 float p_r = 0, p_g = 0, p_b = 0;
///   p = p + in[i] * w;             ->    p_r = p_r + in[i].r * w; ...
///   out[i] = p;                          out[i].r = p_r; ...
///
/// What a structure is set to is computed field by field, which is the same
/// where no field is computed from one that was set before. Else it is copied
/// first.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "ForEach.h"
#include "Mentions.h"
#include "NestBuilder.h"
#include "ReadOnly.h"
#include "Records.h"

using namespace llvm;
using namespace clang;

namespace convopt {

bool NestBuilder::isSplit(const VarDecl *v) const {
  const std::vector<const FieldDecl *> fields = recordFields(v->getType());
  return !fields.empty() && !v->hasGlobalStorage() && !use.isAddressTaken(v) &&
         !v->getType().isVolatileQualified();
}

/// Whether \p v, or a field of it, is assigned.
bool NestBuilder::isRecordChanged(const VarDecl *v) const {
  return use.assignments(v) ||
         any_of(recordFields(objectType(v->getType())), [&](const auto *f) {
           return use.assignments(fieldVariable(v, f)) != 0;
         });
}

/// The call that is all of \p value, which is then entered once for all fields.
static const CallExpr *wholeCall(const Expr *value) {
  const auto *call = value ? dyn_cast<CallExpr>(withoutCopies(value)) : nullptr;
  return call && visibleDefinition(call) ? call : nullptr;
}

/// Runs \p f for \p value, or for what the call returns that it is.
bool NestBuilder::withRecord(const Expr *value,
                             function_ref<bool(const Expr *)> f) {
  const CallExpr *call = wholeCall(value);
  if (!call)
    return f(value);
  return inlined(call, visibleDefinition(call), /*hoists=*/true,
                 [&](const Expr *returned) { return withRecord(returned, f); });
}

bool NestBuilder::recordVariable(const VarDecl *v, const Expr *init) {
  scope[v] = Binding::Fields;
  return withRecord(init, [&](const Expr *value) {
    return all_of(recordFields(v->getType()), [&](const FieldDecl *f) {
      const bool isSet = value && !leavesUnset(value, f);
      return variable(fieldVariable(v, f),
                      isSet ? memberOf(value, f) : nullptr);
    });
  });
}

/// What \p v, a field of a parameter or a reference, is for \p value.
std::optional<Binding>
NestBuilder::fieldFor(const VarDecl *v, const Expr *value, bool isReference) {
  if (const auto *other = dyn_cast_or_null<VarDecl>(named(value));
      other && isReference && scope.count(other))
    return other;
  if (isReference && isa<MemberExpr>(value))
    if (auto a = attempt([&] { return access(value); }))
      return Binding(Binding::Element, {a->array, std::move(a->subscripts)});
  return standsFor(v, value);
}

/// Binds each field of \p v, a reference to a structure or a parameter, to that
/// of \p value.
bool NestBuilder::bindFields(const Expr *value,
                             ArrayRef<const FieldDecl *> fields,
                             function_ref<const VarDecl *(const FieldDecl *)> v,
                             bool isReference, bool isCopied,
                             std::map<const VarDecl *, Binding> &bound) {
  value = withoutAddressOf(value);
  for (const FieldDecl *f : fields) {
    const VarDecl *one = v(f);
    const Expr *member = memberOf(value, f);
    std::optional<Binding> b;
    if (isCopied || (!isReference && use.assignments(one))) {
      if (!mayHoist)
        return fail(diag::Call, value->getSourceRange(),
                    "a structure is changed in a function that is called "
                    "within an index or under a condition");
      if (!variable(one, member))
        return false;
      b = scope[one];
    } else {
      b = fieldFor(one, member, isReference);
    }
    if (!b)
      return false;
    bound[one] = std::move(*b);
  }
  return true;
}

/// The variable for the field that \p m names of a variable that is one for
/// each field, or of the object of the method that is called; or null.
const VarDecl *NestBuilder::splitMember(const MemberExpr *m) const {
  const VarDecl *v = memberVariable(m);
  const Expr *base = m->getBase()->IgnoreParenImpCasts();
  if (const auto *u = dyn_cast<UnaryOperator>(base))
    base = u->getSubExpr()->IgnoreParenImpCasts();
  if (isa<CXXThisExpr>(base))
    return !calls.empty() && calls.back().hasFields ? v : nullptr;
  const auto *ref = dyn_cast<DeclRefExpr>(base);
  return ref && bound(ref->getDecl(), Binding::Fields) ? v : nullptr;
}

/// Whether \p e mentions \p v, or may do so in a lambda.
static bool mayMention(const Expr *e, const ValueDecl *v) {
  bool found = false;
  forEach<Expr>(e, [&](Expr *part) {
    const auto *ref = dyn_cast<DeclRefExpr>(part);
    const auto *call = dyn_cast<CallExpr>(part);
    const FunctionDecl *callee = call ? visibleDefinition(call) : nullptr;
    found |= (ref && ref->getDecl() == v) || (callee && isLambda(callee));
  });
  return found;
}

/// Whether one of \p fields of \p value reads what another is stored to.
bool NestBuilder::crosses(ArrayRef<const FieldDecl *> fields,
                          ArrayRef<Access> targets, const Expr *value) {
  for (size_t k = 0; k != fields.size(); ++k) {
    Statement s(0);
    if (!attempt([&] { return rhs(memberOf(value, fields[k]), s); }))
      return true;
    auto isOther = [&](const Access &a) {
      return !(a == targets[k]) && any_of(targets, [&](const Access &t) {
        return t.array == a.array;
      });
    };
    if (any_of(readsOf(s), [&](const Operand &o) { return isOther(o.access); }))
      return true;
  }
  return false;
}

/// A copy of \p value, which is read as a whole before it is assigned; null
/// where it is refused.
const Expr *NestBuilder::copied(const Expr *value,
                                ArrayRef<const FieldDecl *> fields,
                                clang::SourceRange where) {
  const Expr *copy = addedVariable(function, where.getBegin(), "value",
                                   value->getType().getUnqualifiedType());
  const VarDecl *v = namedVariable(copy);
  scope[v] = Binding::Fields;
  return all_of(fields,
                [&](const FieldDecl *f) {
                  return dataVariable(fieldVariable(v, f), memberOf(value, f));
                })
             ? copy
             : nullptr;
}

/// Sets a whole structure.
bool NestBuilder::assignRecord(const Expr *target, const Expr *value,
                               clang::SourceRange where) {
  const std::vector<const FieldDecl *> fields = recordFields(target->getType());
  std::vector<Access> targets;
  SmallVector<const VarDecl *> indices; // where they are no data
  for (const FieldDecl *f : fields) {
    const Expr *member = memberOf(target, f);
    const auto *v = dyn_cast_or_null<VarDecl>(named(member));
    if (v && v->getType()->isIntegerType() && !use.holdsData(v) &&
        mayChange(v, where)) {
      indices.push_back(v);
      continue;
    }
    std::optional<Access> a = written(member, where);
    if (!a)
      return false;
    targets.push_back(std::move(*a));
  }
  const char *remedy = "set a variable of its own, and copy that";
  const auto *root = namedVariable(withoutCopies(target));
  const bool isRead = root && mayMention(value, root);
  if (!indices.empty() && (!targets.empty() || isRead))
    return fail(diag::Record, where,
                "indices of a structure are set beside data, or from one "
                "another",
                remedy);
  return withRecord(value, [&](const Expr *value) {
    if (!indices.empty())
      return all_of_zip(fields, indices, [&](const auto *f, const auto *v) {
        return bindValue(v, memberOf(value, f));
      });
    if ((!root || isRead) && crosses(fields, targets, value)) {
      if (!mayHoist)
        return fail(diag::Record, where,
                    "a field of this structure is set from another one that is "
                    "set as well",
                    remedy);
      value = copied(value, fields, where);
    }
    return value &&
           all_of_zip(fields, targets, [&](const auto *f, const Access &t) {
             return store(t, memberOf(value, f), BO_Assign, where);
           });
  });
}

} // namespace convopt
