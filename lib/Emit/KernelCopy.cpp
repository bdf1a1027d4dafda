//===- KernelCopy.cpp - Filling of buffers --------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyBox.h"
#include "SharedMemory.h"
#include "Text.h"
#include "Vectors.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Transforms/Bounds.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::emit {

std::string coordinateName(const Nest &nest, unsigned array, unsigned dim) {
  for (const StatementPath &p : statements(nest)) {
    std::vector<const Access *> accesses{&p.statement->target};
    for (const Operand &o : p.statement->operands)
      if (o.kind == Operand::Read)
        accesses.push_back(&o.access);
    for (const Access *a : accesses)
      for (unsigned id : p.statement->iterators)
        if (a->array == array && a->subscripts[dim].uses(loopVar(id)))
          return nest.loopNames[id] + "_s";
  }
  return nest.arrays[array].name + "_s";
}

CopyBox KernelBody::boxOf(const Copy &c) const {
  const Array &buffer = nest.arrays[c.buffer];
  CopyBox box;
  auto dim = [&](unsigned d) {
    return CopyDim{d, buffer.extents[d],
                   coordinateName(nest, buffer.buffer->of, d)};
  };
  // The order of the array makes reads of global memory contiguous; between
  // buffers, that of the storage lets vectors move along a row.
  std::vector<unsigned> dims;
  unsigned end = buffer.extents.size();
  if (c.from) {
    bool isGlobal = nest.arrays[*c.from].buffer->memory == Buffer::Global;
    dims = storedDims(isGlobal ? nest.arrays[*c.from] : buffer);
    erase_if(dims,
             [&](unsigned d) { return buffer.extents[d] == IndexExpr(1); });
    box.vector = buffer.buffer->layout.vector;
    if (box.vector != 1) {
      box.step = vectorText(buffer);
      if (!elementSize(buffer.elementType)) // is a constant of its own
        box.step = widths.at(box.step);
    }
  } else {
    std::optional<CopyRows> rows;
    auto vector =
        find_if(vectors, [&](const VectorCopy &v) { return v.copy == &c; });
    if (vector != vectors.end()) {
      rows = vector->rows;
      box.vector = vector->vector;
      box.step = widths.at(vectorText(buffer, helpers.aligned));
    } else if (buffer.buffer->memory == Buffer::Shared &&
               buffer.buffer->layout.vector == 1) {
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
  }
  return box;
}

//===----------------------------------------------------------------------===//
// The ends of the array
//===----------------------------------------------------------------------===//

std::vector<std::string> KernelBody::endsOf(const Copy &c, const CopyBox &box,
                                            const CopyPlace &p, unsigned d,
                                            const Scope &s) const {
  const Array &buffer = nest.arrays[c.buffer];
  const Array &of = nest.arrays[buffer.buffer->of];
  bool begins = isAlways({Constraint::NonNegative, c.base[d]}, s);
  IndexExpr room = of.extents[d] - c.base[d] - buffer.extents[d];
  bool ends = isAlways({Constraint::NonNegative, room}, s);
  std::vector<std::string> tests;
  if (box.isJoined && d == box.row->dim) {
    // Rows of rows: what is left of the array, in elements.
    std::string along = s.names.expr(p.along);
    auto elements = [&](const IndexExpr &rows) {
      std::string text = s.names.operand(s.names.fold(rows));
      if (!isSmall(of))
        text = "(" + s.names.offsetType() + ")" + text;
      for (size_t k = d + 1; k != of.extents.size(); ++k)
        text += " * " + (isSum(of.extents[k])
                             ? s.names.operand(of.extents[k])
                             : "(" + s.names.wide(of.extents[k]) + ")");
      return text;
    };
    if (!begins)
      tests.push_back(along + " >= " + elements(-c.base[d]));
    if (!ends)
      tests.push_back(along + " < " + elements(of.extents[d] - c.base[d]));
    return tests;
  }
  auto add = [&](IndexExpr e) {
    tests.push_back(
        s.names.compare({Constraint::NonNegative, s.names.fold(e)}));
  };
  IndexExpr at = c.base[d] + p.at[d];
  if (!begins)
    add(at);
  if (!ends)
    add(of.extents[d] - 1 - at);
  return tests;
}

/// The element of the array that belongs to a place.
std::vector<IndexExpr> KernelBody::sourceOf(const Copy &c, const CopyBox &box,
                                            const CopyPlace &p,
                                            const Names &names) const {
  std::vector<IndexExpr> there = p.at;
  for (size_t d = 0; d != there.size(); ++d)
    there[d] += c.base[d];
  if (box.isJoined)
    there.back() += p.along;
  for (IndexExpr &e : there)
    e = names.fold(e);
  return there;
}

/// The tests that the loops have not made.
std::string KernelBody::insideText(const Copy &c, const CopyBox &box,
                                   const CopyPlace &p, const Scope &s) const {
  std::vector<std::string> tests;
  size_t end = box.isJoined ? box.row->dim + 1 : p.at.size();
  for (unsigned d = 0; d != end; ++d)
    if (!p.isRowInside || d != box.row->dim)
      append_range(tests, endsOf(c, box, p, d, s));
  if (c.isStore) // what is stored was written
    return join(tests, " && ");
  Access source{nest.arrays[c.buffer].buffer->of, sourceOf(c, box, p, s.names)};
  if (std::string test = footprintTest(nest, source, s.names); !test.empty())
    tests.push_back(test);
  return join(tests, " && ");
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// `float4` for 4 floats; the helper that EmitCuda defines for other types.
static std::string vectorType(const Array &a, const std::string &count,
                              const std::string &helper) {
  bool hasName = is_contained({"float", "int", "double"}, a.elementType) &&
                 (count == "2" || (count == "4" && a.elementType != "double"));
  if (hasName)
    return a.elementType + count;
  return helper + "<" + a.elementType + ", " + count + ">";
}

std::string fillOf(const Array &buffer) {
  const std::string &fill = buffer.buffer->fill;
  return fill.empty() && !isFloating(buffer.elementType) ? "0" : fill;
}

/// How many elements an access of the copy may move: all of a vector, and one
/// where rows are not aligned.
static std::vector<int64_t> countsOf(const CopyBox &box, const Array &buffer) {
  if (box.step.empty())
    return {1};
  int64_t vector = buffer.buffer->layout.vector;
  return box.step == std::to_string(vector) ? std::vector<int64_t>{vector}
                                            : std::vector<int64_t>{vector, 1};
}

/// Whether devices have asynchronous copies of \p elements of \p buffer, as
/// far as their size is known.
static bool canBeAsync(const Array &buffer, int64_t elements) {
  std::optional<int64_t> size = elementSize(buffer.elementType);
  return !size || is_contained({4, 8, 16}, *size * elements);
}

/// Whether the copy runs while threads go on. Elements of one or two bytes are
/// copied at once: at the same place, into a buffer that nobody reads yet.
bool KernelBody::isAsync(const CopyBox &box, const Array &buffer) const {
  return buffer.buffer->layout.depth != 1 &&
         any_of(countsOf(box, buffer),
                [&](int64_t n) { return canBeAsync(buffer, n); });
}

std::string KernelBody::asyncText(const CopyBox &box, const Array &buffer,
                                  const std::string &to,
                                  const std::string &from) const {
  std::string bytes = (box.step.empty() ? "" : box.step + " * ") + "sizeof(" +
                      buffer.elementType + ")";
  bool isKnown = elementSize(buffer.elementType) &&
                 all_of(countsOf(box, buffer),
                        [&](int64_t n) { return canBeAsync(buffer, n); });
  if (isKnown)
    return "__pipeline_memcpy_async(" + to + ", " + from + ", " + bytes + ");";
  return helpers.ahead + "<" + bytes + ">(" + to + ", " + from + ");";
}

/// Between buffers.
void KernelBody::printMove(const Copy &c, const CopyBox &box,
                           const CopyPlace &p, const Scope &s) {
  const Array &buffer = nest.arrays[c.buffer];
  std::vector<IndexExpr> there = p.at;
  for (size_t d = 0; d != there.size(); ++d)
    there[d] += c.base[d] - fillings.at(*c.from).copy->base[d];
  std::string target = place(c.buffer, p.at, s.names);
  std::string source = place(*c.from, there, s.names);
  if (c.isStore)
    std::swap(target, source);
  if (isAsync(box, buffer)) {
    line(s) << asyncText(box, buffer, "&" + target, "&" + source) << "\n";
    return;
  }
  if (!box.step.empty()) {
    std::string type = vectorType(buffer, box.step, helpers.vector);
    target = "*(" + type + " *)&" + target;
    source = "*(const " + type + " *)&" + source;
  }
  line(s) << target << " = " << source << ";\n";
}

/// What an access of a copy moves, as C: an element in memory and its place in
/// the buffer, or as many as `box.step` says.
KernelBody::Sides KernelBody::sidesOf(const Copy &c, const CopyBox &box,
                                      const CopyPlace &p,
                                      const Names &names) const {
  const Array &buffer = nest.arrays[c.buffer];
  std::vector<IndexExpr> here = p.at;
  bool isLinear = isFlat(nest, buffer);
  if (box.isJoined && isLinear)
    here[storedDims(buffer).back()] += p.along;
  Sides sides;
  sides.memory = accessText(
      nest, Access{buffer.buffer->of, sourceOf(c, box, p, names)}, names);
  sides.buffer = place(c.buffer, here, names);
  sides.address = "&" + sides.buffer;
  bool isSum = box.isJoined && !isLinear;
  if (isSum) {
    sides.address += " + " + names.expr(p.along);
    sides.buffer = "(&" + sides.buffer + ")[" + names.expr(p.along) + "]";
  }
  if (box.step.empty())
    return sides;
  sides.vector =
      helpers.vector + "<" + buffer.elementType + ", " + box.step + ">";
  std::string qualifier = c.isStore ? "const " : "";
  sides.buffer = "*(" + qualifier + sides.vector + " *)" +
                 (isSum ? "(" + sides.address + ")" : sides.address);
  return sides;
}

/// One element of the box, or as many as an access moves.
void KernelBody::printElement(const Copy &c, const CopyBox &box,
                              const CopyPlace &p, const Scope &s) {
  if (c.from)
    return printMove(c, box, p, s);
  const Array &buffer = nest.arrays[c.buffer];
  Sides sides = sidesOf(c, box, p, s.names);
  std::string inside = insideText(c, box, p, s);
  std::string indent = inside.empty() ? "" : "  ";
  if (c.isStore) {
    if (!inside.empty())
      line(s) << "if (" << inside << ")\n";
    if (!sides.vector.empty())
      sides.memory = "*(" + sides.vector + " *)&" + sides.memory;
    line(s) << indent << sides.memory << " = " << sides.buffer << ";\n";
    return;
  }
  std::string fill = fillOf(buffer);
  const bool isAsync = this->isAsync(box, buffer);
  if (const std::string &type = sides.vector; !type.empty()) {
    if (!isAsync)
      sides.memory = "*(const " + type + " *)&" + sides.memory;
    if (isZeroText(fill)) // as a vector without values is
      fill = type + "{}";
    else if (!fill.empty())
      fill = helpers.vector + "_of<" + buffer.elementType + ", " + box.step +
             ">(" + fill + ")";
  }
  if (!isAsync && !inside.empty() && !fill.empty()) {
    line(s) << sides.buffer << " = " << inside << " ? " << sides.memory << " : "
            << fill << ";\n";
    return;
  }
  if (!inside.empty())
    line(s) << "if (" << inside << ")\n";
  if (isAsync)
    line(s) << indent
            << asyncText(box, buffer, sides.address, "&" + sides.memory)
            << "\n";
  else
    line(s) << indent << sides.buffer << " = " << sides.memory << ";\n";
  if (isAsync && !inside.empty() && !fill.empty()) {
    line(s) << "else\n";
    line(s) << "  " << sides.buffer << " = " << fill << ";\n";
  }
}

} // namespace convopt::emit
