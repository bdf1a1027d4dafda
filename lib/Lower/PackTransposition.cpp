//===- PackTransposition.cpp - Packing that transposes a matrix -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackKernel.h"
#include "convopt/Target/Shuffle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>

using namespace llvm;

namespace convopt::lower {

using namespace program;

/// Rows and columns that a block transposes, a warp a row at a time.
static constexpr int Square = WarpSize;

bool isTransposed(const Nest &nest, const Copy &copy) {
  const Array &buffer = nest.arrays[copy.buffer];
  const Array &of = nest.arrays[buffer.buffer->of];
  const StorageMap map(nest, buffer);
  const ArrayRef<unsigned> dims = map.dims();
  std::vector<unsigned> moved = dims;
  sort(moved);
  if (dims.size() < 2 || buffer.buffer->layout.block != 1 ||
      buffer.buffer->unfolding)
    return false;
  std::rotate(moved.begin(), moved.begin() + 1, moved.end());
  auto isWhole = [&](unsigned d) {
    return nest.expandDefinitions(buffer.extents[d]) ==
           nest.expandDefinitions(of.extents[d]);
  };
  return dims == ArrayRef(moved) &&
         all_of(seq<unsigned>(of.extents.size()), [&](unsigned d) {
           return copy.base[d].isZero() && buffer.buffer->stride(d) == 1 &&
                  (d == dims.front() || d == dims.back() || isWhole(d));
         });
}

/// The extents of \p buffer in storage, the first as an offset.
std::vector<Expr> PackKernel::allocated() const {
  std::vector<Expr> extents = allocatedOf(c.nest, buffer, names);
  if (!extents.empty())
    extents[0] = first(extents[0]);
  return extents;
}

/// The array as a matrix that has a row for each place along its first
/// dimension.
void PackKernel::lowerTransposition(Block &b) {
  auto constant = [&](StringRef name, Expr value) {
    return define(b, variable(wide(offset), names.fresh(name), true),
                  std::move(value));
  };
  std::vector<Expr> extents = allocated();
  const Expr pitch = extents.back();
  extents.pop_back();
  const StorageMap map(c.nest, buffer);
  const unsigned last = map.dims().back();
  const Expr rows = names.value(of.extents[last]);
  const Expr columns = constant("columns", product(extents));
  Expr ofArray = columns;
  if (const unsigned d = map.dims().front(); map.extent(d) != of.extents[d]) {
    extents[0] = first(names.value(of.extents[d]));
    ofArray = constant(of.name + "_columns", product(extents));
  }
  const Expr across = constant("across", (columns + (Square - 1)) / Square);
  const Expr row = constant("row", asOffset(blockIndex(0)) / across * Square);
  const Expr column =
      constant("column", asOffset(blockIndex(0)) % across * Square);
  Variable v{names.fresh("square"), {Type::Element, buffer.elementType}};
  v.memory = Memory::Shared;
  v.extents = {Square, Square + 1}; // columns lie in banks of their own
  auto square = std::make_shared<Variable>(std::move(v));
  add<Declaration>(b, square);

  // A thread has turns, at row i and column j of the matrix.
  constexpr int Lines = PackThreads / Square;
  const Expr thread(threadIndex(0)), lane = thread % Square,
                                     line = thread / Square;
  const std::string turnName = names.fresh("turn"), iName = names.fresh("i"),
                    jName = names.fresh("j");
  auto turns = [&](auto body) {
    const Expr turn = variable(Type::integer(), turnName);
    auto &loop = add<For>(b, turn.variable(), 0, Square / Lines);
    loop.unroll = For::Always;
    body(loop.body, line + Expr(Lines) * turn);
  };
  auto at = [&](Block &inner, const std::string &name, const Expr &first,
                const Expr &place) {
    return define(inner, variable(wide(offset), name, true), first + place);
  };
  auto isBelow = [](const Expr &e, const Expr &end) {
    return Expr::binary(Op::Less, e, end);
  };
  auto isThere = [&](const Expr &i, const Expr &j, Expr test) {
    for (const IndexExpr &e : of.footprint)
      test = both(test,
                  isBelow(i * ofArray + j,
                          isSmall(of) ? names.value(e) : names.wideValue(e)));
    return test;
  };
  turns([&](Block &inner, const Expr &place) {
    const Expr i = at(inner, iName, row, place),
               j = at(inner, jName, column, lane);
    Expr test = isThere(i, j, both(isBelow(i, rows), isBelow(j, ofArray)));
    add<Assignment>(where(inner, test, /*isBraced=*/false),
                    Expr::element(square, {place, lane}),
                    Expr::element(from, {i * ofArray + j}));
  });
  add<program::CallStmt>(b, Expr::call({Callee::SyncThreads, ""}, {}));
  turns([&](Block &inner, const Expr &place) {
    const Expr i = at(inner, iName, row, lane),
               j = at(inner, jName, column, place);
    const Expr read = Expr::element(square, {lane, place});
    Expr test;
    if (map.extent(last) != of.extents[last])
      test = isBelow(i, rows);
    if (ofArray.variable() != columns.variable())
      test = both(test, isBelow(j, ofArray));
    test = isThere(i, j, test);
    add<Assignment>(where(inner, both(isBelow(i, pitch), isBelow(j, columns)),
                          /*isBraced=*/false),
                    Expr::element(to, {j * pitch + i}),
                    test ? filled(test, read) : read);
  });
}

Expr transpositionBlocks(const Context &c, const Array &buffer,
                         const Names &names) {
  std::vector<Expr> extents = allocatedOf(c.nest, buffer, names);
  extents[0] = Expr::cast(wide("size_t"), extents[0]);
  auto squares = [](const Expr &e) { return (e + (Square - 1)) / Square; };
  const Expr pitch = extents.back();
  extents.pop_back();
  return squares(product(extents)) * squares(pitch);
}

} // namespace convopt::lower
