//===- FindNest.cpp - The function that has a nest ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeclaredNames.h"
#include "Invocation.h"
#include "Launches.h"
#include "Macros.h"
#include "ReadOnly.h"
#include "Resolve.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace convopt {

/// `outer::conv`, without namespaces that have no name.
static std::string qualifiedName(const clang::FunctionDecl *f) {
  clang::PrintingPolicy policy = f->getASTContext().getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  std::string name;
  raw_string_ostream os(name);
  f->printQualifiedName(os, policy);
  return name;
}

namespace {

struct Candidate {
  const clang::FunctionDecl *function;
  bool hasLoop = false, accumulates = false, isCalled = false;
  std::optional<Nest> nest;
  Error refusal = Error::success();
};

/// Does a body loop, and does it add to anything?
class ShapeVisitor : public clang::RecursiveASTVisitor<ShapeVisitor> {
public:
  bool hasLoop = false, accumulates = false;

  bool VisitStmt(clang::Stmt *s) {
    hasLoop |= isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                   clang::CXXForRangeStmt>(s);
    return true;
  }
  bool VisitCompoundAssignOperator(clang::CompoundAssignOperator *) {
    accumulates = true;
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *b) {
    if (b->getOpcode() == clang::BO_Assign)
      if (const auto *sum = dyn_cast<clang::BinaryOperator>(
              b->getRHS()->IgnoreParenImpCasts()))
        accumulates |= sum->isAdditiveOp();
    return true;
  }
};

/// The functions with a visible body that are called.
class Calls : public clang::RecursiveASTVisitor<Calls> {
public:
  std::set<const clang::FunctionDecl *> all;

  bool VisitCallExpr(clang::CallExpr *call) {
    if (const clang::FunctionDecl *f = visibleDefinition(call);
        f && all.insert(f).second)
      TraverseStmt(f->getBody());
    return true;
  }
};

class NestFinder {
public:
  NestFinder(ParsedFile &file, const FrontendOptions &options)
      : file(file), ast(file.ast->getASTContext()), options(options) {}
  ~NestFinder() {
    for (Candidate &c : candidates)
      consumeError(std::move(c.refusal));
  }

  Expected<SourceNest> run();

private:
  void collect(const clang::DeclContext *context);
  void consider(const clang::FunctionDecl *f);
  void tryBuild(Candidate &c);
  Expected<Candidate *> choose();
  Error refuseSeveral(ArrayRef<Candidate *> several, const Twine &message);
  Error refuseAll();
  std::vector<std::pair<SourceRange, std::string>> explain(Candidate &taken);
  Expected<size_t> endOf(const Candidate &c);
  SourceRange rangeOf(const Candidate &c) const { return rangeOf(c.function); }
  SourceRange rangeOf(const clang::FunctionDecl *f) const {
    return NestBuilder(ast, f).range(f->getNameInfo().getSourceRange());
  }
  bool isAskedFor(const clang::FunctionDecl *f) const;
  std::string quoted(const Candidate &c) const {
    return "'" + qualifiedName(c.function) + "'";
  }
  std::string fileName() const {
    return sys::path::filename(file.ast->getMainFileName()).str();
  }

  ParsedFile &file;
  clang::ASTContext &ast;
  const FrontendOptions &options;
  std::vector<Candidate> candidates;
};

} // namespace

/// By its name, as much of its scope as -function says, and its line.
bool NestFinder::isAskedFor(const clang::FunctionDecl *f) const {
  StringRef wanted = options.function;
  auto [name, number] = wanted.rsplit(':');
  unsigned line;
  if (!name.ends_with(":") && !number.getAsInteger(10, line)) {
    if (rangeOf(f).line != line)
      return false;
    wanted = name;
  }
  return wanted.empty() ||
         StringRef("::" + qualifiedName(f)).ends_with(("::" + wanted).str());
}

void NestFinder::consider(const clang::FunctionDecl *f) {
  const clang::SourceManager &sm = ast.getSourceManager();
  bool isHere = sm.isInMainFile(sm.getExpansionLoc(f->getLocation()));
  if (!f->doesThisDeclarationHaveABody() || !isHere ||
      isa<clang::CXXMethodDecl>(f) || f->isImplicit())
    return;
  if (!isAskedFor(f))
    return;
  Candidate c;
  c.function = f;
  ShapeVisitor shape;
  shape.TraverseStmt(f->getBody());
  c.hasLoop = shape.hasLoop;
  c.accumulates = shape.accumulates;
  bool isKernel = f->hasAttr<clang::CUDAGlobalAttr>();
  bool looksRight = (c.hasLoop || isKernel) && !f->isMain();
  if (looksRight || !options.function.empty())
    candidates.push_back(std::move(c));
}

