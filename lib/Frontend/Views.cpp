//===- Views.cpp - Pointers of other types than their arrays --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `(const float *)((const char *)in + y * pitch)` is `in + y * (pitch / 4)`
/// where 4 divides the pitch, and `((const float (*)[W])in)[y][x]` is
/// `in[y * W + x]`. Such a pointer is a place of the array whose offsets count
/// otherwise; elements are read and written in the array's own type alone.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"
#include "Records.h"
#include "Resolve.h"
#include "convopt/Nest/Polynomial.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// What memory is made of, in bytes.
static bool isByte(QualType type) {
  return type->isVoidType() || type->isCharType() || type->isStdByteType();
}

/// Whether \p type is not that of the elements of \p array.
bool NestBuilder::isViewed(QualType type, unsigned array) const {
  const QualType own = sourceArrays[array].element;
  return !own.isNull() && !own->isDependentType() && !type->isDependentType() &&
         !ast.hasSameUnqualifiedType(own, ast.getBaseElementType(type));
}

bool NestBuilder::isFlatPointer(unsigned array) const {
  return sourceArrays[array].isFlat() && !nest.arrays[array].isLocal();
}

/// Whether a pointer to \p type moves by other steps than elements of \p array.
bool NestBuilder::isView(QualType type, unsigned array) const {
  return isFlatPointer(array) && (type->isArrayType() || isViewed(type, array));
}

/// The place that \p cast gives another type: bytes of a flat array, its
/// elements again, or its rows; of an array of rows, elements.
std::optional<ArrayPlace> NestBuilder::viewed(const CastExpr *cast) {
  ASSIGN_OR_RETURN(ArrayPlace p, pointer(cast->getSubExpr()));
  const QualType to = cast->getType()->getPointeeType();
  const std::optional<RecordElements> records = recordElements(to);
  if (!to.isNull() && !to->isArrayType() && !to.isVolatileQualified() &&
      !nest.arrays[p.array].isLocal() && !sourceArrays[p.array].isFlat() &&
      !isViewed(to, p.array)) {
    // From here on the last subscript counts elements, and no rows of them.
    const ArrayRef<IndexExpr> inner = sourceArrays[p.array].innerExtents;
    if (p.rows == 0)
      for (const IndexExpr &e : inner.drop_front(p.subscripts.size() - 1))
        p.subscripts.back() = p.subscripts.back() * e;
    p.rows = inner.size() + 1 - p.subscripts.size();
    return p;
  }
  if (to.isNull() || !isFlatPointer(p.array) ||
      (!isByte(to) && isViewed(records ? records->element : to, p.array)) ||
      to.isVolatileQualified())
    return std::nullopt;
  return p;
}

/// The numbers of the structures that \p e, a parameter or a part of one,
/// points at: an array of the nest.
std::optional<ArrayPlace> NestBuilder::recordsAt(const Expr *e) {
  const QualType to = e->getType()->isPointerType()
                          ? e->getType()->getPointeeType()
                          : QualType();
  if (to.isNull() || to.isVolatileQualified() ||
      !recordElements(ast.getBaseElementType(to)))
    return std::nullopt;
  std::optional<Object> o = attempt([&] { return object(e); });
  return o && o->isPointer ? recordsOf(*o, to, e->getSourceRange())
                           : std::nullopt;
}

/// The numbers of the structures that \p o, a pointer, points at, or of the
/// rows of them: of \p to.
std::optional<ArrayPlace> NestBuilder::recordsOf(const Object &o, QualType to,
                                                 clang::SourceRange where) {
  const QualType pointer = ast.getPointerType(to);
  std::optional<std::vector<IndexExpr>> inner = innerExtents(to, where);
  if (!inner)
    return std::nullopt;
  const RecordElements r = *recordElements(to);
  QualType element = r.element;
  if (to.isConstQualified())
    element.addConst();
  const QualType type = ast.getPointerType(element);
  if (Parameter *p = parameterOf(o); p && o.text == p->name) {
    p->object = spelling(pointer, "@");
    p->elements = 0;
  }
  const bool isC = !ast.getLangOpts().CPlusPlus;
  const Object data{isC ? o.text : "(" + spelling(type) + ")" + o.text,
                    /*isPointer=*/false,
                    /*memory=*/"", o.parameter};
  const ArrayPlace place = addPart(data, type, where, o.text + "_data").place;
  if (!inner->empty())
    inner->emplace_back(r.count);
  sourceArrays[place.array].innerExtents = std::move(*inner);
  sourceArrays[place.array].numbersEach = r.count;
  partArgument(data.text).numbersEach = r.count;
  return place;
}

