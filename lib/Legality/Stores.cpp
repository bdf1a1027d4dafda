//===- Stores.cpp - Buffers bring what is written to them -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every write of array A to buffer b, which one store empties into the box
// of A that begins at `base`:
//
//   the store runs after the write, in the same iteration of every loop around
//   the store;
//   base <= subscripts < base + extents, for every iteration that writes, and
//   for those that a partial tile of threads or registers would add; what only
//   those write lies outside of A, so that emitted code need not guard them;
//   no element of A is written twice, none is read, and all are written to a
//   buffer: how long an element waits in a buffer is nobody's concern.
//
// A store writes all of its box that A has, so all of that has been written in
// the iteration: by any thread of the block, where the buffer is shared.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "Witness.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Nest/Text.h"

using namespace llvm;

namespace convopt {

namespace {

class StoreCheck {
public:
  explicit StoreCheck(const CurrentNest &current)
      : current(current), nest(current.nest) {}
  Error run();

private:
  Expected<const CopySite *> storeFor(const BufferAccess &write) const {
    return copyFor(current, write, /*isStore=*/true);
  }
  Error checkWrite(const Running &r) const;
  Error checkOutside(const Running &r, const isl::set &tiles) const;
  Error checkOnlyWritten(unsigned array) const;
  Error checkStore(const CopySite &f) const;
  Error checkCovered(const CopySite &f) const;
  bool comesTo(std::optional<unsigned> from, unsigned buffer) const;
  Expected<isl::set> elements(std::vector<unsigned> loops, const Place &place,
                              ArrayRef<IndexExpr> least,
                              ArrayRef<IndexExpr> greatest, size_t kept,
                              SourceRange where) const;

  const Array &array(unsigned id) const { return nest.arrays[id]; }
  const Buffer &bufferOf(unsigned id) const { return *nest.arrays[id].buffer; }
  bool isShared(unsigned buffer) const {
    return bufferOf(buffer).memory == Buffer::Shared;
  }

  bool isLinear(unsigned buffer) const {
    return bufferOf(buffer).layout.linear != 1;
  }

