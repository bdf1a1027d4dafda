//===- Vectors.cpp - Copies that move several elements at once ------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Vectors.h"
#include "TensorCopies.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Target/Memory.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

using program::Expr;
using program::Op;
using program::Type;

/// Whether threads can move vectors along \p rows wherever TMA
/// can bring the box of \p c.
static bool areTensorRows(const Nest &nest, const Copy &c,
                          const CopyRows &rows) {
  const auto box = expectedToOptional(tensorBoxOf(nest, c));
  return box && all_of(rows.multiples, [&](const IndexExpr &e) {
           return is_contained(box->multiples, e);
         });
}

std::vector<VectorCopy> vectorCopies(const Nest &nest) {
  std::vector<VectorCopy> copies;
  for (const Copy *c : collect<Copy>(nest.body)) {
    const Buffer &b = *nest.arrays[c->buffer].buffer;
    if (c->from || b.isOnHost() || b.layout.vector == 1)
      continue;
    // What has none is legality's to refuse; the copy goes element by element.
    const auto rows = expectedToOptional(rowsOf(nest, *c));
    if (rows && (b.layout.copyKind != BufferLayout::Tensor ||
                 areTensorRows(nest, *c, *rows)))
      copies.push_back({c, b.layout.vector, *rows});
  }
  return copies;
}

Error checkVectorSizes(const Nest &nest) {
  for (const Copy *c : collect<Copy>(nest.body)) {
    const Array &buffer = nest.arrays[c->buffer];
    const int64_t vector = buffer.buffer->layout.vector;
    std::optional<int64_t> size = elementSize(buffer.elementType);
    int64_t bytes = size ? *size * vector : AccessBytes;
    if (vector != 1 && (bytes > AccessBytes || !isPowerOf2_64(bytes)))
      return refuse("limit",
                    "a vector of " + std::to_string(vector) + " elements '" +
                        buffer.elementType + "' has " + std::to_string(bytes) +
                        " bytes, and accesses move 2, 4, 8 or 16",
                    c->range,
                    "copy vectors of " +
                        std::to_string(AccessBytes / size.value_or(1)));
  }
  return Error::success();
}

std::vector<AlignedArray> alignedArrays(const Nest &nest) {
  std::vector<AlignedArray> arrays;
  for (const VectorCopy &v : vectorCopies(nest))
    arrays.push_back(
        {&v.array(nest), v.vector, v.rows.multiples, v.rows.notNegative});
  for (const TensorCopy &t : tensorCopies(nest)) {
    const Buffer &b = *nest.arrays[t.copy->buffer].buffer;
    const Array &of = nest.arrays[b.of];
    arrays.push_back(
        {&of, b.layout.vector, t.box.multiples, shortfalls(nest, of)});
  }
  return arrays;
}

Expr areAligned(ArrayRef<AlignedArray> arrays,
                function_ref<Expr(const Array &)> pointerOf,
                const Names &names) {
  std::vector<Expr> tests;
  auto add = [&](Expr test) {
    if (!is_contained(tests, test))
      tests.push_back(std::move(test));
  };
  auto isMultiple = [&](const Expr &e, const Expr &of) {
    add(Expr::binary(Op::Equal, e % of, 0));
  };
  for (const AlignedArray &a : arrays) {
    for (const IndexExpr &e : a.multiples)
      isMultiple(names.wideValue(e), a.vector);
    for (const IndexExpr &e : a.notNegative)
      if (e.asConstant().value_or(-1) < 0)
        add((isSum(e) ? names : names.widened(e))
                .condition({Constraint::NonNegative, e}));
    const std::string &type = a.array->elementType;
    std::optional<int64_t> size = elementSize(type);
    isMultiple(Expr::cast({Type::Wide, "uintptr_t"}, pointerOf(*a.array)),
               size ? Expr(*size * a.vector)
                    : Expr(a.vector) * Expr::sizeOf({Type::Element, type}));
  }
  Expr all;
  for (const Expr &test : tests)
    all = both(all, test);
  return all;
}

bool isAligned(ArrayRef<AlignedArray> arrays,
               function_ref<std::optional<int64_t>(const IndexExpr &)> value) {
  return all_of(arrays, [&](const AlignedArray &a) {
    bool isWhole = all_of(a.notNegative, [&](const IndexExpr &e) {
      return value(e).value_or(-1) >= 0;
    });
    return isWhole && all_of(a.multiples, [&](const IndexExpr &e) {
             std::optional<int64_t> size = value(e);
             return size && *size % a.vector == 0;
           });
  });
}

Expr vectorOf(const Array &buffer) {
  const Expr count = buffer.buffer->layout.vector;
  if (elementSize(buffer.elementType))
    return count;
  // Of a template's type, as many as one access moves.
  Expr size = Expr::sizeOf({Type::Element, buffer.elementType});
  return Expr::select(Expr::binary(Op::LessEqual, count * size, AccessBytes),
                      count, Expr(AccessBytes) / size);
}

Expr vectorOf(const Array &buffer, program::VariableRef aligned) {
  if (elementSize(buffer.elementType))
    return Expr::select(aligned, vectorOf(buffer), 1);
  return Expr::select(Expr::unary(Op::Not, aligned), 1, vectorOf(buffer));
}

} // namespace convopt::lower
