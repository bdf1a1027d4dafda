//===- Containers.cpp - std::vector, std::span and std::array -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `x[i]`, `x.at(i)` and `x.data()[i]` of a container that is a parameter, or a
/// part of one, are elements of one array, and `x.size()` is a size: host code
/// takes `x.data()` and `x.size()` once. What `at` checks in each iteration the
/// launcher checks of all of them.
///
//===----------------------------------------------------------------------===//

#include "Containers.h"
#include "Diagnostics.h"
#include "Half.h"
#include "NestBuilder.h"
#include "NestedVectors.h"
#include "ReadOnly.h"
#include "Records.h"

using namespace llvm;
using namespace clang;

namespace convopt {

std::optional<ContainerType> containerType(QualType type) {
  type = type.getNonReferenceType();
  const auto *r = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      type->getAsCXXRecordDecl());
  if (!r)
    return std::nullopt;
  const TemplateArgumentList &of = r->getTemplateArgs();
  if (isCopyView(type))
    return ContainerType{of[0].getAsType(),
                         {},
                         /*isView=*/true,
                         {std::next(r->field_begin()), r->field_end()}};
  if (!r->isInStdNamespace())
    return std::nullopt;
  const bool isArray = r->getName() == "array", isView = r->getName() == "span";
  if ((!isArray && !isView && r->getName() != "vector") || of.size() != 2 ||
      (isView && !of[1].getAsIntegral().isAllOnes())) // of any size
    return std::nullopt;
  ContainerType result{of[0].getAsType(), {}, isView};
  if (type.isConstQualified() && !isView)
    result.element.addConst();
  if (isArray)
    result.count = of[1].getAsIntegral().getZExtValue();
  return result;
}

/// The container that \p call is a method of.
static const Expr *containerOf(const CXXMemberCallExpr *call) {
  const Expr *object = call->getImplicitObjectArgument();
  return object && containerType(objectType(object->getType())) ? object
                                                                : nullptr;
}

static StringRef methodOf(const CXXMemberCallExpr *call) {
  const CXXMethodDecl *m = call->getMethodDecl();
  return m && m->getIdentifier() ? m->getName() : "";
}

std::optional<ContainerElement> containerElement(const Expr *e) {
  e = e->IgnoreParens();
  if (const auto *o = dyn_cast<CXXOperatorCallExpr>(e))
    return o->getOperator() == OO_Subscript && o->getNumArgs() == 2 &&
                   containerType(o->getArg(0)->getType())
               ? std::optional(ContainerElement{o->getArg(0), o->getArg(1),
                                                /*isChecked=*/false})
               : std::nullopt;
  const auto *call = dyn_cast<CXXMemberCallExpr>(e);
  return call && containerOf(call) && methodOf(call) == "at"
             ? std::optional(ContainerElement{containerOf(call),
                                              call->getArg(0),
                                              /*isChecked=*/true})
             : std::nullopt;
}

ArrayRef<const Expr *> boundsOfIota(const Expr *e) {
  const CXXRecordDecl *type = e->getType()->getAsCXXRecordDecl();
  if (!type || type->getQualifiedNameAsString() != "std::ranges::iota_view")
    return {};
  while (true) {
    e = e->IgnoreUnlessSpelledInSource();
    const auto *cast = dyn_cast<CXXFunctionalCastExpr>(e);
    if (!cast)
      break;
    e = cast->getSubExpr();
  }
  ArrayRef<const Expr *> all;
  if (const auto *call = dyn_cast<CXXOperatorCallExpr>(e))
    all = ArrayRef(call->getArgs(), call->getNumArgs()).drop_front();
  else if (const auto *made = dyn_cast<CXXConstructExpr>(e))
    all = ArrayRef(made->getArgs(), made->getNumArgs());
  return all.size() == 2 ? all : ArrayRef<const Expr *>();
}

bool isContainerSize(const Expr *e) {
  const auto *call = dyn_cast<CXXMemberCallExpr>(e->IgnoreParens());
  return call && containerOf(call) &&
         is_contained({"size", "empty"}, methodOf(call));
}

/// `x.` or `x->`.
static std::string memberOf(const Object &o, const char *member) {
  return o.text + (o.isPointer ? "->" : ".") + member;
}

