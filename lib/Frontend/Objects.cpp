//===- Objects.cpp - Parts of structs, classes and arrays of sizes --------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `shape->in.h`, `dims[2]` and `x.height()` are arguments of the nest, which
/// host code reads once, before the launch: nothing in the nest writes them.
/// The function keeps its signature; Argument::source says where each comes
/// from.
///
//===----------------------------------------------------------------------===//

#include "DeviceSizes.h"
#include "Diagnostics.h"
#include "Half.h"
#include "Mentions.h"
#include "NestBuilder.h"
#include "NestedVectors.h"
#include "ReadOnly.h"
#include "Records.h"
#include "convopt/Nest/DeviceParts.h"

using namespace llvm;
using namespace clang;

namespace convopt {

QualType objectType(QualType type) {
  type = type.getNonReferenceType();
  return type->isPointerType() ? type->getPointeeType() : type;
}

static bool isPublic(const NamedDecl *d) {
  return d->getAccess() == AS_public || d->getAccess() == AS_none;
}

/// What objects of \p r are made with where nothing makes them of nothing: as
/// many ones as its shortest constructor takes numbers. Empty for none.
static std::string onesFor(const CXXRecordDecl *r) {
  unsigned fewest = 0;
  for (const CXXConstructorDecl *c : r->ctors())
    if (isPublic(c) && !c->isDeleted() && c->getNumParams() &&
        (!fewest || c->getNumParams() < fewest) &&
        all_of(c->parameters(), [](const ParmVarDecl *p) {
          return p->getType().getNonReferenceType()->isArithmeticType();
        }))
      fewest = c->getNumParams();
  std::string ones;
  for (unsigned k = 0; k != fewest; ++k)
    ones += k ? ", 1" : "(1";
  return ones.empty() ? "" : ones + ")";
}

/// C++ for an object of \p type whose parts can be assigned one by one: the
/// type, or a value of it; empty where there is none.
static std::string objectOf(QualType type, const PrintingPolicy &policy) {
  const std::string name = type.getAsString(policy);
  const RecordDecl *record = type->getAsRecordDecl();
  if (!record)
    return type->isIntegerType() ? name : "";
  const auto *r = dyn_cast<CXXRecordDecl>(record);
  if (record->isUnion() || any_of(record->fields(), [](const FieldDecl *f) {
        return f->getType().isConstQualified() ||
               f->getType()->isReferenceType() || !isPublic(f);
      }))
    return "";
  if (!r || !r->hasDefinition() || r->isAggregate() ||
      (r->hasDefaultConstructor() && !r->isLambda()))
    return name;
  const std::string ones = r->isLambda() ? "" : onesFor(r);
  return ones.empty() ? "" : name + ones;
}

/// Whether \p o is in memory of the device, which host code copies.
static bool isOnDevice(const Function &f, const Object &o) {
  return o.parameter < f.parameters.size() &&
         isOnDevice(f, f.parameters[o.parameter]);
}

/// Whether \p p is an object, or leads to one that host code can read.
bool NestBuilder::hasParts(const ParmVarDecl *p) const {
  const QualType type = p->getType(), of = objectType(type);
  const bool isSizes = use.sizesOf(p), isOfKernel = nest.function.isKernel;
  const bool areNumbers =
      type->isPointerType() && recordElements(ast.getBaseElementType(of));
  return ((of->isRecordType() && !isHalf(of)) || isSizes || areNumbers) &&
         !(isOfKernel && type->isReferenceType()) &&
         (!isOfKernel || !type->isPointerType() || areNumbers || isSizes ||
          leadsToSizes(p, function)) &&
         !type->isDependentType() && !of.isVolatileQualified();
}

/// Binds a parameter whose parts are arguments of the nest.
bool NestBuilder::objectParameter(const ParmVarDecl *p) {
  const QualType type = p->getType(), of = objectType(type);
  const std::string name = p->getNameAsString();
  const auto *record = of->getAsCXXRecordDecl();
  const bool isWhole = !type->isPointerType() && !type->isReferenceType();
  if (type->isRValueReferenceType() ||
      (isWhole && record && record->defaultedCopyConstructorIsDeleted()) ||
      (isWhole && record && any_of(record->ctors(), [](const auto *c) {
         return c->isCopyConstructor() && c->isDeleted();
       })))
    return fail(diag::Field, p->getSourceRange(),
                "'" + name + "' cannot be passed on as it is",
                "take it by reference");
  QualType written = type;
  if (const auto *decayed = type->getAs<DecayedType>())
    written = decayed->getOriginalType();
  PrintingPolicy policy(ast.getLangOpts());
  policy.SuppressTagKeyword = ast.getLangOpts().CPlusPlus;
  policy.Bool = true;
  std::string text = "@";
  written.getAsStringInternal(text, policy);
  Parameter result{text, name};
  const QualType object = of.getUnqualifiedType();
  result.object = containerType(object) && !isCopyView(object)
                      ? object.getAsString(policy)
                      : objectOf(object, policy);
  result.elements = type->isPointerType();
  // An array of structures, in memory of the device.
  if (nest.function.isKernel && type->isPointerType() && !use.sizesOf(p) &&
      !leadsToSizes(p, function)) {
    result.object = spelling(type, "@");
    result.elements = 0;
  }
  const Object whole{name, type->isPointerType(),
                     type->isPointerType()     ? "*" + name
                     : type->isReferenceType() ? name
                                               : "",
                     nest.function.parameters.size(), object};
  scope[p] = whole;
  nest.function.parameters.push_back(std::move(result));
  return !type->isPointerType() || !of->isArrayType() ||
         recordsOf(whole, of, p->getSourceRange());
}

/// Whether \p m returns \p f, or its element \p at, and does nothing else: of
/// its parameter, or of no other. What a template makes of one that nobody
/// calls has no body.
static bool returns(const CXXMethodDecl *m, const FieldDecl *f,
                    std::optional<int64_t> at) {
  const ASTContext &ast = f->getASTContext();
  const FunctionDecl *source = m->getTemplateInstantiationPattern();
  source = source ? source : m;
  const auto *body = dyn_cast_or_null<CompoundStmt>(source->getBody());
  const auto *only = body && body->size() == 1
                         ? dyn_cast<ReturnStmt>(body->body_front())
                         : nullptr;
  const Expr *value = only ? only->getRetValue() : nullptr;
  QualType type = f->getType();
  if (value && at) {
    const auto container = containerType(type);
    type = container ? container->element
                     : ast.getAsArrayType(type)->getElementType();
    value = value->IgnoreParenImpCasts();
    const auto *s = dyn_cast<ArraySubscriptExpr>(value);
    const auto c = s ? std::nullopt : containerElement(value);
    const Expr *by = s ? s->getIdx() : c && !c->isChecked ? c->by : nullptr;
    Expr::EvalResult k;
    const bool isIt =
        by && (m->getNumParams()
                   ? namedVariable(by) == source->getParamDecl(0)
                   : !by->isValueDependent() && by->EvaluateAsInt(k, ast) &&
                         k.Val.getInt() == *at);
    value = !isIt ? nullptr : s ? s->getBase() : c->container;
  }
  const auto *member =
      value ? dyn_cast<MemberExpr>(value->IgnoreParenImpCasts()) : nullptr;
  return member && member->getMemberDecl()->getDeclName() == f->getDeclName() &&
         isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()) &&
         m->getNumParams() <= at.has_value() &&
         ast.hasSimilarType(m->getReturnType().getNonReferenceType(), type);
}

