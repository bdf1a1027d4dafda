//===- Methods.cpp - The body of a method or an instance as a function ----===//
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
///                                        static void run_body(const float *w,
///                                                             int m, float *y)
///                                                             B
///                                        inline void Blur::run(float *y) const
///                                        { return run_body(w, m, y); }
///
/// Fields keep their names, as parameters, so that B is the same text and needs
/// no access to the class. An instance of a template becomes a function as
/// well, in which the template's parameters are names of what they stand for:
///
///   template <class T> void run(T *y) B
///                                     ->
///   template <class T> void run(T *y) B
///   static void run_body(float *y) { using T = float; B }
///   template <> void run<float>(float *y) { return run_body(y); }
///
/// A kernel, and what has an argument without a name, has no such
/// specialisation: those who call it then call the function.
///
//===----------------------------------------------------------------------===//

#include "BodyUse.h"
#include "Diagnostics.h"
#include "ForEach.h"
#include "Launches.h"
#include "NestBuilder.h"
#include "Outline.h"
#include "convopt/Support/Refusal.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace convopt {
namespace {

/// A parameter of a template and what an instance has for it.
struct Given {
  const NamedDecl *parameter;
  TemplateArgument argument;
};

/// Bytes of the text, and what stands there instead.
struct Edit {
  size_t begin, end;
  std::string text;
};

class BodyMover {
public:
  BodyMover(const ParsedFile &file, const FunctionDecl *f)
      : file(file), ast(file.ast()), sm(ast.getSourceManager()),
        text(file.text), f(f), m(dyn_cast<CXXMethodDecl>(f)),
        pattern(f->getTemplateInstantiationPattern()),
        isKernel(f->hasAttr<CUDAGlobalAttr>()), isConst(m && m->isConst()),
        policy(ast.getLangOpts()), name(nameOfBody()) {
    policy.SuppressTagKeyword = policy.Bool = true;
    policy.SuppressUnwrittenScope = true;
  }

  Expected<OutlinedText> run();

private:
  Error refuseAt(clang::SourceRange where, const Twine &why,
                 const Twine &remedy) const;
  Error check();
  Error checkArguments();
  Error checkNames();
  const CXXRecordDecl *classAround() const;
  size_t placeOf() const;
  size_t endOfDeclaration(const Decl *d) const;
  std::string nameOfBody() const;
  Error findCalls();
  size_t at(SourceLocation l) const {
    return sm.getFileOffset(sm.getExpansionLoc(l));
  }
  unsigned lineAt(size_t offset) const {
    return text.take_front(offset).count('\n') + 1;
  }
  size_t endOf(clang::SourceRange r) const {
    return at(r.getEnd()) +
           Lexer::MeasureTokenLength(r.getEnd(), sm, ast.getLangOpts());
  }
  bool isHere(clang::SourceRange r) const {
    return r.getBegin().isFileID() && r.getEnd().isFileID() &&
           sm.isInMainFile(r.getBegin());
  }
  std::string declare(QualType type, const std::string &name) const {
    std::string result = name;
    TypeName::getFullyQualifiedType(type, ast).getAsStringInternal(result,
                                                                   policy);
    return result;
  }
  std::string parameterOf(const FieldDecl *f) const;
  std::string body(size_t begin, size_t end) const;
  std::string asLambda(const CXXMethodDecl *method) const;
  std::vector<Given> arguments() const;
  std::string spelling(const TemplateArgument &a) const;
  std::string argumentsOf(const TemplateArgumentList &list) const;
  std::string names() const;
  std::string scopeOfClass() const;
  std::string specialisation() const;
  std::vector<Meaning> asVariables(std::vector<Meaning> all) const;
  std::vector<Meaning> meanings() const;

  const ParsedFile &file;
  ASTContext &ast;
  const SourceManager &sm;
  StringRef text;
  const FunctionDecl *f;
  const CXXMethodDecl *m;
  const FunctionDecl *pattern; // of an instance
  const bool isKernel, isConst;
  PrintingPolicy policy;
  ObjectUse use;
  const std::string name; // of the function
  bool isNamed = true;    // what stands for the template's parameters
  std::map<const ParmVarDecl *, const LambdaExpr *> lambdas;
  std::vector<Edit> calls; // of what cannot be specialised
  size_t place = 0;        // of the function, where it is an instance's
};

} // namespace

