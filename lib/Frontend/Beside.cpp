//===- Beside.cpp - A source's declarations without its definitions -------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   float bias[] = {1, 2};            extern float bias[];
///   void ns::scale(float *y) { B }  ->
///   int main() { conv(...); }         int main() ;
///
/// What only this file sees stays as it is where something needs it
/// (withoutUnused): a copy computes the same, unless it remembers something.
///
//===----------------------------------------------------------------------===//

#include "SourceFacts.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace convopt {
namespace {

/// The names of what text of other files, such as a macro, mentions.
class NamesElsewhere : public DynamicRecursiveASTVisitor {
public:
  explicit NamesElsewhere(const SourceManager &sm) : sm(sm) {}
  std::set<std::string> names;

  bool VisitDeclRefExpr(DeclRefExpr *e) override {
    add(e->getDecl()->getNameAsString(), e->getLocation());
    return true;
  }
  bool VisitOverloadExpr(OverloadExpr *e) override {
    add(e->getName().getAsString(), e->getNameLoc());
    return true;
  }

private:
  void add(const std::string &name, SourceLocation at) {
    if (!sm.isInMainFile(sm.getSpellingLoc(at)))
      names.insert(name);
  }
  const SourceManager &sm;
};

class DefinitionFinder {
public:
  explicit DefinitionFinder(const ParsedFile &file)
      : ast(file.ast()), sm(ast.getSourceManager()), elsewhere(sm) {}

  /// Looks through all of the file.
  void run();
  void refuse(const NamedDecl *d, const Twine &why, const Twine &remedy);
  DeclarationsOnly result;

private:
  void context(const DeclContext *all);
  void function(const FunctionDecl *f);
  void variable(const VarDecl *v);
  void own(const DeclaratorDecl *d, SourceLocation end);
  /// Replaces what is between these places, which a macro must not have
  /// written.
  void replace(SourceLocation begin, SourceLocation end, const char *text,
               const NamedDecl *d);
  SourceLocation endOf(const VarDecl *v) const;
  SourceLocation after(SourceLocation token) const {
    return Lexer::getLocForEndOfToken(token, 0, sm, ast.getLangOpts());
  }

  const ASTContext &ast;
  const SourceManager &sm;
  NamesElsewhere elsewhere;
  std::set<unsigned> externs; // where declarations begin that have the word
  std::set<unsigned> stay;    // and where some do that may be needed
};

} // namespace

void DefinitionFinder::refuse(const NamedDecl *d, const Twine &why,
                              const Twine &remedy) {
  if (!result.refused.empty())
    return;
  PresumedLoc at = sm.getPresumedLoc(sm.getExpansionLoc(d->getLocation()));
  result.refused = ("'" + d->getNameAsString() + "' " + why).str();
  result.remedy = remedy.str();
  result.where = {at.getLine(), at.getColumn(), at.getLine(), at.getColumn()};
}

void DefinitionFinder::replace(SourceLocation begin, SourceLocation end,
                               const char *text, const NamedDecl *d) {
  // `__device__` is a macro, and a body may be one.
  const bool isPoint = begin == end;
  begin = sm.getExpansionLoc(begin);
  end = isPoint ? begin : end;
  if (d->getLocation().isMacroID() || !end.isFileID() || !end.isValid())
    return refuse(d, "is defined by a macro", "write its definition out");
  result.edits.push_back(
      {sm.getFileOffset(begin), sm.getFileOffset(end), text});
}

/// What stays: other files may have the same one, or it defines nothing.
static bool isShared(const FunctionDecl *f) {
  const bool isDefinition = f->doesThisDeclarationHaveABody() ||
                            (f->isDefaulted() && f->isOutOfLine());
  return !isDefinition || !f->isExternallyVisible() || f->isInlined() ||
         f->isTemplated() ||
         f->getTemplateSpecializationKind() == TSK_ImplicitInstantiation ||
         f->getTemplateSpecializationKind() ==
             TSK_ExplicitInstantiationDefinition;
}