/// Whether \p m takes what elements are numbered by, as \p like does.
static bool takesNumber(const CXXMethodDecl *m, const CXXMethodDecl *like) {
  const ASTContext &ast = m->getASTContext();
  auto typeOf = [](const ParmVarDecl *p) {
    return p->getType().getNonReferenceType().getUnqualifiedType();
  };
  return all_of_zip(m->parameters(), like->parameters(),
                    [&](const ParmVarDecl *p, const ParmVarDecl *q) {
                      const QualType type = typeOf(p);
                      return type->isIntegerType() && !type->isBooleanType() &&
                             !type->isEnumeralType() &&
                             ast.getTypeSize(type) >=
                                 ast.getTypeSize(ast.IntTy) &&
                             ast.hasSameType(type, typeOf(q));
                    });
}

/// The public method that returns \p f, or its element \p at, whatever the
/// object is, or null.
static const CXXMethodDecl *accessorOf(const FieldDecl *f,
                                       std::optional<int64_t> at) {
  const auto *record = dyn_cast<CXXRecordDecl>(f->getParent());
  if (!record)
    return nullptr;
  // Whichever a call of the name can mean has to be like it.
  auto isMeant = [&](const CXXMethodDecl *m) {
    return all_of(record->lookup(m->getDeclName()), [&](const NamedDecl *d) {
      const auto *other = dyn_cast<CXXMethodDecl>(d);
      return other &&
             other->getMinRequiredArguments() == other->getNumParams() &&
             (other->getNumParams() != m->getNumParams() ||
              (returns(other, f, at) && takesNumber(other, m)));
    });
  };
  for (const CXXMethodDecl *m : record->methods())
    if (isPublic(m) && m->isConst() && m->getIdentifier() && !m->isVirtual() &&
        isMeant(m))
      return m;
  return nullptr;
}