Error BodyMover::refuseAt(clang::SourceRange where, const Twine &why,
                          const Twine &remedy) const {
  const char *what = m ? "' is a member function whose loops make no function: "
                       : "' is a template whose loops make no function: ";
  return refuse(m ? diag::Method : diag::Template,
                "'" + f->getQualifiedNameAsString() + what + why.str(),
                NestBuilder(ast, f, file.lines).range(where), remedy.str());
}

/// `run_body`; of an operator its class's.
std::string BodyMover::nameOfBody() const {
  const IdentifierInfo *id = f->getIdentifier();
  return freshName(
      (id ? id->getName().str() : m->getParent()->getNameAsString()) + "_body",
      text);
}

Error BodyMover::check() {
  const clang::SourceRange name = f->getNameInfo().getSourceRange();
  if (f->isDependentContext())
    return refuseAt(name,
                    "it is a template, or in one, and nothing in the file says "
                    "of what",
                    "use it in the file, or instantiate it: 'template void "
                    "f<float>(...);'");
  if (isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(f) ||
      f->getReturnType()->getContainedAutoType())
    return refuseAt(name, "its type is not written",
                    "make it a function that takes what it uses");
  if (f->hasAttr<CUDADeviceAttr>())
    return refuseAt(name, "it is a function of the device",
                    "write the loops as a kernel, or as a function of the "
                    "host");
  for (SourceLocation l : {pattern ? f->getEndLoc() : f->getBeginLoc(),
                           f->getBody()->getBeginLoc(), f->getEndLoc()})
    if (l.isMacroID() || !sm.isInMainFile(l))
      return refuseAt(name, "a macro holds a part of it",
                      "write it without the macro");
  use.TraverseStmt(f->getBody());
  use.finish();
  if (use.other)
    return refuseAt(use.other->getSourceRange(),
                    "here it uses more of its object than fields and methods "
                    "with a body in the file",
                    "use fields, parameters and such methods alone in it");
  for (const CXXMethodDecl *method : use.methods)
    if (!isHere(method->getBody()->getSourceRange()))
      return refuseAt(method->getNameInfo().getSourceRange(),
                      "it calls this method, which a macro or another file "
                      "holds a part of",
                      "write it without the macro, in this file");
  if (use.member.isValid())
    return refuseAt(use.member,
                    "here it uses a member of its class by its name alone",
                    "write the class before it");
  for (const ParmVarDecl *p : f->parameters())
    use.names.insert(p->getNameAsString());
  for (const FieldDecl *f : use.fields)
    if (f->getName().empty() || use.names.count(f->getNameAsString()))
      return refuseAt(f->getSourceRange(),
                      "a variable in it has the name of this field",
                      "give it a name of its own");
  return pattern ? checkArguments() : Error::success();
}

/// A lambda without captures is what a variable of the function can be.
Error BodyMover::checkArguments() {
  for (const Given &g : arguments()) {
    const TemplateArgument &a = g.argument;
    const bool isType = a.getKind() == TemplateArgument::Type;
    if ((!isType && a.getKind() != TemplateArgument::Integral) ||
        g.parameter->isParameterPack())
      return refuseAt(f->getNameInfo().getSourceRange(),
                      "a parameter of the template is neither a type nor an "
                      "integer",
                      "take types and integers only");
    const TagDecl *tag = isType ? a.getAsType()->getAsTagDecl() : nullptr;
    isNamed &=
        !tag || (tag->getIdentifier() && !tag->getParentFunctionOrMethod());
  }
  for (const ParmVarDecl *p : f->parameters()) {
    const auto *r = p->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (!r || !r->isLambda())
      continue;
    const LambdaExpr *&lambda = lambdas[p];
    forEach<LambdaExpr>(ast.getTranslationUnitDecl(), [&](auto *e) {
      if (!lambda && e->getLambdaClass() == r)
        lambda = e;
    });
    if (!lambda || r->capture_size() || !isHere(lambda->getSourceRange()))
      return refuseAt(f->getNameInfo().getSourceRange(),
                      "the lambda that is passed for '" + p->getNameAsString() +
                          "' captures variables",
                      "pass what it captures, or an object with a type that "
                      "has a name");
  }
  RETURN_IF_ERROR(checkNames());
  return isKernel || !isNamed ? findCalls() : Error::success();
}

