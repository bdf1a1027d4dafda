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
//   of an unfolded buffer, the element of A at the coordinates of an instance
//   is what the instance reads: the same expressions over the loops around it;
//   A is there: where reads of A ask sizes first, so do guards of the copy,
//   none of them reads further than others that run for other sizes, and some
//   run whatever the sizes for which the copy does;
//   where the read has a guard and b a fill, an element whose guard does not
//   hold lies outside of A, and the fill is the constant of the guard.
//
// A shared buffer is filled and read by all threads of a block: every thread
// comes to the copy, the box does not depend on the thread, and barriers stand
// between the copy and each read, and each read and the next copy.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "Bulk.h"
#include "Witness.h"
#include "convopt/Nest/OptionalArrays.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Nest/Tensor.h"
#include "convopt/Nest/Terms.h"
#include "convopt/Nest/Text.h"
#include "convopt/Nest/Unfolding.h"

using namespace llvm;

namespace convopt {

std::string partlyText(const Array &a) {
  return "'" + a.name +
         "' is read to its end only where sizes, flags or guards say so";
}

namespace {

class StagingCheck {
public:
  explicit StagingCheck(const CurrentNest &current)
      : current(current), nest(current.nest) {}
  Error run();

private:
  Expected<const CopySite *> copySiteFor(const BufferAccess &read) const {
    return copyFor(current, read, /*isStore=*/false);
  }
  Error checkRead(const Running &r, const Operand &o) const;
  Error checkFill(const Running &r, const Operand &o) const;
  Error checkUnfolding(const Running &r, const Operand &o) const;
  Error checkDepth(const CopySite &f) const;
  Error checkConstant(const CopySite &f) const;
  Error checkUnits(const CopySite &f) const;
  Error checkFrom(const CopySite &f) const;
  Error checkBarriers(const CopySite &f, const BufferAccess &read) const;
  Error checkUnwritten(const CopySite &f) const;
  Error checkPresent(const CopySite &f) const;
  Error checkTouched(const CopySite &f) const;

  const Array &array(unsigned id) const { return nest.arrays[id]; }
  const Buffer &bufferOf(unsigned id) const { return *nest.arrays[id].buffer; }

