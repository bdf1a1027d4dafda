//===- Candidate.cpp - What may be the nest -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"
#include "Diagnostics.h"
#include "ForEach.h"
#include "Launches.h"
#include "LoopRuns.h"
#include "Mentions.h"
#include "Resolve.h"
#include "VariableUse.h"
#include "convopt/Nest/Text.h"

using namespace llvm;
using namespace clang;

namespace convopt {
namespace {

/// Does a body loop, and does it add to anything?
class ShapeVisitor : public DynamicRecursiveASTVisitor {
public:
  explicit ShapeVisitor(const Stmt *body) {
    TraverseStmt(const_cast<Stmt *>(body));
  }

  bool hasLoop = false, accumulates = false;
  std::vector<const Stmt *> loops; // but those over ranges

  bool VisitStmt(Stmt *s) override {
    hasLoop |= isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(s);
    if (isa<ForStmt, WhileStmt, DoStmt>(s))
      loops.push_back(s);
    return true;
  }
  bool VisitForStmt(ForStmt *s) override {
    noteIterators(s->getCond());
    return true;
  }
  bool VisitWhileStmt(WhileStmt *s) override {
    noteIterators(s->getCond());
    return true;
  }
  bool VisitDoStmt(DoStmt *s) override {
    noteIterators(s->getCond());
    return true;
  }
  bool VisitCompoundAssignOperator(CompoundAssignOperator *a) override {
    accumulates |= !setsIterator(a);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *b) override {
    if (b->getOpcode() != BO_Assign || setsIterator(b))
      return true;
    if (const auto *sum =
            dyn_cast<BinaryOperator>(b->getRHS()->IgnoreParenImpCasts()))
      accumulates |= sum->isAdditiveOp();
    if (const VarDecl *v = namedVariable(b->getLHS()))
      accumulates |= mentions(b->getRHS(), v); // m = fmaxf(m, x)
    return true;
  }
  /// `if (x > m) m = x;`
  bool VisitIfStmt(IfStmt *s) override {
    for (const VarDecl *v : VariableUse::assignedIn(s->getThen()))
      accumulates |= !iterators.count(v) && mentions(s->getCond(), v);
    return true;
  }

private:
  /// What a loop ends by is no sum (`for (i = n - 1; i >= 0; i -= 2)`).
  void noteIterators(const Expr *condition) {
    if (condition)
      forEach<DeclRefExpr>(
          condition, [&](auto *ref) { iterators.insert(ref->getDecl()); });
  }
  bool setsIterator(const BinaryOperator *b) const {
    return iterators.count(namedVariable(b->getLHS())) != 0;
  }

