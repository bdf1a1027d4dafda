//===- LoopRuns.cpp - Loops that follow one another -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopRuns.h"
#include "ForEach.h"
#include "Half.h"
#include "LoopVariables.h"
#include "Mentions.h"
#include "convopt/Source/Lexemes.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SetOperations.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// Pointers and arrays that \p loop mentions.
static std::set<const ValueDecl *> arraysOf(const Stmt *loop) {
  std::set<const ValueDecl *> arrays;
  for (const DeclRefExpr *ref : mentionsOf(loop).variables)
    if (const QualType type = ref->getDecl()->getType();
        type->isPointerType() || type->isArrayType() ||
        type.getNonReferenceType()->isRecordType())
      arrays.insert(ref->getDecl());
  return arrays;
}

/// Whether \p s declares numbers, or sets them or elements of arrays, and does
/// nothing else.
static bool isAboutNumbers(const Stmt *s) {
  if (const auto *list = dyn_cast<CompoundStmt>(s))
    return all_of(list->body(), isAboutNumbers);
  if (const auto *i = dyn_cast<IfStmt>(s))
    return !i->getInit() && !i->getConditionVariable() &&
           isAboutNumbers(i->getThen()) &&
           (!i->getElse() || isAboutNumbers(i->getElse()));
  bool isPure = true;
  forEach<CallExpr>(s, [&](const CallExpr *call) {
    isPure &= pureCallee(call).isPure || visibleDefinition(call);
  });
  if (const auto *d = dyn_cast<DeclStmt>(s))
    return isPure && all_of(d->decls(), [](const Decl *one) {
             const auto *v = dyn_cast<VarDecl>(one);
             return v && v->hasLocalStorage() && isNumber(v->getType());
           });
  if (isa<NullStmt>(s))
    return true;
  const auto *e = dyn_cast<Expr>(s);
  const Expr *target = e ? assignedBy(e->IgnoreParens()) : nullptr;
  return isPure && target && isNumber(target->getType());
}

bool isLoopRun(const Stmt *s) {
  const auto *block = dyn_cast<CompoundStmt>(s);
  return block && block->size() > 2 && isa<NullStmt>(block->body_front()) &&
         isa<ForStmt, WhileStmt, DoStmt>(block->body_back()) &&
         all_of(drop_begin(block->body()), [](const Stmt *one) {
           return isa<ForStmt, WhileStmt, DoStmt>(one) || isAboutNumbers(one);
         });
}

/// Whether \p loop may read a number that \p before sets, or statements between
/// them do from what that sets.
static bool passesNumber(const Stmt *before, ArrayRef<const Stmt *> between,
                         const Stmt *loop) {
  std::set<const VarDecl *> numbers = VariableUse::assignedIn(before);
  for (const Stmt *s : between) {
    const Mentions names = mentionsOf(s);
    if (none_of(names.variables, [&](const DeclRefExpr *ref) {
          return numbers.count(cast<VarDecl>(ref->getDecl()));
        }))
      continue;
    numbers.insert(names.declared.begin(), names.declared.end());
    for (const VarDecl *v : VariableUse::assignedIn(s))
      numbers.insert(v);
  }
  return any_of(numbers, [&](const VarDecl *v) {
    return !readingsBefore(v, loop).found.empty();
  });
}

/// Whether \p name stands in \p text, as a word.
static bool isNamedIn(StringRef text, StringRef name) {
  return any_of(lexemes(text), [&](const Lexeme &l) {
    return l.kind == Lexeme::Word && l.text == name;
  });
}

/// Whether a directive may be about what begins at byte \p at.
static bool isAfterDirective(StringRef text, size_t at) {
  StringRef before = text.take_front(at).rtrim();
  return before.drop_front(before.rfind('\n') + 1).ltrim().starts_with("#");
}

std::optional<Block> LoopRun::blockOf(size_t first, size_t last,
                                      StringRef text) const {
  Block block;
  block.range = {loops[first].begin, loops[last].end};
  for (const Gap &gap : ArrayRef(gaps).slice(first, last - first))
    for (const Variable &v : gap.variables) {
      if (v.lastUse < block.range.end)
        continue;
      // Before the block it would be the meaning of its name there.
      if (!v.mayMove || isAfterDirective(text, block.range.begin) ||
          isNamedIn(text.slice(block.range.begin, v.declared.begin), v.name))
        return std::nullopt;
      const size_t name = v.declared.end - v.name.size();
      block.declarations +=
          text.slice(v.declared.begin, v.declared.end).str() + "; ";
      block.moved.push_back({v.declared.begin, name});
    }
  return block;
}