  const CurrentNest &current;
  const Nest &nest;
};

} // namespace

/// What only partial tiles would add writes outside of the array.
Error StoreCheck::checkOutside(const Running &r, const isl::set &tiles) const {
  const Access &target = r.statement().target;
  isl::set added = tiles.subtract(r.domain.set);
  for (size_t d = 0; d != target.subscripts.size(); ++d) {
    const auto inside =
        r.space.within(overCurrentLoops(r.statement(), target.subscripts[d]),
                       array(target.array).extents[d]);
    if (!inside)
      return notAffine("the place of " + str(nest, target),
                       r.statement().range);
    added = added.intersect(*inside);
  }
  if (added.is_empty())
    return Error::success();
  Witness w = sample(current, added);
  return refuseStorage(
      "a partial tile would write " + str(nest, target) + " to '" +
          array(*target.buffer).name + "' at " + instanceText(current, r, w, 0),
      r.statement().range, "choose tiles that divide the loops");
}

Error StoreCheck::checkWrite(const Running &r) const {
  const Statement &s = r.statement();
  BufferAccess write{*s.target.buffer, r.place(), r.occurrence->scope, s.range,
                     "S" + std::to_string(s.id) + " writes '" +
                         array(s.target.array).name + "'"};
  Expected<const CopySite *> store = storeFor(write);
  if (!store)
    return store.takeError();
  // Where the buffer lies as the array, writes keep their guards.
  isl::set tiles =
      isLinear(write.buffer) ? r.domain.set : fullTiles(current, r);
  RETURN_IF_ERROR(checkBox(current, r, s.target, tiles, *(*store)->copy));
  RETURN_IF_ERROR(checkOutside(r, tiles));
  if (!isShared(write.buffer))
    return Error::success();
  const std::string &name = array(write.buffer).name;
  return checkBarriers(
      current, {r.place(), s.range, "what writes '" + name + "'"},
      {(*store)->place, (*store)->copy->range, "the store of '" + name + "'"},
      (*store)->place.loops.size());
}

Error StoreCheck::checkOnlyWritten(unsigned of) const {
  const std::string &name = array(of).name;
  for (const Running &r : current.running) {
    const Statement &s = r.statement();
    auto refuseAccess = [&](const Twine &does, std::string remedy) {
      return refuseStorage("S" + Twine(s.id) + does + " '" + name +
                               "', which is stored from a buffer",
                           s.range, std::move(remedy));
    };
    const std::string only = "stage outputs that are only written";
    for (const Operand &o : readsOf(s))
      if (o.access.array == of)
        return refuseAccess(" reads", only);
    if (s.target.array == of && s.isReduction())
      return refuseAccess(" adds to", only);
    if (s.target.array == of && !s.target.buffer)
      return refuseAccess(" writes to memory",
                          "stage it at a loop around all that writes it");
  }
  for (const Relation &relation : current.original.relations)
    if (relation.sourceAccess->array == of)
      return refuseStorage("elements of '" + name +
                               "' are written more than once, and a store "
                               "would change which comes last",
                           array(of).range, "take the staging of it off");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Everything that is stored has been written
//===----------------------------------------------------------------------===//

/// For the first \p kept of \p loops, the elements from \p least to
/// \p greatest that an iteration of all of them, at \p place, has.
Expected<isl::set> StoreCheck::elements(std::vector<unsigned> loops,
                                        const Place &place,
                                        ArrayRef<IndexExpr> least,
                                        ArrayRef<IndexExpr> greatest,
                                        size_t kept, SourceRange where) const {
  std::vector<unsigned> dims(loops.begin(), loops.begin() + kept);
  unsigned element = nest.loopNames.size();
  for (size_t d = 0; d != least.size(); ++d)
    dims.push_back(element + d);
  dims.insert(dims.end(), loops.begin() + kept, loops.end());
  LoopSpace space(current.original.context.get(), current.original.params,
                  dims);
  Domain domain = domainOf(space, place);
  if (!domain.inexact.empty())
    return notAffine("a bound of what is stored", where);
  isl::set set = domain.set;
  for (size_t d = 0; d != least.size(); ++d) {
    IndexExpr at = IndexExpr::loop(element + d);
    auto low = space.where({Constraint::NonNegative, at - least[d]});
    auto high = space.where({Constraint::NonNegative, greatest[d] - at});
    if (!low || !high)
      return notAffine("the place of what is stored", where);
    set = set.intersect(low->intersect(*high));
  }
  unsigned first = kept + least.size();
  return isl::manage(isl_set_project_out(set.release(), isl_dim_set, first,
                                         dims.size() - first));
}

/// Whether what is written to buffer \p from is stored to \p buffer, there or
/// on its way.
bool StoreCheck::comesTo(std::optional<unsigned> from, unsigned buffer) const {
  if (!from || *from == buffer)
    return from.has_value();
  return any_of(current.tree.stores, [&](const CopySite &f) {
    return f.copy->buffer == *from && comesTo(f.copy->from, buffer);
  });
}

Error StoreCheck::checkCovered(const CopySite &f) const {
  const Copy &copy = *f.copy;
  const Array &buffer = array(copy.buffer),
              &of = array(bufferOf(copy.buffer).of);
  // The threads of a block store what any of them has written.
  auto isKept = [&](const Loop *l) {
    return !isShared(copy.buffer) || !isBlock(l->kind);
  };
  WidePlace wide = widened(nest, f.place);
  erase_if(wide.place.loops, [&](const Loop *l) { return !isKept(l); });
  std::vector<unsigned> around = loopIds(wide.place.loops);
  std::vector<IndexExpr> last;
  for (size_t d = 0; d != copy.base.size(); ++d)
    last.push_back(copy.base[d] + buffer.extents[d] - 1);
  ASSIGN_OR_RETURN(isl::set stored, elements(around, wide.place, copy.base,
                                             last, around.size(), copy.range));
  std::vector<IndexExpr> first(of.extents.size(), IndexExpr(0)), end;
  for (const IndexExpr &e : of.extents)
    end.push_back(e - 1);
  ASSIGN_OR_RETURN(isl::set inArray, elements(around, wide.place, first, end,
                                              around.size(), copy.range));
  isl::set missing =
      stored.intersect(inArray).intersect_params(*current.original.assumptions);
  for (const Running &r : current.running) {
    if (!comesTo(r.statement().target.buffer, copy.buffer))
      continue;
    std::vector<unsigned> loops = around;
    for (const Loop *l : r.place().loops)
      if (!is_contained(around, l->id))
        loops.push_back(l->id);
    std::vector<IndexExpr> element;
    for (const IndexExpr &e : r.statement().target.subscripts)
      element.push_back(overCurrentLoops(r.statement(), e));
    ASSIGN_OR_RETURN(isl::set written,
                     elements(loops, r.place(), element, element, around.size(),
                              copy.range));
    missing = missing.subtract(written);
  }
  if (missing.is_empty())
    return Error::success();
  return refuseStorage("the store of '" + buffer.name + "' has elements of '" +
                           of.name + "' that its loop has not written",
                       copy.range,
                       "stage it at a loop that writes whole boxes of it");
}

Error StoreCheck::checkStore(const CopySite &f) const {
  unsigned buffer = f.copy->buffer;
  RETURN_IF_ERROR(checkOnlyWritten(bufferOf(buffer).of));
  if (bufferOf(buffer).layout.depth != 1)
    return refuseStorage("stores of '" + array(buffer).name +
                             "' are not pipelined",
                         f.copy->range, "take the depth off");
  if (bufferOf(buffer).layout.async != 0)
    return refuseStorage("stores of '" + array(buffer).name +
                             "' are not asynchronous",
                         f.copy->range, "take async:1 off");
  if (auto kind = bufferOf(buffer).layout.copyKind)
    return refuseStorage(
        "a TMA " + Twine(BufferLayout::copyKindNames[kind]) +
            " copy does not store '" + array(buffer).name + "'",
        f.copy->range,
        "take " + std::string(BufferLayout::copyKindNames[kind]) + " off");
  if (std::optional<unsigned> to = f.copy->from;
      to && (isLinear(buffer) || isLinear(*to)))
    return refuseStorage("'" + array(buffer).name + "' is stored to '" +
                             array(*to).name + "', and '" +
                             array(isLinear(buffer) ? buffer : *to).name +
                             "' lies as its array does",
                         f.copy->range, "take linear off");
  if (isShared(buffer))
    RETURN_IF_ERROR(checkSharedPlace(current, f));
  RETURN_IF_ERROR(checkVectors(nest, *f.copy));
  RETURN_IF_ERROR(checkSwizzle(nest, *f.copy));
  if (!f.copy->from)
    return Error::success();
  const std::string &name = array(*f.copy->from).name;
  BufferAccess write{*f.copy->from, f.place, f.scope, f.copy->range,
                     "a store writes"};
  ASSIGN_OR_RETURN(const CopySite *outer, storeFor(write));
  RETURN_IF_ERROR(checkWithin(current, f, *outer));
  if (!isShared(*f.copy->from))
    return Error::success();
  return checkBarriers(
      current, {f.place, f.copy->range, "what writes '" + name + "'"},
      {outer->place, outer->copy->range, "the store of '" + name + "'"},
      outer->place.loops.size());
}

Error StoreCheck::run() {
  for (const CopySite &f : current.tree.stores)
    RETURN_IF_ERROR(checkStore(f));
  for (const Running &r : current.running)
    if (r.statement().target.buffer)
      RETURN_IF_ERROR(checkWrite(r));
  for (const CopySite &f : current.tree.stores)
    RETURN_IF_ERROR(checkCovered(f));
  return Error::success();
}

Error checkStores(const CurrentNest &current) {
  return StoreCheck(current).run();
}

} // namespace convopt