/// Whether the name of \p d, a member, means another one in \p type.
static bool isHidden(const NamedDecl *d, QualType type) {
  const auto *record = type->getAsCXXRecordDecl();
  auto has = [&](const CXXRecordDecl *r) {
    return r != d->getDeclContext() && !r->lookup(d->getDeclName()).empty();
  };
  return record && record != d->getDeclContext() &&
         (has(record) ||
          !record->forallBases([&](const auto *r) { return !has(r); }));
}

/// Why field \p f, which \p member names of an object of type \p of, is no part
/// of it, and what to do; or nothing.
static std::pair<const char *, const char *>
whyNoPart(const FieldDecl *f, const MemberExpr *member, QualType of) {
  const char *copied = "copy it to a variable, and pass that";
  if (f->getParent()->isUnion() || f->isAnonymousStructOrUnion())
    return {"is part of a union", copied};
  if (f->isBitField())
    return {"is a bit field", copied};
  if (f->getType().isVolatileQualified() ||
      member->getBase()->getType().isVolatileQualified())
    return {"is volatile", copied};
  if (f->isMutable())
    return {"is mutable", copied};
  if (isHidden(f, of))
    return {"has a namesake in a derived class", copied};
  return {};
}

/// The text of \p of and a call of \p m, with \p at where it takes that.
static std::string textOfCall(const Object &of, const CXXMethodDecl *m,
                              int64_t at = 0) {
  return of.text + (of.isPointer ? "->" : ".") + m->getNameAsString() + "(" +
         (m->getNumParams() ? std::to_string(at) : "") + ")";
}

/// Refuses \p member, a private field \p f, and with it all such fields of its
/// class that the class does not return.
std::nullopt_t NestBuilder::refusePrivate(const FieldDecl *f,
                                          const MemberExpr *member,
                                          bool isCopied) {
  std::vector<std::string> others;
  for (const FieldDecl *other : f->getParent()->fields())
    if (other != f && !isPublic(other) && other->getIdentifier() &&
        (isCopied || !accessorOf(other, std::nullopt)))
      others.push_back("'" + other->getNameAsString() + "'");
  std::string all;
  for (const auto &[k, other] : enumerate(others))
    all += (k == 0                   ? ", as are "
            : k + 1 == others.size() ? " and "
                                     : ", ") +
           other;
  const bool isOne = others.empty();
  return none(diag::Field, member->getSourceRange(),
              "field '" + f->getNameAsString() + "' is private" + all +
                  ", so that host code cannot read " + (isOne ? "it" : "them"),
              isCopied ? "pass it to the kernel as a number"
              : isOne  ? "give it a public 'const' method that returns it"
                       : "give each a public 'const' method that returns it");
}

/// The field that \p member names of an object.
std::optional<Object> NestBuilder::field(const MemberExpr *member) {
  const auto *f = dyn_cast<FieldDecl>(member->getMemberDecl());
  std::optional<Object> of = f ? object(member->getBase()) : std::nullopt;
  const bool isCopied = of && isOnDevice(nest.function, *of);
  // A kernel's other pointers lead to arrays.
  if (of && of->isPointer && nest.function.isKernel && !isCopied)
    return std::nullopt;
  if (!of || (f->isAnonymousStructOrUnion() && !f->getType()->isUnionType()))
    return of;
  const CXXMethodDecl *accessor =
      isPublic(f) || isCopied ? nullptr : accessorOf(f, std::nullopt);
  auto [why, remedy] = whyNoPart(f, member, of->type);
  if (!why && !isPublic(f) && (!accessor || isHidden(accessor, of->type)))
    return refusePrivate(f, member, isCopied);
  if (!why && isCopied && f->getType()->isReferenceType())
    std::tie(why, remedy) = std::pair("is a reference in memory of the device",
                                      "pass what it refers to");
  if (why)
    return none(diag::Field, member->getSourceRange(),
                "field '" + f->getNameAsString() + "' " + why, remedy);
  if (accessor || f->getType().isConstQualified())
    keepFromSetting(*of);
  std::string text =
      accessor ? textOfCall(*of, accessor)
               : of->text + (of->isPointer ? "->" : ".") + f->getNameAsString();
  if (f->getType()->isReferenceType())
    of->memory = text;
  return Object{std::move(text), false, of->memory, of->parameter,
                f->getType().getNonReferenceType()};
}

