//===- HostParts.cpp - What host code puts into objects -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `Dims d = {C, H, W};` and `d.h = H;` before `f<<<H, 128>>>(x, y, d)`: the
/// kernel's parameter `d.h` is H.
///
//===----------------------------------------------------------------------===//

#include "ForEach.h"
#include "Launches.h"
#include "NestBuilder.h"

using namespace llvm;
using namespace clang;

namespace convopt {

const Expr *bare(const Expr *e) {
  while (true) {
    e = e->IgnoreParenImpCasts();
    const auto *copy = dyn_cast<CXXConstructExpr>(e);
    if (const auto *full = dyn_cast<FullExpr>(e))
      e = full->getSubExpr();
    else if (const auto *m = dyn_cast<MaterializeTemporaryExpr>(e))
      e = m->getSubExpr();
    else if (const auto *cast = dyn_cast<CXXFunctionalCastExpr>(e);
             cast && cast->getType()->isRecordType())
      e = cast->getSubExpr();
    else if (copy && copy->getNumArgs() == 1 &&
             copy->getConstructor()->isCopyOrMoveConstructor())
      e = copy->getArg(0);
    else
      return e;
  }
}

/// Whether \p e is the part \p path of \p v.
static bool isPart(const Expr *e, const VarDecl *v, StringRef path) {
  const auto *m = dyn_cast<MemberExpr>(e->IgnoreParens());
  if (!m)
    return path.empty() && namedVariable(e) == v;
  auto [object, field] = path.rsplit('.');
  if (field.empty())
    std::swap(object, field);
  return !m->isArrow() && m->getMemberDecl()->getNameAsString() == field &&
         isPart(m->getBase(), v, object);
}

/// The value of field \p name in \p list.
static const Expr *fieldOf(const InitListExpr *list, StringRef name) {
  if (const InitListExpr *converted = list->getSemanticForm())
    list = converted;
  const RecordDecl *record =
      list->getType().isNull() ? nullptr : list->getType()->getAsRecordDecl();
  if (!record)
    return nullptr;
  for (const FieldDecl *f : record->fields())
    if (f->getName() == name && f->getFieldIndex() < list->getNumInits())
      return list->getInit(f->getFieldIndex());
  return nullptr;
}

const Expr *valueOfPart(const Expr *object, StringRef path) {
  object = bare(object);
  if (path.empty())
    return object;
  if (const auto *list = dyn_cast<InitListExpr>(object)) {
    auto [first, rest] = path.split('.');
    const Expr *field = fieldOf(list, first);
    return field ? valueOfPart(field, rest) : nullptr;
  }
  const VarDecl *v = namedVariable(object);
  const auto *f = v && v->isLocalVarDecl()
                      ? dyn_cast<FunctionDecl>(v->getDeclContext())
                      : nullptr;
  if (!f || !f->getBody())
    return nullptr;
  SmallVector<const Expr *> values;
  forEach<BinaryOperator>(f->getBody(), [&](BinaryOperator *b) {
    if (b->getOpcode() == BO_Assign && isPart(b->getLHS(), v, path))
      values.push_back(b->getRHS());
  });
  if (!values.empty())
    return values.size() == 1 ? bare(values.front()) : nullptr;
  return v->hasInit() ? valueOfPart(v->getInit(), path) : nullptr;
}

std::vector<NestBuilder::SizePart> NestBuilder::sizeParts() const {
  std::vector<SizePart> result;
  std::function<void(std::string, size_t, QualType)> add = [&](std::string text,
                                                               size_t parameter,
                                                               QualType type) {
    const RecordDecl *r = type->getAsRecordDecl();
    if (type->isIntegerType() && !parts.count(text))
      result.push_back({text, parameter, type});
    else if (r && !r->isUnion() && r->isCompleteDefinition())
      for (const FieldDecl *f : r->fields())
        if (f->getAccess() != AS_private && f->getAccess() != AS_protected &&
            !f->isBitField() && !f->isMutable() &&
            !f->getType().isVolatileQualified() && f->getIdentifier())
          add(text + "." + f->getNameAsString(), parameter, f->getType());
  };
  for (const auto &[d, b] : scope)
    if (isa<ParmVarDecl>(d) && b.kind == Binding::Part && !b.object.isPointer &&
        b.object.memory.empty())
      add(b.object.text, b.object.parameter, b.object.type);
  return result;
}

IndexExpr NestBuilder::take(const SizePart &part) {
  return addPart({part.text, false, "", part.parameter, part.type}, part.type,
                 function->getSourceRange())
      .index;
}

IndexExpr NestBuilder::takeOfLaunch(LaunchSize size, StringRef wish) {
  // The kernel takes what it took.
  nest.function.parameters = nest.function.signature();
  Argument a;
  a.launch = size;
  return addPart({a.text()}, ast.IntTy, function->getSourceRange(), wish, a)
      .index;
}

} // namespace convopt
