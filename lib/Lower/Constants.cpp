//===- Constants.cpp - Buffers in constant memory -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostBuffers.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Target/Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::lower {

std::string constantName(const Context &c, const Array &a) {
  return c.name("_") + a.name;
}

/// A template's type may be any; none of arithmetic is larger.
static int64_t sizeOf(const Array &a) {
  return elementSize(a.elementType).value_or(8);
}

/// The bytes that \p a takes, where they are constant.
static std::optional<int64_t> bytesOf(const Nest &nest, const Array &a) {
  std::optional<int64_t> elements = constantElements(nest, a);
  if (!elements)
    return std::nullopt;
  return std::min<int64_t>(*elements, INT32_MAX) * sizeOf(a);
}

static bool isConstant(const Array &a) {
  return a.buffer && a.buffer->memory == Buffer::Constant;
}

Error checkConstants(const Nest &nest, const Gpu &gpu, int64_t available) {
  int64_t all = 0;
  for (const Array &a : nest.arrays) {
    if (!isConstant(a))
      continue;
    all += alignTo(bytesOf(nest, a).value_or(0), AccessBytes);
    if (all > available)
      return refuse(
          "limit",
          "with '" + a.name + "', the file would have " + std::to_string(all) +
              " bytes of constant memory, of which there are " +
              std::to_string(available) +
              (available == gpu.constantBytes ? "" : " for each kernel"),
          a.range,
          "stage it in global or shared memory, or a slice at a "
          "time: strip-mine a loop that indexes it, map the outer "
          "one to launch and stage it there");
  }
  return Error::success();
}

std::vector<ConstantArray> constantArrays(const Context &c, int64_t available) {
  int64_t left = available, open = 0;
  for (const Array &a : c.nest.arrays) {
    if (!isConstant(a))
      continue;
    std::optional<int64_t> bytes = bytesOf(c.nest, a);
    left -= alignTo(bytes.value_or(0), AccessBytes);
    open += !bytes;
  }
  std::vector<ConstantArray> all;
  for (const Copy *copy : copiesTo(c.nest, c.mapping, Buffer::Constant)) {
    const Array &a = c.nest.arrays[copy->buffer];
    int64_t bytes = bytesOf(c.nest, a).value_or(open ? left / open : 0);
    bool isKnown = elementSize(a.elementType).has_value();
    all.push_back(
        {isKnown ? a.elementType : "unsigned char", constantName(c, a),
         isKnown ? bytes / sizeOf(a) : int64_t(alignDown(bytes, AccessBytes))});
  }
  return all;
}

bool isDirect(const Nest &nest, const Copy &copy) {
  const Array &buffer = nest.arrays[copy.buffer];
  const Array &of = nest.arrays[buffer.buffer->of];
  auto isSame = [&](size_t d) {
    return copy.base[d].isZero() && nest.expandDefinitions(buffer.extents[d]) ==
                                        nest.expandDefinitions(of.extents[d]);
  };
  if (!buffer.buffer->isDense() || !of.footprint.empty() ||
      !StorageMap(nest, buffer).liesAsArray(0))
    return false;
  for (size_t d = 1; d < copy.base.size(); ++d)
    if (!isSame(d))
      return false;
  std::vector<const Loop *> hostLoops = loops(nest);
  erase_if(hostLoops, [](const Loop *l) { return !isHost(l->kind); });
  // A slice that passes the end has nothing there that counts.
  return copy.base.empty() || isSame(0) ||
         (buffer.buffer->fill.empty() && copy.base[0].usesLoops() &&
          isProvablyNonNegative(nest, copy.base[0], hostLoops));
}

void fillConstant(const Context &c, const HostBuffer &buffer,
                  const ArrayArgument &of, Names &names, const Expr &error,
                  const Expr &stream, Block &b) {
  const Array &a = *buffer.array;
  Expr from = buffer.memory, elements = buffer.elements;
  const std::vector<IndexExpr> &base = buffer.copy->base;
  if (isDirect(c.nest, *buffer.copy)) {
    from = of.pointer;
    if (!base.empty() && !base[0].isZero()) {
      std::vector<Expr> inRow;
      for (const IndexExpr &e : drop_begin(of.array->extents))
        inRow.push_back(names.wideValue(e));
      Expr first = variable(wide("size_t"), names.fresh(a.name + "_first"),
                            /*isConst=*/true);
      define(b, first,
             Expr::cast(wide("size_t"), names.value(base[0])) *
                 elementCount(c, inRow));
      from = from + first;
      elements = Expr::call({program::Callee::Min, ""},
                            {elements, of.elements - first});
    }
  }
  step(b, error,
       call("cudaMemcpyToSymbolAsync",
            {known(constantName(c, a)), from, bytesOf(elements, a.elementType),
             0, known("cudaMemcpyDeviceToDevice"), stream}),
       Expr::binary(program::Op::NotEqual, buffer.elements, 0));
}

} // namespace convopt::lower

bool convopt::usesConstants(const Nest &nest) {
  return any_of(nest.arrays, lower::isConstant);
}
