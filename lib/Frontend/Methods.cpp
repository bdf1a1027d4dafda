//===- Methods.cpp - A member function's body as a function ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   struct Blur {                        struct Blur {
///     const float *w; int m;               const float *w; int m;
///     void run(float *y) const { B }       void run(float *y) const ;
///   };                             ->    };
///                                        static void run_nest(const float *w,
///                                                             int m, float *y)
///                                                             B
///                                        inline void Blur::run(float *y) const
///                                        { return run_nest(w, m, y); }
///
/// Fields keep their names, as parameters, so that B is the same text and needs
/// no access to the class.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"
#include "Outline.h"
#include "convopt/Support/Refusal.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {
namespace {

/// What a method's body does with its object.
class ObjectUse : public clang::RecursiveASTVisitor<ObjectUse> {
public:
  std::vector<const clang::FieldDecl *> fields; // in the order of the text
  std::set<const clang::FieldDecl *> changed;   // or perhaps
  std::vector<clang::SourceRange> written;      // `this->`
  std::set<std::string> names;                  // of variables
  const clang::Expr *other = nullptr;           // no field, or its size

  bool VisitMemberExpr(clang::MemberExpr *m) {
    const auto *self =
        dyn_cast<clang::CXXThisExpr>(m->getBase()->IgnoreParenImpCasts());
    const auto *f = dyn_cast<clang::FieldDecl>(m->getMemberDecl());
    if (!self || !f)
      return true;
    seen.insert(self);
    if (!is_contained(fields, f))
      fields.push_back(f);
    if (!self->isImplicit())
      written.emplace_back(self->getBeginLoc(), m->getMemberLoc());
    if (!loaded.count(m))
      changed.insert(f);
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *c) {
    if (c->getCastKind() == clang::CK_LValueToRValue)
      loaded.insert(c->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitCXXThisExpr(clang::CXXThisExpr *e) {
    all.push_back(e);
    return true;
  }
  bool VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *e) {
    if (!e->isArgumentType())
      other = e;
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *v) {
    names.insert(v->getNameAsString());
    return true;
  }
  void finish() {
    for (const clang::CXXThisExpr *e : all)
      if (!seen.count(e))
        other = e;
    llvm::sort(written, [](clang::SourceRange a, clang::SourceRange b) {
      return a.getBegin() < b.getBegin();
    });
  }

private:
  std::set<const clang::Expr *> loaded, seen;
  std::vector<const clang::CXXThisExpr *> all;
};

class MethodMover {
public:
  MethodMover(const ParsedFile &file, const clang::CXXMethodDecl *m)
      : ast(file.ast->getASTContext()), sm(ast.getSourceManager()),
        text(file.text), m(m), policy(ast.getLangOpts()) {
    policy.SuppressTagKeyword = policy.Bool = true;
  }

  Expected<OutlinedText> run();

private:
  Error refuseAt(clang::SourceRange where, const Twine &why,
                 const Twine &remedy) const;
  Error check();
  size_t at(clang::SourceLocation l) const {
    return sm.getFileOffset(sm.getExpansionLoc(l));
  }
  unsigned lineAt(size_t offset) const {
    return text.take_front(offset).count('\n') + 1;
  }
  size_t endOf(clang::SourceRange r) const {
    return at(r.getEnd()) +
           clang::Lexer::MeasureTokenLength(r.getEnd(), sm, ast.getLangOpts());
  }
  std::string declare(clang::QualType type, const std::string &name) const {
    std::string result = name;
    clang::TypeName::getFullyQualifiedType(type, ast).getAsStringInternal(
        result, policy);
    return result;
  }
  std::string parameterOf(const clang::FieldDecl *f) const;
  std::string body(size_t begin, size_t end) const;
  std::string scopeOfClass() const;

