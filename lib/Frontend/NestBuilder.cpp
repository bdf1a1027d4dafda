//===- NestBuilder.cpp - From a function to a nest ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestBuilder.h"
#include "Diagnostics.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace convopt {

NestBuilder::NestBuilder(clang::ASTContext &ast,
                         const clang::FunctionDecl *function, LineMap lines)
    : ast(ast), function(function), lines(std::move(lines)),
      use(ast, function->getBody()) {}

SourceRange NestBuilder::range(clang::SourceRange r) const {
  const clang::SourceManager &sm = ast.getSourceManager();
  clang::CharSourceRange e = sm.getExpansionRange(r);
  SourceRange result;
  result.line = lines[sm.getSpellingLineNumber(e.getBegin())];
  result.column = sm.getSpellingColumnNumber(e.getBegin());
  result.endLine = lines[sm.getSpellingLineNumber(e.getEnd())];
  result.endColumn =
      sm.getSpellingColumnNumber(e.getEnd()) +
      clang::Lexer::MeasureTokenLength(e.getEnd(), sm, ast.getLangOpts());
  return result;
}

bool NestBuilder::fail(StringRef rule, clang::SourceRange where,
                       const Twine &message, const Twine &remedy) {
  if (pending)
    return false;
  pending = {rule.str(), message.str(), remedy.str(), range(where), {}};
  if (calls.empty())
    return false;
  pending->message = "a call of '" + calls.front().name +
                     "' is not understood: " + message.str();
  const clang::SourceManager &sm = ast.getSourceManager();
  if (sm.isInMainFile(sm.getExpansionLoc(where.getBegin())))
    pending->within = pending->where;
  pending->where = calls.front().where;
  return false;
}

Refusal NestBuilder::refusalOf(const Pending &p) {
  Refusal result(ExitStatus::BadInput, p.rule, p.message, p.where, p.remedy);
  if (p.within.isValid())
    result.notes.emplace_back(p.within, "in this place");
  return result;
}

Error NestBuilder::build() {
  nest.sourceFile =
      sys::path::filename(
          ast.getSourceManager()
              .getFileEntryRefForID(ast.getSourceManager().getMainFileID())
              ->getName())
          .str();
  current = &nest.body;
  const auto *body = dyn_cast<clang::CompoundStmt>(function->getBody());
  bool good = signature();
  if (good && !body)
    good = fail(diag::Signature, function->getSourceRange(),
                "the function has no plain body");
  if (good)
    good = list(SmallVector<const clang::Stmt *>(body->body()));
  if (good && refused.empty())
    finishChoices();
  if (pending)
    refused.push_back(*std::exchange(pending, std::nullopt));
  if (good && refused.empty()) {
    finishParameters();
    return Error::success();
  }
  Refusal result = refusalOf(refused.front());
  for (const Pending &p : drop_begin(refused))
    result.others.push_back(refusalOf(p));
  return make_error<Refusal>(std::move(result));
}

} // namespace convopt
