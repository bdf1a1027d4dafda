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

#include "convopt/Transforms/Stage.h"
#include "NewName.h"
#include "StageLayout.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Footprint.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

namespace {

class Staging {
public:
  /// \p path is none outside of every loop.
  Staging(const Nest &nest, unsigned array, const LoopPath *path,
          const StageOptions &options)
      : nest(nest), array(array), loop(path ? path->loop : nullptr),
        enclosing(path ? path->enclosing : std::vector<NodeRef>()),
        body(path ? path->loop->body : nest.body),
        where(path ? path->loop->range : nest.function.range), options(options),
        result(nest) {}

  Expected<Nest> run();

private:
  Error checkArray() const;
  Error checkPlace();
  Error refusePlace(StringRef memory, StringRef why, StringRef remedy) const;
  Error checkOnce() const;
  Error findReads();
  Error addRead(std::optional<unsigned> source, SourceRange range,
                const std::vector<IndexExpr> &least,
                const std::vector<IndexExpr> &greatest,
                ArrayRef<NodeRef> enclosing);
  Error checkExtents() const;
  void noteGuard(const Operand &o);
  void addBuffer();
  std::shared_ptr<Copy> makeCopy() const;
  Body redirect() const;
  Body withCopy(Body body) const;
  bool isRepeated() const;

  const Array &source() const { return nest.arrays[array]; }
  bool isShared() const { return options.memory == Buffer::Shared; }
  bool isOnHost() const {
    return options.memory == Buffer::Global ||
           options.memory == Buffer::Constant;
  }
  /// "an iteration of 'c'", for messages.
  std::string place() const {
    return loop ? "an iteration of '" + nest.loopNames[loop->id] + "'"
                : "the nest";
  }
  /// Whether a copy inside the loop fills \p buffer.
  bool isFilledInside(std::optional<unsigned> buffer) const {
    return buffer && is_contained(inner, *buffer);
  }

  /// Whether registers are staged and \p c fills what threads share, which is
  /// never filled from registers.
  bool feedsRegisters(const Copy &c) const {
    return options.memory == Buffer::Registers &&
           nest.arrays[c.buffer].buffer->memory == Buffer::Shared;
  }

  const Nest &nest;
  unsigned array;
  const Loop *loop; // none outside of every loop
  std::vector<NodeRef> enclosing;
  const Body &body; // what reads the buffer
  SourceRange where;
  const StageOptions &options;
  Nest result;

  std::vector<unsigned> inner;       // buffers filled inside the loop
  std::vector<const Loop *> threads; // around and including the loop
  bool anyRead = false;
  std::optional<unsigned> from; // where reads find the array so far
  std::vector<Range> box;       // by dimension
  bool endsGuard = true;        // every guard is one of the array's ends
  std::string fill;
  unsigned buffer = 0; // the new array
};

} // namespace

