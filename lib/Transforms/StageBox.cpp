//===- StageBox.cpp - What a buffer holds ---------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Staging.h"
#include "Unfold.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

/// What multiplies a loop of \p varying in \p e and is known at run time only,
/// so that no place in a box is affine.
static std::optional<IndexExpr> unknownStride(const IndexExpr &e,
                                              ArrayRef<const Loop *> varying) {
  for (const Loop *l : varying)
    if (auto by = e.symbolicCoefficient(loopVar(l->id));
        by && !by->isConstant())
      return by;
  return std::nullopt;
}

/// Widens the box to one more access, of the elements \p least to \p greatest
/// in buffer \p side, if any.
Error Staging::widen(std::optional<unsigned> side, SourceRange range,
                     const std::vector<IndexExpr> &least,
                     const std::vector<IndexExpr> &greatest,
                     const std::vector<int64_t> &steps,
                     ArrayRef<NodeRef> enclosing) {
  const std::string &name = nest.arrays[array].name;
  if (any && side != from)
    return refuse("structure",
                  std::string(isWritten ? "writes" : "reads") + " of '" + name +
                      "' find it in different buffers",
                  range, "stage it at a loop where all come from one");
  from = side;
  std::vector<const Loop *> varying;
  if (isShared())
    varying = threads;
  append_range(varying, loopsAmong(enclosing));
  auto varies = [&](Var v) {
    return any_of(varying, [&](const Loop *l) { return v == loopVar(l->id); });
  };
  for (size_t d = 0; d != least.size(); ++d) {
    // The launcher has room for what tiles read past the array's ends.
    const IndexExpr first = dropFromDividends(nest, least[d], varies),
                    last = dropFromDividends(nest, greatest[d], varies);
    std::optional<Range> low = rangeOf(nest, first, varying, isOnHost());
    std::optional<Range> high = rangeOf(nest, last, varying, isOnHost());
    std::optional<Range> all;
    if (low && high)
      all = Range{low->least, high->greatest};
    if (all && any)
      all = hull(nest, box[d], *all);
    if (!all)
      return refuse("structure",
                    "the elements of '" + name + "' that " + place() +
                        (isWritten ? " writes" : " reads") +
                        " have no box in dimension " + std::to_string(d),
                    range,
                    loop ? "stage it at a loop further in"
                         : "stage it in a loop of the kernel");
    if (!isOnHost())
      if (auto by = unknownStride(first, varying))
        return refuse("structure",
                      "what " + place() + (isWritten ? " writes" : " reads") +
                          " of '" + name + "' moves by " + str(nest, *by) +
                          ", which is known at run time only, in dimension " +
                          std::to_string(d),
                      range,
                      "give the size, as by -assume=, or stage it in the "
                      "launcher");
    int64_t stride = std::gcd(steps[d], strideOf(nest, first, varying));
    if (any) {
      // Boxes in between are of the same stride where they begin so far apart.
      auto apart = nest.constantOf(low->least - box[d].least);
      strides[d] = apart ? std::gcd(std::gcd(strides[d], stride), *apart) : 1;
      box[d] = *all;
    } else {
      box.push_back(*all);
      strides.push_back(stride);
    }
  }
  any = true;
  return Error::success();
}

/// Has all that is read be unfolded as \p found, in buffer \p side if any.
Error Staging::noteUnfolding(const std::optional<Unfolding> &found,
                             std::optional<unsigned> side, SourceRange range) {
  const std::string name = "'" + source().name + "' is ";
  if (side && options.unfolded && (!found || !options.unfolded->empty()))
    return refuse("structure",
                  name + "found in the " + (found ? "unfolded" : "box") + " '" +
                      nest.arrays[*side].name + "' and cannot be unfolded",
                  range, "unfold it where it is staged first");
  if (any && !(found == unfolding))
    return refuse("structure",
                  name + "read at two places and cannot be unfolded", range,
                  "stage it without unfolded");
  unfolding = found;
  return Error::success();
}

