//===- SmallSums.cpp - Sums of integers that overflow nowhere -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallSums.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Source/CTypes.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::lower {

namespace {
/// The values from \p low to \p high, which an int has.
struct Range {
  int64_t low, high;

  int64_t most() const { return std::max(-low, high); }
};
} // namespace

/// That of the least and the greatest of \p values, if an int has them.
static std::optional<Range> spanOf(std::initializer_list<int64_t> values) {
  const auto [low, high] = std::minmax(values);
  return isInt<32>(low) && isInt<32>(high) ? std::optional(Range{low, high})
                                           : std::nullopt;
}

/// Of an integer type of 16 bits or less.
static std::optional<Range> rangeOf(StringRef type) {
  const IntegerType t = integerType(type);
  if (t.bits == 0 || t.bits > 16)
    return std::nullopt;
  return t.isUnsigned ? Range{0, maxUIntN(t.bits)}
                      : Range{minIntN(t.bits), maxIntN(t.bits)};
}

static std::optional<Range> rangeOfBinary(const CExpr &e, Range a, Range b) {
  if (e.isBinary({"+"}))
    return spanOf({a.low + b.low, a.high + b.high});
  if (e.isBinary({"-"}))
    return spanOf({a.low - b.high, a.high - b.low});
  if (e.isBinary({"*"}))
    return spanOf(
        {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  if (e.isBinary({"<", ">", "<=", ">=", "==", "!=", "&&", "||"}))
    return Range{0, 1};
  return std::nullopt;
}

/// Of \p e, with all of its parts, of the right-hand side of \p s; none where
/// one may pass an int or is no integer.
static std::optional<Range> rangeOf(const Nest &nest, const Statement &s,
                                    const CExpr &e) {
  int64_t number;
  if (e.kind == CExpr::Literal)
    return e.token.getAsInteger(10, number) ? std::nullopt : spanOf({number});
  if (e.kind == CExpr::Operand)
    return rangeOf(typeOf(nest, s, e));
  SmallVector<Range, 3> parts;
  for (const CExpr &part : e.parts)
    if (const auto range = rangeOf(nest, s, part))
      parts.push_back(*range);
    else
      return std::nullopt;
  if (e.kind == CExpr::Cast)
    return e.token == "int" ? parts.front() : rangeOf(e.token);
  if (e.kind == CExpr::Choice)
    return spanOf({parts[1].low, parts[2].low, parts[1].high, parts[2].high});
  if (e.isUnary({"-"}))
    return spanOf({-parts[0].low, -parts[0].high});
  if (e.kind == CExpr::Call && e.callee() == "abs" && parts.size() == 1)
    return spanOf({0, parts[0].most()});
  return e.kind == CExpr::Binary ? rangeOfBinary(e, parts[0], parts[1])
                                 : std::nullopt;
}

/// How often \p path adds to an element of its target, at most; none where that
/// is not known. Iterations of loops around the target's declaration have one
/// of their own.
static std::optional<int64_t> countOf(const Nest &nest,
                                      const StatementPath &path) {
  const Access &target = path.statement->target;
  int64_t count = 1;
  for (const Loop *l : select<Loop>(path.enclosing)) {
    const bool isAround = any_of(collect<Local>(l->body), [&](const Local *d) {
      return d->array == target.array;
    });
    if (isAround || isParallel(l->kind) || uses(target, l->id))
      continue;
    const std::optional<int64_t> trips = constantTrips(nest, *l);
    if (!trips || MulOverflow(count, *trips, count))
      return std::nullopt;
  }
  return count;
}

bool staysSmall(const Nest &nest, const Statement &s) {
  const Array &target = nest.arrays[s.target.array];
  if (!rangeOf(nest, s, rhsOf(nest, s)))
    return false;
  if (!target.isLocal() || integerType(target.elementType).bits < 32)
    return isFloating(target.elementType);
  int64_t most = 0; // that it can come to
  for (const StatementPath &p : statements(nest)) {
    const Statement &other = *p.statement;
    if (other.target.array != s.target.array)
      continue;
    const auto range = rangeOf(nest, other, rhsOf(nest, other));
    const auto count = countOf(nest, p);
    const bool isSum =
        other.op == Statement::Op::Add || other.op == Statement::Op::Sub;
    int64_t added;
    if (!range || !count || (!isSum && other.op != Statement::Op::Assign) ||
        MulOverflow(range->most(), isSum ? *count : 1, added) ||
        AddOverflow(most, added, most))
      return false;
  }
  return isInt<32>(most);
}

} // namespace convopt::lower