/// The number that field \p m of an element of such an array is.
std::optional<ArrayPlace> NestBuilder::fieldAt(const MemberExpr *m) {
  const auto *f = dyn_cast<FieldDecl>(m->getMemberDecl());
  const QualType of = objectType(m->getBase()->getType());
  const std::optional<RecordElements> r = recordElements(of);
  if (!f || !r)
    return std::nullopt;
  std::optional<ArrayPlace> p =
      m->isArrow() ? pointer(m->getBase()) : element(m->getBase());
  if (!p || isViewed(f->getType(), p->array))
    return std::nullopt;
  const IndexExpr k = int64_t(f->getFieldIndex());
  const auto &extents = sourceArrays[p->array].innerExtents;
  if (isFlatPointer(p->array))
    p->subscripts.back() += k;
  else if (sourceArrays[p->array].numbersEach == r->count && !p->rows &&
           p->subscripts.size() == extents.size() &&
           extents.back() == IndexExpr(r->count))
    p->subscripts.push_back(k); // which is a dimension of its own
  else
    return std::nullopt;
  return p;
}

/// \p e with the size \p v as \p size times another one, which a name is made
/// for; that it is a multiple the launcher checks.
IndexExpr NestBuilder::asMultiple(const IndexExpr &e, Var v, int64_t size,
                                  SourceRange where) {
  const IndexExpr whole = IndexExpr::of(v);
  addAssumption(nest, -IndexExpr::mod(whole, size),
                "'" + nest.name(v) + "' is a multiple of " +
                    std::to_string(size) + " bytes, the size of an element",
                where);
  const IndexExpr part = IndexExpr::floorDiv(whole, size);
  auto known = find_if(nest.params,
                       [&](const Param &p) { return p.definition == part; });
  const unsigned id = known - nest.params.begin();
  if (known == nest.params.end()) {
    const Param &of = nest.params[v.id];
    nest.params.push_back(
        {nameOf(of.name + "_elements"), of.type, false, part});
  }
  return e.substitute(v, size * IndexExpr::param(id));
}

/// \p e, which is added to \p base, in elements of \p array.
std::optional<IndexExpr> NestBuilder::inElements(IndexExpr e, const Expr *base,
                                                 unsigned array) {
  QualType to = base->getType()->getPointeeType();
  const QualType own = sourceArrays[array].element;
  if (to.isNull() || own.isNull() || !sourceArrays[array].isFlat())
    return e;
  if (std::optional<RecordElements> r = recordElements(to))
    return e * IndexExpr(r->count);
  if (to->isArrayType()) {
    ASSIGN_OR_RETURN(std::vector<IndexExpr> extents,
                     innerExtents(to, base->getSourceRange()));
    for (const IndexExpr &extent : extents)
      e = e * extent;
  }
  if (!isByte(to) || !isViewed(to, array))
    return e;
  const int64_t size = ast.getTypeSizeInChars(own).getQuantity();
  // Each term has a factor that is a multiple: itself, or a size, the one that
  // most terms have.
  const IndexExpr bytes = e;
  auto termsWith = [&](const Atom &a) {
    const bool isSize = a.isVar() && a.asVar().kind == Var::Param &&
                        !nest.params[a.asVar().id].isTemplate &&
                        !nest.params[a.asVar().id].definition;
    return !isSize ? 0 : count_if(bytes.terms(), [&](const auto &t) {
      return t.second % size != 0 && is_contained(t.first, a);
    });
  };
  for (const auto &[product, times] : bytes.terms()) {
    auto a = llvm::max_element(product, [&](const Atom &l, const Atom &r) {
      return termsWith(l) < termsWith(r);
    });
    if (times % size != 0 && a != product.end() && termsWith(*a) &&
        e.uses(a->asVar()))
      e = asMultiple(e, a->asVar(), size, range(base->getSourceRange()));
  }
  IndexExpr elements;
  for (const auto &[product, times] : e.terms()) {
    if (times % size != 0)
      return none(diag::PointerCast, base->getSourceRange(),
                  "an offset in bytes is no multiple of the " + Twine(size) +
                      " bytes of an element",
                  "multiply it by a pitch in bytes that is a parameter, or by "
                  "'sizeof' of the element");
    elements += term(product, times / size);
  }
  return elements;
}

} // namespace convopt