void NestFinder::collect(const clang::DeclContext *context) {
  for (const clang::Decl *d : context->decls()) {
    if (const auto *t = dyn_cast<clang::FunctionTemplateDecl>(d))
      consider(t->getTemplatedDecl());
    else if (const auto *f = dyn_cast<clang::FunctionDecl>(d))
      consider(f);
    else if (isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(d))
      collect(cast<clang::DeclContext>(d));
  }
}

void NestFinder::tryBuild(Candidate &c) {
  NestBuilder builder(ast, c.function);
  Error e = builder.build();
  if (!e) {
    LaunchFacts facts;
    facts.grid =
        gridExtents(ast, launchesOf(ast, c.function), builder.nest.function);
    e = finishNest(builder, facts);
  }
  if (e)
    c.refusal = std::move(e);
  else
    c.nest = std::move(builder.nest);
}

Error NestFinder::refuseSeveral(ArrayRef<Candidate *> several,
                                const Twine &message) {
  auto refusal = std::make_unique<Refusal>(ExitStatus::BadInput, "source",
                                           message.str(), rangeOf(*several[0]),
                                           "choose one with -function=NAME, "
                                           "or -function=NAME:LINE");
  for (const Candidate *c : several)
    refusal->notes.emplace_back(rangeOf(*c), quoted(*c));
  return Error(std::move(refusal));
}

/// Nothing was taken: the reason of the only candidate, or of the only one
/// that adds anything up, or all of them.
Error NestFinder::refuseAll() {
  std::vector<Candidate *> likely;
  for (Candidate &c : candidates)
    if (c.accumulates)
      likely.push_back(&c);
  if (likely.size() == 1)
    return std::move(likely[0]->refusal);
  if (candidates.size() == 1)
    return std::move(candidates[0].refusal);
  auto refusal = std::make_unique<Refusal>(
      ExitStatus::BadInput, "source",
      "none of the functions with loops is a loop nest", rangeOf(candidates[0]),
      "choose one with -function=NAME to see why not");
  for (Candidate &c : candidates)
    handleAllErrors(std::move(c.refusal), [&](Refusal &r) {
      refusal->notes.emplace_back(r.where.isValid() ? r.where : rangeOf(c),
                                  quoted(c) + ": " + r.message);
    });
  return Error(std::move(refusal));
}

static bool hasReduction(const Nest &nest) {
  return any_of(statements(nest), [&](const StatementPath &p) {
    return p.statement->isReduction() ||
           any_of(p.statement->operands, [&](const Operand &o) {
             return o.kind == Operand::Read && o.access == p.statement->target;
           });
  });
}

std::vector<std::pair<SourceRange, std::string>>
NestFinder::explain(Candidate &taken) {
  std::vector<std::pair<SourceRange, std::string>> lines;
  lines.emplace_back(rangeOf(taken), quoted(taken) +
                                         " is taken; -function=NAME would "
                                         "take another function");
  for (Candidate &c : candidates) {
    if (&c == &taken)
      continue;
    if (c.nest)
      lines.emplace_back(rangeOf(c),
                         "not " + quoted(c) +
                             (c.isCalled ? ", which another nest calls"
                                         : ", which has no sum"));
    handleAllErrors(std::move(c.refusal), [&](Refusal &r) {
      lines.emplace_back(r.where.isValid() ? r.where : rangeOf(c),
                         "not " + quoted(c) + ": " + r.message);
    });
  }
  return lines;
}

/// Leaves out what another one calls, and has in it.
static void dropCalled(std::vector<Candidate *> &several) {
  Calls calls;
  for (Candidate *c : several)
    calls.TraverseStmt(c->function->getBody());
  erase_if(several, [&](Candidate *c) {
    return c->isCalled = calls.all.count(c->function) != 0;
  });
}

Expected<Candidate *> NestFinder::choose() {
  std::vector<Candidate *> good, sums;
  for (Candidate &c : candidates) {
    tryBuild(c);
    if (!c.nest)
      continue;
    good.push_back(&c);
  }
  dropCalled(good);
  copy_if(good, std::back_inserter(sums),
          [](const Candidate *c) { return hasReduction(*c->nest); });
  if (good.empty())
    return refuseAll();
  if (good.size() == 1)
    return good[0];
  if (sums.size() == 1)
    return sums[0];
  return refuseSeveral(sums.empty() ? good : sums,
                       "several functions are loop nests and -function chooses "
                       "none");
}

