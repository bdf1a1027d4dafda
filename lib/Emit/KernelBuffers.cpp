//===- KernelBuffers.cpp - Where buffers lie ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "SharedMemory.h"
#include "Text.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Target/Swizzle.h"
#include "convopt/Transforms/Footprint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::emit {

void KernelBody::printWidths(const Scope &s) {
  for (const auto &[width, name] : widths)
    line(s) << "constexpr int " << name << " = " << width
            << "; // elements that an access copies\n";
}

/// `__align__(16) `, where accesses of the array \p a need it.
std::string KernelBody::alignmentOf(const Array &a) const {
  const BufferLayout &layout = a.buffer->layout;
  if (layout.engine == BufferLayout::Tensor)
    return "__align__(" + std::to_string(TensorAlignment) + ") ";
  const bool isOtherSide = any_of(fillings, [&](const auto &f) {
    const Copy &c = *f.second.copy;
    return c.from && &nest.arrays[*c.from] == &a &&
           nest.arrays[c.buffer].buffer->layout.vector != 1;
  });
  bool isByVectors = layout.pitch != 1 || layout.vector != 1 || isOtherSide;
  return isByVectors ? "__align__(16) " : "";
}

void KernelBody::printSharedBuffers(const Scope &s) {
  SharedMemory shared = findSharedMemory(nest);
  if (shared.buffers.empty())
    return;
  std::string region;
  if (shared.isDynamic) {
    // An extern array is one in the whole file, whatever scope declares it.
    region = root.fresh(nest.function.name + "_shared");
    line(s) << "extern __shared__ __align__(" << sharedAlignment(nest)
            << ") unsigned char " << region << "[];\n";
  }
  for (size_t k = 0; k != shared.buffers.size(); ++k) {
    const Array &a = nest.arrays[shared.buffers[k]];
    bool isPointer = shared.isDynamic && isFlat(nest, a);
    std::string type = a.elementType;
    std::string extents = isPointer ? "" : extentsText(a, s.names);
    if (std::string box = boxType(shared.buffers[k]); !box.empty()) {
      size_t boxes = extents.find(']') + 1;
      line(s) << "struct " << alignmentOf(a) << box << " {\n";
      line(s) << "  " << type << " at" << extents.substr(boxes) << ";\n";
      line(s) << "};\n";
      type = box;
      extents.resize(boxes);
    }
    if (!shared.isDynamic) {
      line(s) << "__shared__ " << (type == a.elementType ? alignmentOf(a) : "")
              << type << ' ' << a.name << extents << ";\n";
      continue;
    }
    std::string at = bytesText(nest, shared, s.names, k);
    std::string place = k ? "(" + region + " + " + at + ")" : region;
    if (isPointer)
      line(s) << type << " *" << a.name << " = (" << type << " *)" << place
              << ";\n";
    else
      line(s) << "auto &" << a.name << " = *(" << type << " (*)" << extents
              << ")" << place << ";\n";
  }
}

/// What is declared for \p buffer where its boxes have room between them.
std::string KernelBody::boxType(unsigned buffer) const {
  auto found = bulkBuffers.find(buffer);
  return found == bulkBuffers.end() ? "" : found->second.box;
}

