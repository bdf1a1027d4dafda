//===- ParseErrors.cpp - Errors within bodies of functions ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseErrors.h"
#include "Candidate.h"
#include "ForEach.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt {

// Those that Clang prints unless it is told otherwise.
static constexpr size_t MostPrinted = 20;

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

struct ErrorCollector::Output {
  std::string text;
  raw_string_ostream stream{text};
  clang::DiagnosticOptions options;
  clang::TextDiagnosticPrinter printer{stream, options};
};

ErrorCollector::ErrorCollector()
    : everything(std::make_unique<Output>()),
      lesser(std::make_unique<Output>()) {}

ErrorCollector::~ErrorCollector() = default;

StringRef ErrorCollector::first() const {
  return errors.empty() ? StringRef() : StringRef(errors.front().message);
}

const std::string &ErrorCollector::all() const { return everything->text; }

const std::string &ErrorCollector::warnings() const { return lesser->text; }

void ErrorCollector::BeginSourceFile(const clang::LangOptions &options,
                                     const clang::Preprocessor *pp) {
  for (Output *o : {everything.get(), lesser.get()})
    o->printer.BeginSourceFile(options, pp);
}

void ErrorCollector::EndSourceFile() {
  for (Output *o : {everything.get(), lesser.get()})
    o->printer.EndSourceFile();
}

void ErrorCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                      const clang::Diagnostic &d) {
  DiagnosticConsumer::HandleDiagnostic(level, d);
  if (level != clang::DiagnosticsEngine::Note)
    isInError = level >= clang::DiagnosticsEngine::Error;
  if (level >= clang::DiagnosticsEngine::Error) {
    Found &e = errors.emplace_back();
    SmallString<128> message;
    d.FormatDiagnostic(message);
    e.message = message.str().str();
    if (level == clang::DiagnosticsEngine::Error && d.hasSourceManager() &&
        d.getLocation().isValid()) {
      const clang::SourceManager &sm = d.getSourceManager();
      const clang::SourceLocation at = sm.getExpansionLoc(d.getLocation());
      if (sm.isInMainFile(at)) {
        e.at = sm.getFileOffset(at);
        e.where = {
            sm.getExpansionLineNumber(at), sm.getExpansionColumnNumber(at),
            sm.getExpansionLineNumber(at), sm.getExpansionColumnNumber(at)};
      }
    }
  }
  if (!isInError)
    lesser->printer.HandleDiagnostic(level, d);
  if (errors.size() <= MostPrinted || !isInError)
    everything->printer.HandleDiagnostic(level, d);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Whether the brace that closes the one at byte \p begin is at \p end - 1. A
/// parser that recovers may take it for another's.
static bool areBraces(size_t begin, size_t end, const clang::ASTContext &ast) {
  const clang::SourceManager &sm = ast.getSourceManager();
  const StringRef text = sm.getBufferData(sm.getMainFileID());
  clang::Lexer lexer(sm.getLocForStartOfFile(sm.getMainFileID()),
                     ast.getLangOpts(), text.begin(), text.begin() + begin,
                     text.end());
  int depth = 0;
  for (clang::Token t; !lexer.LexFromRawLexer(t);) {
    depth += t.is(clang::tok::l_brace) - t.is(clang::tok::r_brace);
    if (depth == 0)
      return t.is(clang::tok::r_brace) &&
             sm.getFileOffset(t.getLocation()) == end - 1;
  }
  return false;
}

/// The bytes of the body of \p f, if it is written in the main file.
static std::optional<std::pair<size_t, size_t>>
bodyIn(const clang::FunctionDecl *f) {
  const clang::SourceManager &sm = f->getASTContext().getSourceManager();
  const auto *body = f->doesThisDeclarationHaveABody()
                         ? dyn_cast_or_null<clang::CompoundStmt>(f->getBody())
                         : nullptr;
  if (!body)
    return std::nullopt;
  for (clang::SourceLocation l : {body->getBeginLoc(), body->getEndLoc()})
    if (l.isInvalid() || l.isMacroID() || !sm.isInMainFile(l))
      return std::nullopt;
  return std::pair<size_t, size_t>(sm.getFileOffset(body->getBeginLoc()),
                                   sm.getFileOffset(body->getEndLoc()) + 1);
}

std::optional<std::vector<BrokenBody>>
ErrorCollector::bodies(clang::ASTContext &ast) const {
  std::vector<BrokenBody> all;
  forEach<clang::FunctionDecl>(ast.getTranslationUnitDecl(), [&](auto *f) {
    if (f->getParentFunctionOrMethod())
      return; // a part of the body that has it
    if (auto body = bodyIn(f))
      all.push_back({body->first, body->second, qualifiedName(f), "", {}});
  });
  for (const Found &e : errors) {
    const auto in = find_if(all, [&](const BrokenBody &b) {
      return e.at && b.begin < *e.at && *e.at < b.end - 1;
    });
    if (in == all.end() ||
        (in->message.empty() && !areBraces(in->begin, in->end, ast)))
      return std::nullopt;
    if (in->message.empty()) {
      in->message = e.message;
      in->where = e.where;
    }
  }
  erase_if(all, [](const BrokenBody &b) { return b.message.empty(); });
  sort(all, [](const BrokenBody &a, const BrokenBody &b) {
    return a.begin < b.begin;
  });
  return all;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

namespace {

/// Finds what a function, and what it calls, has of broken bodies.
class BrokenFinder : public clang::DynamicRecursiveASTVisitor {
public:
  explicit BrokenFinder(const std::vector<BrokenBody> &broken)
      : broken(broken) {
    ShouldVisitImplicitCode = true;
  }

  const BrokenBody *found = nullptr;

  void enter(const clang::FunctionDecl *f) {
    const clang::FunctionDecl *definition = nullptr;
    if (const clang::FunctionDecl *p = f->getTemplateInstantiationPattern())
      enter(p);
    if (!f->hasBody(definition)) {
      note(f->getLocation(), f->getASTContext());
      return;
    }
    if (!seen.insert(definition).second)
      return;
    if (auto body = bodyIn(definition))
      note(definition->getBody()->getBeginLoc(), f->getASTContext());
    TraverseDecl(const_cast<clang::FunctionDecl *>(definition));
  }

  bool VisitExpr(clang::Expr *e) override {
    // Which has no errors of its own, or it would be broken.
    if (e->containsErrors() && !found && !broken.empty())
      found = &broken.front();
    return !found;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *e) override {
    return use(e->getDecl());
  }
  bool VisitMemberExpr(clang::MemberExpr *e) override {
    return use(e->getMemberDecl());
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *e) override {
    return use(e->getConstructor()) &&
           use(e->getConstructor()->getParent()->getDestructor());
  }
  bool VisitOverloadExpr(clang::OverloadExpr *e) override {
    for (const clang::NamedDecl *d : e->decls())
      use(d->getUnderlyingDecl());
    return useName(e->getName());
  }
  bool
  VisitDependentScopeDeclRefExpr(clang::DependentScopeDeclRefExpr *e) override {
    return useName(e->getDeclName());
  }
  bool VisitCXXDependentScopeMemberExpr(
      clang::CXXDependentScopeMemberExpr *e) override {
    return useName(e->getMember());
  }

private:
  void note(clang::SourceLocation l, const clang::ASTContext &ast) {
    const clang::SourceManager &sm = ast.getSourceManager();
    l = sm.getExpansionLoc(l);
    if (l.isInvalid() || !sm.isInMainFile(l))
      return;
    const size_t at = sm.getFileOffset(l);
    for (const BrokenBody &b : broken)
      if (b.begin <= at && at < b.end)
        found = &b;
  }
  bool use(const clang::NamedDecl *d) {
    if (!d || found)
      return !found;
    if (const auto *t = dyn_cast<clang::FunctionTemplateDecl>(d))
      d = t->getTemplatedDecl();
    if (const auto *f = dyn_cast<clang::FunctionDecl>(d))
      enter(f);
    else
      note(d->getLocation(), d->getASTContext());
    return !found;
  }
  /// What is found where a template has its instance goes by its name.
  bool useName(clang::DeclarationName name) {
    const std::string text = name.getAsString();
    for (const BrokenBody &b : broken)
      if (StringRef(b.name).split('<').first.rsplit(':').second == text ||
          b.name == text)
        found = &b;
    return !found;
  }

  const std::vector<BrokenBody> &broken;
  SmallPtrSet<const clang::FunctionDecl *, 8> seen;
};

} // namespace

const BrokenBody *brokenIn(const clang::FunctionDecl *f,
                           const std::vector<BrokenBody> &broken) {
  BrokenFinder finder(broken);
  if (!broken.empty())
    finder.enter(f);
  return finder.found;
}

} // namespace convopt
