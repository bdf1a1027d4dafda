//===- CallSites.cpp - Calls that another function takes over -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "SourceFacts.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace convopt {
namespace {

constexpr StringRef notUnderstood =
    "Clang does not understand the function that it is in";
constexpr StringRef writtenElsewhere = "a macro or another file writes it";

/// What calls in templates come to in the instances of these.
class InstanceCalls : public DynamicRecursiveASTVisitor {
public:
  explicit InstanceCalls(ASTContext &ast) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true; // or generic lambdas have no instances
    TraverseDecl(ast.getTranslationUnitDecl());
  }

  bool VisitCallExpr(CallExpr *call) override {
    if (const FunctionDecl *f = call->getDirectCallee())
      callees[call->getRParenLoc()].push_back(f);
    return true;
  }

  std::map<SourceLocation, SmallVector<const FunctionDecl *, 1>> callees;
};

/// The calls of a function, and which of them become calls of another one.
class CallFinder {
public:
  CallFinder(ASTContext &ast, const FunctionDecl *function, StringRef added,
             ArrayRef<BrokenBody> broken)
      : ast(ast), sm(ast.getSourceManager()), function(function),
        isNameTaken(ast.Idents.find(added) != ast.Idents.end()) {
    if (!broken.empty())
      findUnknown(broken);
  }

  std::vector<CallSite> calls();
  std::vector<LaunchSite> launches();

private:
  void findUnknown(ArrayRef<BrokenBody> broken);
  StringRef whyKept(const CallExpr *call);
  StringRef whyKeptInTemplate(const CallExpr *call);
  bool leavesArgumentsOut(const CallExpr *call) const;
  void findName(const CallExpr *call);
  bool isInText(SourceLocation l) const {
    return l.isFileID() && sm.isInMainFile(l);
  }
  CallSite nameSite() const;
  std::optional<std::string> textOf(const Expr *e) const;
  std::optional<LaunchSite> siteOf(const CUDAKernelCallExpr *launch) const;
  raw_ostream &warn(const Expr *e) const;
  void warnOfPointers(StringRef what) const;

  ASTContext &ast;
  const SourceManager &sm;
  const FunctionDecl *function;
  const bool isNameTaken; // by something, somewhere in the source
  std::vector<const BrokenBody *> unknown; // in which the name may be another's
  std::optional<InstanceCalls> instances;
  // Of the call at hand.
  SourceLocation begin, name; // of its name, with its scopes and without
  bool isQualified = false;   // anew: the added name does not stand where the
                              // function's does
};

} // namespace

static const OverloadExpr *openCallee(const CallExpr *call) {
  return dyn_cast<OverloadExpr>(call->getCallee()->IgnoreParenImpCasts());
}

void CallFinder::findName(const CallExpr *call) {
  const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  NestedNameSpecifierLoc scopes;
  const NamedDecl *found = nullptr;
  name = SourceLocation();
  if (const OverloadExpr *open = openCallee(call)) {
    name = open->getNameLoc();
    scopes = open->getQualifierLoc();
    found = *open->decls_begin();
  } else if (const auto *named = dyn_cast<DeclRefExpr>(callee)) {
    name = named->getLocation();
    scopes = named->getQualifierLoc();
    found = named->getFoundDecl();
  }
  begin = scopes ? scopes.getBeginLoc() : name;
  isQualified =
      isa_and_nonnull<UsingShadowDecl>(found) || (isNameTaken && !scopes);
}

