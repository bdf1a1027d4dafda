//===- Signature.cpp - Parameters of the function and of its template -----===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "ForEach.h"
#include "Half.h"
#include "Meaning.h"
#include "Mentions.h"
#include "NestBuilder.h"
#include "Resolve.h"
#include "convopt/Source/CTypes.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// The name of \p type in <stdint.h> whose size is the same on all hosts, and
/// that of what it stands for, a long, is not; null: it has none.
static const TypedefType *ofFixedSize(const ASTContext &ast, QualType type) {
  while (const auto *alias = type->getAs<TypedefType>()) {
    const TypedefNameDecl *d = alias->getDecl();
    if (is_contained({"int64_t", "uint64_t", "size_t"}, d->getName()) &&
        ast.getSourceManager().isInSystemHeader(d->getLocation()))
      return alias;
    type = d->getUnderlyingType();
  }
  return nullptr;
}

/// The type as the added code has it, which is C++ and sees no C: there it has
/// no names of the source's own.
static QualType withoutNames(const ASTContext &ast, QualType type) {
  const Qualifiers own = type.getCanonicalType().getQualifiers();
  if (const auto *p = type->getAs<PointerType>())
    return ast.getQualifiedType(
        ast.getPointerType(withoutNames(ast, p->getPointeeType())), own);
  if (const TypedefType *sized = ofFixedSize(ast, type))
    return ast.getQualifiedType(QualType(sized, 0), own);
  type = ast.getCanonicalType(type);
  if (const auto *e = type->getAs<EnumType>())
    return ast.getQualifiedType(e->getDecl()->getIntegerType(),
                                type.getQualifiers());
  return type;
}

std::string NestBuilder::spelling(QualType type, StringRef name) const {
  const bool isC = !ast.getLangOpts().CPlusPlus;
  PrintingPolicy policy(ast.getLangOpts());
  policy.SuppressTagKeyword = !isC;
  policy.Bool = true;
  auto isUnknown = [&] {
    const auto *alias = type->getAs<TypedefType>();
    return alias && !alias->getDecl()->isInStdNamespace() &&
           !isSeenBeside(function, alias->getDecl());
  };
  // As one within a template: its parameters have no names in canonical types.
  while (type->isDependentType() && isUnknown())
    type = type.getSingleStepDesugaredType(ast);
  // Another template's parameter is this one's in the same place.
  const auto *of = type->getAs<TemplateTypeParmType>();
  const FunctionTemplateDecl *own = function->getDescribedFunctionTemplate();
  const TemplateParameterList *all =
      own ? own->getTemplateParameters() : nullptr;
  if (of && all && of->getDepth() == all->getDepth() &&
      of->getIndex() < all->size())
    if (const auto *p =
            dyn_cast<TemplateTypeParmDecl>(all->getParam(of->getIndex())))
      type = ast.getQualifiedType(ast.getTypeDeclType(p), type.getQualifiers());
  // As `value_type` of a vector's elements.
  if (isC || isUnknown())
    type = withoutNames(ast, type);
  std::string text = name.str();
  type.getAsStringInternal(text, policy);
  return text;
}

/// The values that the source names of \p type, if it is an enumeration.
static std::vector<int64_t> enumeratorsOf(QualType type) {
  std::set<int64_t> values;
  if (const auto *e = type->getAs<EnumType>())
    for (const EnumConstantDecl *c : e->getDecl()->enumerators())
      if (const auto value = c->getInitVal().tryExtValue())
        values.insert(*value);
  return {values.begin(), values.end()};
}

bool NestBuilder::templateParameters() {
  const FunctionTemplateDecl *t = function->getDescribedFunctionTemplate();
  if (!t)
    return true;
  const TemplateParameterList *list = t->getTemplateParameters();
  nest.function.templateParameters =
      Lexer::getSourceText(
          CharSourceRange::getCharRange(
              list->getLAngleLoc().getLocWithOffset(1), list->getRAngleLoc()),
          ast.getSourceManager(), ast.getLangOpts())
          .str();
  for (const NamedDecl *p : *list) {
    std::string name = p->getNameAsString();
    if (name.empty() || p->isParameterPack() ||
        isa<TemplateTemplateParmDecl>(p))
      return fail(diag::Signature, p->getSourceRange(),
                  "this template parameter is a pack, a template or unnamed",
                  "name each parameter, and take types and integers only");
    nest.function.templateArgs.push_back(name);
    if (isa<TemplateTypeParmDecl>(p)) {
      nest.function.typeParams.push_back(name);
      continue;
    }
    const auto *value = cast<NonTypeTemplateParmDecl>(p);
    // Which is no number in the conditions of the template's own code.
    if (value->getType()->isScopedEnumeralType())
      return fail(diag::Template, p->getSourceRange(),
                  "template parameter '" + name + "' is of type '" +
                      spelling(value->getType()) + "', an 'enum class'",
                  "take an int, or instantiate the template in the file");
    if (!value->getType()->isBooleanType() &&
        !isPlainInteger(value->getType(), p->getSourceRange()))
      return false;
    scope[value] = IndexExpr::param(nest.params.size());
    QualType type = value->getType().getUnqualifiedType();
    // Instances are named outside of the namespaces of the function.
    if (type->isEnumeralType())
      type = TypeName::getFullyQualifiedType(type, ast);
    nest.params.push_back(
        {name, sizeType(type), true, {}, enumeratorsOf(type)});
  }
  return true;
}

