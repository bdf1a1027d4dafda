//===- Values.cpp - Bounds and offsets as expressions ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace convopt::lower {

using program::Callee;
using program::Expr;
using program::Op;
using program::Type;

Expr ceilOf(const Bound &b, const Names &names, bool nonNegative) {
  if (b.divisor == 1)
    return names.value(b.expr);
  if (auto c = b.expr.asConstant())
    return *c > 0 ? (*c - 1) / b.divisor + 1 : *c / b.divisor;
  Expr rounded =
      names.value(b.expr + IndexExpr(b.divisor - 1)) / Expr(b.divisor);
  if (nonNegative)
    return rounded;
  Expr e = names.value(b.expr);
  return Expr::select(Expr::binary(Op::Greater, e, 0), rounded,
                      e / Expr(b.divisor));
}

Expr asInt(const Expr &value, const Names &names, const IndexExpr &e) {
  const bool isInt = names.isInt(e) && value.type().kind != Type::Wide;
  return isInt ? value : Expr::cast(Type::integer(), value);
}

static Expr combine(ArrayRef<Bound> bounds, const Names &names,
                    bool nonNegative, Callee function) {
  Expr all;
  for (Bound b : bounds) {
    b.expr = names.fold(b.expr);
    Expr one = ceilOf(b, names, nonNegative);
    if (bounds.size() != 1)
      one = asInt(one, names, b.expr);
    all = all ? Expr::call({function, ""}, {all, one}) : one;
  }
  return all;
}

Expr upperOf(const Loop &l, const Names &names) {
  bool fromZero = l.lower.size() == 1 && l.lower[0].expr.asConstant() &&
                  *l.lower[0].expr.asConstant() >= 0;
  return combine(l.upper, names, fromZero, Callee::Min);
}

Expr lowerOf(const Loop &l, const Names &names) {
  return combine(l.lower, names, /*nonNegative=*/false, Callee::Max);
}

Expr extentOf(const Loop &l, const Names &names, bool isRounded) {
  if (l.upper.size() == 1 && l.lower.size() == 1 && l.lower[0].divisor == 1) {
    const Bound &u = l.upper[0];
    const int64_t left = isRounded ? shortOfFull(u.divisor) : 0;
    return ceilOf(
        {u.expr - IndexExpr(u.divisor) * l.lower[0].expr - left, u.divisor},
        names, /*nonNegative=*/true);
  }
  return upperOf(l, names) - lowerOf(l, names);
}

Expr allHold(ArrayRef<Constraint> constraints, const Names &names) {
  Expr all;
  for (const Constraint &c : constraints)
    all =
        both(all, (isSum(c.expr) ? names : names.widened(c.expr)).condition(c));
  return all;
}

void defineSizes(const Nest &nest, Names &names, program::Block &b) {
  for (size_t k = 0; k != nest.params.size(); ++k) {
    const Param &p = nest.params[k];
    if (!p.definition)
      continue;
    // A product of sizes can pass 2^31 where the sizes do not; of what is none
    // the launcher checks that it does not.
    const bool isInt = names.isInt(IndexExpr::param(k));
    program::Variable v{p.name, isInt ? Type::integer()
                                      : Type{Type::Wide, "long long"}};
    v.isConst = true;
    auto size = std::make_shared<program::Variable>(std::move(v));
    Names host = names;
    host.setOffsetType("long long");
    program::add<program::Declaration>(b, size,
                                       isInt ? host.value(*p.definition)
                                             : host.wideValue(*p.definition))
        .isOptional = true;
    names.bind(paramVar(k), Expr(size));
  }
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
  // Rounding up the rows no more than adds as much to each.
  const BufferLayout layout = a.buffer ? a.buffer->layout : BufferLayout();
  return elements <= INT32_MAX / (1 + std::lcm(layout.pitch, layout.block));
}

bool isInGlobalMemory(const Array &a) {
  return !a.isLocal() || (a.buffer && a.buffer->memory == Buffer::Global);
}

bool hasOffsetType(const Nest &nest) {
  return any_of(nest.arrays, [](const Array &a) {
    return isInGlobalMemory(a) && !isSmall(a);
  });
}

Expr offsetOf(const Nest &nest, const Access &access, const Names &names) {
  const Array &a = nest.arrays[access.array];
  if (access.subscripts.empty())
    return 0;
  const bool isWide = !isSmall(a),
             cast = isWide && access.subscripts.size() > 1;
  auto widened = [&](const IndexExpr &e) {
    return e.isZero() ? Expr(0)
                      : Expr::cast(names.offsetType(), names.value(e));
  };
  const IndexExpr &first = access.subscripts[0];
  Expr offset = !isWide                ? names.value(first)
                : cast && isSum(first) ? widened(first)
                                       : names.wideValue(first);
  for (size_t k = 1; k != access.subscripts.size(); ++k) {
    const IndexExpr &e = access.subscripts[k], &extent = a.extents[k];
    if (offset.isNumber(0)) {
      bool isLast = k + 1 == access.subscripts.size();
      offset = cast && !isLast ? widened(e) : names.value(e);
      continue;
    }
    offset = offset * (cast && !isSum(extent) ? names.wideValue(extent)
                                              : names.value(extent));
    offset = offset + (isSum(extent) ? names.value(e) : names.wideValue(e));
  }
  return offset;
}

Expr footprintTest(const Nest &nest, const Access &access, const Names &names) {
  const Array &a = nest.arrays[access.array];
  Expr test;
  if (a.footprint.empty())
    return test;
  const Expr offset = offsetOf(nest, access, names);
  IndexExpr flat;
  for (auto [extent, e] : zip_equal(a.extents, access.subscripts))
    flat = flat * extent + e;
  const int64_t last = names.greatest(flat).value_or(INT64_MAX);
  for (const IndexExpr &e : a.footprint)
    if (last >= e.asConstant().value_or(0))
      test = both(
          test, Expr::binary(Op::Less, offset,
                             isSmall(a) ? names.value(e) : names.wideValue(e)));
  return test;
}

} // namespace convopt::lower
