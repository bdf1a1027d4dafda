//===- FindNest.cpp - The function that has a nest ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"
#include "Diagnostics.h"
#include "ForEach.h"
#include "Launches.h"
#include "LoopVariables.h"
#include "ReadOnly.h"
#include "SourceFacts.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace convopt {

namespace {

class NestFinder {
public:
  NestFinder(ParsedFile &file, const FrontendOptions &options)
      : file(file), ast(file.ast()), options(options) {}

  Expected<std::vector<SourceNest>> run();

private:
  void collect(const DeclContext *context);
  void consider(const FunctionDecl *f);
  void addMethods();
  void tryLoops(Candidate &c);
  bool addBodies(const FunctionDecl *f);
  void addInstances();
  Expected<std::vector<Candidate *>> choose();
  std::vector<Candidate *> takeAll(ArrayRef<Candidate *> several);
  Expected<SourceNest> sourceOf(Candidate &taken) const;
  void dropRefused(std::vector<Candidate *> &several) const;
  Error refuseFills(ArrayRef<Candidate *> several);
  Error refuseSeveral(ArrayRef<Candidate *> several, const Twine &message);
  Error refuseAll();
  Error refuseNone() const;
  std::vector<std::pair<SourceRange, std::string>>
  explain(ArrayRef<Candidate *> all) const;
  std::vector<std::pair<SourceRange, std::string>>
  whyNotOthers(ArrayRef<Candidate *> all) const;
  bool isNamed(const Candidate &c) const;
  bool isAskedFor(Candidate &c) const;
  std::string fileName() const {
    return sys::path::filename(file.path()).str();
  }

  ParsedFile &file;
  ASTContext &ast;
  const FrontendOptions &options;
  std::deque<Candidate> candidates;
  std::optional<Candidate> loopless;          // a method that is asked for
  std::optional<Candidate> program;           // main, where it has loops
  std::vector<const CXXMethodDecl *> methods; // that have loops
  std::vector<Candidate> passedOver; // methods, as functions have sums, too
  std::deque<ParsedFile> outlined;   // texts in which loops are functions
  std::vector<std::string> others;   // functions that are not asked for
  bool isAtOtherLine = false;        // one of these has the name
  bool isAnyBroken = false;          // that would come into question
};

} // namespace

static bool isKernel(const Candidate &c) {
  return c.function->hasAttr<CUDAGlobalAttr>();
}

/// Whether \p c, of which nobody said that it is one, may have a nest.
static bool isLikely(const Candidate &c) {
  return (c.hasLoop || isKernel(c)) && !c.function->isMain();
}

static bool isTemplate(const Candidate &c) {
  return c.function->isDependentContext();
}

/// `a::f` of `a::f<int>`.
static std::string withoutArguments(std::string name) {
  const size_t open = name.find('<'), close = name.rfind('>');
  if (open < close && close != name.npos)
    name.erase(open, close + 1 - open);
  return name;
}

/// `conv:12`
static std::pair<StringRef, std::optional<unsigned>>
nameAndLine(StringRef function) {
  const auto [name, number] = function.rsplit(':');
  unsigned line = 0;
  if (name.ends_with(":") || number.getAsInteger(10, line))
    return {function, std::nullopt};
  return {name, line};
}

/// By its name, as much of its scope as -function says. A template has the
/// names of its instances, and these have its name.
bool NestFinder::isNamed(const Candidate &c) const {
  const StringRef wanted = nameAndLine(options.function).first;
  std::string scope = ("::" + wanted).str();
  std::string own = "::" + qualifiedName(c.function);
  if (isTemplate(c))
    scope = withoutArguments(scope);
  if (scope == withoutArguments(scope))
    own = withoutArguments(own);
  return wanted.empty() || StringRef(own).ends_with(scope);
}

/// Besides, by the line of it or of loops in it.
bool NestFinder::isAskedFor(Candidate &c) const {
  const std::optional<unsigned> line = nameAndLine(options.function).second;
  return isNamed(c) && (!line || c.where.line == *line ||
                        (c.loops = loopAt(c.function, *line)));
}

