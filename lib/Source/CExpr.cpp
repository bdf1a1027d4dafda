//===- CExpr.cpp - Expressions of C source text ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Source/CExpr.h"

using namespace llvm;

namespace convopt {

bool CExpr::isUnary(ArrayRef<StringRef> operators) const {
  return kind == Unary && is_contained(operators, token);
}

bool CExpr::isBinary(ArrayRef<StringRef> operators) const {
  return kind == Binary && is_contained(operators, token);
}

unsigned CExpr::hole() const {
  unsigned n = 0;
  return token.drop_front().getAsInteger(10, n) ? ~0u : n;
}

StringRef CExpr::callee() const {
  StringRef name = token.split('<').first;
  return name.drop_front(name.rfind(':') + 1); // npos + 1 is 0
}

void CExpr::walk(function_ref<void(const CExpr &)> visit) const {
  visit(*this);
  for (const CExpr &e : parts)
    e.walk(visit);
}

bool CExpr::any(function_ref<bool(const CExpr &)> is) const {
  return is(*this) || any_of(parts, [&](const CExpr &e) { return e.any(is); });
}

std::string
CExpr::replaced(function_ref<std::string(const CExpr &)> token) const {
  std::vector<const CExpr *> all;
  walk([&](const CExpr &e) { all.push_back(&e); });
  llvm::sort(all, [](const CExpr *a, const CExpr *b) {
    return a->token.begin() < b->token.begin();
  });
  std::string text;
  StringRef rest = source;
  for (const CExpr *e : all)
    if (!e->token.empty()) {
      text += rest.take_front(e->token.begin() - rest.begin());
      text += token(*e);
      rest = rest.drop_front(e->token.end() - rest.begin());
    }
  return text + rest.str();
}

} // namespace convopt