/// What is declared later may be what a template uses, or a lambda: the new
/// function stands after that.
Error BodyMover::checkNames() {
  const Decl *sibling = classAround();
  sibling = sibling ? sibling : pattern;
  place = placeOf();
  auto check = [&](const Names &names) -> Error {
    place = std::max(place, endOfDeclaration(names.after()));
    return names.unknown
               ? refuseAt(names.where,
                          "'" + names.unknown->getNameAsString() +
                              "', which it uses here, is declared " +
                              (names.unknown->getParentFunctionOrMethod()
                                   ? "within a function"
                                   : "after it, elsewhere"),
                          "declare that before it")
               : Error::success();
  };
  Names body(sibling, f->getSourceRange());
  body.TraverseStmt(f->getBody());
  for (const Given &g : arguments())
    if (g.argument.getKind() == TemplateArgument::Type)
      if (const auto *tag = g.argument.getAsType()->getAsTagDecl();
          tag && tag->getIdentifier() && !tag->getParentFunctionOrMethod())
        body.note(tag, f->getNameInfo().getSourceRange());
  RETURN_IF_ERROR(check(body));
  for (auto [p, lambda] : lambdas) {
    Names names(sibling, lambda->getSourceRange());
    names.TraverseStmt(const_cast<LambdaExpr *>(lambda));
    if (names.macro.isValid())
      return refuseAt(names.macro, "a macro holds a part of this lambda",
                      "write it without the macro");
    RETURN_IF_ERROR(check(names));
  }
  return Error::success();
}

/// Calls become those of the function, without lambdas.
Error BodyMover::findCalls() {
  std::vector<const CallExpr *> found;
  forEach<CallExpr>(ast.getTranslationUnitDecl(), [&](auto *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (callee && callee->getCanonicalDecl() == f->getCanonicalDecl())
      found.push_back(call);
  });
  for (const CallExpr *call : found) {
    const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
    if (!isHere(call->getSourceRange()) || !isa<DeclRefExpr>(callee))
      return refuseAt(call->getSourceRange(), "a macro holds this call of it",
                      "write it without the macro");
    if (at(call->getBeginLoc()) < place)
      return refuseAt(call->getSourceRange(),
                      "here it is called before what it uses is declared",
                      "declare that before it");
    calls.push_back({at(cast<DeclRefExpr>(callee)->getLocation()),
                     endOf(callee->getSourceRange()), name});
    for (auto [k, p] : enumerate(f->parameters())) {
      if (!lambdas.count(p))
        continue;
      if (call->getArg(k)->HasSideEffects(ast))
        return refuseAt(call->getArg(k)->getSourceRange(),
                        "the lambda that is passed here is computed",
                        "pass the lambda itself");
      // With the comma before it, or after.
      Edit e{at(call->getArg(k)->getBeginLoc()),
             endOf(call->getArg(k)->getSourceRange()), ""};
      if (k)
        e.begin = endOf(call->getArg(k - 1)->getSourceRange());
      else if (call->getNumArgs() > 1)
        e.end = at(call->getArg(1)->getBeginLoc());
      calls.push_back(e);
    }
  }
  llvm::sort(calls,
             [](const Edit &a, const Edit &b) { return a.begin < b.begin; });
  if (!calls.empty())
    return Error::success();
  if (isKernel && launchesOf(ast, pattern).empty())
    return Error::success(); // other files launch what this one instantiates
  const clang::SourceRange where = f->getNameInfo().getSourceRange();
  return isKernel
             ? refuseAt(where, "only templates launch this instance",
                        "launch it in a function that is no template")
             : refuseAt(where,
                        "its arguments have no name outside of a function, and "
                        "only templates call it",
                        "declare their types before it");
}

