//===- Buffers.cpp - What is asked of every buffer ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "Barriers.h"
#include "Witness.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

Error refuseStorage(const Twine &message, SourceRange where,
                    std::string remedy) {
  return refuseIllegal("Storage", message.str(), where, std::move(remedy));
}

Error notAffine(const Twine &what, SourceRange where) {
  return refuseIllegal("analysis", (what + " is not affine").str(), where);
}

Expected<const CopySite *> copyFor(const CurrentNest &current,
                                   const BufferAccess &access, bool isStore) {
  const std::string &name = current.nest.arrays[access.buffer].name;
  const char *done = isStore ? "stored" : "filled";
  const CopySite *found = nullptr;
  for (const CopySite &f :
       isStore ? current.tree.stores : current.tree.copySites) {
    if (f.copy->buffer != access.buffer ||
        f.scope.at(access.buffer) != access.scope.at(access.buffer))
      continue;
    if (found)
      return refuseStorage("buffer '" + name + "' is " + done + " twice",
                           f.copy->range);
    found = &f;
  }
  size_t depth = found ? found->place.loops.size() : 0;
  bool inOrder = found && commonLoops(found->place, access.place) == depth &&
                 (isStore ? precedes(access.place, found->place, depth)
                          : precedes(found->place, access.place, depth));
  if (!inOrder)
    return refuseStorage(access.what + " in buffer '" + name +
                             (isStore ? "', which is not stored after it"
                                      : "' before it is filled"),
                         access.range,
                         "stage '" + name + "' in a loop around all that " +
                             (isStore ? "writes" : "reads") + " it");
  for (const Guard *g : found->place.guards)
    if (!is_contained(access.place.guards, g))
      return refuseStorage(access.what + " in buffer '" + name +
                               "', which is " + done + " in a guard",
                           access.range);
  return found;
}

WidePlace widened(const Nest &nest, Place place) {
  WidePlace wide{{}, std::move(place)};
  for (const Loop *&l : wide.place.loops) {
    wide.owned.push_back(fullTile(nest, *l));
    l = wide.owned.back().get();
  }
  return wide;
}

isl::set fullTiles(const CurrentNest &current, const Running &r) {
  WidePlace wide = widened(current.nest, r.place());
  return domainOf(r.space, wide.place)
      .set.intersect_params(*current.original.assumptions);
}

Error checkBox(const CurrentNest &current, const Running &r,
               const Access &access, const isl::set &domain, const Copy &copy) {
  const Nest &nest = current.nest;
  const Array &buffer = nest.arrays[copy.buffer];
  const std::vector<IndexExpr> &coordinates = coordinatesOf(access, buffer);
  for (size_t d = 0; d != copy.base.size(); ++d) {
    IndexExpr at =
        overCurrentLoops(r.statement(), coordinates[d]) - copy.base[d];
    auto low = r.space.where({Constraint::NonNegative, at});
    auto high =
        r.space.where({Constraint::NonNegative, reachOf(buffer, d) - at});
    auto even = r.space.where(
        {Constraint::Zero,
         IndexExpr::mod(at, IndexExpr(buffer.buffer->stride(d)))});
    if (!low || !high || !even)
      return notAffine("the place of " + str(nest, access),
                       r.statement().range);
    isl::set outside = domain.subtract(low->intersect(*high).intersect(*even));
    if (outside.is_empty())
      continue;
    Witness w = sample(current, outside);
    return refuseStorage(instanceText(current, r, w, 0) +
                             (copy.isStore ? " writes " : " reads ") +
                             str(nest, access) + ", which '" + buffer.name +
                             "' does not hold in dimension " + Twine(d),
                         r.statement().range,
                         buffer.buffer->isOnHost()
                             ? "stage it once all loops are mapped"
                             : "stage it with a larger box");
  }
  return Error::success();
}