namespace {

/// Whether a field, or a parameter that stands for one, is used in another way
/// than by its elements at constants.
class FieldUse : public DynamicRecursiveASTVisitor {
public:
  explicit FieldUse(const ValueDecl *field) : field(field) {}

  bool isArray() const { return mentions != elements; }
  bool VisitMemberExpr(MemberExpr *m) override {
    mentions += m->getMemberDecl() == field;
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    mentions += ref->getDecl() == field;
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *s) override {
    elements += !s->getType()->isArrayType() && isElement(s);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = visibleDefinition(call);
    if (callee)
      for (const auto &[p, argument] : argumentsOf(call, callee))
        elements += p->getType()->isReferenceType() && isField(argument) &&
                    !isArrayIn(callee, p);
    return !callee || constants.enter(call, callee, [&] {
      return TraverseStmt(callee->getBody());
    });
  }

private:
  bool isField(const Expr *e) const {
    e = e->IgnoreParenImpCasts();
    const auto *m = dyn_cast<MemberExpr>(e);
    const auto *ref = dyn_cast<DeclRefExpr>(e);
    return (m && m->getMemberDecl() == field) ||
           (ref && ref->getDecl() == field);
  }
  bool isArrayIn(const FunctionDecl *callee, const ParmVarDecl *p) {
    if (++depth > maxDepth)
      return true;
    FieldUse use(p);
    use.depth = depth;
    use.TraverseStmt(callee->getBody());
    --depth;
    return use.isArray();
  }
  bool isElement(const Expr *e) const {
    e = e->IgnoreParenImpCasts();
    if (isField(e))
      return true;
    const auto *s = dyn_cast<ArraySubscriptExpr>(e);
    return s && constants.isConstant(s->getIdx(), field->getASTContext()) &&
           isElement(s->getBase());
  }

  const ValueDecl *field;
  static constexpr unsigned maxDepth = 8; // of calls
  unsigned mentions = 0, elements = 0, depth = 0;
  ConstantArguments constants;
};

} // namespace

static bool isUsedAsArray(const MemberExpr *member, const FunctionDecl *f) {
  FieldUse use(member->getMemberDecl());
  use.TraverseStmt(f->getBody());
  return use.isArray();
}

/// The array of an object that \p e names, where each of its elements that is
/// used is a part of its own.
std::optional<Object> NestBuilder::arrayOfParts(const Expr *e) {
  e = e->IgnoreParenImpCasts();
  if (const Binding *part = bound(namedVariable(e), Binding::Part))
    return part->object;
  const auto *m = dyn_cast<MemberExpr>(e);
  return m && !isUsedAsArray(m, function) ? attempt([&] { return field(m); })
                                          : std::nullopt;
}

