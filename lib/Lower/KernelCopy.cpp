//===- KernelCopy.cpp - Filling of buffers --------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyBox.h"
#include "SharedMemory.h"
#include "Values.h"
#include "Vectors.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Print/Cuda.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Target/Memory.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

std::string coordinateName(const Nest &nest, unsigned array, unsigned dim) {
  for (const StatementPath &p : statements(nest)) {
    for (const Access *a : accessesOf(*p.statement))
      for (unsigned id : p.statement->iterators)
        if (a->array == array && a->subscripts[dim].uses(loopVar(id)))
          return nest.loopNames[id] + "_s";
  }
  return nest.arrays[array].name + "_s";
}

std::string coordinateName(const Nest &nest, const Array &buffer,
                           unsigned dim) {
  const std::optional<Unfolding> &unfolding = buffer.buffer->unfolding;
  return unfolding ? nest.loopNames[unfolding->dims[dim]] + "_s"
                   : coordinateName(nest, buffer.buffer->of, dim);
}

/// Whether all rows of the \p box of \p c, which is between two buffers, lie
/// one after the other in both.
static bool areContiguous(const Nest &nest, const Copy &c, const CopyBox &box) {
  const Array &to = nest.arrays[c.buffer];
  for (const Array *a : {&to, &nest.arrays[*c.from]}) {
    const StorageMap map(nest, *a);
    IndexExpr apart = nest.expandDefinitions(map.extent(box.row->dim));
    for (const CopyDim &d : reverse(box.rows)) {
      if (to.buffer->stride(d.dim) != 1 || map.stride(d.dim) != apart)
        return false;
      apart = apart * nest.expandDefinitions(d.extent);
    }
  }
  return box.rows.size() > 1;
}

CopyBox KernelBody::boxOf(const Copy &c, bool isSingle) const {
  const Array &buffer = nest.arrays[c.buffer];
  CopyBox box;
  auto dim = [&](unsigned d) {
    return CopyDim{d, buffer.extents[d], coordinateName(nest, buffer, d)};
  };
  // The order of the array makes reads of global memory contiguous; between
  // buffers, that of the storage lets vectors move along a row.
  std::vector<unsigned> dims;
  unsigned end = buffer.extents.size();
  if (c.from) {
    bool isGlobal = nest.arrays[*c.from].buffer->memory == Buffer::Global;
    const StorageMap map(nest, isGlobal ? nest.arrays[*c.from] : buffer);
    dims = map.dims();
    erase_if(dims,
             [&](unsigned d) { return buffer.extents[d] == IndexExpr(1); });
    box.vector = buffer.buffer->layout.vector;
    if (box.vector != 1) {
      box.step = vectorOf(buffer);
      if (!elementSize(buffer.elementType)) // is a constant of its own
        box.step = widthOf(box.step);
    }
  } else {
    std::optional<CopyRows> rows;
    auto vector = find_if(vectors, [&](const VectorCopy &v) {
      return !isSingle && v.copy == &c;
    });
    if (vector != vectors.end()) {
      rows = vector->rows;
      box.vector = vector->vector;
      box.step = widthOf(vectorOf(buffer, helpers.aligned));
    } else if (buffer.buffer->memory == Buffer::Shared && !isSingle &&
               !buffer.buffer->unfolding && buffer.buffer->layout.vector == 1) {
      rows = cantFail(rowsOf(nest, c)); // single elements have rows
    }
    box.isJoined = rows && rows->isJoined(buffer);
    if (box.isJoined) {
      end = rows->first;
      box.row = CopyDim{end, rows->length, "k"};
    }
    for (unsigned d = 0; d != end; ++d)
      if (buffer.extents[d] != IndexExpr(1))
        dims.push_back(d);
  }
  for (unsigned d : dims)
    box.rows.push_back(dim(d));
  if (!box.isJoined && !box.rows.empty()) {
    box.row = box.rows.back();
    box.rows.pop_back();
    box.isContiguous = c.from && areContiguous(nest, c, box);
  }
  return box;
}

//===----------------------------------------------------------------------===//
// The ends of the array
//===----------------------------------------------------------------------===//