/// Of what Clang skips it does not say what it declares.
void CallFinder::findUnknown(ArrayRef<BrokenBody> broken) {
  std::set<size_t> known;
  for (const CallExpr *call : callsOf(ast, function)) {
    findName(call);
    if (name.isValid() && isInText(name) && !call->containsErrors())
      known.insert(sm.getFileOffset(name));
  }
  for (const Expr *e : addressesOf(ast, function))
    if (isInText(e->getExprLoc()))
      known.insert(sm.getFileOffset(e->getExprLoc()));
  const StringRef text = sm.getBufferData(sm.getMainFileID());
  for (const BrokenBody &b : broken) {
    Lexer lexer(sm.getLocForStartOfFile(sm.getMainFileID()), ast.getLangOpts(),
                text.begin(), text.begin() + b.begin, text.end());
    for (Token t; !lexer.LexFromRawLexer(t);) {
      const size_t at = sm.getFileOffset(t.getLocation());
      if (at >= b.end)
        break;
      if (t.is(tok::raw_identifier) && !known.count(at) &&
          t.getRawIdentifier() == function->getName()) {
        unknown.push_back(&b);
        break;
      }
    }
  }
}

bool CallFinder::leavesArgumentsOut(const CallExpr *call) const {
  const unsigned all = function->getNumParams();
  const bool hasDefaults =
      function->getMostRecentDecl()->getMinRequiredArguments() < all;
  return any_of(call->arguments(),
                [&](const Expr *a) {
                  return isa<CXXDefaultArgExpr>(a) ||
                         (hasDefaults && isa<PackExpansionExpr>(a));
                }) ||
         (hasDefaults && call->getNumArgs() < all);
}

/// Why \p call, whose function depends on a template's arguments, may be one of
/// another function in some instance; empty where it is not.
StringRef CallFinder::whyKeptInTemplate(const CallExpr *call) {
  constexpr StringRef chosen = "the types of a template choose the function";
  if (openCallee(call)->getNumDecls() > 1)
    return chosen;
  if (const FunctionTemplateDecl *t = function->getDescribedFunctionTemplate())
    if (any_of(t->specializations(), isSpecialized))
      return "the template has explicit specializations";
  if (!instances)
    instances.emplace(ast);
  // Which are looked up where the instance is made, too.
  auto isOther = [&](const FunctionDecl *f) {
    const FunctionTemplateDecl *t = f->getPrimaryTemplate();
    return (t ? t->getTemplatedDecl() : f)->getCanonicalDecl() !=
           function->getCanonicalDecl();
  };
  return any_of(instances->callees[call->getRParenLoc()], isOther)
             ? chosen
             : StringRef();
}

/// Why \p call cannot be one of another function with the same parameters by
/// another name; empty where it can.
StringRef CallFinder::whyKept(const CallExpr *call) {
  findName(call);
  if (name.isInvalid())
    return "it does not name the function alone";
  if (!isInText(begin) || !isInText(name))
    return writtenElsewhere;
  if (any_of(unknown, [&](const BrokenBody *b) {
        return b->begin <= sm.getFileOffset(name) &&
               sm.getFileOffset(name) < b->end;
      }))
    return notUnderstood;
  if (const FunctionDecl *f = call->getDirectCallee(); f && isSpecialized(f))
    return "it is one of an explicit specialization";
  if (openCallee(call))
    if (StringRef why = whyKeptInTemplate(call); !why.empty())
      return why;
  if (leavesArgumentsOut(call))
    return "it leaves arguments out";
  if (isQualified &&
      (!ast.getLangOpts().CPlusPlus || function->isInAnonymousNamespace()))
    return "the name of the tiled one may be another's there";
  return "";
}

/// The name of the call at hand.
CallSite CallFinder::nameSite() const {
  StringRef text = sm.getBufferData(sm.getMainFileID());
  CallSite site;
  site.begin = sm.getFileOffset(begin);
  site.end = sm.getFileOffset(
      Lexer::getLocForEndOfToken(name, 0, sm, ast.getLangOpts()));
  site.name = text.slice(site.begin, site.end).str();
  if (isQualified) // a colon before it would take one of its own
    site.name = (text.take_front(site.begin).ends_with(":") ? " ::" : "::") +
                function->getQualifiedNameAsString();
  return site;
}

raw_ostream &CallFinder::warn(const Expr *e) const {
  sm.getExpansionLoc(e->getBeginLoc()).print(errs(), sm);
  return errs() << ": warning: ";
}

