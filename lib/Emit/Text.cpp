//===- Text.cpp - Pieces of C that kernel, host and driver share ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::emit {

std::string ceilText(const Bound &b, const Names &names, bool nonNegative) {
  if (b.divisor == 1)
    return names.expr(b.expr);
  if (auto c = b.expr.asConstant())
    return std::to_string(*c > 0 ? (*c - 1) / b.divisor + 1 : *c / b.divisor);
  std::string d = std::to_string(b.divisor);
  std::string rounded =
      "(" + names.expr(b.expr + IndexExpr(b.divisor - 1)) + ") / " + d;
  if (nonNegative)
    return rounded;
  std::string e = names.operand(b.expr);
  return "(" + e + " > 0 ? " + rounded + " : " + e + " / " + d + ")";
}

/// CUDA's min and max are overloads and no templates, so that each of their
/// arguments has to be an int.
static std::string combine(const std::vector<Bound> &bounds, const Names &names,
                           bool nonNegative, const char *function) {
  std::string all;
  for (Bound b : bounds) {
    b.expr = names.fold(b.expr);
    std::string text = ceilText(b, names, nonNegative);
    if (bounds.size() != 1 && !names.isInt(b.expr))
      text = "(int)(" + text + ")";
    all = all.empty() ? text
                      : std::string(function) + "(" + all + ", " + text + ")";
  }
  return all;
}

std::string upperText(const Loop &l, const Names &names) {
  bool fromZero = l.lower.size() == 1 && l.lower[0].expr.asConstant() &&
                  *l.lower[0].expr.asConstant() >= 0;
  return combine(l.upper, names, fromZero, "min");
}

std::string lowerText(const Loop &l, const Names &names) {
  return combine(l.lower, names, /*nonNegative=*/false, "max");
}

std::string extentText(const Loop &l, const Names &names) {
  if (l.upper.size() == 1 && l.lower.size() == 1 && l.lower[0].divisor == 1) {
    const Bound &u = l.upper[0];
    return ceilText(
        {u.expr - IndexExpr(u.divisor) * l.lower[0].expr, u.divisor}, names,
        /*nonNegative=*/true);
  }
  std::string lower = lowerText(l, names);
  return lower == "0" ? upperText(l, names)
                      : upperText(l, names) + " - (" + lower + ")";
}

bool isSmall(const Array &a) {
  int64_t elements = 1;
  for (const IndexExpr &e : a.extents) {
    auto c = e.asConstant();
    if (!c || *c <= 0 || *c > INT32_MAX)
      return false;
    elements *= *c;
    if (elements > INT32_MAX)
      return false;
  }
  // Rounding up the rows no more than adds the pitch to each.
  return !a.buffer || elements <= INT32_MAX / (1 + a.buffer->layout.pitch);
}

bool isInGlobalMemory(const Array &a) {
  return !a.isLocal() || (a.buffer && a.buffer->memory == Buffer::Global);
}

bool hasOffsetType(const Nest &nest) {
  return llvm::any_of(nest.arrays, [](const Array &a) {
    return isInGlobalMemory(a) && !isSmall(a);
  });
}

std::string offsetText(const Nest &nest, const Access &access,
                       const Names &names) {
  const Array &a = nest.arrays[access.array];
  if (access.subscripts.empty())
    return "0";
  std::string offset = isSmall(a) ? names.expr(access.subscripts[0])
                                  : names.wide(access.subscripts[0]);
  bool cast = !isSmall(a) && access.subscripts.size() > 1;
  if (cast && !isSum(access.subscripts[0]))
    offset = "(" + offset + ")";
  else if (cast && !access.subscripts[0].isZero())
    offset =
        "(" + names.offsetType() + ")" + names.operand(access.subscripts[0]);
  bool isTerms = !cast && access.subscripts[0].terms().size() > 1;
  for (size_t k = 1; k != access.subscripts.size(); ++k) {
    const IndexExpr &e = access.subscripts[k];
    std::string extent = names.operand(a.extents[k]);
    if (cast && !isSum(a.extents[k]))
      extent = "(" + names.wide(a.extents[k]) + ")";
    if (offset == "0") {
      offset = cast && k + 1 != access.subscripts.size()
                   ? "(" + names.offsetType() + ")" + names.operand(e)
                   : names.expr(e);
      isTerms = e.terms().size() > 1 && !cast;
      continue;
    }
    if (extent != "1") {
      offset = (isTerms ? "(" + offset + ")" : offset) + " * " + extent;
      isTerms = false;
    }
    if (!e.isZero()) {
      std::string sum = isSum(a.extents[k]) ? names.expr(e) : names.wide(e);
      offset +=
          StringRef(sum).starts_with("-") ? " - " + sum.substr(1) : " + " + sum;
      isTerms = true;
    }
  }
  return offset;
}

std::string accessText(const Nest &nest, const Access &access,
                       const Names &names) {
  const Array &a = nest.arrays[access.array];
  if (!a.isLocal())
    return a.name + "[" + offsetText(nest, access, names) + "]";
  std::string text = a.name;
  for (const IndexExpr &e : access.subscripts)
    text += "[" + names.expr(names.fold(e)) + "]";
  return text;
}

std::string footprintTest(const Nest &nest, const Access &access,
                          const Names &names) {
  const Array &a = nest.arrays[access.array];
  std::string offset = offsetText(nest, access, names), tests;
  for (const IndexExpr &e : a.footprint)
    tests += (tests.empty() ? "" : " && ") + offset + " < " +
             (isSmall(a) ? names.expr(e) : names.wide(e));
  return tests;
}

std::string substituteOperands(StringRef text,
                               function_ref<std::string(size_t)> operand) {
  std::string result;
  while (!text.empty()) {
    auto [before, after] = text.split('$');
    result += before;
    bool found = before.size() != text.size();
    text = after;
    if (!found)
      break;
    if (text.consume_front("$")) {
      result += '$';
      continue;
    }
    size_t k = 0;
    if (!text.consumeInteger(10, k))
      result += operand(k);
  }
  return result;
}

bool usesWord(StringRef text, StringRef word) {
  auto isPart = [](char c) { return isAlnum(c) || c == '_'; };
  for (size_t at = text.find(word); at != StringRef::npos;
       at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    // `threadIdx.x` is no use of `x`.
    if ((at == 0 || (!isPart(text[at - 1]) && text[at - 1] != '.')) &&
        (end == text.size() || !isPart(text[end])))
      return true;
  }
  return false;
}

std::string forComment(StringRef text) {
  std::string clean;
  for (char c : text)
    clean += isPrint(c) && c != '\\' ? c : '?';
  return clean;
}

std::string assignmentText(Statement::Op op, const std::string &target,
                           const std::string &rhs) {
  switch (op) {
  case Statement::Op::Assign:
    return target + " = " + rhs;
  case Statement::Op::Add:
    return target + " += " + rhs;
  case Statement::Op::Sub:
    return target + " -= " + rhs;
  case Statement::Op::Mul:
    return target + " *= " + rhs;
  case Statement::Op::Max:
    return target + " = max(" + target + ", " + rhs + ")";
  case Statement::Op::Min:
    return target + " = min(" + target + ", " + rhs + ")";
  }
  return {};
}

} // namespace convopt::emit
