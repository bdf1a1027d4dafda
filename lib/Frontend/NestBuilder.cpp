//===- NestBuilder.cpp - From a function to a nest ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestBuilder.h"
#include "Diagnostics.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;

namespace convopt {

NestBuilder::NestBuilder(clang::ASTContext &ast,
                         const clang::FunctionDecl *function, LineMap lines)
    : ast(ast), function(function), lines(std::move(lines)),
      use(ast, function->getBody()), truths(function->getBody()) {}

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
  pending.emplace(ExitStatus::BadInput, rule.str(), message.str(), range(where),
                  remedy.str());
  if (calls.empty())
    return false;
  pending->message = "a call of '" + calls.front().name +
                     "' is not understood: " + message.str();
  const clang::SourceManager &sm = ast.getSourceManager();
  if (sm.isInMainFile(sm.getExpansionLoc(where.getBegin())))
    pending->notes.emplace_back(pending->where, "in this place");
  pending->where = calls.front().where;
  return false;
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
  good = good && finishDataReads();
  if (pending)
    refused.push_back(std::move(*pending));
  if (good && refused.empty()) {
    finishParameters();
    return Error::success();
  }
  Refusal first = std::move(refused.front());
  first.others.assign(std::next(refused.begin()), refused.end());
  return make_error<Refusal>(std::move(first));
}

} // namespace convopt