/// `[2][8][132]`
std::string KernelBody::extentsText(const Array &a, const Names &names) const {
  if (a.buffer->layout.linear != 1)
    return "[" + std::to_string(*constantElements(nest, a)) + "]";
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
  out << alignmentOf(a) << a.elementType << ' ' << a.name
      << extentsText(a, s.names) << ";\n";
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

/// The number of the row, modulo \p period, in which \p at lies: what comes
/// outside of the rows that it goes round in is left out.
static IndexExpr rowOf(const Nest &nest, const Array &a,
                       const std::vector<IndexExpr> &at, int64_t period) {
  std::vector<unsigned> dims = storedDims(a);
  IndexExpr row, stride(1);
  for (unsigned d : reverse(ArrayRef(dims).drop_back())) {
    row += stride * at[d];
    stride = stride * nest.expandDefinitions(a.extents[d]);
    if (std::optional<int64_t> constant = stride.asConstant())
      stride = *constant % period;
  }
  return row;
}

/// `x ^ 4 * (y & 7)`: the column of \p at in a swizzled row.
static std::string swizzledText(const Nest &nest, const Array &a,
                                const std::vector<IndexExpr> &at,
                                const Names &names) {
  const unsigned last = storedDims(a).back();
  std::optional<int64_t> length =
      nest.expandDefinitions(allocatedExtent(nest, a, last)).asConstant();
  const int64_t unit = a.buffer->layout.swizzle;
  const Swizzle s = swizzleOf(length.value_or(unit), unit,
                              elementSize(a.elementType).value_or(4));
  IndexExpr column = names.fold(at[last]);
  IndexExpr row = rowOf(nest, a, at, s.units * s.rows);
  if (std::optional<int64_t> number = row.asConstant()) {
    const int64_t turn = s.column(*number, 0);
    std::optional<int64_t> constant = column.asConstant();
    if (constant || turn == 0)
      return constant ? std::to_string(*constant ^ turn) : names.expr(column);
    return names.operand(column) + " ^ " + std::to_string(turn);
  }
  std::string turn = names.operand(names.fold(row));
  if (s.rows != 1)
    turn += " >> " + std::to_string(Log2_64(s.rows));
  turn += " & " + std::to_string(s.units - 1);
  if (column.isZero() && unit == 1)
    return turn;
  turn = (unit == 1 ? "(" : std::to_string(unit) + " * (") + turn + ")";
  return column.isZero() ? turn : names.operand(column) + " ^ " + turn;
}

std::string KernelBody::place(unsigned buffer, const std::vector<IndexExpr> &at,
                              const Names &names) const {
  const Array &a = nest.arrays[buffer];
  // Places are not negative, so the coordinates may stay unsigned; but not
  // beside quotients, which are wider, and not in constant memory: offsets of
  // constants come into the instruction only where no sum can wrap round.
  Names plain = names;
  bool isSigned =
      a.buffer->memory == Buffer::Constant ||
      llvm::any_of(at, [](const IndexExpr &e) { return e.hasQuotient(); });
  for (unsigned id : threadLoops) {
    if (isSigned)
      break;
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
  if (!boxType(buffer).empty())
    text += ".at";
  std::vector<unsigned> dims = storedDims(a);
  auto addDim = [&](unsigned d, IndexExpr index, const std::string &extent) {
    index = plain.fold(index);
    bool isWide = isInGlobalMemory(a) && !isSmall(a) && d != dims.back() &&
                  (flat.empty() || flat == "0") && !index.isZero();
    add(isWide ? "(" + plain.offsetType() + ")" + plain.operand(index)
               : plain.expr(index),
        extent);
  };
  int64_t block = a.buffer->layout.block;
  bool isBlocked = block != 1 && !dims.empty();
  IndexExpr within;
  if (isBlocked) {
    within = placeInBlock(nest, at[dims.back()], block);
    addDim(dims.back(),
           IndexExpr::floorDiv(at[dims.back()] - within, IndexExpr(block)), "");
  }
  const bool isSwizzled = a.buffer->layout.swizzle != 0 && !dims.empty();
  for (unsigned d : dims)
    if ((!isBlocked && !isSwizzled) || d != dims.back())
      addDim(d, at[d], allocatedText(nest, a, d, plain));
  if (isBlocked)
    addDim(dims.back(), within, std::to_string(block));
  if (isSwizzled) {
    std::string column = swizzledText(nest, a, at, plain);
    add(isFlat && StringRef(column).contains(' ') ? "(" + column + ")" : column,
        allocatedText(nest, a, dims.back(), plain));
  }
  if (text.empty())
    return isFlat ? "*" + a.name : a.name;
  return a.name + (isFlat ? "[" + flat + "]" : text);
}

/// How often the loop of the buffer's copy has come round, as a factor in C.
std::string KernelBody::roundText(unsigned buffer, const Names &names) const {
  const Loop &l = *fillings.at(buffer).loop;
  if (l.lower.size() == 1 && l.lower[0].divisor == 1)
    return names.operand(IndexExpr::loop(l.id) - l.lower[0].expr);
  std::string first = lowerText(l, names);
  if (l.lower.size() == 1) // a quotient
    first = "(" + first + ")";
  return "(" + names(loopVar(l.id)) + " - " + first + ")";
}

/// `n % 2`: which of the boxes that the buffer holds is the current one.
std::string KernelBody::stageText(unsigned buffer, const Names &names) const {
  return roundText(buffer, names) + " % " +
         std::to_string(nest.arrays[buffer].buffer->layout.depth);
}

} // namespace convopt::emit