/// Notes the unfolding of the buffer that \p a comes from, or makes one.
Error Staging::noteUnfolding(const Statement &s, const Access &a) {
  if (a.buffer)
    return noteUnfolding(nest.arrays[*a.buffer].buffer->unfolding, a.buffer,
                         s.range);
  if (!options.unfolded)
    return noteUnfolding(std::nullopt, a.buffer, s.range);
  if (unfolding && unfoldedAccess == a.subscripts)
    return Error::success();
  unfoldedAccess = a.subscripts;
  Expected<Unfolding> made = unfold(result, s, a, *options.unfolded);
  return made ? noteUnfolding(*made, a.buffer, s.range) : made.takeError();
}

void Staging::noteGuard(const Operand &o) {
  if (o.guard.empty())
    return;
  endsGuard &=
      isGuardedByEnds(nest, o) && (fill.empty() || fill == o.otherwise);
  // A read that has a border finds it in the buffer or nowhere.
  hasBorder |= o.otherwise == AtBorder;
  fill = o.otherwise;
}

/// What is stored is only written, and in whole elements.
Error Staging::checkOneSide(const Statement &s) const {
  for (const Operand &o : readsOf(s))
    if (o.access.array == array)
      return refuse("structure",
                    "'" + source().name + "' is read and written in the nest",
                    s.range, "stage arrays that it only reads or only writes");
  if (s.target.array == array && s.isReduction())
    return refuse(
        "structure", "'" + source().name + "' is added to, element by element",
        s.range,
        "sum in a local array first (scalar-replace=" + source().name + ")");
  return Error::success();
}

/// Finds the box of what the body reads, or writes.
Error Staging::findAccesses() {
  walk(body, [&](const Node &n, const std::vector<NodeRef> &around) {
    const auto *c = dyn_cast<Copy>(&n);
    // Registers are nearer than the shared buffers of the same loop.
    if (c && !(around.empty() && passesRegistersBy(*c)))
      inner.push_back(c->buffer);
  });
  Error result = Error::success();
  auto add = [&](auto... arguments) {
    if (!result) {
      consumeError(std::move(result));
      result = widen(arguments...);
    }
  };
  walk(body, [&](const Node &n, const std::vector<NodeRef> &around) {
    if (const auto *c = dyn_cast<Copy>(&n)) {
      const Array &b = nest.arrays[c->buffer];
      if (b.buffer->of != array || isFilledInside(c->from) ||
          passesRegistersBy(*c))
        return;
      std::vector<IndexExpr> last;
      std::vector<int64_t> steps;
      for (size_t d = 0; d != c->base.size(); ++d) {
        last.push_back(c->base[d] + reachOf(b, d));
        steps.push_back(b.extents[d] == IndexExpr(1) ? 0 : b.buffer->stride(d));
      }
      fill = b.buffer->fill;
      if (!result) {
        consumeError(std::move(result));
        result = noteUnfolding(b.buffer->unfolding, c->buffer, c->range);
      }
      add(c->from, c->range, c->base, last, steps, around);
      return;
    }
    const auto *s = dyn_cast<Statement>(&n);
    if (!s)
      return;
    auto addAccess = [&](const Access &a) {
      if (a.array != array || isFilledInside(a.buffer))
        return;
      if (!result) {
        consumeError(std::move(result));
        result = noteUnfolding(*s, a);
      }
      std::vector<IndexExpr> element;
      for (const IndexExpr &e :
           unfolding ? unfolding->coordinates : a.subscripts)
        element.push_back(overCurrentLoops(*s, e));
      add(a.buffer, s->range, element, element,
          std::vector<int64_t>(element.size()), around);
    };
    if (isWritten)
      return addAccess(s->target);
    for (const Operand &o : s->operands) {
      if (o.kind != Operand::Read || o.access.array != array)
        continue;
      if (!isFilledInside(o.access.buffer))
        noteGuard(o);
      addAccess(o.access);
    }
  });
  if (!result && !any)
    return refuse(
        "structure",
        "'" + source().name + "' is not " + (isWritten ? "written" : "read") +
            " in " +
            (loop ? "loop '" + nest.loopNames[loop->id] + "'" : "the nest"),
        where,
        std::string("stage it at a loop that ") +
            (isWritten ? "writes" : "reads") + " it");
  return result;
}

