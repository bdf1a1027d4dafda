//===- PackKernels.cpp - Kernels that fill the launcher's buffers ---------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackKernels.h"
#include "KernelBody.h"
#include "SharedMemory.h"
#include "Values.h"
#include "convopt/Nest/Unfolding.h"
#include "convopt/Transforms/Bounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>

using namespace llvm;

namespace convopt::emit {

using namespace program;

std::string packKernel(const Context &c, const Array &buffer,
                       const std::string &offset) {
  return c.name("_pack_") + buffer.name + c.kernelArguments(offset);
}

/// Rows and columns that a block transposes.
static constexpr int Square = 32;

/// Whether \p copy moves the array's first dimension to the end: then a place
/// along the others is the same number in array and buffer.
static bool isTransposed(const Nest &nest, const Copy &copy) {
  const Array &buffer = nest.arrays[copy.buffer];
  const Array &of = nest.arrays[buffer.buffer->of];
  const std::vector<unsigned> dims = storedDims(buffer);
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
  return dims == moved &&
         all_of(seq<unsigned>(of.extents.size()), [&](unsigned d) {
           return copy.base[d].isZero() && buffer.buffer->stride(d) == 1 &&
                  (d == dims.front() || d == dims.back() || isWhole(d));
         });
}

namespace {
/// Lowers the kernel of one buffer.
class PackKernel {
public:
  PackKernel(const Context &c, const Names &outer, const Copy &copy,
             std::vector<const Loop *> around)
      : c(c), names(outer), copy(copy), buffer(c.nest.arrays[copy.buffer]),
        of(c.nest.arrays[buffer.buffer->of]), around(std::move(around)),
        from(array(of, true)), to(array(buffer, false)) {}
  FunctionDefinition lower();

private:
  static VariableRef array(const Array &a, bool isConst) {
    Variable v{a.name, {Type::Element, a.elementType}, Memory::Global};
    v.isPointer = true;
    v.isConst = isConst;
    return std::make_shared<Variable>(std::move(v));
  }
  Expr asOffset(const Expr &e) const { return Expr::cast(wide(offset), e); }
  /// Of a product of extents, the first.
  Expr first(const Expr &e) const {
    return c.offsetType.empty() ? e : asOffset(e);
  }
  std::vector<Expr> allocated() const;
  void lowerPlaces(const Expr &k, Block &b);
  void lowerUnfolded(const Unfolding &u, Block &b);
  Expr value() const;
  Expr filled(const Expr &test, const Expr &read) const;
  void lowerElements(Block &b);
  void lowerTransposition(Block &b);