/// `array[by]` for a constant; of what a pointer leads to, numbers that may be
/// sizes.
std::optional<Object> NestBuilder::elementOf(const Expr *array,
                                             const Expr *by) {
  array = array->IgnoreParenImpCasts();
  const bool isPointer = array->getType()->isPointerType();
  const QualType element =
      by && isPointer ? array->getType()->getPointeeType() : array->getType();
  const Binding *part = bound(namedVariable(array), Binding::Part);
  const bool isCopied = part && isOnDevice(nest.function, part->object);
  if (isPointer && ((nest.function.isKernel && !isCopied) ||
                    !(element->isIntegerType() || element->isRecordType())))
    return std::nullopt;
  // Which holds no sizes.
  if (std::optional<RecordElements> r =
          isPointer ? recordElements(element) : std::nullopt;
      r && r->element->isRealFloatingType())
    return std::nullopt;
  // What the nest has as an array has no part beside it.
  const auto *m = dyn_cast<MemberExpr>(array);
  const auto *f = m ? dyn_cast<FieldDecl>(m->getMemberDecl()) : nullptr;
  const bool isArray = f && f->getType()->isArrayType();
  if (isArray && isUsedAsArray(m, function)) {
    std::optional<Object> of = attempt([&] { return object(m->getBase()); });
    if (!nest.function.isKernel || (of && isOnDevice(nest.function, *of)))
      return std::nullopt;
  }
  std::optional<IndexExpr> k = attempt([&] { return index(by); });
  const int64_t at = k ? k->asConstant().value_or(-1) : -1;
  if (at < 0 || at > UINT8_MAX)
    return std::nullopt;
  const auto inClass = f ? containerType(f->getType()) : std::nullopt;
  const bool isNumbered = isArray || (inClass && inClass->count);
  const CXXMethodDecl *accessor =
      isNumbered && !isPublic(f) ? accessorOf(f, at) : nullptr;
  if (accessor)
    if (std::optional<Object> of = object(m->getBase());
        of && !whyNoPart(f, m, of->type).first &&
        !isHidden(accessor, of->type)) {
      keepFromSetting(*of);
      return Object{textOfCall(*of, accessor, at), false, of->memory,
                    of->parameter, inClass ? inClass->element : element};
    }
  ASSIGN_OR_RETURN(Object of, object(array));
  const std::optional<ContainerType> container = containerType(of.type);
  const bool isElsewhere = of.isPointer || (container && !container->count);
  if (Parameter *p = parameterOf(of); p && isElsewhere && of.text == p->name) {
    p->elements = std::max<unsigned>(p->elements, at + 1);
    if (container && container->isView) // which has none by itself
      p->object.clear();
  }
  std::string text = of.text + "[" + std::to_string(at) + "]";
  return Object{text, false, isElsewhere ? text : of.memory, of.parameter,
                element};
}

/// The parameter that \p o is a part of, or null for one of the file.
Parameter *NestBuilder::parameterOf(const Object &o) {
  return o.parameter < nest.function.parameters.size()
             ? &nest.function.parameters[o.parameter]
             : nullptr;
}

void NestBuilder::keepFromSetting(const Object &o) {
  if (Parameter *p = parameterOf(o))
    p->object.clear();
}

/// The part of a parameter that \p e names.
std::optional<Object> NestBuilder::partOf(const Expr *e) {
  if (const auto *member = dyn_cast<MemberExpr>(e))
    return field(member);
  if (const auto *s = dyn_cast<ArraySubscriptExpr>(e))
    return elementOf(s->getBase(), s->getIdx());
  if (const auto *u = dyn_cast<UnaryOperator>(e);
      u && u->getOpcode() == UO_Deref &&
      use.sizesOf(namedVariable(u->getSubExpr())))
    return elementOf(
        u->getSubExpr(),
        IntegerLiteral::Create(ast, APInt(ast.getIntWidth(ast.IntTy), 0),
                               ast.IntTy, u->getBeginLoc()));
  // Of an array of a class there are as many as its type says; a vector of
  // sizes has those that the function names.
  if (auto c = containerElement(e);
      c && (containerType(c->container->getType())->count ||
            (!c->isChecked && use.sizesOf(namedVariable(c->container)))))
    return elementOf(c->container, c->by);
  return std::nullopt;
}

/// The object that \p e names or points at.
std::optional<Object> NestBuilder::object(const Expr *e) {
  e = e->IgnoreParenImpCasts();
  const auto *u = dyn_cast<UnaryOperator>(e);
  if (u && (u->getOpcode() == UO_AddrOf || u->getOpcode() == UO_Deref))
    return object(u->getSubExpr());
  const auto *copy = dyn_cast<CXXConstructExpr>(e);
  if (copy && copy->getConstructor()->isCopyOrMoveConstructor() &&
      copy->getConstructor()->isTrivial())
    return object(copy->getArg(0));
  if (isa<CXXThisExpr>(e))
    return calls.empty() ? std::nullopt : calls.back().object;
  if (const auto *ref = dyn_cast<DeclRefExpr>(e)) {
    auto it = scope.find(ref->getDecl());
    if (it == scope.end())
      return objectOfFile(ref->getDecl());
    if (it->second.kind == Binding::Part)
      return it->second.object;
    if (it->second.kind == Binding::Changed &&
        objectType(ref->getType())->isRecordType())
      fail(diag::Field, e->getSourceRange(),
           "'" + ref->getDecl()->getNameAsString() +
               "' may lead to another object in each iteration",
           "subscript the parameter itself");
    return std::nullopt;
  }
  std::optional<Object> p = partOf(e);
  if (!p || !e->getType()->isPointerType())
    return p;
  if (nest.function.isKernel)
    return none(diag::Field, e->getSourceRange(),
                "'" + p->text + "' leads to memory that host code cannot read",
                "pass what it leads to by value");
  keepFromSetting(*p);
  return Object{p->text, true, "*" + p->text, p->parameter,
                e->getType()->getPointeeType()};
}