/// The array that the elements of \p of are, of type \p type.
std::optional<ArrayPlace> NestBuilder::dataOf(const Object &of,
                                              ContainerType type,
                                              clang::SourceRange where) {
  std::string text = memberOf(of, type.counts.empty() ? "data()" : "data");
  std::vector<IndexExpr> inner;
  while (auto next = containerType(type.element)) {
    if (!next->count) {
      const bool hasPlanes = containerType(next->element).has_value();
      return none(diag::Container, where,
                  "'" + of.text + "' is a vector of vectors" +
                      (hasPlanes ? " of vectors" : "") +
                      ", whose rows lie anywhere in memory",
                  Twine("keep all elements in one vector, as ") +
                      (hasPlanes ? "x[(plane * height + row) * width + column]"
                                 : "x[row * width + column]"));
    }
    text += "->data()";
    inner.emplace_back(int64_t(*next->count));
    type.element = next->element;
  }
  const std::optional<RecordElements> records =
      type.counts.empty() && inner.empty() &&
              !type.element.isVolatileQualified()
          ? recordElements(type.element)
          : std::nullopt;
  if (records) {
    QualType number = records->element;
    if (type.element.isConstQualified())
      number.addConst();
    type.element = number;
    text = "(" + spelling(ast.getPointerType(number)) + ")" + text;
  }
  const QualType element = type.element.getUnqualifiedType();
  const bool isBits = !type.count && element->isBooleanType();
  if (isBits || !isNumber(element) || element->isPointerType())
    return none(diag::Container, where,
                "'" + of.text + "' holds elements of type '" +
                    spelling(element) + "'" +
                    (isBits ? ", which have no address" : ""),
                "use numbers such as float, or unsigned char");
  if (nest.function.isKernel)
    return none(diag::Container, where,
                "'" + of.text + "' is an array within a kernel's parameters",
                "pass a pointer to memory of the device");
  const Object data{text, false, of.memory, of.parameter};
  Binding b =
      addPart(data, ast.getPointerType(type.element), where, of.text + "_data");
  for (const FieldDecl *f : type.counts) {
    const std::string count = memberOf(of, f->getName().str().c_str());
    inner.push_back(
        addPart({count, false, of.memory, of.parameter}, f->getType(), where)
            .index);
  }
  sourceArrays[b.place.array].innerExtents = std::move(inner);
  if (records) {
    sourceArrays[b.place.array].numbersEach = records->count;
    partArgument(data.text).numbersEach = records->count;
  }
  if (type.counts.empty())
    partArgument(data.text).container = of.text;
  if (type.count)
    containerSizes[of.text] = int64_t(*type.count);
  return b.place;
}

/// How many elements \p of has, whose type is \p type.
IndexExpr NestBuilder::sizeOf(const Object &of, const ContainerType &type,
                              clang::SourceRange where) {
  IndexExpr &size = containerSizes[of.text];
  if (type.count)
    return size = int64_t(*type.count);
  const Object part{memberOf(of, "size()"), false, of.memory, of.parameter};
  size = addPart(part, ast.getSizeType(), where, of.text + "_size").index;
  partArgument(part.text).container = of.text;
  return size;
}

/// What \p f does nothing but return, or null. Assertions that are left out are
/// `(void)0;`.
static const Expr *onlyValue(const FunctionDecl *f) {
  const auto *body = dyn_cast_or_null<CompoundStmt>(f->getBody());
  auto isEmpty = [](const Stmt *s) {
    const auto *e = dyn_cast<Expr>(s);
    const auto *cast =
        e ? dyn_cast<ExplicitCastExpr>(e->IgnoreParens()) : nullptr;
    return isa<NullStmt>(s) || (cast && cast->getType()->isVoidType() &&
                                isa<IntegerLiteral>(cast->getSubExpr()));
  };
  SmallVector<const Stmt *> all;
  if (body)
    copy_if(body->body(), std::back_inserter(all),
            [&](const Stmt *s) { return !isEmpty(s); });
  const auto *only =
      all.size() == 1 ? dyn_cast<ReturnStmt>(all.front()) : nullptr;
  return only && only->getRetValue()
             ? only->getRetValue()->IgnoreParenImpCasts()
             : nullptr;
}

/// Whether \p e is field \p f of `this`.
static bool isOwnField(const Expr *e, const FieldDecl *f) {
  const auto *of = dyn_cast<MemberExpr>(e->IgnoreParenImpCasts());
  return of && of->getMemberDecl() == f &&
         isa<CXXThisExpr>(of->getBase()->IgnoreParenImpCasts());
}

/// Whether \p m does nothing but return `f.data()`.
static bool returnsData(const CXXMethodDecl *m, const FieldDecl *f) {
  const auto *call = dyn_cast_or_null<CXXMemberCallExpr>(onlyValue(m));
  return call && m->param_empty() && methodOf(call) == "data" &&
         isOwnField(call->getImplicitObjectArgument(), f);
}