void NestFinder::consider(const FunctionDecl *f) {
  const SourceManager &sm = ast.getSourceManager();
  bool isHere = sm.isInMainFile(sm.getExpansionLoc(f->getLocation()));
  if (!f->doesThisDeclarationHaveABody() || !isHere || f->isImplicit() ||
      f->getTemplateInstantiationPattern())
    return;
  Candidate c = candidateOf(f, file);
  if (!isAskedFor(c)) {
    others.push_back(qualifiedName(f));
    isAtOtherLine |= isNamed(c);
    return;
  }
  if (brokenIn(f, file.broken)) {
    isAnyBroken |= isLikely(c) || !options.function.empty();
    return;
  }
  if (const auto *m = dyn_cast<CXXMethodDecl>(f)) {
    if (c.hasLoop)
      methods.push_back(m);
    else if (!options.function.empty())
      loopless = std::move(c);
    return;
  }
  if (isLikely(c) || !options.function.empty())
    candidates.push_back(std::move(c));
  else if (c.hasLoop)
    program = std::move(c);
}

void NestFinder::collect(const DeclContext *context) {
  for (const Decl *d : context->decls()) {
    if (const auto *t = dyn_cast<FunctionTemplateDecl>(d))
      consider(t->getTemplatedDecl());
    else if (const auto *t = dyn_cast<ClassTemplateDecl>(d))
      collect(t->getTemplatedDecl());
    else if (const auto *f = dyn_cast<FunctionDecl>(d))
      consider(f);
    else if (isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(d))
      collect(cast<DeclContext>(d));
  }
}

/// Nests among other statements of \p c, a function that is more than a nest.
/// Where there is none, and what is refused is not in its loops, the reason is
/// theirs.
void NestFinder::tryLoops(Candidate &c) {
  if (isKernel(c) || c.function->hasAttr<CUDADeviceAttr>())
    return;
  if (c.refusal && c.refusal->rule == diag::TooLarge)
    return;
  std::vector<Candidate> found = loopsOf(c, options, outlined);
  const bool isTaken =
      any_of(found, [](const Candidate &n) { return n.nest.has_value(); });
  const bool isInLoops =
      c.refusal && any_of(found, [&](const Candidate &n) {
        const SourceRange &at = c.refusal->where;
        return std::pair(at.line, at.column) >=
                   std::pair(n.where.line, n.where.column) &&
               std::pair(at.line, at.column) <=
                   std::pair(n.where.endLine, n.where.endColumn);
      });
  if (isTaken)
    std::move(found.begin(), found.end(), std::back_inserter(candidates));
  else if (!isInLoops && !found.empty())
    c.refusal = std::move(found.front().refusal);
}

Error NestFinder::refuseSeveral(ArrayRef<Candidate *> several,
                                const Twine &message) {
  auto refusal =
      std::make_unique<Refusal>(ExitStatus::BadInput, diag::SeveralNests,
                                message.str(), several[0]->where,
                                "choose one with -function=NAME, "
                                "or -function=NAME:LINE; another one as well, "
                                "of the file that is written for the first");
  for (const Candidate *c : several)
    refusal->notes.emplace_back(c->where, c->name);
  append_range(refusal->notes, whyNotOthers(several));
  return Error(std::move(refusal));
}

static std::string textOf(const BrokenBody &b) {
  return "'" + b.name + "', of which Clang says: " + b.message;
}

/// Where it says why \p c is no nest.
static SourceRange whyNot(const Candidate &c) {
  return c.refusal->where.isValid() ? c.refusal->where : c.where;
}

/// Whether \p taken are loops of \p c.
static bool isAround(const Candidate &c, const Candidate &taken) {
  return taken.call && StringRef(taken.name).ends_with(" of " + c.name);
}

/// Nothing was taken: the reason of the only candidate, or of the only one
/// that adds anything up, or all of them.
Error NestFinder::refuseAll() {
  for (const Candidate &c : candidates)
    if (options.explain && !c.unfinished.body.empty())
      errs() << "understood of " << c.name << ":\n" << c.understood();
  std::vector<Candidate *> likely;
  for (Candidate &c : candidates)
    if (c.accumulates)
      likely.push_back(&c);
  if (likely.size() == 1)
    return Error(std::move(likely[0]->refusal));
  if (candidates.size() == 1)
    return Error(std::move(candidates[0].refusal));
  auto refusal = std::make_unique<Refusal>(
      ExitStatus::BadInput, diag::NoNest,
      "none of the functions with loops is a loop nest", candidates[0].where,
      "choose one with -function=NAME to see why not");
  for (const Candidate &c : candidates)
    if (c.refusal)
      refusal->notes.emplace_back(whyNot(c),
                                  c.name + ": " + c.refusal->message);
  for (const BrokenBody &b : file.broken)
    refusal->notes.emplace_back(b.where, textOf(b));
  return Error(std::move(refusal));
}

