//===- KernelCopy.cpp - Filling of buffers --------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "SharedMemory.h"
#include "Text.h"
#include "convopt/Transforms/Bounds.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::emit {

/// A loop nest over some dimensions of a box, the last the fastest, dealt out
/// to the threads of some dimensions of the block.
struct CopyLoops {
  std::vector<unsigned> dims;
  std::vector<IndexExpr> extents;
  std::vector<std::string> names;
  std::vector<unsigned> threads; // block dimensions, fastest first
  bool unrolled = false;
  int64_t vector = 1; // elements of a row that an access moves
};

/// `threadIdx.x + 32 * threadIdx.y`; none where there is one thread.
static std::string threadText(const Mapping &m, ArrayRef<unsigned> dimensions) {
  std::string text;
  int64_t stride = 1;
  for (unsigned d : dimensions) {
    if (m.blockDim[d] == 1)
      continue;
    text += (text.empty() ? "" : " + ") +
            (stride == 1 ? "" : std::to_string(stride) + " * ") + "threadIdx." +
            dimensionName(d);
    stride *= m.blockDim[d];
  }
  return text;
}

static int64_t threadCount(const Mapping &m, ArrayRef<unsigned> dimensions) {
  int64_t count = 1;
  for (unsigned d : dimensions)
    count *= m.blockDim[d];
  return count;
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

void KernelBody::printSharedBuffers(const Scope &s) {
  SharedMemory shared = findSharedMemory(nest);
  if (shared.buffers.empty())
    return;
  std::string region;
  if (shared.isDynamic) {
    // An extern array is one in the whole file, whatever scope declares it.
    region = root.fresh(nest.function.name + "_shared");
    line(s) << "extern __shared__ __align__(16) unsigned char " << region
            << "[];\n";
  }
  for (size_t k = 0; k != shared.buffers.size(); ++k) {
    const Array &a = nest.arrays[shared.buffers[k]];
    if (!shared.isDynamic) {
      line(s) << "__shared__ ";
      printDeclarator(a, s);
      continue;
    }
    std::string at = bytesText(nest, shared, s.names, k);
    std::string place = k ? "(" + region + " + " + at + ")" : region;
    if (isFlat(nest, a))
      line(s) << a.elementType << " *" << a.name << " = (" << a.elementType
              << " *)" << place << ";\n";
    else
      line(s) << "auto &" << a.name << " = *(" << a.elementType << " (*)"
              << extentsText(a, s.names) << ")" << place << ";\n";
  }
}

/// `[2][8][132]`
std::string KernelBody::extentsText(const Array &a, const Names &names) const {
  int64_t depth = a.buffer->layout.depth;
  std::string text = depth == 1 ? "" : "[" + std::to_string(depth) + "]";
  for (unsigned d : storedDims(a)) {
    std::string extent = allocatedText(nest, a, d, names);
    StringRef bare = extent;
    if (bare.consume_front("("))
      bare.consume_back(")");
    text += ("[" + bare + "]").str();
  }
  return text;
}

/// `__align__(16) float inputs_s[2][8][132];`
void KernelBody::printDeclarator(const Array &a, const Scope &s) {
  const BufferLayout &layout = a.buffer->layout;
  if (layout.pitch != 1)
    out << "__align__(16) ";
  out << a.elementType << ' ' << a.name << extentsText(a, s.names) << ";\n";
}

std::string KernelBody::place(unsigned buffer, const std::vector<IndexExpr> &at,
                              const Names &names) const {
  const Array &a = nest.arrays[buffer];
  // Places are not negative, so the coordinates may stay unsigned.
  Names plain = names;
  for (unsigned id : threadLoops) {
    std::string bound = plain(loopVar(id));
    StringRef text = bound;
    if (text.consume_front("(int)"))
      plain.bind(loopVar(id), text.str());
  }
  bool isFlat = emit::isFlat(nest, a);
  std::string text, flat;
  auto add = [&](const std::string &index, const std::string &extent) {
    text += "[" + index + "]";
    bool isSum =
        StringRef(flat).contains(" + ") || StringRef(flat).contains(" - ");
    if (flat == "0")
      flat.clear();
    if (!flat.empty())
      flat = (isSum ? "(" + flat + ")" : flat) + " * " + extent;
    if (flat.empty())
      flat = index;
    else if (index != "0")
      flat += " + " + index;
  };
  if (a.buffer->layout.depth != 1)
    add(stageText(buffer, names), "");
  std::vector<unsigned> dims = storedDims(a);
  for (unsigned d : dims) {
    IndexExpr index = plain.fold(at[d]);
    bool isWide = isInGlobalMemory(a) && !isSmall(a) && d != dims.back() &&
                  (flat.empty() || flat == "0") && !index.isZero();
    add(isWide ? "(" + plain.offsetType() + ")" + plain.operand(index)
               : plain.expr(index),
        allocatedText(nest, a, d, plain));
  }
  if (text.empty())
    return isFlat ? "*" + a.name : a.name;
  return a.name + (isFlat ? "[" + flat + "]" : text);
}

/// `n % 2`: which of the boxes that the buffer holds is the current one.
std::string KernelBody::stageText(unsigned buffer, const Names &names) const {
  const Loop &l = *fillings.at(buffer).loop;
  IndexExpr round = IndexExpr::loop(l.id) - l.lower[0].expr;
  return names.operand(round) + " % " +
         std::to_string(nest.arrays[buffer].buffer->layout.depth);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

std::string coordinateName(const Nest &nest, unsigned array, unsigned dim) {
  for (const StatementPath &p : statements(nest))
    for (const Operand &o : p.statement->operands) {
      if (o.kind != Operand::Read || o.access.array != array)
        continue;
      for (unsigned id : p.statement->iterators)
        if (o.access.subscripts[dim].uses(loopVar(id)))
          return nest.loopNames[id] + "_s";
    }
  return nest.arrays[array].name + "_s";
}

std::vector<Constraint> KernelBody::endsOf(const Copy &c,
                                           const std::vector<IndexExpr> &at,
                                           const Scope &s) const {
  const Array &buffer = nest.arrays[c.buffer];
  const Array &of = nest.arrays[buffer.buffer->of];
  std::vector<Constraint> ends;
  for (size_t d = 0; d != at.size(); ++d) {
    if (!isAlways({Constraint::NonNegative, c.base[d]}, s))
      ends.push_back({Constraint::NonNegative, at[d]});
    IndexExpr room = of.extents[d] - c.base[d] - buffer.extents[d];
    if (!isAlways({Constraint::NonNegative, room}, s))
      ends.push_back({Constraint::NonNegative, of.extents[d] - 1 - at[d]});
  }
  for (Constraint &end : ends)
    end.expr = s.names.fold(end.expr);
  return ends;
}

/// `float4` for 4 floats; the helper that EmitCuda defines for other types.
static std::string vectorType(const Array &a, const std::string &helper) {
  int64_t n = a.buffer->layout.vector;
  bool hasName = is_contained({"float", "int", "double"}, a.elementType) &&
                 (n == 2 || (n == 4 && a.elementType != "double"));
  if (hasName)
    return a.elementType + std::to_string(n);
  return helper + "<" + a.elementType + ", " + std::to_string(n) + ">";
}

/// One element of the box, or as many as an access moves, at \p at in the
/// buffer.
void KernelBody::printElement(const Copy &c, const std::vector<IndexExpr> &at,
                              const Scope &s) {
  const Array &buffer = nest.arrays[c.buffer];
  std::vector<IndexExpr> element;
  for (size_t d = 0; d != at.size(); ++d)
    element.push_back(c.base[d] + at[d]);
  std::string target = place(c.buffer, at, s.names);
  if (c.from) {
    for (size_t d = 0; d != at.size(); ++d)
      element[d] -= fillings.at(*c.from).copy->base[d];
    std::string source = place(*c.from, element, s.names);
    if (buffer.buffer->layout.depth != 1) {
      int64_t vector = buffer.buffer->layout.vector;
      line(s) << "__pipeline_memcpy_async(&" << target << ", &" << source
              << ", " << (vector == 1 ? "" : std::to_string(vector) + " * ")
              << "sizeof(" << buffer.elementType << "));\n";
      return;
    }
    if (buffer.buffer->layout.vector != 1) {
      std::string type = vectorType(buffer, vectorHelper);
      target = "*(" + type + " *)&" + target;
      source = "*(const " + type + " *)&" + source;
    }
    line(s) << target << " = " << source << ";\n";
    return;
  }
  std::vector<Constraint> ends = endsOf(c, element, s);
  for (IndexExpr &e : element)
    e = s.names.fold(e);
  std::string source =
      accessText(nest, Access{buffer.buffer->of, element}, s.names);
  std::string fill = buffer.buffer->fill;
  // What is not there is read by threads whose results nobody takes: any value
  // of a floating type will do, but some of other types are undefined.
  if (fill.empty() && !isFloating(buffer.elementType))
    fill = "0";
  std::string inside = s.names.conjunction(ends);
  if (buffer.buffer->layout.depth != 1) {
    std::string indent = ends.empty() ? "" : "  ";
    if (!ends.empty())
      line(s) << "if (" << inside << ")\n";
    line(s) << indent << "__pipeline_memcpy_async(&" << target << ", &"
            << source << ", sizeof(" << buffer.elementType << "));\n";
    if (!ends.empty() && !fill.empty()) {
      line(s) << "else\n";
      line(s) << "  " << target << " = " << fill << ";\n";
    }
  } else if (ends.empty()) {
    line(s) << target << " = " << source << ";\n";
  } else if (fill.empty()) {
    line(s) << "if (" << inside << ")\n";
    line(s) << "  " << target << " = " << source << ";\n";
  } else {
    line(s) << target << " = " << inside << " ? " << source << " : " << fill
            << ";\n";
  }
}

/// How many vectors a row of \p extent elements takes.
static std::string vectorsText(const IndexExpr &extent, int64_t vector,
                               const Names &names) {
  if (auto constant = extent.asConstant())
    return std::to_string((*constant + vector - 1) / vector);
  return "((" + names.expr(extent + (vector - 1)) + ") / " +
         std::to_string(vector) + ")";
}

/// Opens the loops of \p loops and binds its coordinates in \p s.
void KernelBody::printCopyLoops(const CopyLoops &loops, Scope &s,
                                std::vector<IndexExpr> &at) {
  std::string first = threadText(mapping, loops.threads);
  int64_t threads = threadCount(mapping, loops.threads);
  auto open = [&](const std::string &name, const std::string &extent,
                  int64_t vector) {
    int64_t step = threads * vector;
    std::string start = first.empty() ? "0" : first;
    if (vector != 1 && threads != 1)
      start = "(" + start + ") * " + std::to_string(vector);
    if (loops.unrolled)
      out << "#pragma unroll\n";
    line(s) << "for (int " << name << " = " << start << "; " << name << " < "
            << extent << "; "
            << (step == 1 ? "++" + name : name + " += " + std::to_string(step))
            << ") {\n";
    ++s.indent;
  };
  if (threads == 1 || loops.dims.size() == 1) {
    for (size_t k = 0; k != loops.dims.size(); ++k) {
      Var v = s.names.variable(loops.names[k]);
      bool isRow = k + 1 == loops.dims.size();
      open(s.names(v), s.names.expr(loops.extents[k]),
           isRow ? loops.vector : 1);
      at[loops.dims[k]] = IndexExpr::of(v);
    }
    return;
  }
  std::string all;
  std::vector<std::string> extents; // the last in vectors
  for (const IndexExpr &e : loops.extents) {
    extents.push_back(s.names.operand(e));
    if (loops.vector != 1 && extents.size() == loops.extents.size())
      extents.back() = vectorsText(e, loops.vector, s.names);
    all += (all.empty() ? "" : " * ") + extents.back();
  }
  std::string flat = s.names.fresh("k");
  open(flat, all, 1);
  std::string rest = flat;
  for (size_t k = loops.dims.size(); k-- != 0;) {
    Var v = s.names.variable(loops.names[k]);
    const std::string &extent = extents[k];
    std::string place = k ? rest + " % " + extent : rest;
    if (loops.vector != 1 && k + 1 == loops.dims.size())
      place += " * " + std::to_string(loops.vector);
    declare(s, s.names(v), place);
    at[loops.dims[k]] = IndexExpr::of(v);
    rest += " / " + extent;
  }
}

/// Whether threads along x, or all of them, go through the last dimension: a
/// division a row is cheaper than one an element, unless many threads along x
/// would have no part in a row.
static bool dealsOutRows(const Nest &nest, const Mapping &m,
                         const CopyLoops &box) {
  int64_t threads = m.blockDim[0];
  if (box.dims.size() < 2 || threads == 1)
    return false;
  const IndexExpr &row = box.extents.back();
  std::optional<int64_t> columns = nest.expandDefinitions(row).asConstant();
  if (!columns)
    return !isCompileTime(nest, row) &&
           isProvablyNonNegative(nest, row - threads, {});
  return 4 * ((*columns + threads - 1) / threads * threads) <= 5 * *columns;
}

void KernelBody::printCopy(const Copy &c, const Scope &outer) {
  const Array &buffer = nest.arrays[c.buffer];
  Scope s = outer;
  CopyLoops box;
  bool isShared = buffer.buffer->memory == Buffer::Shared;
  // The order of the array makes reads of global memory contiguous; between
  // buffers, that of the storage lets vectors move along a row.
  std::vector<unsigned> dims;
  if (c.from && nest.arrays[*c.from].buffer->memory == Buffer::Global) {
    for (unsigned d : storedDims(nest.arrays[*c.from]))
      if (buffer.extents[d] != IndexExpr(1))
        dims.push_back(d);
  } else if (c.from)
    dims = storedDims(buffer);
  else
    for (unsigned d = 0; d != buffer.extents.size(); ++d)
      if (buffer.extents[d] != IndexExpr(1))
        dims.push_back(d);
  for (unsigned d : dims) {
    box.dims.push_back(d);
    box.extents.push_back(buffer.extents[d]);
    box.names.push_back(coordinateName(nest, buffer.buffer->of, d));
  }
  std::vector<IndexExpr> at(buffer.extents.size(), IndexExpr(0));
  size_t mark = declarations.size();
  box.unrolled = !isShared;
  box.vector = c.from ? buffer.buffer->layout.vector : 1;
  if (isShared)
    box.threads = {0, 1, 2};
  if (isShared && dealsOutRows(nest, mapping, box)) {
    CopyLoops columns{
        {box.dims.back()}, {box.extents.back()}, {box.names.back()}, {0}};
    columns.vector = box.vector;
    CopyLoops rows = box;
    rows.dims.pop_back();
    rows.extents.pop_back();
    rows.names.pop_back();
    rows.threads = {1, 2};
    rows.vector = 1;
    printCopyLoops(rows, s, at);
    printCopyLoops(columns, s, at);
  } else if (isShared && box.dims.empty()) {
    line(s) << "if (" << threadText(mapping, box.threads) << " == 0) {\n";
    ++s.indent;
  } else {
    printCopyLoops(box, s, at);
  }
  printElement(c, at, s);
  endScope(mark);
  while (s.indent != outer.indent) {
    --s.indent;
    line(s) << "}\n";
  }
}

} // namespace convopt::emit