/// A number by its value where that stays; else the field itself.
std::string BodyMover::parameterOf(const FieldDecl *f) const {
  QualType type = f->getType();
  if (isConst && !f->isMutable() && !type->isReferenceType())
    type.addConst();
  std::string name = f->getNameAsString();
  if (type->isArrayType())
    type = ast.getArrayDecayedType(type);
  else if (type->isReferenceType())
    ;
  else if (type->isScalarType() && (isConst || !use.changed.count(f)))
    type.removeLocalConst();
  else
    type = ast.getLValueReferenceType(type);
  return declare(type, name);
}

/// The body's text, without `this->`.
std::string BodyMover::body(size_t begin, size_t end) const {
  std::string result;
  for (clang::SourceRange r : use.written) {
    if (at(r.getBegin()) < begin || at(r.getBegin()) >= end)
      continue;
    result += text.slice(begin, at(r.getBegin()));
    begin = at(r.getEnd());
  }
  return result + text.slice(begin, end).str();
}

/// Of all templates that it is in, or is one of.
std::vector<Given> BodyMover::arguments() const {
  std::vector<Given> all;
  auto add = [&](const TemplateParameterList *list,
                 const TemplateArgumentList &of) {
    for (auto [p, a] : zip(*list, of.asArray()))
      all.push_back({p, a});
  };
  for (const DeclContext *c = f->getDeclContext(); isa<CXXRecordDecl>(c);
       c = c->getParent())
    if (const auto *s = dyn_cast<ClassTemplateSpecializationDecl>(c)) {
      auto from = s->getSpecializedTemplateOrPartial();
      if (auto *part = dyn_cast<ClassTemplatePartialSpecializationDecl *>(from))
        add(part->getTemplateParameters(), s->getTemplateInstantiationArgs());
      else
        add(s->getSpecializedTemplate()->getTemplateParameters(),
            s->getTemplateArgs());
    }
  if (const FunctionTemplateDecl *t = f->getPrimaryTemplate())
    add(t->getTemplateParameters(), *f->getTemplateSpecializationArgs());
  return all;
}

std::string BodyMover::spelling(const TemplateArgument &a) const {
  if (a.getKind() == TemplateArgument::Type)
    return declare(a.getAsType(), "");
  std::string value;
  raw_string_ostream os(value);
  a.print(policy, os, /*IncludeType=*/true);
  return value;
}

/// What stands for the template's parameters, as declarations.
std::string BodyMover::names() const {
  std::string result;
  for (const Given &g : arguments()) {
    const std::string name = g.parameter->getNameAsString();
    const TemplateArgument &a = g.argument;
    if (name.empty())
      continue;
    if (a.getKind() == TemplateArgument::Integral)
      result += "\n  constexpr " + declare(a.getIntegralType(), name) + " = " +
                spelling(a) + ";";
    else if (const auto *r = a.getAsType()->getAsCXXRecordDecl();
             !r || !r->isLambda())
      result += "\n  using " + name + " = " + spelling(a) + ";";
  }
  for (const VarDecl *v : use.constants)
    result += "\n  constexpr " + declare(v->getType(), v->getNameAsString()) +
              " = " + v->evaluateValue()->getAsString(ast, v->getType()) + ";";
  for (const CXXMethodDecl *method : use.methods)
    result += "\n" + asLambda(method);
  for (auto [p, lambda] : lambdas)
    result +=
        "\n  auto " + p->getNameAsString() + " = " +
        text.slice(at(lambda->getBeginLoc()), endOf(lambda->getSourceRange()))
            .str() +
        ";";
  return result;
}

/// A method of the object as a variable of the function.
std::string BodyMover::asLambda(const CXXMethodDecl *method) const {
  const clang::SourceRange parens =
      method->getFunctionTypeLoc().getParensRange();
  const clang::SourceRange block = method->getBody()->getSourceRange();
  return "  auto " + method->getNameAsString() + " = [&]" +
         text.slice(at(parens.getBegin()), endOf(parens)).str() + " -> " +
         declare(method->getReturnType(), "") + " " +
         body(at(block.getBegin()), endOf(block)) + ";";
}