/// An attribute may have a declaration used, or stand before it.
static bool hasOtherAttributes(const Decl *d) {
  return any_of(d->attrs(), [](const Attr *a) {
    return !a->isImplicit() &&
           !isa<CUDADeviceAttr, CUDAHostAttr, CUDAConstantAttr, CUDAGlobalAttr>(
               a);
  });
}

/// Takes down \p d, which only this file sees and which ends at \p end.
void DefinitionFinder::own(const DeclaratorDecl *d, SourceLocation end) {
  const unsigned begin =
      sm.getFileOffset(sm.getExpansionLoc(d->getOuterLocStart()));
  if (d->getLocation().isMacroID() || end.isInvalid() || !end.isFileID() ||
      d->isTemplated() || hasOtherAttributes(d) ||
      elsewhere.names.count(d->getNameAsString()))
    stay.insert(begin);
  if (result.own.empty() || result.own.back().begin != begin)
    result.own.push_back({{}, begin});
  OwnDeclaration &own = result.own.back();
  own.names.push_back(d->getNameAsString());
  own.end = sm.getFileOffset(end);
  const StringRef rest = sm.getBufferData(sm.getMainFileID()).substr(own.end);
  if (rest.ltrim().starts_with(";"))
    own.end += rest.find(';') + 1;
}

void DefinitionFinder::function(const FunctionDecl *f) {
  if (!f->isExternallyVisible() && !f->isDeleted())
    own(f, after(f->getEndLoc()));
  if (isShared(f))
    return;
  const SourceLocation begin = f->getOuterLocStart();
  const bool isSpecial =
      f->getTemplateSpecializationKind() == TSK_ExplicitSpecialization;
  if (f->hasAttr<CUDADeviceAttr>()) // the device looks into no other file
    replace(begin, begin, "inline ", f);
  else if (!isSpecial && f->getQualifier()) // is declared before
    replace(begin,
            after(f->isDefaulted() ? f->getDefaultLoc() : f->getEndLoc()), "",
            f);
  else
    replace(f->getBody()->getBeginLoc(), after(f->getEndLoc()), ";", f);
}

/// After the value in parentheses, too, whose end is none of its own.
SourceLocation DefinitionFinder::endOf(const VarDecl *v) const {
  const SourceLocation close =
      v->getInitStyle() == VarDecl::CallInit
          ? Lexer::findLocationAfterToken(v->getEndLoc(), tok::r_paren, sm,
                                          ast.getLangOpts(), false)
          : SourceLocation();
  return close.isValid() ? close : after(v->getEndLoc());
}

void DefinitionFinder::variable(const VarDecl *v) {
  if (!v->isExternallyVisible())
    own(v, endOf(v));
  if (v->isThisDeclarationADefinition() == VarDecl::DeclarationOnly ||
      !v->isExternallyVisible() || v->isInline() || v->isTemplated())
    return;
  const SourceLocation begin = v->getOuterLocStart();
  // The kernels of each file have their own.
  if (v->hasAttr<CUDAConstantAttr>() || v->hasAttr<CUDADeviceAttr>())
    return v->isFirstDecl() ? replace(begin, begin, "static ", v) : void();
  if (v->isStaticDataMember()) // is declared in its class
    return replace(begin, endOf(v), "", v);
  if (v->getType()->getContainedAutoType())
    return refuse(v, "has the type of its value", "spell its type");
  if (v->getStorageClass() != SC_Extern &&
      externs.insert(sm.getFileOffset(begin)).second)
    replace(begin, begin, "extern ", v);
  const TypeLoc type = v->getTypeSourceInfo()->getTypeLoc();
  SourceLocation last = v->getLocation();
  if (sm.isBeforeInTranslationUnit(last, type.getEndLoc()))
    last = type.getEndLoc();
  if (v->getEndLoc() != last)
    replace(after(last), endOf(v), "", v);
}

