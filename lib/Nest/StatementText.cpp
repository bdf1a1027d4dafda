//===- StatementText.cpp - Expressions and statements as .nest text -------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printer.h"
#include "convopt/Nest/Text.h"
#include "convopt/Source/Lexemes.h"

using namespace llvm;

namespace convopt {

std::string str(const Nest &nest, const IndexExpr &e) {
  return e.str([&](Var v) { return nest.name(v); }, /*floorDivCalls=*/true);
}

std::string leastText(const Nest &nest, ArrayRef<IndexExpr> bounds) {
  std::string all;
  for (const IndexExpr &e : bounds)
    all += (all.empty() ? "" : ", ") + str(nest, e);
  return bounds.size() == 1 ? all : "min(" + all + ")";
}

std::string str(const Nest &nest, const Constraint &c) {
  return str(nest, c.expr) + (c.kind == Constraint::Zero ? " == 0" : " >= 0");
}

std::string str(const Nest &nest, const Access &a) {
  std::string text = nest.arrays[a.array].name;
  for (const IndexExpr &e : a.subscripts)
    text += "[" + str(nest, e) + "]";
  if (a.buffer)
    text += " in " + nest.arrays[*a.buffer].name;
  return text;
}

std::string conjunctionText(const Nest &nest, ArrayRef<Constraint> all) {
  std::string text;
  for (const Constraint &c : all)
    text += (text.empty() ? "" : " and ") + str(nest, c);
  return text;
}

static std::string str(const Nest &nest, const Operand &o) {
  if (o.kind == Operand::Index)
    return "index(" + str(nest, o.index) + ")";
  if (o.guard.empty())
    return str(nest, o.access);
  return (o.isPredicate ? "predicated(" : "guarded(") +
         conjunctionText(nest, o.guard) + ", " + str(nest, o.access) + ", " +
         o.otherwise + ")";
}

/// True where the parser would take \p l of the text \p all for an operand.
static bool readsAsOperand(const Nest &nest, const Lexeme &l, StringRef all) {
  if (l.kind != Lexeme::Word || l.isMember)
    return false;
  StringRef after = all.drop_front(l.text.end() - all.begin()).ltrim(" \t");
  if (is_contained({"index", "guarded", "predicated"}, l.text) &&
      after.starts_with("("))
    return true;
  return any_of(nest.arrays, [&](const Array &a) { return a.name == l.text; });
}

std::string rhsText(const Nest &nest, const Statement &s) {
  std::string text;
  for (const Lexeme &l : lexemes(s.text)) {
    if (l.kind == Lexeme::Hole && l.hole() < s.operands.size())
      text += str(nest, s.operands[l.hole()]);
    else if (readsAsOperand(nest, l, s.text))
      text += "`" + l.text.str() + "`";
    else
      text += l.text;
  }
  return text;
}

static StringRef spelling(Statement::Op op) {
  switch (op) {
  case Statement::Op::Assign:
    return "=";
  case Statement::Op::Add:
    return "+=";
  case Statement::Op::Sub:
    return "-=";
  case Statement::Op::Mul:
    return "*=";
  case Statement::Op::Max:
    return "max=";
  case Statement::Op::Min:
    return "min=";
  }
  return "";
}

std::string assignmentText(const Nest &nest, const Statement &s) {
  return str(nest, s.target) + " " +
         (s.fused.empty() ? spelling(s.op).str() : s.fused + "=") + " " +
         rhsText(nest, s);
}

std::string str(const Nest &nest, const Statement &s) {
  return "S" + std::to_string(s.id) + ": " + assignmentText(nest, s);
}

} // namespace convopt