/// A name for what \p text gives that nothing has: `p_in_height` for
/// `p->in.height`.
std::string NestBuilder::nameOf(StringRef text) const {
  std::string stem;
  for (char c : text)
    if (isAlnum(c) || c == '_')
      stem += c;
    else if (!stem.empty() && stem.back() != '_' && c != '(' && c != ')' &&
             c != ']')
      stem += '_';
  std::string name = stem;
  auto hasName = [&](const auto &o) { return o.name == name; };
  auto isTaken = [&] {
    return name == nest.function.name || nest.hasName(name) ||
           any_of(nest.function.parameters, hasName) ||
           any_of(nest.function.arguments, hasName) ||
           ast.Idents.get(name).hadMacroDefinition();
  };
  for (unsigned n = 2; isTaken(); ++n)
    name = stem + "_" + std::to_string(n);
  return name;
}

Binding NestBuilder::addPart(const Object &part, QualType type,
                             clang::SourceRange where, StringRef wish,
                             Argument a) {
  auto known = parts.find(part.text);
  if (known != parts.end()) {
    known->second.isReadInLoops |= inLoops;
    return known->second.binding;
  }
  if (!type->isDependentType())
    type = ast.getCanonicalType(type);
  type = type.getUnqualifiedType();
  if (!a.isPart())
    a.source = part.text;
  a.name = nameOf(wish.empty() ? part.text : wish);
  a.type = spelling(type, "@");
  Binding b;
  if (type->isPointerType()) {
    QualType element = type->getPointeeType().getUnqualifiedType();
    a.role = Argument::ArrayArg;
    a.index = nest.arrays.size();
    Array array;
    array.name = a.name;
    array.elementType = spelling(element);
    array.role = Array::Input;
    array.range = range(where);
    nest.arrays.push_back(std::move(array));
    sourceArrays.push_back({{}, element});
    b = {Binding::Pointer, {a.index, {IndexExpr(0)}}};
  } else if (type->isIntegralOrEnumerationType()) {
    a.role = Argument::ParamArg;
    a.index = nest.params.size();
    b = IndexExpr::param(a.index);
    nest.params.push_back({a.name, sizeType(type), false, {}});
  } else {
    b.kind = Binding::Constant;
    b.text = a.name;
  }
  nest.function.arguments.push_back(std::move(a));
  parts[part.text] = {b, type, inLoops, part.memory};
  return b;
}

/// The argument that the part \p text is.
Argument &NestBuilder::partArgument(StringRef text) {
  return *find_if(nest.function.arguments,
                  [&](const Argument &a) { return a.source == text; });
}

/// An argument for \p part, an array of \p type, whose extents are constants.
Binding NestBuilder::addArray(const Object &part, QualType type,
                              QualType element, clang::SourceRange where,
                              StringRef wish) {
  Binding b = addPart(part, ast.getPointerType(element), where, wish);
  std::vector<IndexExpr> extents = *innerExtents(type, where);
  Argument &a = partArgument(part.text);
  a.elements = 1;
  for (const IndexExpr &e : extents)
    a.elements *= *e.asConstant();
  sourceArrays[b.place.array].outermost = extents.front().asConstant();
  extents.erase(extents.begin());
  sourceArrays[b.place.array].innerExtents = std::move(extents);
  return b;
}

/// The numbers that \p member, an array, holds within an object.
std::optional<Binding> NestBuilder::arrayField(const MemberExpr *member) {
  const QualType type = member->getType();
  const QualType element = ast.getBaseElementType(type);
  ASSIGN_OR_RETURN(Object p, isNumber(element) &&
                                     !element.isVolatileQualified() &&
                                     isUsedAsArray(member, function)
                                 ? field(member)
                                 : std::nullopt);
  if (nest.function.isKernel && !isOnDevice(nest.function, p))
    return none(diag::Field, member->getSourceRange(),
                "field '" + member->getMemberDecl()->getNameAsString() +
                    "' is an array, which is not in memory of the device",
                "pass it as a pointer, or declare it '__constant__'");
  p.memory.clear(); // as an array it is apart from others, or tested
  return addArray(p, type, element, member->getSourceRange());
}

