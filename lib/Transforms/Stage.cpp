//===- Stage.cpp - Keep a tile of an array close by -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for x_t in 0 .. 32 block.x {     for x_t in 0 .. 32 block.x {
//     for n in 0 .. N {                for n in 0 .. N {
//       for j in 0 .. 3 {                local in_s       // float[1][34]
//         S1: sum += in[n][x + j]        barrier
//       }                                copy in_s = in[n][32 * x_b]
//     }                                  barrier
//   }                                    for j in 0 .. 3 {
//                                          S1: sum += in[n][x + j] in in_s
//                                        }
//                                      }
//                                    }
//
//===----------------------------------------------------------------------===//

#include "NewName.h"
#include "Staging.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Nest/Terms.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Footprint.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

Error Staging::checkArray() const {
  if (isWritten && options.unfolded)
    return refuse("structure",
                  "'" + source().name + "' is written and cannot be unfolded",
                  where, "stage it without unfolded");
  if (source().isLocal())
    return refuse("structure",
                  "'" + source().name + "' is local to the nest already",
                  source().range, "stage an array that the function is given");
  if (!isWritten)
    return Error::success();
  if (isOnHost())
    return refuse("structure",
                  "'" + source().name +
                      "' is written in the nest, and the launcher fills "
                      "buffers before that",
                  where, "stage arrays there that it only reads");
  for (const StatementPath &p : statements(nest))
    RETURN_IF_ERROR(checkOneSide(*p.statement));
  return Error::success();
}

Error Staging::refusePlace(StringRef memory, StringRef why,
                           StringRef remedy) const {
  std::string place =
      loop ? "at loop '" + nest.loopNames[loop->id] + "', which is " + why.str()
           : "outside of every loop";
  return refuse("structure",
                "'" + source().name + "' would be staged in " + memory.str() +
                    " " + place,
                where, remedy.str());
}

/// Which threads fill the buffer together.
Error Staging::checkPlace() {
  for (const Loop *l : select<Loop>(enclosing))
    if (isBlock(l->kind))
      threads.push_back(l);
  if (loop && isBlock(loop->kind))
    threads.push_back(loop);
  if (isOnHost()) {
    if (!loop || isHost(loop->kind))
      return Error::success();
    return refusePlace(options.memory == Buffer::Global ? "global memory"
                                                        : "constant memory",
                       "run by a kernel",
                       "stage it at launch, outside of every loop, or at a "
                       "loop of launches (map=LOOP,launch)");
  }
  if (!loop || isHost(loop->kind))
    return refusePlace(isShared() ? "shared memory" : "registers",
                       "run by the host", "choose a loop that the kernel runs");
  if (!isShared())
    return Error::success();
  size_t all =
      count_if(loops(nest), [](const Loop *l) { return isBlock(l->kind); });
  if (!threads.empty() && threads.size() == all)
    return Error::success();
  return refusePlace("shared memory", "not inside of every loop over threads",
                     all == 0 ? "map loops to threads first (map=LOOP,block.x)"
                              : "choose a loop inside of them");
}

/// A second buffer of the same kind would only copy the first.
Error Staging::checkOnce() const {
  for (const Copy *c : select<Copy>(body)) {
    if (nest.arrays[c->buffer].buffer->of != array ||
        nest.arrays[c->buffer].buffer->memory != options.memory)
      continue;
    return refuse("structure",
                  "'" + source().name + "' is staged " +
                      (loop ? "at loop '" + nest.loopNames[loop->id] + "'"
                            : std::string("outside of every loop")) +
                      " already, in '" + nest.arrays[c->buffer].name + "'",
                  where, "stage it once at a loop");
  }
  return Error::success();
}