/// Whether \p e is zero where the parameters of its function are; no more than
/// \p depth calls are looked into.
static bool isZeroOfZeros(const Expr *e, const ASTContext &ast,
                          unsigned depth = 4) {
  e = e->IgnoreParenCasts();
  if (const auto *ref = dyn_cast<DeclRefExpr>(e))
    return isa<ParmVarDecl>(ref->getDecl());
  if (const auto *b = dyn_cast<BinaryOperator>(e)) {
    const bool l = isZeroOfZeros(b->getLHS(), ast, depth),
               r = isZeroOfZeros(b->getRHS(), ast, depth);
    return b->getOpcode() == BO_Mul ? l || r : b->isAdditiveOp() && l && r;
  }
  const auto *call = dyn_cast<CallExpr>(e);
  const FunctionDecl *callee =
      call && depth ? visibleDefinition(call) : nullptr;
  const Expr *value = callee ? onlyValue(callee) : nullptr;
  if (value && all_of(call->arguments(), [&](const Expr *argument) {
        return isZeroOfZeros(argument, ast, depth);
      }))
    return isZeroOfZeros(value, ast, depth - 1);
  Expr::EvalResult k;
  return !e->isValueDependent() && e->EvaluateAsInt(k, ast) &&
         k.Val.getInt() == 0;
}

/// Whether \p m does nothing but return a reference to an element of \p f, the
/// first one where all that it takes is zero.
static bool returnsElement(const CXXMethodDecl *m, const FieldDecl *f) {
  const Expr *value = onlyValue(m);
  const auto e = value ? containerElement(value) : std::nullopt;
  return e && !e->isChecked && isOwnField(e->container, f) &&
         !m->param_empty() && m->getReturnType()->isLValueReferenceType() &&
         isZeroOfZeros(e->by, m->getASTContext()) &&
         all_of(m->parameters(), [](const ParmVarDecl *p) {
           return p->getType().getNonReferenceType()->isIntegerType();
         });
}

/// Whether a call of \p m on an object that is constant, or not, means \p m.
static bool isMeant(const CXXMethodDecl *m) {
  return all_of(m->getParent()->lookup(m->getDeclName()), [&](const auto *d) {
    const auto *other = dyn_cast<CXXMethodDecl>(d);
    return other && (other == m || other->isConst() != m->isConst() ||
                     other->getMinRequiredArguments() > m->getNumParams() ||
                     other->getNumParams() < m->getNumParams());
  });
}

/// C++ for the first element of \p f, of the object \p of, by public method
/// \p m, which \p returnsAll or an element; empty where it does not.
static std::string firstBy(const CXXMethodDecl *m, const FieldDecl *f,
                           const Object &of, bool returnsAll) {
  const std::string member = of.text + (of.isPointer ? "->" : ".");
  if (returnsAll)
    return m->getIdentifier() && returnsData(m, f)
               ? member + m->getName().str() + "()"
               : "";
  const OverloadedOperatorKind op = m->getOverloadedOperator();
  if ((op != OO_Call && op != OO_Subscript && !m->getIdentifier()) ||
      !returnsElement(m, f) || !isMeant(m))
    return "";
  std::string zeros;
  for (unsigned k = 0; k != m->getNumParams(); ++k)
    zeros += k ? ", 0" : "0";
  return "&" +
         (m->getIdentifier() ? member + m->getName().str()
          : of.isPointer     ? "(*" + of.text + ")"
                             : of.text) +
         (op == OO_Subscript ? "[0]" : "(" + zeros + ")");
}

/// The elements of a vector that is private, where a public method returns
/// where they are, or an element by its numbers: there must be one.
std::optional<ArrayPlace> NestBuilder::dataByMethod(const Expr *e) {
  const auto *member = dyn_cast<MemberExpr>(e->IgnoreParenImpCasts());
  const auto *f =
      member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  const auto type = f ? containerType(f->getType()) : std::nullopt;
  const auto *record = f ? dyn_cast<CXXRecordDecl>(f->getParent()) : nullptr;
  if (!type || !record || nest.function.isKernel ||
      !type->element->isArithmeticType() || type->element->isBooleanType())
    return std::nullopt;
  std::optional<Object> of = object(member->getBase());
  if (!of || of->type->getAsCXXRecordDecl() != record)
    return std::nullopt;
  const bool isConst =
      objectType(member->getBase()->getType()).isConstQualified();
  std::string text;
  for (bool returnsAll : {true, false})
    for (const CXXMethodDecl *m : record->methods())
      if (text.empty() && m->getAccess() == AS_public && !m->isVirtual() &&
          m->isConst() == isConst)
        text = firstBy(m, f, *of, returnsAll);
  if (text.empty())
    return std::nullopt;
  keepFromSetting(*of);
  const QualType element = isConst ? type->element.withConst() : type->element;
  return addPart({std::move(text), false, of->memory, of->parameter},
                 ast.getPointerType(element), e->getSourceRange(),
                 of->text + "_data")
      .place;
}