/// Whether \p c is a function, and no loops of one.
static bool isFunction(const Candidate &c) {
  return StringRef(c.name).starts_with("'");
}

/// How deep loops of \p s, which may be null, are nested.
static unsigned depthOf(const Stmt *s) {
  unsigned depth = 0;
  if (s)
    for (const Stmt *child : s->children())
      depth = std::max(depth, depthOf(child));
  return depth + (s && isLoop(s));
}

/// Where loops that are deeper than \p taken are refused, of the function that
/// both are of.
static std::string deeperThan(const Candidate &taken,
                              const std::deque<Candidate> &all) {
  auto depth = [](const Candidate &c) {
    return depthOf(loopAt(c.within->function, c.where.line));
  };
  std::vector<std::string> lines;
  for (const Candidate &c : all)
    if (taken.within && c.within && c.refusal && c.name == taken.name &&
        depth(c) > depth(taken))
      lines.push_back(std::to_string(c.where.line));
  return lines.empty()
             ? ""
             : "; not the loops that are nested deeper, of line " +
                   join(lines, ", ") + ", which may take most of the time";
}

std::vector<std::pair<SourceRange, std::string>>
NestFinder::explain(ArrayRef<Candidate *> all) const {
  std::vector<std::pair<SourceRange, std::string>> lines;
  const Candidate &taken = *all.front();
  lines.emplace_back(
      taken.where, isFunction(taken)
                       ? taken.name +
                             " is taken; -function=NAME would take another "
                             "function"
                       : taken.name +
                             " are taken, and become a call of their own tiled "
                             "function; -function=NAME:LINE would take others" +
                             deeperThan(taken, candidates));
  for (const Candidate *c : all.drop_front())
    lines.emplace_back(c->where, "and " + c->name);
  append_range(lines, whyNotOthers(all));
  return lines;
}

/// Why each function that has loops is not among \p all.
std::vector<std::pair<SourceRange, std::string>>
NestFinder::whyNotOthers(ArrayRef<Candidate *> all) const {
  std::vector<std::pair<SourceRange, std::string>> lines;
  const Candidate &taken = *all.front();
  for (const Candidate &c : candidates)
    if (is_contained(all, &c))
      continue;
    else if (c.nest)
      lines.emplace_back(c.where, "not " + c.name +
                                      (c.isCalled ? ", which another nest calls"
                                       : hasReduction(*c.nest)
                                           ? ", a function of the host"
                                           : ", which has no sum"));
    else if (c.isLeftOut)
      lines.emplace_back(c.where, "not " + c.name +
                                      ", which add nothing up: "
                                      "-function=NAME:LINE takes them");
    else if (c.refusal && !isAround(c, taken))
      lines.emplace_back(whyNot(c),
                         "not " + c.name + ": " + c.refusal->message +
                             (isFunction(c) || c.refusal->remedy.empty()
                                  ? ""
                                  : ": " + c.refusal->remedy));
  for (const BrokenBody &b : file.broken)
    lines.emplace_back(b.where, "not " + textOf(b));
  for (const Candidate &c : passedOver)
    lines.emplace_back(c.where, "not " + c.name + ", a method: -function=" +
                                    qualifiedName(c.function) + " takes it");
  return lines;
}

/// Adds to \p all the functions with a visible body that \p s calls.
static void addCalled(const Stmt *s, std::set<const FunctionDecl *> &all) {
  forEach<CallExpr>(s, [&](const CallExpr *call) {
    if (const FunctionDecl *f = visibleDefinition(call);
        f && all.insert(f).second)
      addCalled(f->getBody(), all);
  });
}

