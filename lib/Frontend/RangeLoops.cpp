//===- RangeLoops.cpp - Loops over ranges ---------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `for (float v : x)` counts the elements of an array or a container, and v is
/// `x[i]`. `for (int i : std::views::iota(lo, hi))` and a list of integers that
/// lie evenly, `for (int d : {-1, 0, 1})`, count integers.
///
//===----------------------------------------------------------------------===//

#include "Containers.h"
#include "Diagnostics.h"
#include "NestBuilder.h"
#include "Records.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// Has \p count iterations. Of each there is a number, `first` and so many
/// times `step`, or an element from `place` on.
struct NestBuilder::Range {
  IndexExpr count, first, step = 1;
  std::optional<ArrayPlace> place;
};

static const InitListExpr *listOf(const Expr *e) {
  e = e->IgnoreImplicit();
  if (const auto *list = dyn_cast<CXXStdInitializerListExpr>(e))
    e = list->getSubExpr()->IgnoreImplicit();
  return dyn_cast<InitListExpr>(e);
}

std::optional<NestBuilder::Range>
NestBuilder::rangeOfList(const InitListExpr *list) {
  Range r;
  r.count = int64_t(list->getNumInits());
  std::vector<IndexExpr> values;
  for (const Expr *e : list->inits()) {
    std::optional<IndexExpr> value = constant(e);
    if (!value) {
      fail(diag::LoopForm, e->getSourceRange(),
           "this is no constant integer, which a loop could count",
           "write the values to an array, and count its elements");
      return std::nullopt;
    }
    values.push_back(*value);
  }
  if (!values.empty())
    r.first = values[0];
  if (values.size() > 1)
    r.step = values[1] - values[0];
  for (size_t k = 0; k != values.size(); ++k)
    if (values[k] != r.first + r.step * IndexExpr(int64_t(k))) {
      fail(diag::LoopForm, list->getSourceRange(),
           "the values of this list are not evenly spaced",
           "write a loop or a statement for each that stands apart");
      return std::nullopt;
    }
  return r;
}

std::optional<NestBuilder::Range> NestBuilder::rangeOf(const Expr *e) {
  if (ArrayRef<const Expr *> bounds = boundsOfIota(e); !bounds.empty()) {
    std::optional<IndexExpr> first = index(bounds[0]),
                             end = first ? index(bounds[1]) : std::nullopt;
    if (!end)
      return std::nullopt;
    Range r;
    r.count = *end - *first;
    r.first = *first;
    return r;
  }
  if (const InitListExpr *list = listOf(e))
    return rangeOfList(list);
  Range r;
  const QualType type = objectType(e->getType());
  if (const auto *array = ast.getAsConstantArrayType(type)) {
    r.count = int64_t(array->getSize().getZExtValue());
    r.place = pointer(e);
    return r.place ? std::optional(r) : std::nullopt;
  }
  if (std::optional<ContainerType> container = containerType(type)) {
    r.place = containerData(e, /*isChecked=*/false);
    std::optional<Object> of =
        r.place && !container->count ? object(e) : std::nullopt;
    if (container->count)
      r.count = int64_t(*container->count);
    else if (of)
      r.count = sizeOf(*of, *container, e->getSourceRange());
    if (r.place && (container->count || of))
      return r;
  }
  fail(diag::Statement, e->getSourceRange(),
       "a range-based 'for' loop over this is not part of a loop nest",
       "count instead: 'for (int i = 0; i < n; ++i)'");
  return std::nullopt;
}

/// Has \p v be what \p r has in iteration \p i.
bool NestBuilder::bindOfRange(const VarDecl *v, Range r, const IndexExpr &i) {
  Binding b;
  if (!r.place) {
    b.kind = Binding::Value;
    b.index = r.first + r.step * i;
    scope[v] = std::move(b);
    return !use.assignments(v) ||
           fail(diag::LoopForm, v->getLocation(),
                "'" + v->getNameAsString() +
                    "', which the loop counts, is assigned to",
                "use a variable of its own for what changes");
  }
  const std::optional<RecordElements> records =
      recordElements(v->getType().getNonReferenceType());
  const bool areFlat = records && isFlatPointer(r.place->array);
  r.place->subscripts.back() += areFlat ? i * IndexExpr(records->count) : i;
  b.kind = isElement(*r.place) ? Binding::Element : Binding::Pointer;
  b.place = std::move(*r.place);
  if (b.kind == Binding::Pointer)
    b.place.subscripts.push_back(0);
  const QualType type = v->getType();
  if (type->isReferenceType() || b.kind == Binding::Pointer) {
    scope[v] = std::move(b);
    return true;
  }
  // A copy is one of a reference to the element.
  auto *element =
      VarDecl::Create(ast, const_cast<DeclContext *>(v->getDeclContext()),
                      v->getBeginLoc(), v->getLocation(), v->getIdentifier(),
                      type.getUnqualifiedType(), nullptr, SC_None);
  scope[element] = std::move(b);
  return dataVariable(
      v, DeclRefExpr::Create(ast, NestedNameSpecifierLoc(), SourceLocation(),
                             element, /*RefersToEnclosingVariableOrCapture=*/
                             false, v->getLocation(), type.getUnqualifiedType(),
                             VK_LValue));
}

bool NestBuilder::rangeLoop(const CXXForRangeStmt *s) {
  const VarDecl *v = s->getLoopVariable();
  if (s->getInit() || !isa<VarDecl>(v) || isa<DecompositionDecl>(v))
    return refuseStatement(s);
  if (!isWithinDepth({s->getForLoc(), s->getRParenLoc()}))
    return false;
  std::optional<Range> r = rangeOf(s->getRangeInit());
  if (!r)
    return false;
  inLoops = true;
  const std::vector<Moving> moving = startMoving(s);
  const std::string name = v->getNameAsString();
  auto loop = std::make_shared<Loop>(
      nest.addLoopName(r->place ? nameOf(name + "_i") : name),
      range(s->getSourceRange()));
  const bool isCounter = !r->place && r->step == 1;
  const IndexExpr i = IndexExpr::loop(loop->id);
  loop->lower.push_back({isCounter ? r->first : 0, 1});
  loop->upper.push_back({isCounter ? r->first + r->count : r->count, 1});
  const bool good = withinLoop(loop, moving, [&] {
    return bindOfRange(v, *r, isCounter ? i - r->first : i) &&
           nested(s->getBody(), loop->body, /*alwaysRuns=*/true);
  });
  current->push_back(std::move(loop));
  return good;
}

} // namespace convopt