bool LoopRun::hasStatements(size_t first, size_t last) const {
  return any_of(ArrayRef(gaps).slice(first, last - first),
                [](const Gap &gap) { return !gap.isEmpty; });
}

std::vector<LoopRun> loopRuns(const FunctionDecl *f, const ParsedFile &file) {
  class Lists : public DynamicRecursiveASTVisitor {
  public:
    Lists(const FunctionDecl *f, const ParsedFile &file)
        : f(f), loops(outermostLoops(f)), file(file) {
      TraverseStmt(f->getBody());
    }
    bool VisitCompoundStmt(CompoundStmt *list) override {
      const Stmt *before = nullptr;
      std::vector<const Stmt *> between;
      for (const Stmt *s : list->body()) {
        const std::optional<TextRange> place =
            is_contained(loops, s) ? textRangeOf(file, s) : std::nullopt;
        if (!place && before && isAboutNumbers(s)) {
          between.push_back(s);
          continue;
        }
        const bool goesOn = place && before &&
                            (set_intersects(arraysOf(before), arraysOf(s)) ||
                             passesNumber(before, between, s));
        if (goesOn)
          runs.back().gaps.push_back(gapOf(between));
        else if (place)
          runs.emplace_back();
        if (place)
          runs.back().loops.push_back(*place);
        before = place ? s : nullptr;
        between.clear();
      }
      return true;
    }
    std::vector<LoopRun> runs;

  private:
    LoopRun::Gap gapOf(ArrayRef<const Stmt *> between) const {
      LoopRun::Gap gap;
      gap.isEmpty = between.empty();
      for (const Stmt *s : between)
        if (const auto *d = dyn_cast<DeclStmt>(s))
          for (const Decl *one : d->decls())
            gap.variables.push_back(
                variableOf(cast<VarDecl>(one), d->isSingleDecl()));
      return gap;
    }
    LoopRun::Variable variableOf(const VarDecl *v, bool isAlone) const {
      const SourceManager &sm = file.ast().getSourceManager();
      auto offset = [&](SourceLocation at) {
        return sm.getFileOffset(sm.getExpansionLoc(at));
      };
      LoopRun::Variable result;
      result.name = v->getNameAsString();
      result.declared = {offset(v->getBeginLoc()),
                         offset(v->getLocation()) + result.name.size()};
      forEach<DeclRefExpr>(f->getBody(), [&](const DeclRefExpr *ref) {
        if (ref->getDecl() == v)
          result.lastUse = offset(ref->getLocation());
      });
      const QualType type = v->getType();
      result.mayMove =
          isAlone && !type.hasQualifiers() && !type->getContainedAutoType() &&
          v->getBeginLoc().isFileID() && v->getLocation().isFileID() &&
          (!v->hasInit() || v->getInitStyle() == VarDecl::CInit) &&
          !StringRef(file.text)
               .slice(result.declared.begin, result.declared.end)
               .contains('\n');
      return result;
    }

    const FunctionDecl *f;
    const std::vector<const Stmt *> loops;
    const ParsedFile &file;
  };
  std::vector<LoopRun> runs = Lists(f, file).runs;
  erase_if(runs, [](const LoopRun &run) { return run.loops.size() < 2; });
  return runs;
}

BracedText::BracedText(StringRef from, std::vector<Block> blocks) {
  llvm::sort(blocks, [](const Block &a, const Block &b) {
    return a.range.begin < b.range.begin;
  });
  size_t done = 0;
  auto copyTo = [&](size_t end) {
    text += from.slice(done, end);
    done = end;
  };
  for (const Block &block : blocks) {
    copyTo(block.range.begin);
    text += block.declarations;
    begins[block.range.begin] = text.size();
    text += RunBegins;
    for (const TextRange &moved : block.moved) {
      copyTo(moved.begin);
      done = moved.end;
    }
    copyTo(block.range.end);
    text += RunEnds;
  }
  copyTo(from.size());
}

} // namespace convopt