/// Leaves out what another one calls, and has in it.
static void dropCalled(std::vector<Candidate *> &several) {
  auto inSource = [](const Candidate *c) {
    return c->original ? c->original : c->function;
  };
  std::set<const FunctionDecl *> called;
  for (Candidate *c : several)
    addCalled(inSource(c)->getBody(), called);
  erase_if(several, [&](Candidate *c) {
    return c->isCalled = called.count(inSource(c)) != 0;
  });
}

/// Leaves out what no kernel can be made of, unless that is all.
void NestFinder::dropRefused(std::vector<Candidate *> &several) const {
  if (several.size() < 2 || !options.check)
    return;
  std::vector<std::unique_ptr<Refusal>> refusals;
  for (const Candidate *c : several)
    refusals.push_back(refusalOf(options.check(*c->nest)));
  if (!is_contained(refusals, nullptr))
    return;
  for (auto [c, refusal] : zip_equal(several, refusals))
    if (refusal) {
      c->nest.reset();
      c->refusal = std::move(refusal);
    }
  erase_if(several, [](const Candidate *c) { return !c->nest; });
}

/// Whether \p c reads no array, as what clears one or fills a table of indices.
static bool onlyFills(const Candidate &c) {
  return none_of(statements(*c.nest), [&](const StatementPath &p) {
    return any_of(readsOf(*p.statement), [&](const Operand &o) {
      return !c.nest->arrays[o.access.array].isLocal();
    });
  });
}

/// Why other loops were refused, where all of \p several only fill arrays: the
/// others are what matters.
Error NestFinder::refuseFills(ArrayRef<Candidate *> several) {
  const auto refused = find_if(
      candidates, [](const Candidate &c) { return c.call && c.refusal; });
  return refused == candidates.end() ||
                 !all_of(several, [](auto *c) { return onlyFills(*c); })
             ? Error::success()
             : Error(std::move(refused->refusal));
}

/// Loops that follow one another in a function, and those of several layouts
/// once for each, all as functions in one text; none where there are no such
/// loops.
std::vector<Candidate *> NestFinder::takeAll(ArrayRef<Candidate *> several) {
  std::vector<LoopsWithin> all;
  for (const Candidate *c : several) {
    const std::vector<LoopsWithin> layouts = layoutsOf(*c);
    append_range(all, layouts);
    if (layouts.empty() && c->within)
      all.push_back(*c->within);
  }
  std::vector<Candidate *> taken;
  if (all.size() < 2)
    return taken;
  for (Candidate &c : inOneText(all, options, outlined)) {
    candidates.push_back(std::move(c));
    if (candidates.back().nest)
      taken.push_back(&candidates.back());
  }
  for (Candidate *c : several)
    if (!taken.empty())
      c->nest.reset(); // taken in another text
  return taken;
}

/// Whether \p several are loops of one function.
static bool areOfOneFunction(ArrayRef<Candidate *> several) {
  return all_of(several, [&](const Candidate *c) {
    return c->within && several.front()->within &&
           c->within->function == several.front()->within->function;
  });
}

Expected<std::vector<Candidate *>> NestFinder::choose() {
  std::vector<Candidate *> good, sums;
  auto isSum = [](const Candidate &c) {
    return c.nest && hasReduction(*c.nest);
  };
  for (Candidate &c : candidates)
    if (!c.loops && !c.refusal)
      c.build(options.runsAsOne);
  const size_t functions = candidates.size();
  if (none_of(candidates, isSum))
    for (size_t k = 0; k != functions; ++k)
      if (!candidates[k].nest && !isa<CXXMethodDecl>(candidates[k].function))
        tryLoops(candidates[k]);
  if (none_of(candidates, isSum))
    addInstances();
  for (Candidate &c : candidates)
    if (c.nest)
      good.push_back(&c);
  dropCalled(good);
  dropRefused(good);
  copy_if(good, std::back_inserter(sums),
          [&](const Candidate *c) { return isSum(*c); });
  if (good.empty())
    return refuseAll();
  RETURN_IF_ERROR(refuseFills(good));
  std::vector<Candidate *> best = sums.empty() ? good : sums;
  // Functions of the host beside a kernel that the file launches are what it is
  // compared with.
  std::vector<Candidate *> kernels;
  copy_if(best, std::back_inserter(kernels),
          [](const Candidate *c) { return isKernel(*c); });
  if (kernels.size() == 1 && !launchesOf(ast, kernels[0]->function).empty())
    best = kernels;
  if (options.mayBeSeveral && (best.size() == 1 || areOfOneFunction(best)))
    if (std::vector<Candidate *> all = takeAll(best); !all.empty())
      return all;
  if (best.size() == 1)
    return best;
  return refuseSeveral(
      best, good[0]->call ? "several nests were found and -function chooses "
                            "none"
                          : "several functions are loop nests and -function "
                            "chooses none");
}