  std::set<const Decl *> iterators;
};

} // namespace

static SourceRange rangeOf(const FunctionDecl *f, const ParsedFile &file,
                           clang::SourceRange where) {
  return NestBuilder(f->getASTContext(), f, file.lines).range(where);
}

std::string qualifiedName(const FunctionDecl *f) {
  PrintingPolicy policy = f->getASTContext().getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  policy.AnonymousTagLocations = false;
  std::string name;
  raw_string_ostream os(name);
  f->getNameForDiagnostic(os, policy, /*Qualified=*/true);
  return name;
}

Candidate candidateOf(const FunctionDecl *f, const ParsedFile &file) {
  Candidate c;
  c.function = f;
  c.file = &file;
  c.where = rangeOf(f, file, f->getNameInfo().getSourceRange());
  c.name = "'" + qualifiedName(f) + "'";
  ShapeVisitor shape(f->getBody());
  c.hasLoop = shape.hasLoop;
  c.accumulates = shape.accumulates;
  return c;
}

const Stmt *loopAt(const FunctionDecl *f, unsigned line) {
  const SourceManager &sm = f->getASTContext().getSourceManager();
  for (const Stmt *s : ShapeVisitor(f->getBody()).loops)
    if (sm.getExpansionLineNumber(s->getBeginLoc()) == line)
      return s;
  return nullptr;
}

std::unique_ptr<Refusal> refusalOf(Error e) {
  std::unique_ptr<Refusal> result;
  handleAllErrors(std::move(e),
                  [&](std::unique_ptr<Refusal> r) { result = std::move(r); });
  return result;
}

std::string Candidate::understood() const {
  Nest nest = unfinished;
  const unsigned unknown = nest.params.size();
  nest.params.emplace_back().name = "?";
  nest.body = mapExpressions(nest.body, [&](const IndexExpr &e) {
    return e.substitute([&](Var v) -> std::optional<IndexExpr> {
      if (v.kind != Var::Param || v.id < unknown)
        return std::nullopt;
      return IndexExpr::param(unknown);
    });
  });
  std::string text;
  raw_string_ostream os(text);
  print(nest, os, {/*locations=*/true, /*bodyOnly=*/true});
  return text;
}

void Candidate::build(const RunsAsOne &runsAsOne) {
  ASTContext &ast = function->getASTContext();
  NestBuilder builder(ast, function, file->lines);
  bool isRefused = !runsAsOne; // for what it has beside loops
  auto ask = [&](const Nest &built) {
    isRefused = !runsAsOne(built);
    return !isRefused;
  };
  Error e = builder.build();
  if (!e)
    e = finishNest(
        builder,
        [&](bool ofGrid) {
          return launchFacts(ast, launchesOf(ast, function), builder, ofGrid);
        },
        runsAsOne ? RunsAsOne(ask) : RunsAsOne());
  if (e && alone && isRefused) {
    consumeError(std::move(e));
    e = make_error<Refusal>(*alone);
  }
  if (e) {
    refusal = refusalOf(std::move(e));
    unfinished = std::move(builder.nest);
  } else
    nest = std::move(builder.nest);
}

/// The function \p name of \p file.
static const FunctionDecl *functionCalled(StringRef name,
                                          const ParsedFile &file) {
  const FunctionDecl *found = nullptr;
  forEach<FunctionDecl>(file.ast().getTranslationUnitDecl(), [&](auto *f) {
    const IdentifierInfo *id = f->getIdentifier();
    if (id && id->getName() == name && f->doesThisDeclarationHaveABody() &&
        !f->isTemplateInstantiation())
      found = f;
  });
  return found;
}

/// The last of \p was that means something else in another function, which ends
/// with \p now, and what that is.
static std::optional<std::pair<Meaning, std::string>>
changed(ArrayRef<Meaning> was, ArrayRef<Meaning> now) {
  for (; !was.empty(); was = was.drop_back(), now = now.drop_back())
    if (now.empty() || was.back().what != now.back().what)
      return std::pair(was.back(), now.empty() ? "nothing" : now.back().what);
  return std::nullopt;
}

/// Leaves out the subscripts and the data of vectors and of views, each with
/// its type, and the types of references.
static void dropSubscripts(std::vector<Meaning> &all) {
  std::vector<Meaning> others;
  for (size_t k = 0; k != all.size(); ++k) {
    const StringRef what = all[k].what;
    if (what.ends_with(">::operator[]") || what.ends_with(">::data"))
      ++k;
    else if (!what.ends_with("&"))
      others.push_back(std::move(all[k]));
  }
  all = std::move(others);
}

/// Makes \p c the function of \p text, which \p files keeps, or says why not.
static bool moveTo(Candidate &c, Expected<OutlinedText> text,
                   const FrontendOptions &options,
                   std::deque<ParsedFile> &files) {
  if (!text) {
    c.refusal = refusalOf(text.takeError());
    return false;
  }
  Expected<ParsedFile> parsed =
      parseText(*c.file, std::move(text->text), options);
  const FunctionDecl *f =
      parsed ? functionCalled(text->name, *parsed) : nullptr;
  const BrokenBody *broken = f ? brokenIn(f, parsed->broken) : nullptr;
  if (!f || broken) {
    c.refusal = refusalOf(
        refuse(diag::LocalNames,
               c.name + " make no function, of which Clang says: " +
                   (broken   ? broken->message
                    : parsed ? "not declared"
                             : refusalOf(parsed.takeError())->message),
               c.where, "declare types and constants before the function"));
    return false;
  }
  std::vector<Meaning> now =
      meaningsOf(f->getASTContext(),
                 ArrayRef(statementsOf(f->getBody())).drop_back(text->results));
  if (text->hasViews) {
    dropSubscripts(text->meanings);
    dropSubscripts(now);
  }
  if (auto other = changed(text->meanings, now)) {
    c.refusal = refusalOf(
        refuse(diag::LocalNames,
               c.name + " make no function: in one, '" + other->first.what +
                   "' would be '" + other->second + "' here",
               rangeOf(c.function, *c.file, other->first.where),
               "write names with their scope, and no macro that changes"));
    return false;
  }
  parsed->lines = std::move(text->lines);
  parsed->lines.follow(c.file->lines);
  files.push_back(std::move(*parsed));
  c.call = text->call;
  c.alone = std::move(text->alone);
  c.function = f;
  c.file = &files.back();
  return true;
}

/// \p loops of \p f, which are not yet a function.
static Candidate loopsOf(const FunctionDecl *f, const ParsedFile &file,
                         const Stmt *loops) {
  Candidate result;
  result.function = f;
  result.file = &file;
  result.where = rangeOf(f, file, loops->getSourceRange());
  result.name = "these loops of '" + qualifiedName(f) + "'";
  return result;
}

/// Trials of loops that may run as one, and of those with statements between:
/// each is parsed twice.
static constexpr unsigned MostTries = 6;

/// The function of \p file in which byte \p at is.
static const FunctionDecl *functionAround(size_t at, const ParsedFile &file) {
  const SourceManager &sm = file.ast().getSourceManager();
  auto offset = [&](SourceLocation l) {
    return sm.getFileOffset(sm.getExpansionLoc(l));
  };
  const FunctionDecl *found = nullptr;
  forEach<FunctionDecl>(file.ast().getTranslationUnitDecl(), [&](auto *f) {
    if (!found && f->doesThisDeclarationHaveABody() &&
        sm.isInMainFile(sm.getExpansionLoc(f->getLocation())) &&
        offset(f->getBody()->getBeginLoc()) < at &&
        at < offset(f->getBody()->getEndLoc()))
      found = f;
  });
  return found;
}

std::vector<Candidate> inOneText(ArrayRef<LoopsWithin> several,
                                 const FrontendOptions &options,
                                 std::deque<ParsedFile> &files) {
  std::vector<Candidate> all;
  LoopsWithin last = several.front();
  for (const LoopsWithin &within : several) {
    const std::vector<const Stmt *> outermost = outermostLoops(last.function);
    const Stmt *loops = outermost[outermost.size() - within.fromEnd];
    all.push_back(loopsOf(last.function, *last.file, loops));
    Candidate &one = all.back();
    if (within.fixed)
      one.name = "where '" + within.fixed->name + "' is " +
                 std::to_string(within.fixed->value) + ", " + one.name;
    Expected<OutlinedText> text =
        outline(*last.file, last.function, loops, within.fixed);
    std::map<size_t, size_t> inserted;
    if (text)
      inserted = text->inserted;
    if (!moveTo(one, std::move(text), options, files))
      continue;
    for (Candidate &before : drop_end(all))
      if (before.call) {
        size_t bytes = 0;
        for (auto [at, added] : inserted)
          bytes += at <= before.call->begin ? added : 0;
        before.call->begin += bytes;
        before.call->end += bytes;
      }
    last.file = one.file;
    last.function = functionAround(one.call->begin, *one.file);
  }
  for (Candidate &one : all) {
    if (!one.call)
      continue;
    one.function = functionCalled(one.function->getName(), *last.file);
    one.file = last.file;
    one.build(options.runsAsOne);
  }
  return all;
}

Candidate bodyOf(const FunctionDecl *f, const ParsedFile &file,
                 const FrontendOptions &options,
                 std::deque<ParsedFile> &files) {
  Candidate result = candidateOf(f, file);
  const std::string name = std::exchange(
      result.name, "the statements of '" + qualifiedName(f) + "'");
  moveTo(result, bodyAsFunction(file, f), options, files);
  result.name = name;
  result.original = f;
  return result;
}

/// Those of \p all that add up, or all where none does.
static std::vector<size_t> sumsAmong(ArrayRef<const Stmt *> all) {
  std::vector<size_t> adding, any;
  for (size_t k = 0; k != all.size(); ++k) {
    any.push_back(k);
    if (ShapeVisitor(all[k]).accumulates)
      adding.push_back(k);
  }
  return adding.empty() ? any : adding;
}

/// \p c in \p text, where \p run, a part of it, is a nest as one; nothing where
/// it is none. \p files keeps the text.
static std::optional<LoopsWithin>
withRunAsOne(const TextRange &run, const BracedText &text, const Candidate &c,
             const FrontendOptions &options, std::deque<ParsedFile> &files) {
  auto parsed = expectedToOptional(parseText(*c.file, text.text, options));
  const size_t at = text.placeOf(run.begin);
  const FunctionDecl *f = parsed ? functionAround(at, *parsed) : nullptr;
  if (!f)
    return std::nullopt;
  parsed->lines = c.file->lines;
  files.push_back(std::move(*parsed));
  const ParsedFile &file = files.back();
  const SourceManager &sm = f->getASTContext().getSourceManager();
  for (const Stmt *loops : outermostLoops(f)) {
    if (sm.getFileOffset(sm.getExpansionLoc(loops->getBeginLoc())) != at)
      continue;
    Candidate one = loopsOf(f, file, loops);
    if (moveTo(one, outline(file, f, loops), options, files))
      one.build(options.runsAsOne);
    if (one.nest)
      return LoopsWithin{f, &file, 0, {}};
  }
  return std::nullopt;
}

/// \p c in a text that \p files keeps, with loops that run as one in blocks.
static LoopsWithin withRunsAsOne(const Candidate &c,
                                 const FrontendOptions &options,
                                 std::deque<ParsedFile> &files) {
  LoopsWithin result{c.function, c.file, 0, {}};
  std::vector<Block> joined;
  unsigned tries[] = {0, 0};
  for (const LoopRun &run : loopRuns(c.function, *c.file))
    for (size_t first = 0; first < run.loops.size(); ++first)
      for (size_t last = run.loops.size() - 1; last > first; --last) {
        const std::optional<Block> block =
            run.blockOf(first, last, c.file->text);
        if (!block || ++tries[run.hasStatements(first, last)] > MostTries)
          continue;
        std::vector<Block> with = joined;
        with.push_back(*block);
        auto found = withRunAsOne(block->range, BracedText(c.file->text, with),
                                  c, options, files);
        if (!found)
          continue;
        result = *found;
        joined = std::move(with);
        first = last;
      }
  return result;
}

std::vector<Candidate> loopsOf(const Candidate &c,
                               const FrontendOptions &options,
                               std::deque<ParsedFile> &files) {
  const LoopsWithin of = c.loops || !options.runsAsOne
                             ? LoopsWithin{c.function, c.file, 0, {}}
                             : withRunsAsOne(c, options, files);
  const std::vector<const Stmt *> all = outermostLoops(of.function);
  std::vector<Candidate> result;
  auto add = [&](const Stmt *loops) {
    Candidate one = loopsOf(of.function, *of.file, loops);
    one.name = "these loops of " + c.name;
    if (auto it = find(all, loops); it != all.end())
      one.within = {of.function, of.file, size_t(all.end() - it), {}};
    if (moveTo(one, outline(*of.file, of.function, loops), options, files))
      one.build(options.runsAsOne);
    result.push_back(std::move(one));
  };
  if (c.loops) {
    add(c.loops);
    return result;
  }
  const std::vector<size_t> sums = sumsAmong(all);
  for (size_t k : sums)
    add(all[k]);
  if (sums.size() == all.size())
    return result;
  // Where no kernel can be made of sums, others are what matters.
  const bool isAnyGood = any_of(result, [&](const Candidate &one) {
    return one.nest &&
           !(options.check && errorToBool(options.check(*one.nest)));
  });
  if (isAnyGood) {
    for (size_t k = 0; k != all.size(); ++k)
      if (!is_contained(sums, k)) {
        result.push_back(loopsOf(of.function, *of.file, all[k]));
        result.back().name = "these loops of " + c.name;
        result.back().isLeftOut = true;
      }
    return result;
  }
  result.clear();
  for (const Stmt *loops : all)
    add(loops);
  return result;
}

std::vector<LoopsWithin> layoutsOf(const Candidate &c) {
  std::optional<LoopsWithin> within = c.within;
  if (!c.call) { // a function that is a nest
    const std::vector<const Stmt *> all = outermostLoops(c.function);
    if (const std::vector<size_t> sums = sumsAmong(all); sums.size() == 1)
      within = {c.function, c.file, all.size() - sums.front(), {}};
  }
  std::vector<LoopsWithin> result;
  if (within && !c.nest->function.isKernel)
    for (const FixedVariable &v : layoutValues(*c.nest)) {
      result.push_back(*within);
      result.back().fixed = v;
    }
  return result;
}

bool hasReduction(const Nest &nest) {
  return any_of(statements(nest), [&](const StatementPath &p) {
    const Access &target = p.statement->target;
    const bool goesOn = p.statement->accumulates() ||
                        any_of(readsOf(*p.statement), [&](const Operand &o) {
                          return o.access == target;
                        });
    // `y[i] += b[i]` adds once to each element.
    return goesOn && (nest.arrays[target.array].isLocal() ||
                      any_of(p.statement->iterators, [&](unsigned loop) {
                        return !uses(target, loop);
                      }));
  });
}

} // namespace convopt