  clang::ASTContext &ast;
  const clang::SourceManager &sm;
  StringRef text;
  const clang::CXXMethodDecl *m;
  clang::PrintingPolicy policy;
  ObjectUse use;
};

} // namespace

Error MethodMover::refuseAt(clang::SourceRange where, const Twine &why,
                            const Twine &remedy) const {
  return refuse(
      diag::Method,
      "'" + m->getQualifiedNameAsString() +
          "' is a member function whose loops make no function: " + why.str(),
      NestBuilder(ast, m).range(where), remedy.str());
}

Error MethodMover::check() {
  const clang::SourceRange name = m->getNameInfo().getSourceRange();
  if (m->isDependentContext() || m->getDescribedFunctionTemplate())
    return refuseAt(name, "it is a template, or in one",
                    "make it a function that takes what it uses");
  if (isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl,
          clang::CXXConversionDecl>(m) ||
      m->getReturnType()->getContainedAutoType())
    return refuseAt(name, "its type is not written",
                    "make it a function that takes what it uses");
  if (m->hasAttr<clang::CUDADeviceAttr>())
    return refuseAt(name, "it is a function of the device",
                    "write the loops as a kernel, or as a function of the "
                    "host");
  for (clang::SourceLocation l :
       {m->getBeginLoc(), m->getBody()->getBeginLoc(), m->getEndLoc()})
    if (l.isMacroID() || !sm.isInMainFile(l))
      return refuseAt(name, "a macro holds a part of it",
                      "write it without the macro");
  use.TraverseStmt(m->getBody());
  use.finish();
  if (use.other)
    return refuseAt(use.other->getSourceRange(),
                    "here it uses more of its object than fields",
                    "use fields and parameters alone in it");
  for (const clang::ParmVarDecl *p : m->parameters())
    use.names.insert(p->getNameAsString());
  for (const clang::FieldDecl *f : use.fields)
    if (f->getName().empty() || use.names.count(f->getNameAsString()))
      return refuseAt(f->getSourceRange(),
                      "a variable in it has the name of this field",
                      "give it a name of its own");
  return Error::success();
}

/// A number by its value where that stays; else the field itself.
std::string MethodMover::parameterOf(const clang::FieldDecl *f) const {
  clang::QualType type = f->getType();
  if (m->isConst() && !f->isMutable() && !type->isReferenceType())
    type.addConst();
  std::string name = f->getNameAsString();
  if (type->isArrayType())
    type = ast.getArrayDecayedType(type);
  else if (type->isReferenceType())
    ;
  else if (type->isScalarType() && (m->isConst() || !use.changed.count(f)))
    type.removeLocalConst();
  else
    type = ast.getLValueReferenceType(type);
  return declare(type, name);
}

/// The body's text, without `this->`.
std::string MethodMover::body(size_t begin, size_t end) const {
  std::string result;
  for (clang::SourceRange r : use.written) {
    result += text.slice(begin, at(r.getBegin()));
    begin = at(r.getEnd());
  }
  return result + text.slice(begin, end).str();
}

std::string MethodMover::scopeOfClass() const {
  std::string result;
  for (const clang::DeclContext *c = m->getDeclContext();
       isa<clang::CXXRecordDecl>(c); c = c->getParent())
    result = cast<clang::CXXRecordDecl>(c)->getNameAsString() + "::" + result;
  return result;
}

Expected<OutlinedText> MethodMover::run() {
  if (Error e = check())
    return std::move(e);
  const size_t begin = at(m->getBody()->getBeginLoc()),
               end = endOf(m->getBody()->getSourceRange());
  // A definition in a class goes behind that.
  const clang::CXXRecordDecl *around = nullptr;
  for (const clang::DeclContext *c = m->getLexicalDeclContext();
       isa<clang::CXXRecordDecl>(c); c = c->getLexicalParent())
    around = cast<clang::CXXRecordDecl>(c);
  OutlinedText out;
  const clang::IdentifierInfo *id = m->getIdentifier();
  const std::string stem =
      (id ? id->getName().str() : m->getParent()->getNameAsString()) + "_nest";
  out.name = stem;
  for (unsigned n = 2; text.contains(out.name); ++n)
    out.name = stem + std::to_string(n);
  std::vector<std::string> taken, given, own;
  for (const clang::FieldDecl *f : use.fields) {
    taken.push_back(parameterOf(f));
    given.push_back(f->getNameAsString());
  }
  for (const clang::ParmVarDecl *p : m->parameters()) {
    own.push_back(declare(p->getOriginalType(), p->getNameAsString()));
    given.push_back(p->getNameAsString());
  }
  append_range(taken, own);
  out.call.arguments = "(" + join(given, ", ") + ")";
  const std::string function =
      "static " +
      declare(m->getReturnType(), out.name + "(" + join(taken, ", ") + ")") +
      " ";
  const unsigned line = lineAt(begin);
  LineMapBuilder b;
  auto addCall = [&] {
    b.add(m->getReturnType()->isVoidType() ? "{ " : "{ return ", line);
    out.call.begin = b.text.size();
    b.add(out.name + out.call.arguments, line);
    out.call.end = b.text.size();
    b.add("; }", line);
  };
  if (!around) {
    const size_t start = text.take_front(at(m->getBeginLoc())).rfind('\n') + 1;
    b.copy(text.take_front(start), 1);
    b.add(function, line);
    b.copy(body(begin, end), line);
    b.add("\n", line);
    b.copy(text.slice(start, begin), lineAt(start));
    addCall();
    b.copy(text.drop_front(end), lineAt(end));
  } else {
    const size_t after = text.find(';', endOf(around->getSourceRange())) + 1;
    b.copy(text.take_front(begin), 1);
    b.add(";", line);
    b.copy(text.slice(end, after), lineAt(end));
    b.add("\n", line);
    b.add(function, line);
    b.copy(body(begin, end), line);
    b.add("\ninline " +
              declare(m->getReturnType(), scopeOfClass() +
                                              m->getNameAsString() + "(" +
                                              join(own, ", ") + ")") +
              (m->isConst() ? " const " : " "),
          line);
    addCall();
    b.copy(text.drop_front(after), lineAt(after));
  }
  out.text = std::move(b.text);
  out.lines = std::move(b.lines);
  return out;
}

Expected<OutlinedText> methodAsFunction(const ParsedFile &file,
                                        const clang::CXXMethodDecl *m) {
  return MethodMover(file, m).run();
}

} // namespace convopt