/// The byte after the definition of \p f. Where a macro ends it, that is after
/// the macro, unless this ends or begins something else around the function.
static Expected<size_t> endOf(const Candidate &c) {
  const FunctionDecl *f = c.function;
  const ASTContext &ast = f->getASTContext();
  const SourceManager &sm = ast.getSourceManager();
  SourceLocation brace = f->getBody()->getEndLoc();
  SourceLocation last = sm.getExpansionRange(brace).getEnd();
  size_t begin = sm.getFileOffset(sm.getExpansionLoc(brace));
  size_t end = sm.getFileOffset(last) +
               Lexer::MeasureTokenLength(last, sm, ast.getLangOpts());
  if (!brace.isMacroID())
    return end;
  auto offset = [&](SourceLocation at) {
    return sm.getFileOffset(sm.getExpansionLoc(at));
  };
  bool isWhole = true;
  for (const DeclContext *around = f->getDeclContext();
       !around->isTranslationUnit(); around = around->getParent())
    isWhole &= offset(cast<Decl>(around)->getEndLoc()) >= end;
  for (const Decl *d : f->getDeclContext()->decls()) {
    bool starts = sm.isInMainFile(sm.getExpansionLoc(d->getBeginLoc())) &&
                  offset(d->getBeginLoc()) >= begin &&
                  offset(d->getBeginLoc()) < end;
    isWhole &= !starts || offset(d->getEndLoc()) < end;
  }
  if (!isWhole)
    return refuse(diag::Macro,
                  "the macro that ends '" + f->getNameAsString() +
                      "' does not end there",
                  c.where, "write the end of the function without a macro");
  return end;
}

/// Whether what is added after \p f stands in an `extern "C" { }` block.
static bool isInExternC(const FunctionDecl *f) {
  for (const DeclContext *around = f->getDeclContext();
       !around->isTranslationUnit(); around = around->getParent())
    if (const auto *block = dyn_cast<LinkageSpecDecl>(around);
        block && block->hasBraces())
      return block->getLanguage() == LinkageSpecLanguageIDs::C;
  return false;
}

static std::vector<std::string> scopeOf(const FunctionDecl *f) {
  std::vector<std::string> names;
  for (const DeclContext *c = f->getDeclContext(); !c->isTranslationUnit();
       c = c->getParent())
    if (const auto *space = dyn_cast<NamespaceDecl>(c))
      names.insert(names.begin(), space->getName().str());
  return names;
}

/// The one of \p names that is nearest to \p wanted, scopes aside, or the first
/// few.
static std::string suggest(StringRef wanted, std::vector<std::string> names) {
  constexpr size_t few = 6;
  auto distance = [&](StringRef name) {
    return std::min(wanted.edit_distance(name),
                    wanted.edit_distance(name.rsplit(':').second));
  };
  const auto nearest = std::min_element(
      names.begin(), names.end(),
      [&](StringRef a, StringRef b) { return distance(a) < distance(b); });
  if (nearest == names.end())
    return "";
  if (distance(*nearest) <= (wanted.size() + 2) / 3)
    return "did you mean '" + *nearest + "'?";
  const bool hasMore = names.size() > few;
  names.resize(std::min(names.size(), few));
  return "it defines " + join(names, ", ") + (hasMore ? ", ..." : "");
}

