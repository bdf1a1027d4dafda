//===- Globals.cpp - Variables of the file --------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `static const float taps[9]` and `__constant__ int width` are arguments of
/// the nest, which host code takes from there: what a function reads of its
/// file is as much given to it as what it is called with. A kernel's are memory
/// of the device; those of sequential code are the host's.
///
//===----------------------------------------------------------------------===//

#include "Containers.h"
#include "Diagnostics.h"
#include "Half.h"
#include "NestBuilder.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// `::outer::taps`, of a template with its arguments; C has no `::`.
static std::string nameInFile(const VarDecl *v, const ASTContext &ast) {
  if (!ast.getLangOpts().CPlusPlus)
    return v->getNameAsString();
  PrintingPolicy policy(ast.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  policy.Bool = true;
  std::string name = "::";
  raw_string_ostream os(name);
  v->getNameForDiagnostic(os, policy, /*Qualified=*/true);
  return name;
}

/// Whether added code could not name \p v.
static bool isHiddenMember(const VarDecl *v) {
  return v->isStaticDataMember() && (v->getAccess() != AS_public ||
                                     v->getDeclContext()->isDependentContext());
}

/// Whether nothing but its definition gives \p v a value.
static bool keepsValue(const VarDecl *v, const ASTContext &ast) {
  return v->isConstexpr() ||
         ast.getBaseElementType(v->getType()).isConstQualified();
}

/// Whether nothing in the file defines \p v.
static bool isDefinedElsewhere(const VarDecl *v) {
  return v->hasDefinition() == VarDecl::DeclarationOnly;
}

/// Why host code cannot take the value of \p v, or nothing.
std::optional<std::pair<std::string, std::string>>
NestBuilder::whyNotTaken(const VarDecl *v, QualType type) const {
  auto why = [](const Twine &message, const Twine &remedy) {
    return std::make_pair(message.str(), remedy.str());
  };
  const std::string name = "'" + v->getNameAsString() + "'";
  const auto isWritten = [](const Attr *a) { return a && !a->isImplicit(); };
  const bool isOnDevice = isWritten(v->getAttr<CUDAConstantAttr>()) ||
                          isWritten(v->getAttr<CUDADeviceAttr>());
  const char *pass = "pass it as a parameter";
  if (v->hasAttr<CUDASharedAttr>())
    return why(name + " is in shared memory and has no value here that all "
                      "threads of the kernel agree on",
               "compute it from the kernel's parameters in each thread");
  if (v->isStaticLocal())
    return why(name + " keeps its value between calls", "declare it before the "
                                                        "function");
  if (nest.function.isKernel && !isOnDevice)
    return why(name + " is a variable of the host",
               "pass it to the kernel, or make it '__constant__'");
  if (!nest.function.isKernel && isOnDevice)
    return why(name + " is memory of the device, in a function of the host",
               pass);
  if (v->getTLSKind() != VarDecl::TLS_None)
    return why(name + " is another variable in each thread", pass);
  if (ast.getBaseElementType(type).isVolatileQualified())
    return why(name + " is volatile", pass);
  if (isHiddenMember(v))
    return why(name + " is a member that host code cannot name", pass);
  if (type->isIncompleteType())
    return why("the extents of array " + name + " are not known here",
               "declare it with its extents");
  if (type->isPointerType() && nest.function.isKernel)
    return why(name + " is a pointer in memory of the device", pass);
  const bool isOfOtherFile =
      isDefinedElsewhere(v) && !ast.getLangOpts().CPlusPlus;
  if (keepsValue(v, ast) && !type->isArrayType() && !isOfOtherFile)
    return why("the value of " + name + " is not known before the program runs",
               pass);
  const QualType element = type->isPointerType() ? type->getPointeeType()
                                                 : ast.getBaseElementType(type);
  if (!isNumber(element) || element->isPointerType())
    return why(name + " is of type '" + spelling(type) + "'",
               "take what it holds as parameters");
  return std::nullopt;
}

Binding NestBuilder::takeGlobal(const VarDecl *v, QualType type,
                                QualType element, std::string text) {
  Object whole;
  const bool isConst = keepsValue(v, ast);
  const bool isArray = type->isArrayType();
  // Arrays are apart from one another.
  whole.memory = isConst || isArray ? "" : text;
  whole.text = std::move(text);
  // The variable and the argument stand side by side in a function of C.
  const std::string wish =
      (ast.getLangOpts().CPlusPlus ? "" : "file_") + v->getNameAsString();
  // Read once for all loops, wherever it stands.
  const SaveAndRestore outer(inLoops, true);
  Binding b = isArray
                  ? addArray(whole, type, element, v->getSourceRange(), wish)
                  : addPart(whole, element, v->getSourceRange(), wish);
  Argument &a = partArgument(whole.text);
  a.isExtern = isDefinedElsewhere(v) && !nest.function.isKernel;
  // Who defines it gives it its value.
  a.isConst = isConst && (!a.isExtern || ast.getLangOpts().CPlusPlus);
  if (!isArray)
    a.elements = !element->isPointerType();
  return b;
}

bool NestBuilder::bindGlobal(const ValueDecl *d, clang::SourceRange where) {
  const auto *v = dyn_cast<VarDecl>(d);
  if (!v || !v->hasGlobalStorage())
    return false;
  const QualType type = v->getType();
  if (auto why = whyNotTaken(v, type))
    return fail(diag::Global, where, why->first, why->second);
  scope[v] = takeGlobal(
      v, type, type->isArrayType() ? ast.getBaseElementType(type) : type,
      nameInFile(v, ast));
  return true;
}

/// The first element of \p e, a `std::array` of the file, of any dimensions,
/// which host code takes as it does an array of C.
std::optional<ArrayPlace> NestBuilder::containerOfFile(const Expr *e) {
  const auto *v = dyn_cast_or_null<VarDecl>(named(e->IgnoreParenImpCasts()));
  if (!v || !v->hasGlobalStorage() || isDefinedElsewhere(v) ||
      nest.function.isKernel)
    return std::nullopt;
  if (const Binding *b = bound(v, Binding::Pointer))
    return b->place;
  QualType element = v->getType();
  std::string text = nameInFile(v, ast);
  SmallVector<uint64_t> counts;
  while (auto of = containerType(element)) {
    if (!of->count)
      return std::nullopt;
    text += counts.empty() ? ".data()" : "->data()";
    counts.push_back(*of->count);
    element = of->element;
  }
  if (counts.empty() || !isNumber(element))
    return std::nullopt;
  QualType type = element;
  for (const uint64_t count : reverse(counts))
    type = ast.getConstantArrayType(type, APInt(64, count), nullptr,
                                    ArraySizeModifier::Normal, 0);
  if (auto why = whyNotTaken(v, type))
    return none(diag::Global, e->getSourceRange(), why->first, why->second);
  return (scope[v] = takeGlobal(v, type, element, text)).place;
}

/// A structure of the file, whose fields host code reads as it reads those of
/// parameters.
std::optional<Object> NestBuilder::objectOfFile(const ValueDecl *d) {
  const auto *v = dyn_cast<VarDecl>(d);
  const RecordDecl *record =
      v && v->hasGlobalStorage() ? v->getType()->getAsRecordDecl() : nullptr;
  const bool isPlain =
      record && record->isCompleteDefinition() && !nest.function.isKernel &&
      !v->isStaticLocal() && !v->hasAttr<CUDASharedAttr>() &&
      !v->hasAttr<CUDAConstantAttr>() && !v->hasAttr<CUDADeviceAttr>() &&
      v->getTLSKind() == VarDecl::TLS_None &&
      !v->getType().isConstQualified() && !v->getType().isVolatileQualified() &&
      !isHiddenMember(v) && !isDefinedElsewhere(v) &&
      !containerType(v->getType());
  if (!isPlain)
    return std::nullopt;
  const std::string text = nameInFile(v, ast);
  return Object{text, false, text, Object::ofFile, v->getType()};
}

/// `taps<T>` of a template of variables, within a template of functions, where
/// its type is that of an argument.
std::optional<Binding>
NestBuilder::globalOfTemplate(const UnresolvedLookupExpr *e) {
  const auto *t = e->getNumDecls() == 1
                      ? dyn_cast<VarTemplateDecl>(*e->decls_begin())
                      : nullptr;
  if (!t || !e->hasExplicitTemplateArgs())
    return std::nullopt;
  const VarDecl *v = t->getTemplatedDecl();
  QualType element = ast.getBaseElementType(v->getType());
  if (const auto *p = element->getAs<TemplateTypeParmType>();
      p && p->getIndex() < e->getNumTemplateArgs()) {
    const TemplateArgument &a =
        e->template_arguments()[p->getIndex()].getArgument();
    if (a.getKind() == TemplateArgument::Type)
      element = ast.getQualifiedType(a.getAsType(), element.getQualifiers());
  }
  bool isKnown = !v->getType()->isDependentSizedArrayType();
  if (auto why = whyNotTaken(v, v->getType()))
    fail(diag::Global, e->getSourceRange(), why->first, why->second);
  else if (!isKnown)
    fail(diag::Extent, e->getSourceRange(),
         "the extents of '" + v->getNameAsString() + "' are not known here",
         "give it constant extents");
  if (pending)
    return std::nullopt;
  std::string text = nameInFile(v, ast);
  raw_string_ostream os(text);
  printTemplateArgumentList(os, e->template_arguments(),
                            PrintingPolicy(ast.getLangOpts()));
  return takeGlobal(v, v->getType(), element, text);
}

} // namespace convopt