void DefinitionFinder::context(const DeclContext *all) {
  for (const Decl *d : all->decls()) {
    if (!sm.isInMainFile(sm.getExpansionLoc(d->getBeginLoc())))
      continue;
    if (const auto *f = dyn_cast<FunctionDecl>(d))
      function(f);
    else if (const auto *v = dyn_cast<VarDecl>(d))
      variable(v);
    else if (isa<NamespaceDecl, LinkageSpecDecl>(d))
      context(cast<DeclContext>(d));
  }
}

void DefinitionFinder::run() {
  TranslationUnitDecl *all = ast.getTranslationUnitDecl();
  for (Decl *d : all->decls())
    if (!sm.isInSystemHeader(d->getLocation()))
      elsewhere.TraverseDecl(d);
  context(all);
  erase_if(result.own, [&](const OwnDeclaration &own) {
    return stay.count(own.begin) != 0;
  });
}

namespace {

/// Finds a variable that a function, or what it calls, reads and that another
/// file cannot see: it would have one of its own.
class OwnVariable : public DynamicRecursiveASTVisitor {
public:
  const VarDecl *found = nullptr;

  bool VisitDeclRefExpr(DeclRefExpr *e) override {
    if (const auto *f = dyn_cast<FunctionDecl>(e->getDecl()))
      visitBody(f);
    else if (const auto *v = dyn_cast<VarDecl>(e->getDecl());
             v && v->isFileVarDecl() && isOwn(v))
      found = v;
    return !found;
  }
  void visitBody(const FunctionDecl *f) {
    if (f->isDefined(f) && visited.insert(f).second && f->getBody())
      TraverseStmt(f->getBody());
  }

private:
  static bool isOwn(const VarDecl *v) {
    return !v->hasExternalStorage() &&
           (v->hasAttr<CUDAConstantAttr>() || v->hasAttr<CUDADeviceAttr>() ||
            (!v->isExternallyVisible() && !v->getType().isConstQualified()));
  }
  std::set<const FunctionDecl *> visited;
};

} // namespace

DeclarationsOnly declarationsOnly(const ParsedFile &file,
                                  const FunctionDecl *f) {
  DefinitionFinder finder(file);
  OwnVariable own;
  own.visitBody(f);
  if (own.found)
    finder.refuse(own.found, "is a variable of which another file has its own",
                  "pass its values as an argument");
  else if (f->isTemplated())
    finder.refuse(f, "is a template, of which another file has no instances",
                  "link the emitted file instead: -link=instead");
  if (file.language == Language::C) { // whose text nothing added sees
    if (f->getStorageClass() == SC_Static)
      finder.refuse(f, "is static, and not seen by another file",
                    "make it external, or use -link=instead");
    return std::move(finder.result);
  }
  finder.run();
  return std::move(finder.result);
}

/// Adds the identifiers of \p text to \p names, and none of comments.
static void addIdentifiers(const std::string &text, StringSet<> &names) {
  LangOptions cpp;
  cpp.CPlusPlus = cpp.CPlusPlus11 = cpp.CPlusPlus14 = true;
  Lexer lexer(SourceLocation(), cpp, text.data(), text.data(),
              text.data() + text.size());
  Token t;
  do {
    lexer.LexFromRawLexer(t);
    if (t.is(tok::raw_identifier))
      names.insert(t.getRawIdentifier());
  } while (t.isNot(tok::eof));
}

std::vector<Replacement>
withoutUnused(StringRef text, const DeclarationsOnly &source, StringRef added) {
  std::vector<OwnDeclaration> unused = source.own;
  auto edits = [&] {
    std::vector<Replacement> all = source.edits;
    for (const OwnDeclaration &own : unused)
      all.push_back({own.begin, own.end, ""});
    return all;
  };
  StringSet<> names;
  addIdentifiers(edited(text, edits()) + added.str(), names);
  auto isUsed = [&](const OwnDeclaration &own) {
    return any_of(own.names,
                  [&](StringRef name) { return names.contains(name); });
  };
  // What stays has others stay.
  for (auto it = find_if(unused, isUsed); it != unused.end();
       it = find_if(unused, isUsed)) {
    addIdentifiers(text.slice(it->begin, it->end).str(), names);
    unused.erase(it);
  }
  return edits();
}

} // namespace convopt
