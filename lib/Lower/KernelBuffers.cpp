//===- KernelBuffers.cpp - Where buffers lie ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "SharedMemory.h"
#include "Values.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Target/Swizzle.h"
#include "convopt/Transforms/Footprint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

void KernelBody::lowerWidths(Scope &s) {
  for (const auto &[text, width] : widths) {
    auto &d = s.add<Declaration>(width.constant, width.value);
    d.isConstexpr = true;
    d.comment = "elements that an access copies";
  }
}

/// What accesses of the array \p a need, in bytes; 0: no more than its type.
unsigned KernelBody::alignmentOf(const Array &a) const {
  const BufferLayout &layout = a.buffer->layout;
  if (layout.copyKind == BufferLayout::Tensor)
    return TensorAlignment;
  const bool isOtherSide = any_of(copySites, [&](const auto &f) {
    const Copy &c = *f.second.copy;
    return c.from && &nest.arrays[*c.from] == &a &&
           nest.arrays[c.buffer].buffer->layout.vector != 1;
  });
  // What a thread reads of an unfolded buffer lies in vectors, too.
  const bool isAligned = layout.pitch != 1 || layout.vector != 1 ||
                         isOtherSide || a.buffer->unfolding;
  return isAligned ? AccessBytes : 0;
}

/// `const int x_s_pitch = 64 + 4 * ((K + 3) / 4);`, which a thread would divide
/// for at each of its elements.
void KernelBody::lowerPitch(unsigned array, Scope &s) {
  const Array &a = nest.arrays[array];
  const StorageMap map(nest, a);
  if (!isFlat(nest, a) || map.digits().size() < 2 ||
      !map.digits().back().count.hasQuotient())
    return;
  pitches[array] = constant(root.fresh(a.name + "_pitch"));
  declare(s, pitches[array], countOf(nest, a, map.digits().back(), s.names));
}

void KernelBody::lowerSharedBuffers(Scope &s) {
  SharedMemory shared = findSharedMemory(nest, mapping.sharedPerBlock);
  VariableRef region;
  if (shared.isDynamic && !shared.buffers.empty()) {
    // An extern array is one in the whole file, whatever scope declares it.
    Variable v{root.fresh(nest.function.name + "_shared"),
               {Type::Element, "unsigned char"}};
    v.memory = Memory::Shared;
    v.isPointer = true;
    v.alignment = sharedAlignment(nest);
    region = std::make_shared<Variable>(std::move(v));
    s.add<Declaration>(region);
  }
  for (size_t k = 0; k != shared.buffers.size(); ++k) {
    const unsigned array = shared.buffers[k];
    lowerPitch(array, s);
    if (region) {
      Variable v = *variableOf(array);
      v.isPointer = isFlat(nest, nest.arrays[array]);
      v.place = {Expr(region), bytesOf(nest, shared, s.names, k)};
      variables[array] = std::make_shared<Variable>(std::move(v));
    }
    s.add<Declaration>(variableOf(array));
  }
}

/// `[2][8][132]`
std::vector<Expr> KernelBody::extentsOf(const Array &a) const {
  if (a.buffer->layout.linear != 1) {
    std::optional<int64_t> constant = constantElements(nest, a);
    return {constant ? Expr(*constant) : sizeOf(nest, a, root, 1)};
  }
  const StorageMap map(nest, a);
  std::vector<Expr> extents;
  if (int64_t depth = a.buffer->layout.depth; depth != 1)
    extents.push_back(depth);
  for (const StorageDigit &g : map.digits())
    extents.push_back(countOf(nest, a, g, root));
  return extents;
}

/// \p index modulo \p block; without a quotient where the nest's loops say what
/// is left of a block.
static IndexExpr placeInBlock(const Nest &nest, const IndexExpr &index,
                              int64_t block) {
  IndexExpr rest = remainder(nest, index, block);
  std::optional<Range> range = rangeOf(nest, rest, loops(nest));
  std::optional<int64_t> least, greatest;
  if (range) {
    least = range->least.asConstant();
    greatest = range->greatest.asConstant();
  }
  bool isWithin = least && greatest && *least >= 0 && *greatest < block;
  return isWithin ? rest : IndexExpr::mod(index, IndexExpr(block));
}

/// What the digits of \p map are at the place \p at.
static std::vector<IndexExpr> valuesOf(const Nest &nest, const StorageMap &map,
                                       const std::vector<IndexExpr> &at) {
  std::vector<IndexExpr> values;
  for (const StorageDigit &g : map.digits())
    values.push_back(at[g.dim]);
  if (values.empty() || map.digits().front().weight == 1)
    return values;
  const int64_t block = map.digits().front().weight;
  values.back() = placeInBlock(nest, values.back(), block);
  values.front() =
      map.digits().front().count == IndexExpr(1) // of the only block
          ? IndexExpr(0)
          : IndexExpr::floorDiv(values.front() - values.back(), block);
  return values;
}

