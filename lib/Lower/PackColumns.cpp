//===- PackColumns.cpp - Packing by a thread for each column --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   const int column = (int)blockIdx.x % 196 * 256 + threadIdx.x;
//   ...
//   const int oy_s = column / 56 % 56;
//   const int ox_s = column % 56;
//   const int c_s = (int)blockIdx.x / 196;
//   for (int r_s = 0; r_s < 3; ++r_s)
//     for (int s_s = 0; s_s < 3; ++s_s)
//       x_g[((c_s * 3 + r_s) * 3 + s_s) * 50176 + column] = ...;
//
// Writes are coalesced. What a thread computes for an element is little, as the
// column's coordinates are the same for all of its rows.
//
//===----------------------------------------------------------------------===//

#include "PackKernel.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Unfolding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

/// How many blocks share them.
static Expr partsOf(const Nest &nest, const Array &buffer, const PackDigit &d,
                    const Names &names) {
  if (const auto known = d.known())
    return int64_t(divideCeil(uint64_t(*known), uint64_t(d.turns)));
  return (countOf(nest, buffer, d, names) + (d.turns - 1)) / Expr(d.turns);
}

/// The columns, as a product of \p type.
static Expr columnsOf(const Nest &nest, const Array &buffer,
                      const PackPlan &plan, const Type &type,
                      const Names &names) {
  std::vector<Expr> counts;
  for (const PackDigit &d : plan.columns)
    counts.push_back(countOf(nest, buffer, d, names));
  if (!counts.empty() && type.name != "int")
    counts[0] = Expr::cast(type, counts[0]);
  return product(counts);
}

/// The blocks that have the rows of as many columns as a block has threads.
static Expr downOf(const Nest &nest, const Array &buffer, const PackPlan &plan,
                   const Names &names) {
  std::vector<Expr> parts;
  for (const PackDigit &d : plan.rows)
    parts.push_back(partsOf(nest, buffer, d, names));
  return product(parts);
}

/// The blocks of a row of \p columns.
static Expr acrossOf(const PackPlan &plan, const Expr &columns) {
  if (std::optional<int64_t> known = plan.constantColumns())
    return int64_t(divideCeil(uint64_t(*known), uint64_t(PackThreads)));
  return (columns + (PackThreads - 1)) / PackThreads;
}

/// \p value under a name like \p wish, unless it has one.
Var PackKernel::name(StringRef wish, Expr value, Block &b) {
  if (value.type().kind != Type::Int)
    value = Expr::cast(Type::integer(), value);
  const Var v = names.variable(wish, /*isConst=*/true);
  if (value.kind() == Expr::Use)
    names.bind(v, value);
  else
    define(b, names(v), value);
  return v;
}

/// Adds a digit of the place. After its last one a coordinate is known.
void PackKernel::addDigit(const PackDigit &d, const IndexExpr &value,
                          Block &b) {
  at[d.dim] += IndexExpr(d.weight) * value;
  if (--missing[d.dim] == 0)
    lowerIterators(d.dim, b);
}

/// Declares the iterators that the coordinate along \p dim stands for.
void PackKernel::lowerIterators(unsigned dim, Block &b) {
  if (!buffer.buffer->unfolding)
    return;
  const Unfolding &u = *buffer.buffer->unfolding;
  const Var coordinate = loopVar(u.dims[dim]);
  for (const auto &[iterator, function] : u.iterators) {
    if (!function.uses(coordinate))
      continue;
    const IndexExpr value =
        function.substitute(coordinate, copy.base[dim] + at[dim]);
    iterators[iterator] = IndexExpr::of(
        name(c.nest.loopNames[iterator] + "_s", names.value(value), b));
  }
}

/// Declares, from the \p number of a block or a column, the first values of
/// \p digits that it has.
std::vector<IndexExpr> PackKernel::lowerNumber(ArrayRef<PackDigit> digits,
                                               Expr number, Block &b) {
  std::vector<IndexExpr> values(digits.size());
  for (size_t k = digits.size(); k-- != 0;) {
    const PackDigit &d = digits[k];
    const Expr parts = partsOf(c.nest, buffer, d, names);
    if (parts.isNumber(1))
      continue;
    const Var v = name(wordOf(d) + (d.turns == 1 ? "_s" : "_b"),
                       k == 0 ? number : number % parts, b);
    names.setCount(v, parts.kind() == Expr::Number ? parts.number() - 1
                                                   : INT32_MAX - 1);
    number = number / parts;
    values[k] = IndexExpr(d.turns) * IndexExpr::of(v);
  }
  return values;
}