  const Context &c;
  Names names;
  const Copy &copy;
  const Array &buffer, &of;
  std::vector<const Loop *> around; // of the host
  const std::string offset = c.offsetType.empty() ? "int" : c.offsetType;
  VariableRef from, to;
  std::vector<IndexExpr> at;      // the place in the box, by dimension
  std::vector<IndexExpr> element; // of the array
};
} // namespace

/// The place along each dimension, from the element's number \p k.
void PackKernel::lowerPlaces(const Expr &k, Block &b) {
  Expr rest = k;
  std::vector<unsigned> dims = storedDims(buffer);
  at.assign(buffer.extents.size(), IndexExpr(0));
  auto add = [&](unsigned d, const Expr &extent, int64_t stride) {
    Var v = names.variable(coordinateName(c.nest, buffer, d), true);
    define(b, names(v),
           Expr::cast(Type::integer(), extent ? rest % extent : rest));
    rest = extent ? rest / extent : rest;
    auto most = c.nest.expandDefinitions(allocatedExtent(c.nest, buffer, d));
    names.setCount(v, most.asConstant().value_or(INT32_MAX) - 1);
    at[d] += IndexExpr(stride) * IndexExpr::of(v);
  };
  int64_t block = buffer.buffer->layout.block;
  if (block != 1)
    add(dims.back(), block, 1);
  for (unsigned d : llvm::reverse(dims))
    if (block == 1 || d != dims.back())
      add(d,
          block == 1 && d == dims.front()
              ? Expr()
              : allocatedOf(c.nest, buffer, d, names),
          1);
  if (block != 1)
    add(dims.back(), Expr(), block);
  if (buffer.buffer->unfolding)
    return lowerUnfolded(*buffer.buffer->unfolding, b);
  element = copy.base;
  for (size_t d = 0; d != at.size(); ++d)
    element[d] += IndexExpr(buffer.buffer->stride(d)) * at[d];
}

/// The iterators that the place stands for, and their element.
void PackKernel::lowerUnfolded(const Unfolding &u, Block &b) {
  std::vector<IndexExpr> coordinates;
  for (auto [base, place] : zip(copy.base, at))
    coordinates.push_back(base + place);
  std::map<unsigned, IndexExpr> iterators;
  for (const auto &[iterator, value] : u.iterators) {
    const Var dim = *value.vars().begin(); // a function of one coordinate
    const size_t d = find(u.dims, dim.id) - u.dims.begin();
    Var v = names.variable(c.nest.loopNames[iterator] + "_s", true);
    define(b, names(v), names.value(value.substitute(dim, coordinates[d])));
    iterators[iterator] = IndexExpr::of(v);
  }
  element = elementAt(u, coordinates, iterators);
}

/// What the array has at the place. For what no place can pass, places are
/// loops.
Expr PackKernel::value() const {
  Nest named = c.nest;
  std::vector<std::shared_ptr<Loop>> places;
  std::vector<const Loop *> loops = around;
  std::vector<IndexExpr> any = copy.base;
  for (size_t d = 0; d != any.size(); ++d) {
    if (buffer.extents[d] == IndexExpr(1))
      continue;
    places.push_back(std::make_shared<Loop>(named.addLoopName("place")));
    loops.push_back(places.back().get());
    places.back()->lower = {{IndexExpr(0), 1}};
    places.back()->upper = {{allocatedExtent(c.nest, buffer, d), 1}};
    any[d] += IndexExpr(buffer.buffer->stride(d)) *
              IndexExpr::loop(places.back()->id);
  }
  if (buffer.buffer->unfolding)
    any = elementAt(*buffer.buffer->unfolding, any);
  std::vector<Constraint> ends;
  auto add = [&](const IndexExpr &always, const IndexExpr &here) {
    if (!isProvablyNonNegative(named, always, loops))
      ends.push_back({Constraint::NonNegative, here});
  };
  for (auto [extent, always, here] : zip(of.extents, any, element)) {
    add(always, here);
    add(extent - 1 - always, extent - 1 - here);
  }
  Access source{buffer.buffer->of, element};
  Expr read = Expr::element(from, {offsetOf(c.nest, source, names)});
  Expr test = both(names.condition(ends), footprintTest(c.nest, source, names));
  return test ? filled(test, read) : read;
}

/// \p read where the array has it, elsewhere what the buffer has.
Expr PackKernel::filled(const Expr &test, const Expr &read) const {
  const Type type{Type::Element, buffer.elementType};
  const std::string &fill = buffer.buffer->fill;
  return Expr::select(test, read,
                      fill.empty() ? Expr::cast(type, 0)
                                   : Expr::source(fill, type));
}

/// The extents of \p buffer in storage, the first as an offset.
std::vector<Expr> PackKernel::allocated() const {
  std::vector<Expr> extents;
  for (unsigned d : storedDims(buffer))
    extents.push_back(allocatedOf(c.nest, buffer, d, names));
  if (!extents.empty())
    extents[0] = first(extents[0]);
  return extents;
}

/// A thread an element.
void PackKernel::lowerElements(Block &b) {
  Expr k = define(b, variable(wide(offset), names.fresh("k"), true),
                  asOffset(blockIndex(0)) * PackThreads + threadIndex(0));
  add<Return>(where(b, Expr::binary(Op::GreaterEqual, k, product(allocated())),
                    /*isBraced=*/false));
  lowerPlaces(k, b);
  add<Assignment>(b, Expr::element(to, {k}), value());
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
  const unsigned last = storedDims(buffer).back();
  const Expr rows = names.value(of.extents[last]);
  const Expr columns = constant("columns", product(extents));
  Expr ofArray = columns;
  if (const unsigned d = storedDims(buffer).front();
      allocatedExtent(c.nest, buffer, d) != of.extents[d]) {
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
    if (allocatedExtent(c.nest, buffer, last) != of.extents[last])
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

FunctionDefinition PackKernel::lower() {
  FunctionDefinition f = define(
      c,
      "// Copies '" + of.name + "' to a buffer in which '" + c.name("_kernel") +
          "' finds it.\n" + c.kernelTemplateHead() +
          "__global__ void __launch_bounds__(" + std::to_string(PackThreads) +
          ")\n" + c.name("_pack_") + buffer.name,
      {{from, "const " + of.elementType + " *__restrict__ " + of.name},
       {to, buffer.elementType + " *__restrict__ " + buffer.name}});
  for (const Expr &size : sizeArguments(c, around, names))
    f.parameters.push_back(parameter(size));
  defineSizes(c.nest, names, f.body);
  if (isTransposed(c.nest, copy))
    lowerTransposition(f.body);
  else
    lowerElements(f.body);
  f.body = dropUnused(f.body);
  return f;
}

Expr packBlocks(const Context &c, const HostBuffer &buffer,
                const Names &names) {
  if (!isTransposed(c.nest, *buffer.copy))
    return (buffer.elements + (PackThreads - 1)) / PackThreads;
  const Array &a = *buffer.array;
  std::vector<Expr> extents;
  for (unsigned d : storedDims(a))
    extents.push_back(allocatedOf(c.nest, a, d, names));
  extents[0] = Expr::cast(wide("size_t"), extents[0]);
  auto squares = [](const Expr &e) { return (e + (Square - 1)) / Square; };
  const Expr pitch = extents.back();
  extents.pop_back();
  return squares(product(extents)) * squares(pitch);
}

std::vector<FunctionDefinition> lowerPackKernels(const Context &c,
                                                 const Names &names) {
  std::vector<FunctionDefinition> kernels;
  for (Buffer::Memory memory : {Buffer::Global, Buffer::Constant})
    for (size_t level = 0; level != c.mapping.host.size(); ++level)
      for (const Copy *copy : c.mapping.host[level].copies) {
        if (c.nest.arrays[copy->buffer].buffer->memory != memory ||
            (memory == Buffer::Constant && isDirect(c.nest, *copy)))
          continue;
        kernels.push_back(
            PackKernel(c, names, *copy, loopsAround(c.mapping, level)).lower());
      }
  return kernels;
}

} // namespace convopt::emit