Expr KernelBody::endsOf(const Copy &c, const CopyBox &box, const CopyPlace &p,
                        unsigned d, const Scope &s) const {
  const Array &buffer = nest.arrays[c.buffer];
  const Array &of = nest.arrays[buffer.buffer->of];
  // Of unfolded buffers all dimensions are asked for at once.
  if (buffer.buffer->unfolding || continuesPast(nest, buffer, d))
    return {};
  bool begins = isAlways({Constraint::NonNegative, c.base[d]}, s);
  IndexExpr room = of.extents[d] - c.base[d] - reachOf(buffer, d) - 1;
  bool ends = isAlways({Constraint::NonNegative, room}, s);
  Expr test;
  if (box.isJoined && d == box.row->dim) {
    // Rows of rows: what is left of the array, in elements.
    Expr along = s.names.value(p.along);
    auto elements = [&](const IndexExpr &rows) {
      Expr count = s.names.value(s.names.fold(rows));
      if (!isSmall(of))
        count = Expr::cast(s.names.offsetType(), count);
      for (size_t k = d + 1; k != of.extents.size(); ++k)
        count =
            count * (isSum(of.extents[k]) ? s.names.value(of.extents[k])
                                          : s.names.wideValue(of.extents[k]));
      return count;
    };
    if (!begins)
      test = Expr::binary(Op::GreaterEqual, along, elements(-c.base[d]));
    if (!ends)
      test = both(test, Expr::binary(Op::Less, along,
                                     elements(of.extents[d] - c.base[d])));
    return test;
  }
  auto add = [&](const IndexExpr &e) {
    test = both(test, s.names.condition(Constraint{Constraint::NonNegative,
                                                   s.names.fold(e)}));
  };
  IndexExpr at = c.base[d] + IndexExpr(buffer.buffer->stride(d)) * p.at[d];
  if (!begins)
    add(at);
  if (!ends)
    add(of.extents[d] - 1 - at);
  return test;
}

/// The element of the array that belongs to a place.
std::vector<IndexExpr> KernelBody::sourceOf(const Copy &c, const CopyBox &box,
                                            const CopyPlace &p,
                                            const Names &names) const {
  const Buffer &buffer = *nest.arrays[c.buffer].buffer;
  std::vector<IndexExpr> there = c.base;
  if (buffer.unfolding)
    there = unfoldedSource(c, p);
  else
    for (size_t d = 0; d != there.size(); ++d)
      there[d] += IndexExpr(buffer.stride(d)) * p.at[d];
  if (box.isJoined)
    there.back() += p.along;
  for (const auto &[d, image] : p.images)
    there[d] = image;
  for (IndexExpr &e : there)
    e = names.fold(e);
  return there;
}