/// Takes the array dimensions off \p type.
std::optional<std::vector<IndexExpr>>
NestBuilder::innerExtents(QualType &type, clang::SourceRange where) {
  std::vector<IndexExpr> extents;
  while (const clang::ArrayType *array = ast.getAsArrayType(type)) {
    std::optional<IndexExpr> extent;
    if (const auto *c = dyn_cast<ConstantArrayType>(array))
      extent = IndexExpr(int64_t(c->getSize().getLimitedValue(INT32_MAX)));
    else if (const auto *v = dyn_cast<VariableArrayType>(array))
      extent = v->getSizeExpr() ? index(v->getSizeExpr()) : std::nullopt;
    else if (const auto *d = dyn_cast<DependentSizedArrayType>(array))
      extent = d->getSizeExpr() ? index(d->getSizeExpr()) : std::nullopt;
    if (!extent || isChosen(*extent))
      return none(diag::Extent, where, "an extent of this array is not known");
    extents.push_back(*extent);
    type = array->getElementType();
  }
  return extents;
}

bool NestBuilder::arrayParameter(const ParmVarDecl *p, QualType type,
                                 Argument &argument) {
  const ConstantArrayType *declared = nullptr;
  if (const auto *decayed = type->getAs<DecayedType>())
    declared = ast.getAsConstantArrayType(decayed->getOriginalType());
  else if (type->isReferenceType())
    declared = ast.getAsConstantArrayType(type->getPointeeType());
  QualType element = type->isReferenceType() ? declared->getElementType()
                                             : type->getPointeeType();
  std::optional<std::vector<IndexExpr>> inner =
      innerExtents(element, p->getSourceRange());
  if (!inner)
    return false;
  if (element.isVolatileQualified())
    return fail(diag::Volatile, p->getSourceRange(),
                "'" + p->getNameAsString() + "' points at volatile data");
  if (!isNumber(element) || element->isPointerType())
    return true; // refused where it is used
  Array a;
  a.name = argument.name;
  a.elementType = spelling(element.getUnqualifiedType());
  a.role = Array::Input;
  a.range = range(p->getSourceRange());
  argument.role = Argument::ArrayArg;
  argument.index = nest.arrays.size();
  scope[p] = {Binding::Pointer, {argument.index, {IndexExpr(0)}}};
  nest.arrays.push_back(std::move(a));
  sourceArrays.push_back({std::move(*inner), element});
  if (declared)
    sourceArrays.back().outermost =
        declared->getSize().getLimitedValue(INT32_MAX);
  return true;
}

/// C++ gives an enumeration without a fixed type the values that its
/// enumerators need bits for, and no others.
void NestBuilder::enumerated(const IndexExpr &value, const ParmVarDecl *p) {
  const auto *type = p->getType()->getAs<EnumType>();
  const EnumDecl *e = type ? type->getDecl()->getDefinition() : nullptr;
  if (!e || e->isFixed() || !ast.getLangOpts().CPlusPlus)
    return;
  APInt end, first;
  e->getValueRange(end, first);
  if (end.getSignificantBits() > 31)
    return;
  for (const IndexExpr &fact : {value - first.getSExtValue(),
                                IndexExpr(end.getSExtValue()) - 1 - value}) {
    addAssumption(nest, fact,
                  "'" + p->getNameAsString() + "' is a value of its type",
                  range(p->getSourceRange()));
    evaluatedUnder.push_back({Constraint::NonNegative, fact});
  }
}

/// The name of \p p in what is emitted, which calls the function by its own.
std::string NestBuilder::nameOf(const ParmVarDecl *p) const {
  const std::string name = p->getNameAsString();
  const unsigned number = p->getFunctionScopeIndex();
  if (name != nest.function.name)
    return name;
  return number < nest.function.parameters.size()
             ? nest.function.parameters[number].name
             : nameOf(StringRef(name));
}

