//===- PackKernels.cpp - Kernels that fill the launcher's buffers ---------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackKernels.h"
#include "CopyBox.h"
#include "PackPlan.h"
#include "SharedMemory.h"
#include "Values.h"
#include "convopt/Nest/Unfolding.h"
#include "convopt/Transforms/Bounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
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
  std::string wordOf(const PackDigit &d) const {
    return StringRef(coordinateName(c.nest, buffer, d.dim)).drop_back(2).str();
  }
  Var name(StringRef wish, Expr value, Block &b);
  void addDigit(const PackDigit &d, const IndexExpr &value, Block &b);
  void lowerIterators(unsigned dim, Block &b);
  std::vector<IndexExpr> lowerNumber(ArrayRef<PackDigit> digits, Expr number,
                                     Block &b);
  Block &openTurns(const PackDigit &d, IndexExpr &value, Block &b);
  std::vector<IndexExpr> element() const;
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
  std::vector<IndexExpr> at;    // the place in the box, by dimension
  std::vector<unsigned> missing; // digits of it, by dimension
  std::map<unsigned, IndexExpr> iterators; // that the place stands for
};
} // namespace

/// How many values \p d has.
static Expr countOf(const Nest &nest, const Array &buffer, const PackDigit &d,
                    const Names &names) {
  return d.count ? Expr(*d.count)
                 : allocatedOf(nest, buffer, d.dim, names) / Expr(d.weight);
}

/// How many blocks share them.
static Expr partsOf(const Nest &nest, const Array &buffer, const PackDigit &d,
                    const Names &names) {
  if (d.count)
    return int64_t(divideCeil(uint64_t(*d.count), uint64_t(d.turns)));
  return (countOf(nest, buffer, d, names) + (d.turns - 1)) / Expr(d.turns);
}

/// The columns of \p plan, where an int counts them and those of a block.
static std::optional<int64_t> constantColumns(const PackPlan &plan) {
  int64_t columns = 1;
  for (const PackDigit &d : plan.columns)
    if (!d.count || MulOverflow(columns, *d.count, columns) ||
        columns > INT32_MAX - PackThreads)
      return std::nullopt;
  return columns;
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
  if (std::optional<int64_t> known = constantColumns(plan))
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

/// Opens the loop over the values of \p d that a thread has, from \p value on;
/// what one of its iterations runs.
Block &PackKernel::openTurns(const PackDigit &d, IndexExpr &value, Block &b) {
  if (d.turns == 1)
    return b;
  const Var v = names.variable(wordOf(d) + (value.isZero() ? "_s" : "_i"));
  names.setCount(v, d.turns - 1);
  auto &loop = add<For>(b, names.declared(v), 0, d.turns);
  loop.unroll = For::Always;
  value += IndexExpr::of(v);
  if (d.count && *d.count % d.turns == 0)
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

/// A thread a column, and several rows of it.
void PackKernel::lowerElements(Block &b) {
  const PackPlan plan = packPlan(c.nest, buffer);
  at.assign(buffer.extents.size(), IndexExpr(0));
  missing.assign(at.size(), 0);
  for (const PackDigit &d : concat<const PackDigit>(plan.rows, plan.columns))
    ++missing[d.dim];
  for (unsigned d = 0; d != at.size(); ++d)
    if (missing[d] == 0)
      lowerIterators(d, b);

  const std::optional<int64_t> known = constantColumns(plan);
  const Type type = known ? Type::integer() : wide(offset);
  auto constant = [&](const Type &type, StringRef name, const Expr &value) {
    return define(b, variable(type, names.fresh(name), true), value);
  };
  Expr columns = columnsOf(c.nest, buffer, plan, type, names);
  const Expr down = downOf(c.nest, buffer, plan, names);
  const Expr block = Expr::cast(Type::integer(), blockIndex(0));
  Expr ofColumns = Expr::cast(type, blockIndex(0)), ofRows, isBeyond;
  if (!down.isNumber(1)) {
    if (!known)
      columns = constant(type, "columns", columns);
    Expr across = acrossOf(plan, columns);
    if (!known)
      across = constant(Type::integer(), "across",
                        Expr::cast(Type::integer(), across));
    isBeyond = Expr::binary(Op::GreaterEqual, block, across * down);
    ofRows = block / across;
    ofColumns = known ? block % across : Expr::cast(type, block % across);
  }
  const Expr column =
      constant(type, ofRows ? "column" : "k",
               ofColumns * PackThreads + threadIndex(0));
  isBeyond = either(Expr::binary(Op::GreaterEqual, column, columns), isBeyond);
  add<Return>(where(b, isBeyond, /*isBraced=*/false));
  const std::vector<IndexExpr> ofColumn = lowerNumber(plan.columns, column, b);
  for (auto [d, value] : zip(plan.columns, ofColumn))
    addDigit(d, value, b);
  Block *inner = &b;
  Expr row;
  for (auto [d, value] : zip(plan.rows, lowerNumber(plan.rows, ofRows, b))) {
    inner = &openTurns(d, value, *inner);
    addDigit(d, value, *inner);
    row = row ? row * countOf(c.nest, buffer, d, names) + names.value(value)
              : first(names.value(value));
  }
  add<Assignment>(*inner,
                  Expr::element(to, {row ? row * columns + column : column}),
                  value());
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
  const Array &a = *buffer.array;
  if (!isTransposed(c.nest, *buffer.copy)) {
    const PackPlan plan = packPlan(c.nest, a);
    if (plan.rows.empty())
      return (buffer.elements + (PackThreads - 1)) / PackThreads;
    const Type type = wide("size_t");
    const Expr across =
        acrossOf(plan, columnsOf(c.nest, a, plan, type, names));
    return Expr::cast(type, across) * downOf(c.nest, a, plan, names);
  }
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