/// Opens the loop over the values of \p d that a thread has, from \p value on,
/// which becomes that of an iteration; what the iteration runs.
Block &PackKernel::openTurns(const PackDigit &d, IndexExpr &value, Block &b) {
  if (d.turns == 1)
    return b;
  const bool isAll = value.isZero();
  const Var turn = names.variable(wordOf(d) + (isAll ? "_s" : "_i"));
  names.setCount(turn, d.turns - 1);
  auto &loop = add<For>(b, names.declared(turn), 0, d.turns);
  loop.unroll = For::Always;
  value += IndexExpr::of(turn);
  if (!isAll) {
    const Var v = name(wordOf(d) + "_s", names.value(value), loop.body);
    names.setCount(v, d.known().value_or(INT32_MAX) - 1);
    value = IndexExpr::of(v);
  }
  if (d.known() && *d.known() % d.turns == 0)
    return loop.body;
  return where(loop.body, Expr::binary(Op::Less, names.value(value),
                                       countOf(c.nest, buffer, d, names)));
}

/// The element of the array that belongs to the place.
std::vector<IndexExpr> PackKernel::element() const {
  std::vector<IndexExpr> there = copy.base;
  for (size_t d = 0; d != at.size(); ++d)
    there[d] += IndexExpr(buffer.buffer->stride(d)) * at[d];
  if (const auto &u = buffer.buffer->unfolding)
    return elementAt(*u, there, iterators);
  return there;
}

/// What the array has at the place.
Expr PackKernel::value() const {
  const Access source{buffer.buffer->of, element()};
  const std::vector<Constraint> ends = endsToTest(
      c.nest, copy, source.subscripts,
      [&](const IndexExpr &e, ArrayRef<std::shared_ptr<Loop>> places) {
        std::vector<const Loop *> loops = around;
        for (const std::shared_ptr<Loop> &l : places)
          loops.push_back(l.get());
        return isProvablyNonNegative(c.nest, e, loops);
      });
  Expr read = Expr::element(from, {offsetOf(c.nest, source, names)});
  Expr test = both(names.condition(ends), footprintTest(c.nest, source, names));
  return test ? filled(test, read) : read;
}

/// The numbers of the column that a thread has, of so many \p columns, and of
/// its rows; blocks beyond the last one have nothing to do. None of rows where
/// every thread has all of them.
std::pair<Expr, Expr> PackKernel::lowerNumbers(Expr &columns, Block &b) {
  auto constant = [&](const Type &type, StringRef name, const Expr &value) {
    return define(b, variable(type, names.fresh(name), true), value);
  };
  const bool isKnown = plan.constantColumns().has_value();
  const Type type = isKnown ? Type::integer() : wide(offset);
  columns = columnsOf(c.nest, buffer, plan, type, names);
  const Expr down = downOf(c.nest, buffer, plan, names);
  const Expr block = Expr::cast(Type::integer(), blockIndex(0));
  Expr part = Expr::cast(type, blockIndex(0)), rows, isBeyond;
  if (!isKnown && !plan.rows.empty())
    columns = constant(type, "columns", columns);
  if (!down.isNumber(1)) {
    Expr across = acrossOf(plan, columns);
    if (!isKnown)
      across = constant(Type::integer(), "across",
                        Expr::cast(Type::integer(), across));
    isBeyond = Expr::binary(Op::GreaterEqual, block, across * down);
    rows = block / across;
    part = isKnown ? block % across : Expr::cast(type, block % across);
  }
  const Expr column = constant(type, rows ? "column" : "k",
                               part * PackThreads + threadIndex(0));
  isBeyond = either(Expr::binary(Op::GreaterEqual, column, columns), isBeyond);
  add<Return>(where(b, isBeyond, /*isBraced=*/false));
  return {column, rows};
}

void PackKernel::lowerColumns(Block &b) {
  at.assign(buffer.extents.size(), IndexExpr(0));
  missing.assign(at.size(), 0);
  for (const PackDigit &d : concat<const PackDigit>(plan.rows, plan.columns))
    ++missing[d.dim];
  for (unsigned d = 0; d != at.size(); ++d)
    if (missing[d] == 0) // of one place
      lowerIterators(d, b);

  Expr columns;
  const auto [column, rows] = lowerNumbers(columns, b);
  for (auto [d, value] :
       zip(plan.columns, lowerNumber(plan.columns, column, b)))
    addDigit(d, value, b);
  Block *inner = &b;
  Expr row;
  for (auto [d, value] : zip(plan.rows, lowerNumber(plan.rows, rows, b))) {
    inner = &openTurns(d, value, *inner);
    addDigit(d, value, *inner);
    row = row ? row * countOf(c.nest, buffer, d, names) + names.value(value)
              : first(names.value(value));
  }
  add<Assignment>(*inner,
                  Expr::element(to, {row ? row * columns + column : column}),
                  value());
}

Expr columnBlocks(const Context &c, const HostBuffer &buffer,
                  const Names &names) {
  const Array &a = *buffer.array;
  const PackPlan plan = packPlan(c.nest, a);
  if (plan.rows.empty())
    return (buffer.elements + (PackThreads - 1)) / PackThreads;
  const Type type = wide("size_t");
  const Expr columns = columnsOf(c.nest, a, plan, type, names);
  return Expr::cast(type, acrossOf(plan, columns)) *
         downOf(c.nest, a, plan, names);
}

} // namespace convopt::lower
