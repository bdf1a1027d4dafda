//===- Staging.cpp - Buffers hold what is read from them ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every read of array A in buffer b, which one copy fills with the box of A
// that begins at `base`:
//
//   the copy runs before the read, in the same iteration of every loop around
//   the copy;
//   base <= subscripts < base + extents, for every iteration that reads, and
//   for those that a partial tile of threads or registers would add: emitted
//   code need not guard what only reads buffers;
//   nothing in the nest writes A;
//   where the read has a guard and b a fill, an element whose guard does not
//   hold lies outside of A, and the fill is the constant of the guard.
//
// A shared buffer is filled and read by all threads of a block: every thread
// comes to the copy, the box does not depend on the thread, and barriers stand
// between the copy and each read, and each read and the next copy.
//
//===----------------------------------------------------------------------===//

#include "Barriers.h"
#include "Bulk.h"
#include "CurrentNest.h"
#include "Witness.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

namespace {

/// A read, by a statement or by the copy to another buffer.
struct BufferRead {
  unsigned buffer;
  const Place &place;
  const std::map<unsigned, unsigned> &scope;
  SourceRange range;
  std::string what; // "S1 reads inputs[n][y][x]"
};

class StagingCheck {
public:
  explicit StagingCheck(const CurrentNest &current)
      : current(current), nest(current.nest) {}
  Error run();

private:
  Expected<const Filling *> fillingFor(const BufferRead &read) const;
  Error checkRead(const Running &r, const Operand &o) const;
  Error checkBox(const Running &r, const Operand &o, const Copy &copy) const;
  isl::set fullTiles(const Running &r) const;
  Error checkFill(const Running &r, const Operand &o) const;
  Error checkDepth(const Filling &f) const;
  Error checkConstant(const Filling &f) const;
  Error checkShared(const Filling &f) const;
  Error checkFrom(const Filling &f) const;
  Error checkBarriers(const Filling &f, const BufferRead &read) const;
  Error checkUnwritten(const Filling &f) const;

  const Array &array(unsigned id) const { return nest.arrays[id]; }
  const Buffer &bufferOf(unsigned id) const { return *nest.arrays[id].buffer; }

  const CurrentNest &current;
  const Nest &nest;
};

} // namespace

static Error refuseStorage(const Twine &message, SourceRange where,
                           std::string remedy = "") {
  return refuseIllegal("Storage", message.str(), where, std::move(remedy));
}

/// The one copy that fills what \p read finds.
Expected<const Filling *>
StagingCheck::fillingFor(const BufferRead &read) const {
  const std::string &name = array(read.buffer).name;
  const Filling *found = nullptr;
  for (const Filling &f : current.tree.fillings) {
    if (f.copy->buffer != read.buffer ||
        f.scope.at(read.buffer) != read.scope.at(read.buffer))
      continue;
    if (found)
      return refuseStorage("buffer '" + name + "' is filled twice",
                           f.copy->range);
    found = &f;
  }
  size_t depth = found ? found->place.loops.size() : 0;
  bool before = found && commonLoops(found->place, read.place) == depth &&
                found->place.position[depth] < read.place.position[depth];
  if (!before)
    return refuseStorage(
        read.what + " in buffer '" + name + "' before it is filled", read.range,
        "stage '" + name + "' in a loop around all that reads it");
  for (const Guard *g : found->place.guards)
    if (!is_contained(read.place.guards, g))
      return refuseStorage(read.what + " in buffer '" + name +
                               "', which is filled in a guard",
                           read.range);
  return found;
}

static Error notAffine(const Twine &what, SourceRange where) {
  return refuseIllegal("analysis", (what + " is not affine").str(), where);
}

isl::set StagingCheck::fullTiles(const Running &r) const {
  Place place = r.place();
  std::vector<std::shared_ptr<const Loop>> owned;
  for (const Loop *&l : place.loops) {
    owned.push_back(fullTile(nest, *l));
    l = owned.back().get();
  }
  return domainOf(r.space, place)
      .set.intersect_params(*current.original.assumptions);
}

Error StagingCheck::checkBox(const Running &r, const Operand &o,
                             const Copy &copy) const {
  const Array &buffer = array(copy.buffer);
  isl::set domain = fullTiles(r);
  // A read that finds the guard's constant in the buffer is made regardless.
  if (buffer.buffer->fill.empty())
    for (const Constraint &c : o.guard)
      if (auto holds =
              r.space.where({c.kind, overCurrentLoops(r.statement(), c.expr)}))
        domain = domain.intersect(*holds);
  for (size_t d = 0; d != copy.base.size(); ++d) {
    IndexExpr at =
        overCurrentLoops(r.statement(), o.access.subscripts[d]) - copy.base[d];
    auto low = r.space.where({Constraint::NonNegative, at});
    auto high =
        r.space.where({Constraint::NonNegative, buffer.extents[d] - 1 - at});
    if (!low || !high)
      return notAffine("the place of " + str(nest, o.access),
                       r.statement().range);
    isl::set outside = domain.subtract(low->intersect(*high));
    if (outside.is_empty())
      continue;
    Witness w = sample(current, outside);
    return refuseStorage(instanceText(current, r, w, 0) + " reads " +
                             str(nest, o.access) + ", which '" + buffer.name +
                             "' does not hold in dimension " + Twine(d),
                         r.statement().range,
                         buffer.buffer->isOnHost()
                             ? "stage it once all loops are mapped"
                             : "stage it with a larger box");
  }
  return Error::success();
}