Error Staging::checkLayout() const {
  Buffer b{array, options.memory, "", options.layout};
  b.unfolding = unfolding;
  if (hasBorder)
    b.fill = AtBorder;
  if (hasBorder && !endsGuard)
    return refuse("structure",
                  "reads of '" + source().name +
                      "' differ in what they find past its ends",
                  where, "stage it where all have its border");
  const std::optional<LayoutFault> fault = faultOf(b, box.size());
  return fault ? refuse("usage",
                        "'" + source().name + "' cannot be staged with " +
                            fault->option,
                        where, fault->remedy)
               : Error::success();
}

/// That some of the array is read wherever the copy runs: loops between the
/// two have iterations. Else the source needs none of it, and it may be shorter
/// or missing.
std::vector<Assumption> Staging::findReadFacts() const {
  std::vector<Assumption> all;
  bool isRead = false; // as soon as the copy runs
  for (const StatementPath &p : statements(nest)) {
    const auto loops = select<Loop>(p.enclosing);
    const std::vector<const Loop *> around(loops.begin(), loops.end());
    ArrayRef<const Loop *> within = around;
    if (loop)
      within = within.drop_while([&](const Loop *l) { return l != loop; });
    const bool isInside = !loop || !within.empty();
    if (!isInside || none_of(readsOf(*p.statement), [&](const Operand &o) {
          return o.access.array == array;
        }))
      continue;
    std::vector<Assumption> facts;
    for (const Loop *l : within.drop_front(loop ? 1 : 0))
      for (const Bound &lower : l->lower)
        for (const Bound &upper : l->upper) {
          const IndexExpr runs = hasOne(lower, upper);
          if (isParallel(l->kind) || runs.usesLoops() ||
              isProvablyNonNegative(nest, runs, {}) ||
              is_contained(source().extents, runs + 1) ||
              any_of(facts,
                     [&](const Assumption &a) { return a.fact.expr == runs; }))
            continue;
          facts.push_back({{Constraint::NonNegative, runs},
                           "'" + source().name + "' is read where it is copied",
                           l->range});
        }
    if (all.empty())
      all = facts;
    isRead |= facts.empty();
  }
  return isRead ? std::vector<Assumption>() : all;
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

/// Has rows of the box begin at multiples of vectors.
static void alignRows(const Nest &nest, std::optional<unsigned> from,
                      const StageOptions &options, ArrayRef<int64_t> strides,
                      std::vector<Range> &box) {
  int64_t vector = options.layout.vector;
  size_t row = box.size() - 1;
  IndexExpr origin;
  if (from) {
    const StorageMap map(nest, nest.arrays[*from]);
    if (map.dims().empty())
      return;
    row = map.dims().back();
    if (const Copy *fill = copyOf(nest, *from))
      origin = fill->base[row];
  }
  Range &r = box[row];
  const IndexExpr stride(strides[row]);
  IndexExpr odd =
      remainder(nest, IndexExpr::floorDiv(r.least - origin, stride), vector);
  if (odd.usesLoops() || odd.isZero())
    return;
  bool isKnown =
      all_of(odd.vars(), [&](Var v) { return nest.params[v.id].isTemplate; });
  // A size that only the launch knows moves the box by as much as that takes;
  // what is between buffers would have to move along, and registers cannot.
  if (!isKnown && (from || options.memory != Buffer::Shared))
    return;
  r.least -= stride * IndexExpr::mod(odd, IndexExpr(vector));
  if (!isKnown) // still of a size that the kernel's compiler knows
    r.greatest = r.greatest - IndexExpr::mod(odd, IndexExpr(vector)) +
                 IndexExpr(vector - 1);
}

/// Has vectors begin at multiples of their size in the array, or in the buffer
/// \p from: a box that begins in between is widened.
static void alignBox(const Nest &nest, std::optional<unsigned> from,
                     const StageOptions &options, ArrayRef<int64_t> strides,
                     std::vector<Range> &box) {
  int64_t vector = options.layout.vector;
  if (vector <= 1 || box.empty())
    return;
  alignRows(nest, from, options, strides, box);
  if (options.layout.copyKind != BufferLayout::Tensor)
    return;
  // A TMA tensor copy brings whole vectors, and nothing between rows.
  Range &row = box.back();
  IndexExpr extent = row.greatest - row.least + 1;
  if (auto constant = nest.constantOf(extent))
    row.greatest =
        row.least + (divideCeilSigned(*constant, vector) * vector - 1);
}

/// Gives the buffer of \p copy, which has none yet, the pitch that vectors
/// and swizzled units need: none where rows lie one behind the other in array
/// and buffer.
static void setPitch(Nest &nest, const Copy &copy) {
  BufferLayout &layout = nest.arrays[copy.buffer].buffer->layout;
  const int64_t unit = std::max(layout.vector, layout.swizzle);
  if (layout.pitch != 1 || unit == 1 || layout.linear != 1 ||
      layout.block != 1 || layout.copyKind == BufferLayout::Tensor)
    return;
  bool isJoined = false;
  if (!copy.from) {
    const auto rows = expectedToOptional(rowsOf(nest, copy));
    isJoined = rows && rows->isJoined(nest.arrays[copy.buffer]);
  }
  if (!isJoined)
    layout.pitch = unit;
}

void Staging::addBuffer() {
  std::string name = options.name;
  if (name.empty())
    name = source().name + (options.memory == Buffer::Shared     ? "_s"
                            : options.memory == Buffer::Global   ? "_g"
                            : options.memory == Buffer::Constant ? "_c"
                                                                 : "_r");
  // Names of loops are kept apart from those of arrays; this does it for both.
  Nest scratch = nest;
  Array b;
  b.name = scratch.loopNames[scratch.addLoopName(name)];
  b.elementType = source().elementType;
  b.role = Array::LocalArray;
  b.range = source().range;
  for (size_t d = 0; d != box.size(); ++d)
    b.extents.push_back(extentOf(d));
  if (from)
    fill = nest.arrays[*from].buffer->fill;
  b.buffer =
      Buffer{array, options.memory, endsGuard ? fill : "", options.layout};
  if (any_of(strides, [](int64_t stride) { return stride != 1; }))
    b.buffer->strides = strides;
  b.buffer->unfolding = unfolding;
  BufferLayout &layout = b.buffer->layout;
  if (from && layout.order.empty() && layout.linear == 1)
    layout.order = nest.arrays[*from].buffer->layout.order;
  readWhole(result, source().alias.value_or(array));
  buffer = result.arrays.size();
  result.arrays.push_back(std::move(b));
  setPitch(result, *makeCopy());
}

std::shared_ptr<Copy> Staging::makeCopy() const {
  auto copy = std::make_shared<Copy>(buffer, where);
  for (const Range &r : box)
    copy->base.push_back(r.least);
  copy->from = from;
  copy->isStore = isWritten;
  return copy;
}

/// The loop's body with its accesses directed to the buffer.
Body Staging::redirect() const {
  return rewrite(body, [&](const NodeRef &n) -> std::optional<Body> {
    if (const auto *c = dyn_cast<Copy>(n.get())) {
      if (nest.arrays[c->buffer].buffer->of != array ||
          isFilledInside(c->from) || passesRegistersBy(*c))
        return std::nullopt;
      auto copy = std::make_shared<Copy>(*c);
      copy->from = buffer;
      return Body{copy};
    }
    const auto *s = dyn_cast<Statement>(n.get());
    if (!s)
      return std::nullopt;
    return Body{mapAccesses(*s, [&](Access &a) {
      if (a.array == array && !isFilledInside(a.buffer))
        a.buffer = buffer;
    })};
  });
}

/// True where the copy runs again, in one launch, after what uses the buffer.
bool Staging::isRepeated() const {
  return !isParallel(loop->kind) ||
         any_of(select<Loop>(enclosing), [](const Loop *l) {
           return !isParallel(l->kind) && !isHost(l->kind);
         });
}

/// \p body with the copy before what reads it: among the shared copies at its
/// head, between their barriers, or, for registers, after them.
Body Staging::withCopy(Body body) const {
  std::shared_ptr<Copy> copy = makeCopy();
  if (isOnHost()) {
    body.insert(body.begin(), copy);
    body.insert(body.begin(), std::make_shared<Local>(buffer, where));
    return body;
  }
  auto at = find_if_not(body, [](const NodeRef &n) {
    return isa<Local>(n.get()) || isa<Barrier>(n.get());
  });
  auto isShared = [&](const NodeRef &n) {
    const auto *c = dyn_cast<Copy>(n.get());
    return c && nest.arrays[c->buffer].buffer->memory == Buffer::Shared;
  };
  auto last = std::find_if_not(at, body.end(), isShared);
  bool hasGroup = last != at;
  if (hasGroup) {
    if (!this->isShared())
      last += last != body.end() && isa<Barrier>(last->get());
    body.insert(last, copy);
  } else {
    Body head;
    if (this->isShared() && isRepeated())
      head.push_back(std::make_shared<Barrier>(where));
    head.push_back(copy);
    if (this->isShared())
      head.push_back(std::make_shared<Barrier>(where));
    body.insert(body.begin(), head.begin(), head.end());
  }
  body.insert(body.begin(), std::make_shared<Local>(buffer, where));
  return body;
}

/// \p body with the store at its end: among the shared stores there, after
/// their barrier, or, for registers, before them. What a shared buffer held
/// has left it before the loop comes back: a barrier at the head says so.
Body Staging::withStore(Body body) const {
  auto isSharedStore = [&](const NodeRef &n) {
    const auto *c = dyn_cast<Copy>(n.get());
    return c && c->isStore &&
           nest.arrays[c->buffer].buffer->memory == Buffer::Shared;
  };
  auto group = body.end();
  while (group != body.begin() && isSharedStore(group[-1]))
    --group;
  bool hasGroup = group != body.end();
  if (!isShared()) {
    body.insert(hasGroup ? group - 1 : group, makeCopy());
  } else {
    if (!hasGroup)
      body.push_back(std::make_shared<Barrier>(where));
    body.push_back(makeCopy());
    auto first =
        find_if_not(body, [](const NodeRef &n) { return isa<Local>(n.get()); });
    if (isRepeated() && !isa<Barrier>(first->get()))
      body.insert(first, std::make_shared<Barrier>(where));
  }
  body.insert(body.begin(), std::make_shared<Local>(buffer, where));
  return body;
}

Expected<Nest> Staging::run() {
  isWritten = any_of(statements(nest), [&](const StatementPath &p) {
    return p.statement->target.array == array;
  });
  RETURN_IF_ERROR(checkArray());
  if (!options.name.empty())
    RETURN_IF_ERROR(checkNewName(nest, options.name, "buffer", where));
  RETURN_IF_ERROR(checkPlace());
  RETURN_IF_ERROR(checkOnce());
  RETURN_IF_ERROR(findAccesses());
  RETURN_IF_ERROR(checkLayout());
  keepStrides();
  if (!isWritten)
    alignBox(nest, from, options, strides, box);
  RETURN_IF_ERROR(checkLinear());
  RETURN_IF_ERROR(checkExtents());
  addBuffer();
  if (!isWritten && !from)
    append_range(result.assumptions, findReadFacts());
  Body changed = isWritten ? withStore(redirect()) : withCopy(redirect());
  if (!loop) {
    result.body = std::move(changed);
    return result;
  }
  return replaceLoop(result, loop->id, {withBody(*loop, std::move(changed))});
}

Expected<Nest> stage(const Nest &nest, unsigned array,
                     std::optional<unsigned> loop,
                     const StageOptions &options) {
  if (!loop)
    return Staging(nest, array, nullptr, options).run();
  ASSIGN_OR_RETURN(LoopPath path, findLoop(nest, *loop));
  return Staging(nest, array, &path, options).run();
}

} // namespace convopt