std::string BodyMover::argumentsOf(const TemplateArgumentList &list) const {
  return "<" +
         join(map_range(list.asArray(),
                        [&](const auto &a) { return spelling(a); }),
              ", ") +
         ">";
}

std::string BodyMover::scopeOfClass() const {
  std::string result;
  for (const DeclContext *c = f->getDeclContext(); isa<CXXRecordDecl>(c);
       c = c->getParent()) {
    const auto *s = dyn_cast<ClassTemplateSpecializationDecl>(c);
    result = cast<CXXRecordDecl>(c)->getNameAsString() +
             (s ? argumentsOf(s->getTemplateArgs()) : "") + "::" + result;
  }
  return result;
}

/// What a definition of an instance begins with.
std::string BodyMover::specialisation() const {
  std::string result = f->getPrimaryTemplate() ? "template <> " : "";
  for (const DeclContext *c = f->getDeclContext(); isa<CXXRecordDecl>(c);
       c = c->getParent())
    if (isa<ClassTemplateSpecializationDecl>(c))
      result += "template <> ";
  return result;
}

/// The outermost class that has the definition.
const CXXRecordDecl *BodyMover::classAround() const {
  const CXXRecordDecl *around = nullptr;
  for (const DeclContext *c = (pattern ? pattern : f)->getLexicalDeclContext();
       isa<CXXRecordDecl>(c); c = c->getLexicalParent())
    around = cast<CXXRecordDecl>(c);
  return around;
}

/// The byte after the definition; one in a class goes behind that.
size_t BodyMover::placeOf() const {
  const CXXRecordDecl *around = classAround();
  return around ? text.find(';', endOf(around->getSourceRange())) + 1
                : endOf(f->getBody()->getSourceRange());
}

/// The byte after \p d with its semicolon.
size_t BodyMover::endOfDeclaration(const Decl *d) const {
  const size_t end = endOf(d->getSourceRange());
  const auto *function = dyn_cast<FunctionDecl>(d);
  return function && function->doesThisDeclarationHaveABody()
             ? end
             : text.find(';', end) + 1;
}

/// What is declared in the class is a variable of the function.
std::vector<Meaning> BodyMover::asVariables(std::vector<Meaning> all) const {
  auto isOf = [&](const NamedDecl *d, const Meaning &m) {
    return m.what == "::" + d->getQualifiedNameAsString();
  };
  std::vector<Meaning> result;
  for (size_t k = 0; k != all.size(); ++k) {
    result.push_back(all[k]);
    auto method =
        find_if(use.methods, [&](const auto *m) { return isOf(m, all[k]); });
    auto constant =
        find_if(use.constants, [&](const auto *v) { return isOf(v, all[k]); });
    if (method != use.methods.end()) {
      result.back().what = "lambda";
      result.push_back({(*method)->getNameAsString(), all[k++].where});
    } else if (constant != use.constants.end()) {
      result.back().what = (*constant)->getNameAsString();
      ++k;
    }
  }
  return result;
}

/// Of methods and lambdas, which become variables, and of the body.
std::vector<Meaning> BodyMover::meanings() const {
  std::vector<Meaning> all;
  for (const CXXMethodDecl *method : use.methods) {
    const clang::SourceRange where = method->getSourceRange();
    all.push_back({"DeclStmt", where});
    all.push_back({method->getNameAsString(), where});
    all.push_back({"unnamed", where});
    append_range(all, meaningsOf(method));
  }
  for (auto [p, lambda] : lambdas) {
    const clang::SourceRange where = lambda->getSourceRange();
    all.push_back({"DeclStmt", where});
    all.push_back({p->getNameAsString(), where});
    all.push_back({"unnamed", where});
    append_range(all, meaningsOf(ast, {lambda}));
  }
  const auto statements = cast<CompoundStmt>(f->getBody())->body();
  append_range(all, meaningsOf(ast, std::vector<const Stmt *>(
                                        statements.begin(), statements.end())));
  return asVariables(std::move(all));
}