Error StagingCheck::checkFill(const Running &r, const Operand &o) const {
  const Buffer &buffer = bufferOf(*o.access.buffer);
  if (buffer.fill.empty() || o.guard.empty())
    return Error::success();
  if (buffer.fill != o.otherwise)
    return refuseStorage("S" + Twine(r.statement().id) + " takes " +
                             o.otherwise + " outside of '" +
                             array(buffer.of).name + "', the buffer holds " +
                             buffer.fill,
                         r.statement().range);
  isl::set inside = r.domain.set, guarded = inside;
  auto narrow = [&](isl::set &set, Constraint c) {
    c.expr = overCurrentLoops(r.statement(), c.expr);
    auto where = r.space.where(c);
    if (where)
      set = set.intersect(*where);
    return where.has_value();
  };
  bool affine = true;
  for (const Constraint &c : o.guard)
    affine &= narrow(guarded, c);
  for (size_t d = 0; d != o.access.subscripts.size(); ++d) {
    const IndexExpr &s = o.access.subscripts[d];
    affine &= narrow(inside, {Constraint::NonNegative, s});
    affine &= narrow(
        inside, {Constraint::NonNegative, array(buffer.of).extents[d] - 1 - s});
  }
  if (!affine)
    return notAffine("the guard of " + str(nest, o.access),
                     r.statement().range);
  isl::set lost = inside.subtract(guarded);
  if (lost.is_empty())
    return Error::success();
  Witness w = sample(current, lost);
  return refuseStorage(
      instanceText(current, r, w, 0) + " takes " + o.otherwise + " for " +
          str(nest, o.access) + ", which lies inside of '" +
          array(buffer.of).name + "'",
      r.statement().range,
      "a buffer can stand in for a guard only at the array's ends");
}

Error StagingCheck::checkUnwritten(const Filling &f) const {
  unsigned of = bufferOf(f.copy->buffer).of;
  for (const Running &r : current.running)
    if (r.statement().target.array == of)
      return refuseStorage(
          "'" + array(of).name + "' is staged and written by S" +
              Twine(r.statement().id),
          r.statement().range, "stage arrays that the nest only reads");
  return Error::success();
}

/// Copies run ahead by iterations of one serial loop, all by as many.
Error StagingCheck::checkDepth(const Filling &f) const {
  auto depthOf = [&](const Filling &g) {
    return bufferOf(g.copy->buffer).layout.depth;
  };
  const Loop *loop = f.place.loops.empty() ? nullptr : f.place.loops.back();
  const std::string &name = array(f.copy->buffer).name;
  if (depthOf(f) != 1 && (!loop || loop->kind != LoopKind::Serial))
    return refuseStorage("the copies to '" + name +
                             "' cannot run ahead of what is no serial loop",
                         f.copy->range, "stage it at a serial loop");
  bool isFromNear =
      f.copy->from && bufferOf(*f.copy->from).memory != Buffer::Global;
  if (depthOf(f) != 1 && isFromNear)
    return refuseStorage("the copies to '" + name +
                             "' come from a buffer and cannot run ahead",
                         f.copy->range, "take the depth off");
  for (const Filling &g : current.tree.fillings)
    if (!g.place.loops.empty() && g.place.loops.back() == loop &&
        bufferOf(g.copy->buffer).memory == Buffer::Shared &&
        depthOf(g) != depthOf(f))
      return refuseStorage("'" + name + "' and '" + array(g.copy->buffer).name +
                               "' are filled together but differ in depth",
                           f.copy->range, "give both the same depth");
  return Error::success();
}

/// Constant memory is one for all streams.
Error StagingCheck::checkConstant(const Filling &f) const {
  for (const Loop *l : f.place.loops)
    if (l->kind == LoopKind::Stream)
      return refuseStorage("constant memory '" + array(f.copy->buffer).name +
                               "' would be filled in loop '" +
                               nest.loopNames[l->id] +
                               "', while launches of its other streams read it",
                           f.copy->range,
                           "stage it at launch, outside of every loop, or map "
                           "the loop to launch");
  return Error::success();
}

Error StagingCheck::checkShared(const Filling &f) const {
  const std::string &name = array(f.copy->buffer).name;
  if (Error e = checkDepth(f))
    return e;
  if (!isUniform(f.place))
    return refuseStorage("not every thread of a block comes to the copy to '" +
                             name + "' equally often",
                         f.copy->range);
  for (const Loop *l : f.place.loops)
    for (const IndexExpr &e : f.copy->base)
      if (isBlock(l->kind) && e.uses(loopVar(l->id)))
        return refuseStorage("the box of shared buffer '" + name +
                                 "' depends on thread loop '" +
                                 nest.loopNames[l->id] + "'",
                             f.copy->range, "stage it once the loop is mapped");
  return Error::success();
}