/// What \p e is, where it is a part of a parameter: a number, or a pointer to
/// numbers.
std::optional<Binding> NestBuilder::part(const Expr *e) {
  e = e->IgnoreParens();
  if (const auto *m = dyn_cast<MemberExpr>(e);
      m && e->getType()->isConstantArrayType())
    return arrayField(m);
  if (const auto *open = dyn_cast<UnresolvedLookupExpr>(e))
    return globalOfTemplate(open);
  if (const auto *call = dyn_cast<CXXMemberCallExpr>(e))
    if (std::optional<Binding> b = containerPart(call); b || pending)
      return b;
  if (!isa<MemberExpr, ArraySubscriptExpr, CXXOperatorCallExpr, UnaryOperator>(
          e))
    return std::nullopt;
  const QualType type = e->getType();
  const bool isData = type->isPointerType() &&
                      type->getPointeeType()->isArithmeticType() &&
                      !type->getPointeeType().isVolatileQualified();
  const bool isNumber = type->isArithmeticType() || type->isEnumeralType();
  if (isOfHostAlone(isData ? type->getPointeeType() : type))
    return none(diag::Type, e->getSourceRange(),
                "this is of type '" + spelling(type) +
                    "', which device code does not have",
                "use float or double");
  std::optional<Object> p = isNumber || isData ? partOf(e) : std::nullopt;
  return p ? std::optional(addPart(*p, type, e->getSourceRange()))
           : std::nullopt;
}

/// 1 where the pointer \p e leads to an array, and 0 where it is null: an
/// argument of the nest, which host code finds out once.
std::optional<IndexExpr> NestBuilder::presence(const Expr *e) {
  ASSIGN_OR_RETURN(ArrayPlace p, pointer(e));
  auto isWhole = [](const IndexExpr &s) { return s.isZero(); };
  auto a = find_if(nest.function.arguments, [&](const Argument &a) {
    return a.role == Argument::ArrayArg && a.index == p.array;
  });
  if (a == nest.function.arguments.end() || !all_of(p.subscripts, isWhole))
    return none(diag::PointerChoice, e->getSourceRange(),
                "a pointer into an array is tested",
                "test the parameter itself, such as 'if (bias)'");
  Argument test;
  test.source = a->isPart() ? a->source : a->name;
  test.isPresence = true;
  // That it is an int is C's and C++'s.
  Binding b = addPart({test.text()}, ast.IntTy, e->getSourceRange(),
                      "has_" + test.source, test);
  nest.params[b.index.asVar()->id].type = "bool";
  return b.index;
}

/// Whether what the nest writes may be an object of \p type.
bool NestBuilder::isStored(QualType type) const {
  return any_of(collect<Statement>(nest.body), [&](const Statement *s) {
    if (nest.arrays[s->target.array].isLocal())
      return false;
    const QualType stored = sourceArrays[s->target.array].element;
    return stored->isAnyCharacterType() || stored->isDependentType() ||
           ast.hasSameUnqualifiedType(stored, type) ||
           (stored->isIntegerType() && type->isIntegerType() &&
            ast.getTypeSize(stored) == ast.getTypeSize(type));
  });
}

/// Tells the signature apart from the arguments where some are parts, and what
/// the nest may change while it reads it from what stays.
void NestBuilder::finishParameters() {
  auto isPassed = [&](const Parameter &p) {
    return any_of(nest.function.arguments, [&](const Argument &a) {
      return !a.isPart() && a.name == p.name;
    });
  };
  if (all_of(nest.function.parameters, isPassed) &&
      none_of(function->parameters(), isConstReference) &&
      none_of(nest.function.arguments, std::mem_fn(&Argument::isPart)))
    nest.function.parameters.clear();
  for (const ParmVarDecl *p : function->parameters())
    if (isConstReference(p) && isStored(p->getType()->getPointeeType()))
      find_if(nest.function.arguments, [&](const Argument &a) {
        return a.name == nameOf(p);
      })->memory = nameOf(p);
  for (Argument &a : nest.function.arguments) {
    auto p = parts.find(a.source);
    if (p != parts.end() && p->second.isReadInLoops && isStored(p->second.type))
      a.memory = p->second.memory;
  }
}

} // namespace convopt