/// The tests that the loops have not made.
Expr KernelBody::insideOf(const Copy &c, const CopyBox &box, const CopyPlace &p,
                          const Scope &s) const {
  Expr test;
  if (nest.arrays[c.buffer].buffer->unfolding)
    test = unfoldedTest(c, p, s);
  size_t end = box.isJoined ? box.row->dim + 1 : p.at.size();
  for (unsigned d = 0; d != end; ++d)
    if (!p.isRowInside || d != box.row->dim)
      test = both(test, endsOf(c, box, p, d, s));
  if (c.isStore) // what is stored was written
    return test;
  Access source{nest.arrays[c.buffer].buffer->of, sourceOf(c, box, p, s.names)};
  return both(test, footprintTest(nest, source, s.names));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// `float4` for 4 floats; the helper that EmitCuda defines for other types.
static Type vectorType(const Array &a, const Expr &count,
                       const std::string &helper, bool isNamed) {
  const bool isNumber = count.kind() == Expr::Number;
  const bool hasName =
      isNamed && isNumber &&
      is_contained({"float", "int", "double"}, a.elementType) &&
      (count.number() == 2 ||
       (count.number() == 4 && a.elementType != "double"));
  if (hasName)
    return {Type::Vector, a.elementType + cudaText(count)};
  return {Type::Vector,
          helper + "<" + a.elementType + ", " + cudaText(count) + ">",
          Helper::Vector};
}

std::string fillOf(const Array &buffer) {
  const std::string fill =
      buffer.buffer->fill == AtBorder ? "" : buffer.buffer->fill;
  return fill.empty() && !isFloating(buffer.elementType) ? "0" : fill;
}

/// How many elements an access of the copy may move: all of a vector, and one
/// where rows are not aligned.
static std::vector<int64_t> countsOf(const CopyBox &box, const Array &buffer) {
  if (!box.step)
    return {1};
  int64_t vector = buffer.buffer->layout.vector;
  return box.step.isNumber(vector) ? std::vector<int64_t>{vector}
                                   : std::vector<int64_t>{vector, 1};
}

/// Whether devices have asynchronous copies of \p elements of \p buffer, as
/// far as their size is known.
static bool canBeAsync(const Array &buffer, int64_t elements) {
  std::optional<int64_t> size = elementSize(buffer.elementType);
  return !size || isAsyncSize(*size * elements);
}

/// Whether the copy runs while threads go on. Elements of one or two bytes are
/// copied at once: at the same place, into a buffer that nobody reads yet.
bool KernelBody::isAsync(const CopyBox &box, const Array &buffer) const {
  return buffer.buffer->layout.isAsync() &&
         any_of(countsOf(box, buffer),
                [&](int64_t n) { return canBeAsync(buffer, n); });
}

/// Waits for what the copies up to \p last begin, but for those of a pipeline.
void KernelBody::lowerAsyncWaits(const Body &body, size_t last, Scope &s) {
  for (size_t k = last + 1; k-- > 0;) {
    const auto *c = dyn_cast<Copy>(body[k].get());
    if (!c)
      return;
    const Array &buffer = nest.arrays[c->buffer];
    if (buffer.buffer->layout.async == 0 || s.isInPlace(c->buffer) ||
        !isAsync(boxOf(*c), buffer))
      continue;
    s.call(Callee::Commit);
    s.call(Callee::WaitPrior, {0});
    return;
  }
}

Expr KernelBody::asyncCopy(const CopyBox &box, const Array &buffer, Expr to,
                           Expr from, const Expr &inside) const {
  Expr bytes = Expr::sizeOf({Type::Element, buffer.elementType});
  if (box.step)
    bytes = box.step * bytes;
  bool isKnown = elementSize(buffer.elementType) &&
                 all_of(countsOf(box, buffer),
                        [&](int64_t n) { return canBeAsync(buffer, n); });
  static const CalledFunction ofKnown{Callee::AsyncCopy, ""};
  std::vector<Expr> arguments{Expr::unary(Op::AddressOf, std::move(to)),
                              Expr::unary(Op::AddressOf, std::move(from)),
                              bytes};
  if (inside)
    arguments.push_back(inside);
  return Expr::call(inside    ? helpers.copyOrZeros
                    : isKnown ? ofKnown
                              : helpers.copyAsync,
                    std::move(arguments));
}

/// Between buffers.
void KernelBody::lowerMove(const Copy &c, const CopyBox &box,
                           const CopyPlace &p, Scope &s) {
  const Array &buffer = nest.arrays[c.buffer];
  const Array &from = nest.arrays[*c.from];
  std::vector<IndexExpr> there = c.base;
  for (size_t d = 0; d != there.size(); ++d)
    there[d] =
        placeOf(nest, from, d,
                there[d] + IndexExpr(buffer.buffer->stride(d)) * p.at[d] -
                    copySites.at(*c.from).copy->base[d]);
  // The number of a row may pass the end of its dimension, as no subscript of
  // several may.
  auto offsetIn = [&](const Array &a) {
    return p.number.isZero() ? Expr(0)
                             : s.names.value(p.number) *
                                   allocatedOf(nest, a, box.row->dim, s.names);
  };
  Expr target = Expr::beyond(place(c.buffer, p.at, s.names), offsetIn(buffer));
  const bool isFlatSource = isFlat(nest, from);
  if (isFlatSource && !p.number.isZero())
    there[box.rows.back().dim] += p.number;
  Expr source = Expr::beyond(place(*c.from, there, s.names),
                             isFlatSource ? Expr(0) : offsetIn(from));
  if (c.isStore)
    std::swap(target, source);
  if (isAsync(box, buffer)) {
    s.add<CallStmt>(asyncCopy(box, buffer, target, source, {}));
    return;
  }
  if (box.step) {
    Type type = vectorType(buffer, box.step, helpers.vector, /*isNamed=*/true);
    target = Expr::access(type, target, box.step, /*isConst=*/false);
    source = Expr::access(type, source, box.step, /*isConst=*/true);
  }
  s.add<Assignment>(target, source);
}

/// What unrolled loops add to the subscripts \p at, which it is taken out of:
/// apart, it is a constant of the copy's instruction. None where they add
/// nothing.
static std::vector<IndexExpr> takeUnrolled(std::vector<IndexExpr> &at,
                                           const std::set<Var> &unrolled) {
  std::vector<IndexExpr> all;
  bool isAny = false;
  for (IndexExpr &e : at) {
    const IndexExpr first = e.substitute([&](Var v) {
      return unrolled.count(v) ? std::optional(IndexExpr(0)) : std::nullopt;
    });
    const bool isAdded = all_of((e - first).vars(),
                                [&](Var v) { return unrolled.count(v) != 0; });
    all.push_back(isAdded ? e - first : IndexExpr(0));
    e -= all.back();
    isAny |= !all.back().isZero();
  }
  return isAny ? all : std::vector<IndexExpr>();
}

/// What an access of a copy moves: an element in memory and its place in the
/// buffer.
KernelBody::Sides KernelBody::sidesOf(const Copy &c, const CopyBox &box,
                                      const CopyPlace &p,
                                      const Names &names) const {
  const Array &buffer = nest.arrays[c.buffer];
  std::vector<IndexExpr> here = p.at;
  bool isLinear = isFlat(nest, buffer);
  if (box.isJoined && isLinear)
    here[StorageMap(nest, buffer).dims().back()] += p.along;
  Access source{buffer.buffer->of, sourceOf(c, box, p, names)};
  std::vector<IndexExpr> rest;
  if (!c.isStore && isAsync(box, buffer))
    rest = takeUnrolled(source.subscripts, p.unrolled);
  Expr memory = element(source, names);
  if (!rest.empty())
    memory = Expr::beyond(
        memory, offsetOf(nest, {buffer.buffer->of, std::move(rest)}, names));
  Expr to = place(c.buffer, here, names);
  if (box.isJoined && !isLinear)
    to = Expr::beyond(to, names.value(p.along));
  return {memory, to};
}

/// One element of the box, or as many as an access moves.
void KernelBody::lowerElement(const Copy &c, const CopyBox &box,
                              const CopyPlace &p, Scope &s) {
  if (c.from)
    return lowerMove(c, box, p, s);
  const Array &buffer = nest.arrays[c.buffer];
  auto [memory, place] = sidesOf(c, box, p, s.names);
  const Expr inside = insideOf(c, box, p, s);
  const bool isAsync = !c.isStore && this->isAsync(box, buffer);
  const std::string text = c.isStore ? "" : fillOf(buffer);
  const bool isZero = isZeroText(nest, text);
  // Single elements outside cost less as zeros of the copy than by a branch.
  if (isAsync && inside && isZero && buffer.buffer->unfolding &&
      elementSize(buffer.elementType)) {
    s.add<CallStmt>(asyncCopy(box, buffer, place, memory, inside));
    return;
  }
  Expr fill, copy;
  if (!text.empty())
    fill = Expr::source(text, {Type::Element, buffer.elementType});
  if (isAsync)
    copy = asyncCopy(box, buffer, place, memory, {});
  if (box.step) {
    Type type = vectorType(buffer, box.step, helpers.vector, /*isNamed=*/false);
    memory = Expr::access(type, memory, box.step, /*isConst=*/!c.isStore);
    place = Expr::access(type, place, box.step, /*isConst=*/c.isStore);
    if (fill && isZero) // as a vector without values is
      fill = Expr::zero(type);
    else if (fill)
      fill = Expr::call(helpers.vectorOf, {fill, box.step});
  }
  if (c.isStore)
    std::swap(memory, place);
  if (!isAsync && inside && fill) {
    s.add<Assignment>(place, Expr::select(inside, memory, fill));
    return;
  }
  If *test = nullptr;
  if (inside) {
    test = &s.add<If>(inside);
    test->isBraced = false;
  }
  Scope one = test ? s.in(test->body) : s;
  if (isAsync)
    one.add<CallStmt>(copy);
  else
    one.add<Assignment>(place, memory);
  if (test && isAsync && fill)
    s.in(test->otherwise).add<Assignment>(place, fill);
}

} // namespace convopt::lower
