//===- HostSlices.cpp - What a stream's launch uses of host arrays --------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCopies.h"
#include "Reach.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/OptionalArrays.h"
#include "convopt/Transforms/Footprint.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

namespace {
/// Elements from `least` to `greatest` in each dimension, and the loops inside
/// of the streams that they vary with.
struct Touched {
  std::vector<IndexExpr> least, greatest;
  std::vector<const Loop *> varying;
};
} // namespace

/// All that the nest touches of \p array; none where some of it is used outside
/// of \p streams, as by what the launcher packs before.
static std::optional<std::vector<Touched>>
accessesOf(const Nest &nest, unsigned array, const Loop &streams) {
  std::vector<Touched> all;
  bool outside = false;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    std::vector<const Loop *> varying;
    bool isInside = false;
    for (const Loop *l : select<Loop>(enclosing)) {
      if (isInside)
        varying.push_back(l);
      isInside |= l == &streams;
    }
    if (const auto *copy = dyn_cast<Copy>(&n)) {
      const Array &buffer = nest.arrays[copy->buffer];
      if (copy->from || buffer.buffer->of != array)
        return;
      // No box of the array.
      if (buffer.buffer->unfolding || buffer.buffer->fill == AtBorder) {
        outside = true;
        return;
      }
      std::vector<IndexExpr> last;
      for (size_t d = 0; d != copy->base.size(); ++d)
        last.push_back(copy->base[d] + reachOf(buffer, d));
      all.push_back({copy->base, last, varying});
      outside |= !isInside;
    }
    const auto *s = dyn_cast<Statement>(&n);
    if (!s)
      return;
    auto add = [&](const Access &a) {
      if (a.array != array || a.buffer)
        return;
      std::vector<IndexExpr> element;
      for (const IndexExpr &e : a.subscripts)
        element.push_back(overCurrentLoops(*s, e));
      all.push_back({element, element, varying});
      outside |= !isInside;
    };
    for (const Access *a : accessesOf(*s))
      add(*a);
    outside |= any_of(s->operands, [&](const Operand &o) {
      return o.access.array == array && o.otherwise == AtBorder;
    });
  });
  if (outside || all.empty())
    return std::nullopt;
  return all;
}

/// The values of \p e in one iteration of \p streams. Of a loop's upper bounds
/// rangeOf takes the constant one; where strips of another length are around
/// it, as blocks of 32 in a strip of 100, the other one leaves less.
static std::optional<Range> valuesOf(const Nest &nest, const IndexExpr &e,
                                     std::vector<const Loop *> varying,
                                     const Loop &streams) {
  std::optional<Range> best = rangeOf(nest, e, varying);
  std::vector<std::shared_ptr<Loop>> kept;
  for (const Loop *&l : varying) {
    auto open = std::make_shared<Loop>(*l);
    erase_if(open->upper, [&](const Bound &b) {
      return constantValue(nest, b).has_value();
    });
    if (open->upper.empty() || open->upper.size() == l->upper.size())
      continue;
    const Loop *before = std::exchange(l, open.get());
    std::optional<Range> range = rangeOf(nest, e, varying);
    bool isLess =
        range &&
        (!best || isProvablyNonNegative(nest, best->greatest - range->greatest,
                                        {&streams}));
    if (!isLess) {
      l = before;
      continue;
    }
    best = range;
    kept.push_back(std::move(open));
  }
  return best;
}

/// The rows along dimension \p dim that one iteration touches.
static std::optional<Range> rowsOf(const Nest &nest, ArrayRef<Touched> all,
                                   unsigned dim, const Loop &streams) {
  std::optional<Range> rows;
  for (const Touched &t : all) {
    std::optional<Range> low = valuesOf(nest, t.least[dim], t.varying, streams);
    std::optional<Range> high =
        valuesOf(nest, t.greatest[dim], t.varying, streams);
    if (!low || !high)
      return std::nullopt;
    Range both{low->least, high->greatest};
    if (rows) {
      std::optional<Range> wider = hull(nest, *rows, both);
      if (!wider)
        return std::nullopt;
      both = *wider;
    }
    rows = both;
  }
  return rows;
}

static std::optional<HostSlice> sliceOf(const Nest &nest, const Argument &a,
                                        const Loop &streams) {
  const Array &array = nest.arrays[a.index];
  if ((array.role != Array::Input && array.role != Array::Output) ||
      !touchedUnder(nest, a.index).empty() || asksVariously(nest, a.index))
    return std::nullopt;
  unsigned dim = 0;
  while (dim != array.extents.size() &&
         nest.expandDefinitions(array.extents[dim]) == IndexExpr(1))
    ++dim;
  std::optional<std::vector<Touched>> all = accessesOf(nest, a.index, streams);
  if (!all || dim == array.extents.size())
    return std::nullopt;
  std::optional<Range> rows = rowsOf(nest, *all, dim, streams);
  Var v = loopVar(streams.id);
  if (!rows || (!rows->least.uses(v) && !rows->greatest.uses(v)))
    return std::nullopt;
  auto next = [&](const IndexExpr &e) {
    return e.substitute(v, IndexExpr::of(v) + 1);
  };
  auto holds = [&](const IndexExpr &e) {
    return isProvablyNonNegative(nest, e, {&streams});
  };
  HostSlice slice{&a, &array, dim, rows->least, rows->greatest + 1};
  slice.overlaps = !holds(next(slice.first) - slice.end);
  bool movesOn = holds(next(slice.first) - slice.first) &&
                 holds(next(slice.end) - slice.end);
  if (slice.overlaps && (slice.isOutput() || !movesOn))
    return std::nullopt;
  return slice;
}

bool beginsAtBase(const Context &c, unsigned array) {
  const std::vector<SubscriptRange> &box = c.boxes(array).touched;
  return box.empty() ? isReached(c.source, End::First, array,
                                 reachesOf(c.source, End::First, array))
                     : all_of(box, [](const SubscriptRange &r) {
                         return r.first == std::vector{IndexExpr(0)};
                       });
}

std::vector<HostSlice> hostSlices(const Context &c) {
  std::vector<const Loop *> loops = c.mapping.hostLoops();
  std::vector<HostSlice> slices;
  if (loops.empty() || loops.front()->kind != LoopKind::Stream)
    return slices;
  for (const Argument &a : c.nest.function.arguments)
    if (a.role == Argument::ArrayArg)
      if (std::optional<HostSlice> slice = sliceOf(c.nest, a, *loops.front()))
        slices.push_back(*slice);
  return slices;
}

std::vector<HostSlice> overlappedSlices(const Context &c, Names &names) {
  if (c.nest.function.isKernel || c.isVersion() || !c.versions.empty())
    return {};
  std::vector<HostSlice> slices = hostSlices(c);
  // A slice is of whole rows, of which the naive code may touch less.
  erase_if(slices, [&](const HostSlice &s) {
    return is_contained(c.options.loose, s.argument->index) ||
           (!s.isOutput() && !beginsAtBase(c, s.argument->index));
  });
  for (HostSlice &s : slices)
    s.host =
        variable(pointer((s.isOutput() ? "" : "const ") + s.array->elementType),
                 names.fresh("host_" + s.argument->name));
  return slices;
}

} // namespace convopt::lower