/// Leaves every element in the box where copies move runs of them: along a row
/// by vectors, unless what they come from has the same stride, and by TMA.
void Staging::keepStrides() {
  const BufferLayout &layout = options.layout;
  const bool isWhole = isWritten || unfolding || layout.linear != 1 ||
                       layout.copyKind != BufferLayout::Threads;
  std::vector<unsigned> order = layout.order;
  if (from && order.empty())
    order = nest.arrays[*from].buffer->layout.order;
  for (size_t d = 0; order.size() != box.size(); ++d)
    order.push_back(d);
  std::optional<unsigned> row; // the last of several elements
  for (unsigned d : order)
    if (strides[d] != 0)
      row = d;
  for (auto [d, stride] : enumerate(strides)) {
    const int64_t around = from ? nest.arrays[*from].buffer->stride(d) : 1;
    const bool isTorn =
        layout.vector != 1 && row == d && (!from || around != stride);
    if (isWhole || isTorn || stride == 0)
      stride = stride == 0 ? 1 : around;
  }
}

/// The dimensions that are to lie as in the array are whole in the box, and
/// what is outside is never read.
Error Staging::checkLinear() const {
  auto refuseLinear = [&](const Twine &why, std::string remedy) {
    return refuse(
        "structure",
        ("'" + source().name + "' cannot lie as in the array: " + why).str(),
        where, std::move(remedy));
  };
  if (options.layout.linear == 1)
    return Error::success();
  if (!fill.empty() && endsGuard)
    return refuseLinear("what is read outside of it is " + fill,
                        "take linear off");
  for (size_t d = box.size() - options.layout.linear; d != box.size(); ++d) {
    IndexExpr extent = box[d].greatest - box[d].least + 1;
    auto held = nest.constantOf(extent);
    auto whole = nest.constantOf(source().extents[d]);
    if (!held || !whole)
      return refuseLinear("dimension " + Twine(d) + " has " +
                              str(nest, source().extents[d]) + " elements",
                          "give its size (-assume)");
    // The outermost may be a part of the array's.
    if (d + options.layout.linear == box.size())
      continue;
    IndexExpr begin = inOnlyIterations(nest, box[d].least);
    if (begin.asConstant().value_or(0) < 0)
      return refuseLinear("the box begins before it in dimension " + Twine(d) +
                              ", at " + str(nest, begin),
                          "take linear off");
    if (!begin.isZero() || *held < *whole)
      return refuseLinear("the box has a part of dimension " + Twine(d),
                          "choose tiles that have all of it");
  }
  return Error::success();
}

Error Staging::checkExtents() const {
  for (size_t d = 0; d != box.size(); ++d) {
    IndexExpr extent = extentOf(d);
    if (extent.usesLoops())
      return refuse("structure",
                    "the box of '" + source().name + "' would have " +
                        str(nest, extent) + " elements in dimension " +
                        std::to_string(d),
                    where, "stage it at a loop further in");
    if (nest.constantOf(extent).value_or(1) < 1)
      return refuse("structure",
                    "the box of '" + source().name + "' has no elements", where,
                    "take the staging of it off");
    if (options.memory == Buffer::Registers && !isCompileTime(nest, extent))
      return refuse("structure",
                    "'" + source().name + "' would take " + str(nest, extent) +
                        " registers in dimension " + std::to_string(d),
                    where,
                    "registers need a constant number; stage it further in");
  }
  return Error::success();
}

} // namespace convopt