  const CurrentNest &current;
  const Nest &nest;
};

} // namespace

Error StagingCheck::checkFill(const Running &r, const Operand &o) const {
  const Buffer &buffer = bufferOf(*o.access.buffer);
  const bool isAtBorder = o.otherwise == AtBorder;
  if ((buffer.fill.empty() && !isAtBorder) || o.guard.empty())
    return Error::success();
  if (buffer.fill != o.otherwise)
    return refuseStorage("S" + Twine(r.statement().id) + " takes " +
                             o.otherwise + " outside of '" +
                             array(buffer.of).name + "', the buffer holds " +
                             (buffer.fill.empty() ? "nothing" : buffer.fill),
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

/// What an instance reads lies at its coordinates.
Error StagingCheck::checkUnfolding(const Running &r, const Operand &o) const {
  const Array &buffer = array(*o.access.buffer);
  if (!buffer.buffer->unfolding)
    return Error::success();
  const Unfolding &u = *buffer.buffer->unfolding;
  std::vector<IndexExpr> coordinates;
  for (const IndexExpr &e : u.coordinates)
    coordinates.push_back(overCurrentLoops(r.statement(), e));
  for (auto [there, here] : zip(elementAt(u, coordinates), o.access.subscripts))
    if (there != overCurrentLoops(r.statement(), here))
      return refuseStorage(
          "S" + Twine(r.statement().id) + " reads " + str(nest, o.access) +
              ", and '" + buffer.name + "' holds another element there",
          r.statement().range,
          "unfold an array that one statement reads, at one place");
  return Error::success();
}

Error StagingCheck::checkUnwritten(const CopySite &f) const {
  unsigned of = bufferOf(f.copy->buffer).of;
  for (const Running &r : current.running)
    if (r.statement().target.array == of)
      return refuseStorage(
          "'" + array(of).name + "' is staged and written by S" +
              Twine(r.statement().id),
          r.statement().range, "stage arrays that the nest only reads");
  return Error::success();
}

/// What is read only for some sizes may be missing for others.
Error StagingCheck::checkPresent(const CopySite &f) const {
  const unsigned of = bufferOf(f.copy->buffer).of;
  for (const Assumption &a : nest.assumptions)
    if (a.spanned == of)
      return refuseStorage("'" + array(of).name +
                               "' is copied where less of it may be there: " +
                               str(nest, a.fact) + " is assumed of it alone",
                           f.copy->range, "assume it of the nest");
  if (is_contained(current.options.partly, of) && !f.copy->from)
    return refuseStorage(partlyText(array(of)) + ", and is copied all the same",
                         f.copy->range, "leave the array where it is");
  const auto under = touchedUnder(nest, of);
  auto isAsked = [&](const Constraint &c) {
    return any_of(f.place.guards, [&](const Guard *g) {
      return is_contained(g->conditions, c);
    });
  };
  if (f.copy->from || under.empty() ||
      any_of(under, [&](const auto &all) { return all_of(all, isAsked); }))
    return Error::success();
  return refuseStorage("'" + array(of).name +
                           "' is read only where sizes or flags say so, and "
                           "may be missing where it is copied all the same",
                       f.copy->range, "leave the array where it is");
}

/// Whether \p l has iterations, whatever the sizes.
static bool hasSome(const Nest &nest, const Loop &l) {
  return all_of(l.lower, [&](const Bound &lower) {
    return all_of(l.upper, [&](const Bound &upper) {
      return nest.constantOf(hasOne(lower, upper)).value_or(-1) >= 0;
    });
  });
}

/// Sizes may leave loops within the copy without iterations: the source then
/// reads nothing of the array, and it may be shorter or missing.
Error StagingCheck::checkTouched(const CopySite &f) const {
  if (f.copy->from)
    return Error::success();
  const Array &of = array(bufferOf(f.copy->buffer).of);
  const ArrayRef<const Loop *> around = f.place.loops;
  LoopSpace sizes(current.original.context.get(), current.original.params, {});
  isl::set touched = isl::set::empty(sizes.universe().space()).params();
  for (const Running &r : current.running)
    for (const Operand &o : readsOf(r.statement())) {
      if (&array(o.access.array) != &of)
        continue;
      const ArrayRef<const Loop *> loops = r.place().loops;
      if (loops.size() >= around.size() &&
          loops.take_front(around.size()) == around &&
          all_of(loops.drop_front(around.size()),
                 [&](const Loop *l) { return hasSome(nest, *l); }))
        return Error::success();
      // Guards about places, such as padding's, leave an array what it is.
      const OriginalStatement &original = current.originalOf(r);
      Place unguarded = original.occurrence->place;
      unguarded.guards.clear();
      touched = touched.unite(domainOf(original.space, unguarded).set.params());
    }
  LoopSpace space(current.original.context.get(), current.original.params,
                  loopIds(f.place.loops));
  isl::set copied = domainOf(space, f.place)
                        .set.params()
                        .intersect(*current.original.assumptions);
  auto narrow = [&](const Constraint &c) {
    if (auto holds = sizes.where(c))
      copied = copied.intersect(holds->params());
  };
  for (const IndexExpr &e : of.extents)
    narrow({Constraint::NonNegative, e - 1});
  for (const Assumption &a : nest.assumptions)
    if (!a.spanned)
      narrow(a.fact);
  // Nothing is launched where nothing is written.
  isl::set written = isl::set::empty(sizes.universe().space()).params();
  for (const Running &r : current.running)
    if (!array(r.statement().target.array).isLocal())
      written = written.unite(current.originalOf(r).domain.set.params());
  if (bufferOf(f.copy->buffer).isOnHost())
    copied = copied.intersect(written);
  if (copied.is_subset(touched))
    return Error::success();
  return refuseStorage(
      "'" + of.name +
          "' is copied also for sizes for which nothing of it is read",
      f.copy->range, "assume that loops around its reads have iterations");
}

/// Copies are pipelined by one serial loop, all in as many stages.
Error StagingCheck::checkDepth(const CopySite &f) const {
  auto depthOf = [&](const CopySite &g) {
    return bufferOf(g.copy->buffer).layout.depth;
  };
  const Loop *loop = f.place.loops.empty() ? nullptr : f.place.loops.back();
  const std::string &name = array(f.copy->buffer).name;
  if (depthOf(f) != 1 && (!loop || loop->kind != LoopKind::Serial))
    return refuseStorage("the copies to '" + name +
                             "' are pipelined by a serial loop only",
                         f.copy->range, "stage it at a serial loop");
  bool isFromNear =
      f.copy->from && bufferOf(*f.copy->from).memory != Buffer::Global;
  if (depthOf(f) != 1 && isFromNear)
    return refuseStorage("the copies to '" + name +
                             "' come from a buffer and cannot be pipelined",
                         f.copy->range, "take the depth off");
  if (bufferOf(f.copy->buffer).layout.async != 0 && isFromNear)
    return refuseStorage("copies to '" + array(f.copy->buffer).name +
                             "' come from a buffer and cannot be asynchronous",
                         f.copy->range, "take async:1 off");
  for (const CopySite &g : current.tree.copySites)
    if (!g.place.loops.empty() && g.place.loops.back() == loop &&
        bufferOf(g.copy->buffer).memory == Buffer::Shared &&
        depthOf(g) != depthOf(f))
      return refuseStorage("'" + name + "' and '" + array(g.copy->buffer).name +
                               "' are filled together but differ in depth",
                           f.copy->range, "give both the same depth");
  return Error::success();
}

/// Constant memory is one for all streams.
Error StagingCheck::checkConstant(const CopySite &f) const {
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

/// The box of a copy lies within the box of the buffer that it copies from.
Error StagingCheck::checkFrom(const CopySite &f) const {
  const Copy &copy = *f.copy;
  ASSIGN_OR_RETURN(
      const CopySite *outer,
      copySiteFor({*copy.from, f.place, f.scope, copy.range, "a copy reads"}));
  if (bufferOf(copy.buffer).fill != bufferOf(*copy.from).fill)
    return refuseStorage("'" + array(copy.buffer).name + "' and '" +
                             array(*copy.from).name +
                             "' differ in what they hold outside",
                         copy.range);
  if (bufferOf(copy.buffer).layout.linear != 1)
    return refuseStorage("'" + array(copy.buffer).name +
                             "' lies as its array does and is filled from '" +
                             array(*copy.from).name + "'",
                         copy.range, "take linear off");
  return checkWithin(current, f, *outer);
}

Error StagingCheck::checkBarriers(const CopySite &f,
                                  const BufferAccess &read) const {
  const std::string &name = array(read.buffer).name;
  if (bufferOf(read.buffer).memory != Buffer::Shared)
    return Error::success();
  return convopt::checkBarriers(
      current, {f.place, f.copy->range, "the copy to '" + name + "'"},
      {read.place, read.range, "what reads '" + name + "'"},
      f.place.loops.size());
}

Error StagingCheck::checkRead(const Running &r, const Operand &o) const {
  BufferAccess read{*o.access.buffer, r.place(), r.occurrence->scope,
                    r.statement().range,
                    "S" + std::to_string(r.statement().id) + " reads '" +
                        array(o.access.array).name + "'"};
  ASSIGN_OR_RETURN(const CopySite *site, copySiteFor(read));
  const Copy &copy = *site->copy;
  isl::set domain = fullTiles(current, r);
  // A read that finds the guard's constant in the buffer is made regardless.
  if (bufferOf(copy.buffer).fill.empty())
    for (const Constraint &c : o.guard)
      if (auto holds =
              r.space.where({c.kind, overCurrentLoops(r.statement(), c.expr)}))
        domain = domain.intersect(*holds);
  RETURN_IF_ERROR(checkBox(current, r, o.access, domain, copy));
  RETURN_IF_ERROR(checkUnfolding(r, o));
  RETURN_IF_ERROR(checkFill(r, o));
  return checkBarriers(*site, read);
}

/// What is moved at once, by threads or by TMA.
Error StagingCheck::checkUnits(const CopySite &f) const {
  const BufferLayout &layout = bufferOf(f.copy->buffer).layout;
  const Array &of = array(bufferOf(f.copy->buffer).of);
  bool endsEarly = any_of(shortfalls(nest, of), [](const IndexExpr &e) {
    return e.asConstant().value_or(0) < 0;
  });
  if (layout.copyKind != BufferLayout::Threads && !f.copy->from && endsEarly)
    return refuseStorage("'" + of.name + "' ends after " +
                             leastText(nest, of.footprint) +
                             " elements, within its last row, where no TMA "
                             "copy would stop",
                         f.copy->range, "have threads copy it");
  if (layout.copyKind == BufferLayout::Tensor) {
    Expected<TensorBox> box = tensorBoxOf(nest, *f.copy);
    return box ? Error::success() : box.takeError();
  }
  RETURN_IF_ERROR(checkVectors(nest, *f.copy));
  return layout.copyKind == BufferLayout::Bulk ? checkBulk(current, f)
                                               : Error::success();
}

Error StagingCheck::run() {
  for (const CopySite &f : current.tree.copySites) {
    RETURN_IF_ERROR(checkUnwritten(f));
    RETURN_IF_ERROR(checkPresent(f));
    RETURN_IF_ERROR(checkTouched(f));
    if (bufferOf(f.copy->buffer).memory == Buffer::Shared) {
      RETURN_IF_ERROR(checkDepth(f));
      RETURN_IF_ERROR(checkSharedPlace(current, f));
    }
    if (bufferOf(f.copy->buffer).memory == Buffer::Constant)
      RETURN_IF_ERROR(checkConstant(f));
    RETURN_IF_ERROR(checkUnits(f));
    RETURN_IF_ERROR(checkSwizzle(nest, *f.copy));
    if (!f.copy->from)
      continue;
    RETURN_IF_ERROR(checkFrom(f));
    BufferAccess read{*f.copy->from, f.place, f.scope, f.copy->range, ""};
    RETURN_IF_ERROR(checkBarriers(**copySiteFor(read), read));
  }
  for (const Running &r : current.running)
    for (const Operand &o : readsOf(r.statement()))
      if (o.access.buffer)
        RETURN_IF_ERROR(checkRead(r, o));
  return Error::success();
}

Error checkStaging(const CurrentNest &current) {
  RETURN_IF_ERROR(StagingCheck(current).run());
  return checkStores(current);
}

} // namespace convopt