/// The element of a container that \p e, a container as well, is; none where it
/// is a part of a parameter by itself, as a vector in a std::array.
static std::optional<ContainerElement> rowElement(const Expr *e) {
  const auto outer = containerElement(e->IgnoreParenImpCasts());
  const auto type = containerType(objectType(e->getType()));
  return outer && type &&
                 (type->count ||
                  !containerType(outer->container->getType())->count)
             ? outer
             : std::nullopt;
}

bool NestBuilder::isRow(const Expr *e) const {
  return rowElement(e) ||
         (containerType(objectType(e->getType())) &&
          bound(named(e->IgnoreParenImpCasts()), Binding::Pointer));
}

/// The first element of \p e, which is a row or another name of one: all
/// subscripts but the last, and zero.
std::optional<ArrayPlace> NestBuilder::rowData(const Expr *e) {
  const auto element = rowElement(e);
  if (!element)
    return bound(named(e->IgnoreParenImpCasts()), Binding::Pointer)->place;
  std::optional<ArrayPlace> p = elementOfContainer(*element);
  if (p)
    p->subscripts.push_back(0);
  return p;
}

/// The first element of the container \p e.
std::optional<ArrayPlace> NestBuilder::containerData(const Expr *e,
                                                     bool isChecked) {
  if (isRow(e))
    return rowData(e);
  if (std::optional<ArrayPlace> p = containerOfFile(e); p || pending)
    return p;
  const ContainerType type = *containerType(objectType(e->getType()));
  std::optional<Object> of = attempt([&] { return object(e); });
  if (!of && !isChecked)
    if (std::optional<ArrayPlace> p = dataByMethod(e); p || pending)
      return p;
  of = object(e);
  if (!of && pending)
    return std::nullopt;
  if (!of)
    return none(diag::Call, e->getSourceRange(),
                "this container is no part of a parameter",
                "pass it as a parameter, by reference");
  if (isChecked)
    sizeOf(*of, type, e->getSourceRange());
  return dataOf(*of, type, e->getSourceRange());
}

std::optional<ArrayPlace>
NestBuilder::elementOfContainer(const ContainerElement &e) {
  std::optional<ArrayPlace> p = containerData(e.container, e.isChecked);
  ASSIGN_OR_RETURN(IndexExpr by, p ? index(e.by) : std::nullopt);
  const std::optional<RecordElements> r = recordElements(
      containerType(objectType(e.container->getType()))->element);
  p->subscripts.back() += r ? by * IndexExpr(r->count) : by;
  return p;
}

/// How many elements there are where \p e asks whether there are none.
std::optional<IndexExpr> NestBuilder::sizeOfEmpty(const Expr *e) {
  const auto *call = dyn_cast<CXXMemberCallExpr>(e);
  const Expr *container = call ? containerOf(call) : nullptr;
  ASSIGN_OR_RETURN(Object of, container && methodOf(call) == "empty"
                                  ? object(container)
                                  : std::nullopt);
  return sizeOf(of, *containerType(objectType(container->getType())),
                call->getSourceRange());
}

/// `x.data()` and `x.size()`.
std::optional<Binding>
NestBuilder::containerPart(const CXXMemberCallExpr *call) {
  const Expr *container = containerOf(call);
  if (container && methodOf(call) == "data") {
    ASSIGN_OR_RETURN(ArrayPlace p, containerData(container, false));
    return Binding(Binding::Pointer, std::move(p));
  }
  const bool isSize = container && methodOf(call) == "size";
  if (isSize && isRow(container))
    if (auto type = containerType(objectType(container->getType()));
        type->count)
      return IndexExpr(int64_t(*type->count));
  std::optional<Object> of = isSize ? object(container) : std::nullopt;
  if (isSize && !of && !pending &&
      containerElement(container->IgnoreParenImpCasts()))
    fail(diag::Container, call->getSourceRange(),
         "this is a row of a vector of vectors, whose rows lie anywhere in "
         "memory",
         "use nothing of such vectors in the loops but elements, as x[i][j], "
         "and sizes");
  if (!of)
    return std::nullopt;
  return sizeOf(*of, *containerType(objectType(container->getType())),
                call->getSourceRange());
}

} // namespace convopt
