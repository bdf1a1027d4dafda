//===- LoopRuns.cpp - Loops that follow one another -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopRuns.h"
#include "Mentions.h"
#include "Outline.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetOperations.h"

using namespace llvm;

namespace convopt {

/// Pointers and arrays that \p loop mentions.
static std::set<const clang::ValueDecl *> arraysOf(const clang::Stmt *loop) {
  std::set<const clang::ValueDecl *> arrays;
  for (const clang::DeclRefExpr *ref : mentionsOf(loop).variables)
    if (const clang::QualType type = ref->getDecl()->getType();
        type->isPointerType() || type->isArrayType() ||
        type.getNonReferenceType()->isRecordType())
      arrays.insert(ref->getDecl());
  return arrays;
}

/// The bytes of \p loop, with the semicolon of a body without braces; none
/// where a macro holds a part of it.
static std::optional<LoopRun> placeOf(const clang::Stmt *loop,
                                      const ParsedFile &file) {
  const clang::ASTContext &ast = file.ast();
  const clang::SourceManager &sm = ast.getSourceManager();
  const clang::CharSourceRange range = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(loop->getSourceRange()), sm,
      ast.getLangOpts());
  if (range.isInvalid() || !sm.isInMainFile(range.getBegin()))
    return std::nullopt;
  const size_t begin = sm.getFileOffset(range.getBegin());
  size_t end = sm.getFileOffset(range.getEnd());
  const StringRef text = file.text;
  if (text[end - 1] != '}' && text[end - 1] != ';') {
    end = text.find_first_not_of(" \t\r\n", end);
    if (end == StringRef::npos || text[end++] != ';')
      return std::nullopt;
  }
  return LoopRun{begin, end};
}

std::vector<std::vector<LoopRun>> loopRuns(const clang::FunctionDecl *f,
                                           const ParsedFile &file) {
  class Lists : public clang::DynamicRecursiveASTVisitor {
  public:
    Lists(const clang::FunctionDecl *f, const ParsedFile &file)
        : loops(outermostLoops(f)), file(file) {
      TraverseStmt(f->getBody());
    }
    bool VisitCompoundStmt(clang::CompoundStmt *list) override {
      const clang::Stmt *before = nullptr;
      for (const clang::Stmt *s : list->body()) {
        const std::optional<LoopRun> place =
            is_contained(loops, s) ? placeOf(s, file) : std::nullopt;
        if (place && before && set_intersects(arraysOf(before), arraysOf(s)))
          runs.back().push_back(*place);
        else if (place)
          runs.push_back({*place});
        before = place ? s : nullptr;
      }
      return true;
    }
    std::vector<std::vector<LoopRun>> runs;

  private:
    const std::vector<const clang::Stmt *> loops;
    const ParsedFile &file;
  };
  std::vector<std::vector<LoopRun>> runs = Lists(f, file).runs;
  erase_if(runs, [](const auto &run) { return run.size() < 2; });
  return runs;
}

BracedText::BracedText(StringRef from, std::vector<LoopRun> of)
    : runs(std::move(of)) {
  llvm::sort(runs, [](const LoopRun &a, const LoopRun &b) {
    return a.begin < b.begin;
  });
  size_t done = 0;
  auto add = [&](size_t end, StringRef brace) {
    text += from.slice(done, end);
    text += brace;
    done = end;
  };
  for (const LoopRun &run : runs) {
    add(run.begin, "{");
    add(run.end, "}");
  }
  add(from.size(), "");
}

size_t BracedText::placeOf(size_t at) const {
  return at + 2 * count_if(runs, [&](const LoopRun &r) { return r.end <= at; });
}

} // namespace convopt