/// There is no function to choose from.
Error NestFinder::refuseNone() const {
  const auto [name, line] = nameAndLine(options.function);
  if (isAtOtherLine)
    return refuse(diag::NoNest,
                  "neither '" + name.str() +
                      "' nor a loop in it begins in line " +
                      std::to_string(*line),
                  {}, "name the line of its outermost 'for' or 'while'");
  if (loopless) {
    std::set<const FunctionDecl *> called;
    addCalled(loopless->function->getBody(), called);
    std::vector<std::string> names;
    for (const FunctionDecl *f : called)
      if (candidateOf(f, file).hasLoop)
        names.push_back(qualifiedName(f));
    llvm::sort(names);
    return refuse(diag::NoNest, loopless->name + " has no loops of its own",
                  loopless->where,
                  names.empty() ? "choose the function that has them"
                                : "choose one that it calls: -function=" +
                                      join(names, ", -function="));
  }
  if (!options.function.empty())
    return refuse(diag::NoNest,
                  "no function called '" + options.function +
                      "' is defined in '" + fileName() + "'",
                  {}, suggest(options.function, others));
  return refuse(diag::NoNest, "no loop nest found in '" + fileName() + "'", {},
                "convopt transforms nests of 'for' loops and naive kernels");
}

/// Where no other function adds anything up, it is methods that do.
void NestFinder::addMethods() {
  if (any_of(candidates, [](const Candidate &c) { return c.accumulates; })) {
    for (const CXXMethodDecl *m : methods)
      if (Candidate c = candidateOf(m, file); c.accumulates)
        passedOver.push_back(std::move(c));
    return;
  }
  auto adds = [&](const CXXMethodDecl *m) {
    std::set<const FunctionDecl *> all{m};
    addCalled(m->getBody(), all);
    return any_of(all, [&](const FunctionDecl *f) {
      return candidateOf(f, file).accumulates;
    });
  };
  if (any_of(methods, adds))
    erase_if(methods, [&](const auto *m) { return !adds(m); });
  for (const CXXMethodDecl *m : methods)
    addBodies(m);
}

/// The body of \p f, or those of its instances; false where that has none.
bool NestFinder::addBodies(const FunctionDecl *f) {
  std::vector<const FunctionDecl *> all = {f};
  if (f->isDependentContext()) {
    // Of a kernel that nothing launches, no launch would become another's; what
    // the file instantiates for other files has a launcher for these.
    const bool isCalled =
        !f->hasAttr<CUDAGlobalAttr>() || !launchesOf(ast, f).empty();
    all = instancesOf(f);
    erase_if(all, [&](const FunctionDecl *instance) {
      Candidate c = candidateOf(instance, file);
      return !isAskedFor(c) || !(isCalled || isInstantiated(instance));
    });
  }
  if (all.empty() && isa<CXXMethodDecl>(f))
    all = {f}; // which says why it is none
  for (const FunctionDecl *one : all)
    candidates.push_back(bodyOf(one, file, options, outlined));
  return !all.empty();
}

/// Where templates are refused, it is what the file makes of them that counts.
void NestFinder::addInstances() {
  std::deque<Candidate> refused = std::exchange(candidates, {});
  for (Candidate &c : refused) {
    const size_t first = candidates.size();
    if (c.nest || c.loops || c.file != &file || !isTemplate(c) ||
        isa<CXXMethodDecl>(c.function) || !addBodies(c.function)) {
      candidates.push_back(std::move(c));
      continue;
    }
    const size_t instances = candidates.size();
    for (size_t k = first; k != instances; ++k) {
      if (candidates[k].refusal)
        continue;
      candidates[k].build();
      if (!candidates[k].nest)
        tryLoops(candidates[k]);
    }
  }
}

/// That of \p f where \p at is the end of its definition. It can stand where \p
/// f is first declared, but not in a block of C linkage.
static Prototype prototypeOf(const FunctionDecl *f, size_t at) {
  const ASTContext &ast = f->getASTContext();
  const SourceManager &sm = ast.getSourceManager();
  auto textOf = [&](clang::SourceRange r) {
    return Lexer::getSourceText(CharSourceRange::getTokenRange(r), sm,
                                ast.getLangOpts());
  };
  const FunctionTemplateDecl *t = f->getDescribedFunctionTemplate();
  const FunctionDecl *first =
      t ? t->getCanonicalDecl()->getTemplatedDecl() : f->getCanonicalDecl();
  SourceLocation end = Lexer::findLocationAfterToken(
      first->getEndLoc(), tok::semi, sm, ast.getLangOpts(), false);
  if (first != f && end.isValid() && end.isFileID() && sm.isInMainFile(end) &&
      !(ast.getLangOpts().CPlusPlus && f->isExternC())) {
    at = sm.getFileOffset(end);
    f = first;
    t = f->getDescribedFunctionTemplate();
  }
  Prototype p{at, "", ""};
  if (t)
    p.templates = textOf(t->getTemplateParameters()->getSourceRange()).str();
  if (f->hasPrototype())
    p.parameters = textOf(f->getFunctionTypeLoc().getParensRange())
                       .drop_front()
                       .drop_back()
                       .str();
  return p;
}