void CallFinder::warnOfPointers(StringRef what) const {
  for (const Expr *e : addressesOf(ast, function))
    warn(e) << what << " by this address stay ones of the naive function\n";
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

std::optional<std::string> CallFinder::textOf(const Expr *e) const {
  CharSourceRange r = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(e->getSourceRange()), sm,
      ast.getLangOpts());
  if (r.isInvalid())
    return std::nullopt;
  return Lexer::getSourceText(r, sm, ast.getLangOpts()).str();
}

/// The launch at hand; none where parts of it are written elsewhere.
std::optional<LaunchSite>
CallFinder::siteOf(const CUDAKernelCallExpr *launch) const {
  const CallExpr *config = launch->getConfig();
  SourceLocation first = launch->getBeginLoc(), end = launch->getRParenLoc();
  SourceLocation open = config->getBeginLoc(), close = config->getRParenLoc();
  for (SourceLocation l : {first, end, open, close})
    if (!isInText(l))
      return std::nullopt;
  StringRef text = sm.getBufferData(sm.getMainFileID());
  auto at = [&](SourceLocation l) -> size_t { return sm.getFileOffset(l); };
  size_t paren = text.find('(', at(close) + 3);
  if (paren == StringRef::npos || paren >= at(end))
    return std::nullopt;
  const CallSite callee = nameSite();
  LaunchSite site;
  site.begin = at(first);
  site.end = at(end) + 1;
  site.callee = text.slice(site.begin, callee.begin).str() + callee.name;
  site.afterName = text.slice(callee.end, at(open)).trim().str();
  site.arguments = text.slice(paren + 1, at(end)).trim().str();
  std::string *fields[] = {&site.grid, &site.block, &site.shared, &site.stream};
  for (auto [k, field] : enumerate(fields)) {
    *field = "0";
    if (k >= config->getNumArgs() || isa<CXXDefaultArgExpr>(config->getArg(k)))
      continue;
    ASSIGN_OR_RETURN(std::string t, textOf(config->getArg(k)));
    *field = t;
  }
  return site;
}

std::vector<LaunchSite> CallFinder::launches() {
  std::vector<LaunchSite> sites;
  for (const CallExpr *call : callsOf(ast, function)) {
    const auto *launch = dyn_cast<CUDAKernelCallExpr>(call);
    if (!launch)
      continue;
    StringRef why = whyKept(launch);
    std::optional<LaunchSite> site;
    if (why.empty())
      site = siteOf(launch);
    if (site)
      sites.push_back(std::move(*site));
    else
      warn(launch) << "this launch is not redirected to the tiled kernel: "
                   << (why.empty() ? writtenElsewhere : why) << '\n';
  }
  if (!sites.empty())
    warnOfPointers("launches");
  llvm::sort(sites, [](const LaunchSite &a, const LaunchSite &b) {
    return a.begin < b.begin;
  });
  return sites;
}

std::vector<CallSite> CallFinder::calls() {
  std::vector<CallSite> sites;
  for (const CallExpr *call : callsOf(ast, function)) {
    if (StringRef why = whyKept(call); !why.empty())
      warn(call) << "this call stays one of the naive function: " << why
                 << '\n';
    else
      sites.push_back(nameSite());
  }
  if (!sites.empty())
    warnOfPointers("calls");
  llvm::sort(sites, [](const CallSite &a, const CallSite &b) {
    return a.begin < b.begin;
  });
  return sites;
}

std::vector<LaunchSite> launchSites(ASTContext &ast, const FunctionDecl *kernel,
                                    StringRef added,
                                    ArrayRef<BrokenBody> broken) {
  return CallFinder(ast, kernel, added, broken).launches();
}

std::vector<CallSite> callSites(ASTContext &ast, const FunctionDecl *function,
                                StringRef added, ArrayRef<BrokenBody> broken) {
  return CallFinder(ast, function, added, broken).calls();
}

} // namespace convopt