/// The box of a copy lies within the box of the buffer that it copies from.
Error StagingCheck::checkFrom(const Filling &f) const {
  const Copy &copy = *f.copy;
  Expected<const Filling *> outer =
      fillingFor({*copy.from, f.place, f.scope, copy.range, "a copy reads"});
  if (!outer)
    return outer.takeError();
  if (bufferOf(copy.buffer).fill != bufferOf(*copy.from).fill)
    return refuseStorage("'" + array(copy.buffer).name + "' and '" +
                             array(*copy.from).name +
                             "' differ in what they hold outside",
                         copy.range);
  LoopSpace space(current.original.context.get(), current.original.params,
                  loopIds(f.place.loops));
  isl::set domain = domainOf(space, f.place)
                        .set.intersect_params(*current.original.assumptions);
  for (size_t d = 0; d != copy.base.size(); ++d) {
    IndexExpr at = copy.base[d] - (*outer)->copy->base[d];
    IndexExpr room =
        array(*copy.from).extents[d] - array(copy.buffer).extents[d] - at;
    auto low = space.where({Constraint::NonNegative, at});
    auto high = space.where({Constraint::NonNegative, room});
    if (!low || !high)
      return notAffine("the box of '" + array(copy.buffer).name + "'",
                       copy.range);
    if (!domain.is_subset(low->intersect(*high)))
      return refuseStorage("the box of '" + array(copy.buffer).name +
                               "' is not within that of '" +
                               array(*copy.from).name + "' in dimension " +
                               Twine(d),
                           copy.range,
                           array(*copy.from).buffer->isOnHost()
                               ? "stage '" + array(*copy.from).name +
                                     "' once all loops are strip-mined"
                               : "");
  }
  return Error::success();
}

Error StagingCheck::checkBarriers(const Filling &f,
                                  const BufferRead &read) const {
  const std::string &name = array(read.buffer).name;
  if (bufferOf(read.buffer).memory != Buffer::Shared ||
      none_of(read.place.loops, [](const Loop *l) { return isBlock(l->kind); }))
    return Error::success();
  unsigned depth = f.place.loops.size();
  if (!Barriers(current.tree, f.place, read.place).separateWithin(depth))
    return refuseStorage("no barrier stands between the copy to '" + name +
                             "' and what reads it",
                         read.range, "put a barrier after the copy");
  Barriers next(current.tree, read.place, f.place);
  for (unsigned level = 0; level != depth; ++level)
    if (!isParallel(f.place.loops[level]->kind) &&
        !isHost(f.place.loops[level]->kind) && !next.separateIterations(level))
      return refuseStorage("no barrier stands between what reads '" + name +
                               "' and its copy in the next iteration of '" +
                               nest.loopNames[f.place.loops[level]->id] + "'",
                           f.copy->range, "put a barrier before the copy");
  return Error::success();
}

Error StagingCheck::checkRead(const Running &r, const Operand &o) const {
  BufferRead read{*o.access.buffer, r.place(), r.occurrence->scope,
                  r.statement().range,
                  "S" + std::to_string(r.statement().id) + " reads '" +
                      array(o.access.array).name + "'"};
  Expected<const Filling *> filling = fillingFor(read);
  if (!filling)
    return filling.takeError();
  if (Error e = checkBox(r, o, *(*filling)->copy))
    return e;
  if (Error e = checkFill(r, o))
    return e;
  return checkBarriers(**filling, read);
}

Error StagingCheck::run() {
  for (const Filling &f : current.tree.fillings) {
    if (Error e = checkUnwritten(f))
      return e;
    if (bufferOf(f.copy->buffer).memory == Buffer::Shared)
      if (Error e = checkShared(f))
        return e;
    if (bufferOf(f.copy->buffer).memory == Buffer::Constant)
      if (Error e = checkConstant(f))
        return e;
    if (Error e = checkVectors(nest, *f.copy))
      return e;
    if (bufferOf(f.copy->buffer).layout.bulk)
      if (Error e = checkBulk(current, f))
        return e;
    if (!f.copy->from)
      continue;
    if (Error e = checkFrom(f))
      return e;
    BufferRead read{*f.copy->from, f.place, f.scope, f.copy->range, ""};
    if (Error e = checkBarriers(**fillingFor(read), read))
      return e;
  }
  for (const Running &r : current.running)
    for (const Operand &o : r.statement().operands)
      if (o.kind == Operand::Read && o.access.buffer)
        if (Error e = checkRead(r, o))
          return e;
  return Error::success();
}

Error checkStaging(const CurrentNest &current) {
  return StagingCheck(current).run();
}

} // namespace convopt
