//===- Resume.cpp - Further reasons to refuse a function ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Who mends one statement wants to know of the others. What follows a refused
/// statement is looked at for reasons of its own: nothing that the refused one
/// would have set is known, so that what mentions it is left out.
///
//===----------------------------------------------------------------------===//

#include "Mentions.h"
#include "NestBuilder.h"

using namespace llvm;

namespace convopt {

/// What is set in a statement, of which nothing is known from here on.
static void lose(const Mentions &m, std::set<const clang::VarDecl *> &lost) {
  lost.insert(m.declared.begin(), m.declared.end());
  lost.insert(m.changedParts.begin(), m.changedParts.end());
  for (const clang::DeclRefExpr *target : m.targets)
    if (target)
      lost.insert(dyn_cast<clang::VarDecl>(target->getDecl()));
}

/// Whether \p s depends on what was refused; so does then what it sets.
bool NestBuilder::isLost(const clang::Stmt *s) {
  if (lost.empty())
    return false;
  const Mentions m = mentionsOf(s);
  const bool isLost = any_of(m.variables, [&](const clang::DeclRefExpr *ref) {
    return lost.count(cast<clang::VarDecl>(ref->getDecl())) != 0;
  });
  if (isLost)
    lose(m, lost);
  return isLost;
}

/// Keeps why \p s was refused; false where nothing after it can be judged.
bool NestBuilder::resumeAfter(const clang::Stmt *s) {
  // One reason for a function that is called: it is mended in one place.
  if (!mayResume || !calls.empty() || !pending)
    return false;
  auto isSame = [&](const Refusal &p) {
    return p.message == pending->message || p.where == pending->where;
  };
  if (none_of(refused, isSame))
    refused.push_back(std::move(*pending));
  pending.reset();
  lose(mentionsOf(s), lost);
  return true;
}

} // namespace convopt