Error Staging::checkArray() const {
  if (source().isLocal())
    return refuse("structure",
                  "'" + source().name + "' is local to the nest already",
                  source().range, "stage an array that the function is given");
  for (const StatementPath &p : statements(nest))
    if (p.statement->target.array == array)
      return refuse("structure",
                    "'" + source().name + "' is written in the nest",
                    p.statement->range, "stage arrays that it only reads");
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
  for (const NodeRef &n : enclosing)
    if (const auto *l = dyn_cast<Loop>(n.get()); l && isBlock(l->kind))
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
  for (const NodeRef &n : body) {
    const auto *c = dyn_cast<Copy>(n.get());
    if (!c || nest.arrays[c->buffer].buffer->of != array ||
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

/// Widens the box to one more read, of the elements \p least to \p greatest.
Error Staging::addRead(std::optional<unsigned> source, SourceRange range,
                       const std::vector<IndexExpr> &least,
                       const std::vector<IndexExpr> &greatest,
                       ArrayRef<NodeRef> enclosing) {
  const std::string &name = nest.arrays[array].name;
  if (anyRead && source != from)
    return refuse("structure",
                  "reads of '" + name + "' find it in different buffers", range,
                  "stage it at a loop where all come from one");
  from = source;
  std::vector<const Loop *> varying;
  if (isShared())
    varying = threads;
  for (const NodeRef &n : enclosing)
    if (const auto *l = dyn_cast<Loop>(n.get()))
      varying.push_back(l);
  for (size_t d = 0; d != least.size(); ++d) {
    // The launcher has room for what tiles read past the array's ends.
    std::optional<Range> low = rangeOf(nest, least[d], varying, isOnHost());
    std::optional<Range> high = rangeOf(nest, greatest[d], varying, isOnHost());
    std::optional<Range> all;
    if (low && high)
      all = Range{low->least, high->greatest};
    if (all && anyRead)
      all = hull(nest, box[d], *all);
    if (!all)
      return refuse("structure",
                    "the elements of '" + name + "' that " + place() +
                        " reads have no box in dimension " + std::to_string(d),
                    range,
                    loop ? "stage it at a loop further in"
                         : "stage it in a loop of the kernel");
    if (anyRead)
      box[d] = *all;
    else
      box.push_back(*all);
  }
  anyRead = true;
  return Error::success();
}

void Staging::noteGuard(const Operand &o) {
  if (o.guard.empty())
    return;
  endsGuard &=
      isGuardedByEnds(nest, o) && (fill.empty() || fill == o.otherwise);
  fill = o.otherwise;
}

Error Staging::findReads() {
  walk(body, [&](const Node &n, const std::vector<NodeRef> &around) {
    const auto *c = dyn_cast<Copy>(&n);
    // Registers come after the shared buffers of the same loop.
    if (c && !(around.empty() && feedsRegisters(*c)))
      inner.push_back(c->buffer);
  });
  Error result = Error::success();
  auto add = [&](auto... arguments) {
    if (!result) {
      consumeError(std::move(result));
      result = addRead(arguments...);
    }
  };
  walk(body, [&](const Node &n, const std::vector<NodeRef> &around) {
    if (const auto *c = dyn_cast<Copy>(&n)) {
      const Array &b = nest.arrays[c->buffer];
      if (b.buffer->of != array || isFilledInside(c->from) ||
          feedsRegisters(*c))
        return;
      std::vector<IndexExpr> last;
      for (size_t d = 0; d != c->base.size(); ++d)
        last.push_back(c->base[d] + b.extents[d] - 1);
      fill = b.buffer->fill;
      add(c->from, c->range, c->base, last, around);
      return;
    }
    const auto *s = dyn_cast<Statement>(&n);
    if (!s)
      return;
    for (const Operand &o : s->operands) {
      if (o.kind != Operand::Read || o.access.array != array ||
          isFilledInside(o.access.buffer))
        continue;
      noteGuard(o);
      std::vector<IndexExpr> element;
      for (const IndexExpr &e : o.access.subscripts)
        element.push_back(overCurrentLoops(*s, e));
      add(o.access.buffer, s->range, element, element, around);
    }
  });
  if (!result && !anyRead)
    return refuse(
        "structure",
        "'" + source().name + "' is not read in " +
            (loop ? "loop '" + nest.loopNames[loop->id] + "'" : "the nest"),
        where, "stage it at a loop that reads it");
  return result;
}

Error Staging::checkExtents() const {
  for (size_t d = 0; d != box.size(); ++d) {
    IndexExpr extent = box[d].greatest - box[d].least + 1;
    if (extent.usesLoops())
      return refuse("structure",
                    "the box of '" + source().name + "' would have " +
                        str(nest, extent) + " elements in dimension " +
                        std::to_string(d),
                    where, "stage it at a loop further in");
    if (options.memory == Buffer::Registers && !isCompileTime(nest, extent))
      return refuse("structure",
                    "'" + source().name + "' would take " + str(nest, extent) +
                        " registers in dimension " + std::to_string(d),
                    where,
                    "registers need a constant number; stage it further in");
  }
  return Error::success();
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
  for (const Range &r : box)
    b.extents.push_back(r.greatest - r.least + 1);
  if (from)
    fill = nest.arrays[*from].buffer->fill;
  b.buffer =
      Buffer{array, options.memory, endsGuard ? fill : "", options.layout};
  BufferLayout &layout = b.buffer->layout;
  if (from && layout.order.empty())
    layout.order = nest.arrays[*from].buffer->layout.order;
  buffer = result.arrays.size();
  result.arrays.push_back(std::move(b));
  setPitch(result, *makeCopy());
}

std::shared_ptr<Copy> Staging::makeCopy() const {
  auto copy = std::make_shared<Copy>(buffer, where);
  for (const Range &r : box)
    copy->base.push_back(r.least);
  copy->from = from;
  return copy;
}

/// The loop's body with its reads directed to the buffer.
Body Staging::redirect() const {
  return rewrite(body, [&](const NodeRef &n) -> std::optional<Body> {
    if (const auto *c = dyn_cast<Copy>(n.get())) {
      if (nest.arrays[c->buffer].buffer->of != array ||
          isFilledInside(c->from) || feedsRegisters(*c))
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

/// True where the copy runs again, in one launch, after what reads the buffer.
bool Staging::isRepeated() const {
  return !isParallel(loop->kind) || any_of(enclosing, [](const NodeRef &n) {
    const auto *l = dyn_cast<Loop>(n.get());
    return l && !isParallel(l->kind) && !isHost(l->kind);
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

Expected<Nest> Staging::run() {
  if (Error e = checkArray())
    return std::move(e);
  if (Error e = checkLayout(nest, array, options, where))
    return std::move(e);
  if (!options.name.empty())
    if (Error e = checkNewName(nest, options.name, "buffer", where))
      return std::move(e);
  if (Error e = checkPlace())
    return std::move(e);
  if (Error e = checkOnce())
    return std::move(e);
  if (Error e = findReads())
    return std::move(e);
  alignBox(nest, from, options, box);
  if (Error e = checkExtents())
    return std::move(e);
  addBuffer();
  Body changed = withCopy(redirect());
  if (!loop) {
    result.body = std::move(changed);
    return result;
  }
  auto copy = std::make_shared<Loop>(*loop);
  copy->body = std::move(changed);
  return replaceLoop(result, copy->id, {copy});
}

Expected<Nest> stage(const Nest &nest, unsigned array,
                     std::optional<unsigned> loop,
                     const StageOptions &options) {
  if (!loop)
    return Staging(nest, array, nullptr, options).run();
  Expected<LoopPath> path = findLoop(nest, *loop);
  if (!path)
    return path.takeError();
  return Staging(nest, array, &*path, options).run();
}

} // namespace convopt
