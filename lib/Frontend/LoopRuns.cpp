//===- LoopRuns.cpp - Loops that follow one another -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopRuns.h"
#include "Mentions.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
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

bool isLoopRun(const clang::Stmt *s) {
  const auto *block = dyn_cast<clang::CompoundStmt>(s);
  return block && block->size() > 2 &&
         isa<clang::NullStmt>(block->body_front()) &&
         all_of(drop_begin(block->body()), [](const clang::Stmt *one) {
           return isa<clang::ForStmt, clang::WhileStmt>(one);
         });
}

std::vector<std::vector<TextRange>> loopRuns(const clang::FunctionDecl *f,
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
        const std::optional<TextRange> place =
            is_contained(loops, s) ? textRangeOf(file, s) : std::nullopt;
        if (place && before && set_intersects(arraysOf(before), arraysOf(s)))
          runs.back().push_back(*place);
        else if (place)
          runs.push_back({*place});
        before = place ? s : nullptr;
      }
      return true;
    }
    std::vector<std::vector<TextRange>> runs;

  private:
    const std::vector<const clang::Stmt *> loops;
    const ParsedFile &file;
  };
  std::vector<std::vector<TextRange>> runs = Lists(f, file).runs;
  erase_if(runs, [](const auto &run) { return run.size() < 2; });
  return runs;
}

BracedText::BracedText(StringRef from, std::vector<TextRange> of)
    : runs(std::move(of)) {
  llvm::sort(runs, [](const TextRange &a, const TextRange &b) {
    return a.begin < b.begin;
  });
  size_t done = 0;
  auto add = [&](size_t end, StringRef brace) {
    text += from.slice(done, end);
    text += brace;
    done = end;
  };
  for (const TextRange &run : runs) {
    add(run.begin, RunBegins);
    add(run.end, RunEnds);
  }
  add(from.size(), "");
}

size_t BracedText::placeOf(size_t at) const {
  const size_t added = StringRef(RunBegins).size() + StringRef(RunEnds).size();
  return at + added * count_if(runs,
                               [&](const TextRange &r) { return r.end <= at; });
}

} // namespace convopt