Expected<OutlinedText> BodyMover::run() {
  RETURN_IF_ERROR(check());
  const size_t begin = at(f->getBody()->getBeginLoc()),
               end = endOf(f->getBody()->getSourceRange());
  const CXXRecordDecl *around = classAround();
  OutlinedText out;
  out.name = name;
  out.meanings = meanings();
  std::vector<std::string> taken, given, own;
  for (const FieldDecl *field : use.fields) {
    taken.push_back(parameterOf(field));
    given.push_back(field->getNameAsString());
  }
  for (const ParmVarDecl *p : f->parameters()) {
    const std::string name = p->getNameAsString();
    own.push_back(declare(p->getOriginalType(), name));
    if (lambdas.count(p) || (pattern && name.empty() && calls.empty()))
      continue;
    taken.push_back(own.back());
    given.push_back(name);
  }
  const std::string function =
      (isKernel ? "static __global__ " : "static ") +
      declare(f->getReturnType(), name + "(" + join(taken, ", ") + ")") + " ";
  const unsigned line = lineAt(begin);
  LineMapBuilder b;
  auto addBody = [&] {
    b.add(function + "{" + names(), line);
    b.copy(body(begin + 1, end), line);
    b.add("\n", line);
  };
  auto addCall = [&] {
    out.call.emplace();
    out.call->arguments = "(" + join(given, ", ") + ")";
    b.add(f->getReturnType()->isVoidType() ? "{ " : "{ return ", line);
    out.call->begin = b.text.size();
    b.add(name + out.call->arguments, line);
    out.call->end = b.text.size();
    b.add("; }", line);
  };
  const auto *type = f->getType()->castAs<FunctionProtoType>();
  const bool throws = isUnresolvedExceptionSpec(type->getExceptionSpecType()) ||
                      !type->isNothrow();
  const std::string again =
      declare(f->getReturnType(),
              scopeOfClass() + f->getNameAsString() +
                  (f->getTemplateSpecializationArgs()
                       ? argumentsOf(*f->getTemplateSpecializationArgs())
                       : "") +
                  "(" + join(own, ", ") + ")") +
      (isConst ? " const" : "") + (throws ? " " : " noexcept ");
  const size_t after = std::max(place, placeOf());
  if (pattern) {
    b.copy(text.take_front(after), 1);
    b.add("\n\n", line);
    addBody();
    if (calls.empty() && !isKernel) {
      b.add("\n" + specialisation() + again, line);
      addCall();
    }
    size_t last = after;
    for (const Edit &e : calls) {
      if (e.begin < last)
        continue;
      b.copy(text.slice(last, e.begin), lineAt(last));
      b.add(e.text, lineAt(e.begin));
      last = e.end;
    }
    b.copy(text.drop_front(last), lineAt(last));
  } else if (!around) {
    const size_t start = text.take_front(at(f->getBeginLoc())).rfind('\n') + 1;
    b.copy(text.take_front(start), 1);
    addBody();
    b.copy(text.slice(start, begin), lineAt(start));
    addCall();
    b.copy(text.drop_front(end), lineAt(end));
  } else {
    b.copy(text.take_front(begin), 1);
    b.add(";", line);
    b.copy(text.slice(end, after), lineAt(end));
    b.add("\n", line);
    addBody();
    b.add("inline " + again, line);
    addCall();
    b.copy(text.drop_front(after), lineAt(after));
  }
  out.text = std::move(b.text);
  out.lines = std::move(b.lines);
  return out;
}

Expected<OutlinedText> bodyAsFunction(const ParsedFile &file,
                                      const FunctionDecl *f) {
  return BodyMover(file, f).run();
}

bool isInstantiated(const FunctionDecl *instance) {
  return instance->getTemplateSpecializationKind() ==
         TSK_ExplicitInstantiationDefinition;
}

std::vector<const FunctionDecl *> instancesOf(const FunctionDecl *pattern) {
  std::vector<const FunctionDecl *> found;
  forEach<FunctionDecl>(
      pattern->getASTContext().getTranslationUnitDecl(),
      [&](auto *f) {
        if (!f->isDependentContext() && f->doesThisDeclarationHaveABody() &&
            f->getTemplateInstantiationPattern() == pattern)
          found.push_back(f);
      },
      /*withInstances=*/true);
  return found;
}

} // namespace convopt