/// The byte after the definition of \p f. Where a macro ends it, that is after
/// the macro, unless this ends or begins something else around the function.
Expected<size_t> NestFinder::endOf(const Candidate &c) {
  const clang::FunctionDecl *f = c.function;
  const clang::SourceManager &sm = ast.getSourceManager();
  clang::SourceLocation brace = f->getBody()->getEndLoc();
  clang::SourceLocation last = sm.getExpansionRange(brace).getEnd();
  size_t begin = sm.getFileOffset(sm.getExpansionLoc(brace));
  size_t end = sm.getFileOffset(last) +
               clang::Lexer::MeasureTokenLength(last, sm, ast.getLangOpts());
  if (!brace.isMacroID())
    return end;
  auto offset = [&](clang::SourceLocation at) {
    return sm.getFileOffset(sm.getExpansionLoc(at));
  };
  bool isWhole = true;
  for (const clang::DeclContext *around = f->getDeclContext();
       !around->isTranslationUnit(); around = around->getParent())
    isWhole &= offset(cast<clang::Decl>(around)->getEndLoc()) >= end;
  for (const clang::Decl *d : f->getDeclContext()->decls()) {
    bool starts = sm.isInMainFile(sm.getExpansionLoc(d->getBeginLoc())) &&
                  offset(d->getBeginLoc()) >= begin &&
                  offset(d->getBeginLoc()) < end;
    isWhole &= !starts || offset(d->getEndLoc()) < end;
  }
  if (!isWhole)
    return refuse("source",
                  "the macro that ends '" + f->getNameAsString() +
                      "' does not end there",
                  rangeOf(c), "write the end of the function without a macro");
  return end;
}

/// Whether what is added after \p f stands in an `extern "C" { }` block.
static bool isInExternC(const clang::FunctionDecl *f) {
  for (const clang::DeclContext *around = f->getDeclContext();
       !around->isTranslationUnit(); around = around->getParent())
    if (const auto *block = dyn_cast<clang::LinkageSpecDecl>(around);
        block && block->hasBraces())
      return block->getLanguage() == clang::LinkageSpecLanguageIDs::C;
  return false;
}

static std::vector<std::string> scopeOf(const clang::FunctionDecl *f) {
  std::vector<std::string> names;
  for (const clang::DeclContext *c = f->getDeclContext();
       !c->isTranslationUnit(); c = c->getParent())
    if (const auto *space = dyn_cast<clang::NamespaceDecl>(c))
      names.insert(names.begin(), space->getName().str());
  return names;
}

Expected<SourceNest> NestFinder::run() {
  collect(ast.getTranslationUnitDecl());
  if (candidates.empty() && !options.function.empty())
    return refuse("source", "no function called '" + options.function +
                                "' is defined in '" + fileName() + "'");
  if (candidates.empty())
    return refuse("source", "no loop nest found in '" + fileName() + "'", {},
                  "convopt transforms nests of 'for' loops and naive kernels");
  if (!options.function.empty() && candidates.size() > 1) {
    std::vector<Candidate *> all;
    for (Candidate &c : candidates)
      all.push_back(&c);
    return refuseSeveral(all, "several functions are called '" +
                                  options.function + "'");
  }
  Expected<Candidate *> chosen = choose();
  if (!chosen)
    return chosen.takeError();
  SourceNest result;
  if (candidates.size() > 1)
    result.choice = explain(**chosen);
  const clang::FunctionDecl *f = (*chosen)->function;
  result.nest = std::move(*(*chosen)->nest);
  result.text = file.text;
  result.isC = file.language == Language::C;
  // Without a prototype it takes what its parameters are promoted to.
  result.isLocal = result.isC && (f->getStorageClass() == clang::SC_Static ||
                                  !f->hasPrototype());
  result.isExternC = !result.isC && f->isExternC();
  result.isInExternC = isInExternC(f);
  Expected<size_t> end = endOf(**chosen);
  if (!end)
    return end.takeError();
  result.functionEnd = *end;
  result.scope = scopeOf(f);
  result.macros = macrosAt(*file.ast, f->getEndLoc(), !result.isC);
  result.commandLineMacros = commandLineMacros(*file.ast, f->getEndLoc());
  if (result.nest.function.isKernel)
    result.launches = launchSites(ast, launchesOf(ast, f));
  result.declared = declaredNames(*file.ast, f);
  return result;
}

Expected<SourceNest> readSource(StringRef path,
                                const FrontendOptions &options) {
  Expected<ParsedFile> file = parseFile(path, options);
  if (!file)
    return file.takeError();
  return NestFinder(*file, options).run();
}

} // namespace convopt