/// What follows the front end knows of \p taken.
Expected<SourceNest> NestFinder::sourceOf(Candidate &taken) const {
  const FunctionDecl *f = taken.function;
  const ParsedFile &file = *taken.file;
  ASTContext &ast = f->getASTContext();
  SourceNest result;
  result.nest = std::move(*taken.nest);
  result.text = file.text;
  result.call = taken.call;
  result.isC = file.language == Language::C;
  // Without a prototype it takes what its parameters are promoted to.
  result.isLocal =
      result.isC && (f->getStorageClass() == SC_Static || !f->hasPrototype() ||
                     result.nest.function.hasParts());
  result.isOverloaded = !result.isC && !f->getDeclContext()
                                            ->getRedeclContext()
                                            ->lookup(f->getDeclName())
                                            .isSingleResult();
  result.isExternC = !result.isC && f->isExternC();
  result.isInExternC = isInExternC(f);
  ASSIGN_OR_RETURN(size_t end, endOf(taken));
  result.functionEnd = end;
  result.scope = scopeOf(f);
  result.macros = macrosAt(file, f->getEndLoc(), !result.isC);
  result.commandLineMacros = commandLineMacros(file, f->getSourceRange());
  const std::string tiled = result.nest.function.name + options.suffix;
  if (result.nest.function.isKernel)
    result.launches = launchSites(ast, f, tiled + "_dispatch", file.broken);
  else if (!result.call)
    result.calls = callSites(ast, f, tiled, file.broken);
  result.instances = templateInstances(f);
  nameSignedTypes(result.instances, result.nest.function);
  result.prototype = prototypeOf(f, end);
  result.types = headerTypes(file, f);
  result.headers = headersOf(file);
  for (const BrokenBody &b : file.broken)
    result.broken.push_back({b.begin, b.end});
  result.beside = declarationsOnly(file, f);
  result.declared = declaredNames(file, f);
  for (DeclaredName &d : result.declared)
    if (d.file.empty()) {
      d.where.line = file.lines[d.where.line];
      d.where.endLine = file.lines[d.where.endLine];
    }
  return result;
}

Expected<std::vector<SourceNest>> NestFinder::run() {
  collect(ast.getTranslationUnitDecl());
  addMethods();
  if (candidates.empty() && isAnyBroken)
    return refuseBroken(file);
  if (candidates.empty() && program)
    candidates.push_back(std::move(*program));
  if (candidates.empty())
    return file.broken.empty() ? refuseNone() : refuseBroken(file);
  if (!options.function.empty() && candidates.size() > 1) {
    std::vector<Candidate *> all;
    for (Candidate &c : candidates)
      all.push_back(&c);
    return refuseSeveral(all, "several functions are called '" +
                                  options.function + "'");
  }
  ASSIGN_OR_RETURN(std::vector<Candidate *> chosen, choose());
  std::vector<SourceNest> all;
  std::vector<std::pair<SourceRange, std::string>> layouts;
  for (Candidate *c : chosen) {
    if (std::string text = severalLayouts(*c->nest); !text.empty())
      layouts.emplace_back(c->where, std::move(text));
    ASSIGN_OR_RETURN(SourceNest one, sourceOf(*c));
    all.push_back(std::move(one));
  }
  const bool hasBroken = !file.broken.empty() && options.function.empty();
  if (candidates.size() > 1 || !passedOver.empty() || hasBroken)
    all.front().choice = explain(chosen);
  append_range(all.front().choice, layouts);
  return all;
}

Expected<std::vector<SourceNest>> readSource(StringRef path,
                                             const FrontendOptions &options) {
  ASSIGN_OR_RETURN(ParsedFile file, parseFile(path, options));
  return NestFinder(file, options).run();
}

} // namespace convopt
