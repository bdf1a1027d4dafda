//===- ParseErrors.cpp - Errors within bodies of functions ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseErrors.h"
#include "Candidate.h"
#include "ForEach.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;
using namespace clang;

namespace convopt {

// Those that Clang prints unless it is told otherwise.
static constexpr size_t MostPrinted = 20;

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

struct ErrorCollector::Output {
  std::string text;
  raw_string_ostream stream{text};
  DiagnosticOptions options;
  TextDiagnosticPrinter printer{stream, options};
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

void ErrorCollector::BeginSourceFile(const LangOptions &options,
                                     const Preprocessor *pp) {
  for (Output *o : {everything.get(), lesser.get()})
    o->printer.BeginSourceFile(options, pp);
}

void ErrorCollector::EndSourceFile() {
  for (Output *o : {everything.get(), lesser.get()})
    o->printer.EndSourceFile();
}

void ErrorCollector::HandleDiagnostic(DiagnosticsEngine::Level level,
                                      const Diagnostic &d) {
  DiagnosticConsumer::HandleDiagnostic(level, d);
  if (level != DiagnosticsEngine::Note)
    isInError = level >= DiagnosticsEngine::Error;
  if (level >= DiagnosticsEngine::Error) {
    Found &e = errors.emplace_back();
    SmallString<128> message;
    d.FormatDiagnostic(message);
    e.message = message.str().str();
    if (level == DiagnosticsEngine::Error && d.hasSourceManager() &&
        d.getLocation().isValid()) {
      const SourceManager &sm = d.getSourceManager();
      const SourceLocation at = sm.getExpansionLoc(d.getLocation());
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
static bool areBraces(size_t begin, size_t end, const ASTContext &ast) {
  const SourceManager &sm = ast.getSourceManager();
  const StringRef text = sm.getBufferData(sm.getMainFileID());
  Lexer lexer(sm.getLocForStartOfFile(sm.getMainFileID()), ast.getLangOpts(),
              text.begin(), text.begin() + begin, text.end());
  int depth = 0;
  for (Token t; !lexer.LexFromRawLexer(t);) {
    depth += t.is(tok::l_brace) - t.is(tok::r_brace);
    if (depth == 0)
      return t.is(tok::r_brace) && sm.getFileOffset(t.getLocation()) == end - 1;
  }
  return false;
}

/// The bytes of the body of \p f, if it is written in the main file.
static std::optional<std::pair<size_t, size_t>> bodyIn(const FunctionDecl *f) {
  const SourceManager &sm = f->getASTContext().getSourceManager();
  const auto *body = f->doesThisDeclarationHaveABody()
                         ? dyn_cast_or_null<CompoundStmt>(f->getBody())
                         : nullptr;
  if (!body)
    return std::nullopt;
  for (SourceLocation l : {body->getBeginLoc(), body->getEndLoc()})
    if (l.isInvalid() || l.isMacroID() || !sm.isInMainFile(l))
      return std::nullopt;
  return std::pair<size_t, size_t>(sm.getFileOffset(body->getBeginLoc()),
                                   sm.getFileOffset(body->getEndLoc()) + 1);
}

std::optional<std::vector<BrokenBody>>
ErrorCollector::bodies(ASTContext &ast) const {
  std::vector<BrokenBody> all;
  forEach<FunctionDecl>(ast.getTranslationUnitDecl(), [&](auto *f) {
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
class BrokenFinder : public DynamicRecursiveASTVisitor {
public:
  explicit BrokenFinder(const std::vector<BrokenBody> &broken)
      : broken(broken) {
    ShouldVisitImplicitCode = true;
  }

  const BrokenBody *found = nullptr;

  void enter(const FunctionDecl *f) {
    const FunctionDecl *definition = nullptr;
    if (const FunctionDecl *p = f->getTemplateInstantiationPattern())
      enter(p);
    if (!f->hasBody(definition)) {
      note(f->getLocation(), f->getASTContext());
      return;
    }
    if (!seen.insert(definition).second)
      return;
    if (auto body = bodyIn(definition))
      note(definition->getBody()->getBeginLoc(), f->getASTContext());
    TraverseDecl(const_cast<FunctionDecl *>(definition));
  }

  bool VisitExpr(Expr *e) override {
    // Which has no errors of its own, or it would be broken.
    if (e->containsErrors() && !found && !broken.empty())
      found = &broken.front();
    return !found;
  }
  bool VisitDeclRefExpr(DeclRefExpr *e) override { return use(e->getDecl()); }
  bool VisitMemberExpr(MemberExpr *e) override {
    return use(e->getMemberDecl());
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *e) override {
    return use(e->getConstructor()) &&
           use(e->getConstructor()->getParent()->getDestructor());
  }
  bool VisitOverloadExpr(OverloadExpr *e) override {
    for (const NamedDecl *d : e->decls())
      use(d->getUnderlyingDecl());
    return useName(e->getName());
  }
  bool VisitDependentScopeDeclRefExpr(DependentScopeDeclRefExpr *e) override {
    return useName(e->getDeclName());
  }
  bool
  VisitCXXDependentScopeMemberExpr(CXXDependentScopeMemberExpr *e) override {
    return useName(e->getMember());
  }

private:
  void note(SourceLocation l, const ASTContext &ast) {
    const SourceManager &sm = ast.getSourceManager();
    l = sm.getExpansionLoc(l);
    if (l.isInvalid() || !sm.isInMainFile(l))
      return;
    const size_t at = sm.getFileOffset(l);
    for (const BrokenBody &b : broken)
      if (b.begin <= at && at < b.end)
        found = &b;
  }
  bool use(const NamedDecl *d) {
    if (!d || found)
      return !found;
    if (const auto *t = dyn_cast<FunctionTemplateDecl>(d))
      d = t->getTemplatedDecl();
    if (const auto *f = dyn_cast<FunctionDecl>(d))
      enter(f);
    else
      note(d->getLocation(), d->getASTContext());
    return !found;
  }
  /// What is found where a template has its instance goes by its name.
  bool useName(DeclarationName name) {
    const std::string text = name.getAsString();
    for (const BrokenBody &b : broken)
      if (StringRef(b.name).split('<').first.rsplit(':').second == text ||
          b.name == text)
        found = &b;
    return !found;
  }

  const std::vector<BrokenBody> &broken;
  SmallPtrSet<const FunctionDecl *, 8> seen;
};

} // namespace

const BrokenBody *brokenIn(const FunctionDecl *f,
                           const std::vector<BrokenBody> &broken) {
  BrokenFinder finder(broken);
  if (!broken.empty())
    finder.enter(f);
  return finder.found;
}

} // namespace convopt