bool isConstReference(const ParmVarDecl *p) {
  const QualType type = p->getType();
  return type->isLValueReferenceType() &&
         type->getPointeeType().isConstQualified() &&
         (type->getPointeeType()->isArithmeticType() ||
          type->getPointeeType()->isEnumeralType());
}

std::string NestBuilder::sizeType(QualType type) const {
  const std::string name = spelling(type.getUnqualifiedType());
  const auto *t = type->getAs<BuiltinType>();
  const bool hasOtherName = t && !isBoolean(name) && !isInteger(name);
  return t && (t->isSignedInteger() || hasOtherName) ? spelling(QualType(t, 0))
                                                     : name;
}

/// Whether an extent of a variable of the function is computed from \p p.
static bool isInExtent(const ParmVarDecl &p) {
  const auto *f = dyn_cast<FunctionDecl>(p.getDeclContext());
  bool found = false;
  auto look = [&](const VarDecl *v) {
    found |= any_of(extentsOf(v->getType()).variables,
                    [&](const DeclRefExpr *r) { return r->getDecl() == &p; });
  };
  if (f)
    for_each(f->parameters(), look);
  if (f && f->hasBody())
    forEach<DeclStmt>(f->getBody(), [&](const DeclStmt *s) {
      for (const Decl *d : s->decls())
        if (const auto *v = dyn_cast<VarDecl>(d))
          look(v);
    });
  return found;
}

bool NestBuilder::parameter(const ParmVarDecl *p) {
  QualType type = p->getType();
  QualType written = type;
  if (const auto *decayed = type->getAs<DecayedType>())
    written = decayed->getOriginalType();
  written.removeLocalRestrict();
  Argument argument;
  argument.name = nameOf(p);
  if (argument.name.empty())
    return fail(diag::Signature, p->getSourceRange(),
                "this parameter has no name");
  const Parameter asWritten{spelling(written, "@"), argument.name};
  if (isConstReference(p))
    type = written = type->getPointeeType().getUnqualifiedType();
  argument.type = spelling(written, "@");
  if (const QualType of = ast.getBaseElementType(objectType(type));
      isOfHostAlone(of))
    return fail(diag::Type, p->getSourceRange(),
                "'" + argument.name + "' is of type '" +
                    spelling(of.getUnqualifiedType()) +
                    "', which device code does not have",
                "use float or double");
  if (hasParts(p))
    return objectParameter(p);
  const bool isFlag = type->isBooleanType() || type->isEnumeralType();
  const bool isChanged = use.assignments(p) || use.isAddressTaken(p);
  const bool isSize =
      type->isIntegralOrEnumerationType() && !(isFlag && isChanged);
  if (type.isVolatileQualified())
    return fail(diag::Volatile, p->getSourceRange(),
                "'" + argument.name + "' is volatile");
  // What moves by numbers that are known is a variable that starts as the size.
  // An extent of a type is what it is where that is declared.
  if (isSize && (use.isAddressTaken(p) ||
                 (isChanged && (use.holdsData(p) || isInExtent(*p)))))
    return fail(diag::SizeChanged, p->getSourceRange(),
                "size '" + argument.name + "' is changed in the function",
                "use a variable of its own for what changes");
  if (isSize) {
    argument.role = Argument::ParamArg;
    argument.index = nest.params.size();
    const IndexExpr size = IndexExpr::param(argument.index);
    scope[p] = size;
    nest.params.push_back({argument.name, sizeType(type), false, {}});
    if (isNarrow(type) && !isFlag)
      obligeFits(size, type, p->getSourceRange());
    enumerated(size, p);
  } else if (type->isPointerType() || objectType(type)->isConstantArrayType()) {
    if (!arrayParameter(p, type, argument))
      return false;
  }
  nest.function.parameters.push_back(asWritten);
  nest.function.arguments.push_back(std::move(argument));
  return true;
}

bool NestBuilder::signature() {
  nest.function.name = function->getNameAsString();
  nest.function.isKernel = function->hasAttr<CUDAGlobalAttr>();
  nest.function.range = range(function->getSourceRange());
  if (!function->getReturnType()->isVoidType())
    return fail(diag::Signature, function->getReturnTypeSourceRange(),
                "'" + nest.function.name + "' returns a value",
                "write the result through a pointer");
  if (function->isVariadic())
    return fail(diag::Signature, function->getSourceRange(),
                "the function is variadic");
  return templateParameters() &&
         all_of(function->parameters(),
                [&](const ParmVarDecl *p) { return parameter(p); });
}

} // namespace convopt