Error checkWithin(const CurrentNest &current, const CopySite &inner,
                  const CopySite &outer) {
  const Nest &nest = current.nest;
  const Copy &copy = *inner.copy;
  // Threads that a partial tile does not have copy, too.
  const WidePlace wide = widened(nest, inner.place);
  LoopSpace space(current.original.context.get(), current.original.params,
                  loopIds(wide.place.loops));
  isl::set domain = domainOf(space, wide.place)
                        .set.intersect_params(*current.original.assumptions);
  const Array &buffer = nest.arrays[copy.buffer];
  const Array &around = nest.arrays[*copy.from];
  for (size_t d = 0; d != copy.base.size(); ++d) {
    IndexExpr at = copy.base[d] - outer.copy->base[d];
    IndexExpr room = reachOf(around, d) - reachOf(buffer, d) - at;
    const int64_t stride = around.buffer->stride(d);
    auto low = space.where({Constraint::NonNegative, at});
    auto high = space.where({Constraint::NonNegative, room});
    auto even =
        space.where({Constraint::Zero, IndexExpr::mod(at, IndexExpr(stride))});
    if (!low || !high || !even)
      return notAffine("the box of '" + buffer.name + "'", copy.range);
    const bool isCoarser = buffer.extents[d] == IndexExpr(1) ||
                           buffer.buffer->stride(d) % stride == 0;
    if (!isCoarser || !domain.is_subset(low->intersect(*high).intersect(*even)))
      return refuseStorage(
          "the box of '" + buffer.name + "' is not within that of '" +
              around.name + "' in dimension " + Twine(d),
          copy.range,
          around.buffer->isOnHost()
              ? "stage '" + around.name + "' once all loops are strip-mined"
              : "stage '" + buffer.name + "' at a loop inside of that of '" +
                    around.name + "'");
  }
  return Error::success();
}

Error checkSwizzle(const Nest &nest, const Copy &copy) {
  const Array &buffer = nest.arrays[copy.buffer];
  const int64_t unit = buffer.buffer->layout.swizzle;
  if (unit == 0)
    return Error::success();
  const StorageMap map(nest, buffer);
  auto refuseSwizzle = [&](const Twine &why, std::string remedy) {
    return refuseStorage("'" + buffer.name +
                             "' cannot be swizzled by units of " + Twine(unit) +
                             ": " + why,
                         copy.range, std::move(remedy));
  };
  if (map.digits().size() < 2)
    return refuseSwizzle("it has a single row", "take the swizzle off");
  IndexExpr row = nest.expandDefinitions(map.digits().back().count);
  std::optional<int64_t> length = row.asConstant();
  if (!length)
    return refuseSwizzle("its rows have " + str(nest, row) + " elements",
                         "give it a pitch instead, or assume sizes");
  const std::string pitch = "pitch:" + std::to_string(2 * unit);
  if (*length % unit != 0)
    return refuseSwizzle("its rows have " + Twine(*length) + " elements",
                         "give it " + pitch);
  if (*length / unit % 2 != 0)
    return refuseSwizzle("its rows have " + Twine(*length / unit) +
                             " of them, and with an odd number lie in "
                             "different banks as they are",
                         "take the swizzle off, or give it " + pitch);
  return Error::success();
}

Error checkSharedPlace(const CurrentNest &current, const CopySite &f) {
  const Nest &nest = current.nest;
  const std::string &name = nest.arrays[f.copy->buffer].name;
  if (!isUniform(f.place))
    return refuseStorage(
        "not every thread of a block comes to the " +
            Twine(f.copy->isStore ? "store of '" : "copy to '") + name +
            "' equally often",
        f.copy->range, "stage it at a loop outside of those that differ");
  for (const Loop *l : f.place.loops)
    for (const IndexExpr &e : f.copy->base)
      if (isBlock(l->kind) && e.uses(loopVar(l->id)))
        return refuseStorage("the box of shared buffer '" + name +
                                 "' depends on thread loop '" +
                                 nest.loopNames[l->id] + "'",
                             f.copy->range, "stage it once the loop is mapped");
  return Error::success();
}

Error checkBarriers(const CurrentNest &current, const BufferUse &first,
                    const BufferUse &second, unsigned depth) {
  if (none_of(second.place.loops,
              [](const Loop *l) { return isBlock(l->kind); }))
    return Error::success();
  if (!Barriers(current.tree, first.place, second.place).separateWithin(depth))
    return refuseStorage("no barrier stands between " + first.what + " and " +
                             second.what,
                         second.range, "put a barrier between them");
  Barriers next(current.tree, second.place, first.place);
  for (unsigned level = 0; level != depth; ++level)
    if (const Loop *l = first.place.loops[level];
        !isParallel(l->kind) && !isHost(l->kind) &&
        !next.separateIterations(level))
      return refuseStorage("no barrier stands between " + second.what +
                               " and " + first.what +
                               " in the next iteration of '" +
                               current.nest.loopNames[l->id] + "'",
                           first.range, "put a barrier before it");
  return Error::success();
}

} // namespace convopt