/// The number of the row, modulo \p period, in which the place with the digits
/// \p at lies: what comes outside of the rows that it goes round in is left
/// out.
static IndexExpr rowOf(const Nest &nest, const StorageMap &map,
                       ArrayRef<IndexExpr> at, int64_t period) {
  IndexExpr row, stride(1);
  for (const auto &[g, value] :
       reverse(zip_equal(map.digits().drop_back(), at.drop_back()))) {
    row += stride * value;
    stride = stride * nest.expandDefinitions(g.count);
    if (std::optional<int64_t> constant = stride.asConstant())
      stride = *constant % period;
  }
  return row;
}

/// `x ^ 4 * (y & 7)`: the column in a swizzled row of \p a of the place with
/// the digits \p at.
static Expr swizzled(const Nest &nest, const Array &a, const StorageMap &map,
                     ArrayRef<IndexExpr> at, const Names &names) {
  std::optional<int64_t> length = nest.constantOf(map.digits().back().count);
  const int64_t unit = a.buffer->layout.swizzle;
  const Swizzle s = swizzleOf(length.value_or(unit), unit,
                              elementSize(a.elementType).value_or(4));
  IndexExpr column = names.fold(at.back());
  IndexExpr row = rowOf(nest, map, at, s.units * s.rows);
  Expr turn;
  if (std::optional<int64_t> number = row.asConstant()) {
    const int64_t constant = s.column(*number, 0);
    if (std::optional<int64_t> c = column.asConstant())
      return *c ^ constant;
    turn = constant;
  } else {
    turn = names.value(names.fold(row));
    if (s.rows != 1)
      turn = Expr::binary(Op::ShiftRight, turn, int64_t(Log2_64(s.rows)));
    turn = Expr(unit) * Expr::binary(Op::BitAnd, turn, s.units - 1);
  }
  if (turn.isNumber(0))
    return names.value(column);
  return column.isZero() ? turn
                         : Expr::binary(Op::BitXor, names.value(column), turn);
}

Expr KernelBody::place(unsigned buffer, const std::vector<IndexExpr> &at,
                       const Names &names) const {
  const Array &a = nest.arrays[buffer];
  const StorageMap map(nest, a);
  const std::vector<IndexExpr> values = valuesOf(nest, map, at);
  // Places are not negative, so the coordinates may stay unsigned; but not
  // beside quotients, which are wider, and not in constant memory: offsets of
  // constants come into the instruction only where no sum can wrap round.
  auto hasQuotient = [](const IndexExpr &e) { return e.hasQuotient(); };
  const bool hasQuotients =
      any_of(at, hasQuotient) || any_of(values, hasQuotient);
  Names plain = names;
  plain.setSigned(names.areSigned() &&
                  (a.buffer->memory == Buffer::Constant || hasQuotients));
  std::vector<Expr> subscripts;
  Expr flat(0);
  auto add = [&](Expr index, const Expr &extent) {
    flat = flat * extent + index;
    subscripts.push_back(std::move(index));
  };
  if (a.buffer->layout.depth != 1)
    add(stageOf(buffer, names), 0);
  for (const auto &[g, value] : zip_equal(map.digits(), values)) {
    const bool isLast = &g == &map.digits().back();
    Expr index = isLast && a.buffer->layout.swizzle != 0
                     ? swizzled(nest, a, map, values, plain)
                     : plain.value(plain.fold(value));
    const bool isWide = isInGlobalMemory(a) && !isSmall(a) && !isLast &&
                        map.dims().size() > 1 && flat.isNumber(0) &&
                        !index.isNumber(0);
    if (isWide)
      index = Expr::cast(plain.offsetType(), index);
    const auto pitch = pitches.find(buffer);
    add(index, isLast && pitch != pitches.end() ? Expr(pitch->second)
                                                : countOf(nest, a, g, plain));
  }
  if (isFlat(nest, a))
    subscripts = {flat};
  return Expr::element(variableOf(buffer), std::move(subscripts));
}

/// How often the loop of the buffer's copy has come round.
Expr KernelBody::roundOf(unsigned buffer, const Names &names) const {
  const Loop &l = *copySites.at(buffer).loop;
  if (l.lower.size() == 1 && l.lower[0].divisor == 1)
    return names.value(IndexExpr::loop(l.id) - l.lower[0].expr);
  return names(loopVar(l.id)) - lowerOf(l, names);
}

/// `n % 2`: which of the boxes that the buffer holds is the current one.
Expr KernelBody::stageOf(unsigned buffer, const Names &names) const {
  return roundOf(buffer, names) %
         Expr(nest.arrays[buffer].buffer->layout.depth);
}

} // namespace convopt::lower
