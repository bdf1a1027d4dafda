//===- Machine.cpp - Memory with shadows ----------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace llvm;

namespace convopt::program {

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

void Storage::setExtents(ArrayRef<int64_t> all, bool isFlat, bool isBoxed) {
  extents.assign(all.begin(), all.end());
  strides.assign(all.size(), 1);
  for (size_t d = all.size(); d-- > 1;)
    strides[d - 1] = strides[d] * all[d];
  if (isBoxed) // room between boxes
    strides[0] = int64_t(alignTo(uint64_t(strides[0] * elementBytes),
                                 uint64_t(alignment))) /
                 elementBytes;
  size = all.empty() ? 1 : strides[0] * all[0];
  if (isFlat) {
    extents = {size};
    strides = {1};
  }
}

std::string Storage::nameOf(int64_t index) const {
  std::string name = "'" + variable->name;
  for (int64_t stride : strides) {
    name += "[" + std::to_string(index / stride) + "]";
    index %= stride;
  }
  return name + "'";
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

static std::string join(const std::array<int64_t, 3> &all) {
  return "(" + std::to_string(all[0]) + ", " + std::to_string(all[1]) + ", " +
         std::to_string(all[2]) + ")";
}

std::string Machine::threadText(Lane t) const {
  if (t == Shadow::Many)
    return "others";
  return "thread " + join({t % blockDim[0], t / blockDim[0] % blockDim[1],
                           t / blockDim[0] / blockDim[1]});
}

void Machine::fault(Lane t, const Twine &what) {
  if (hasFailed)
    return;
  hasFailed = true;
  if (statement)
    message = headline(*statement) + ": ";
  message +=
      (threadText(t) + " of block " + join(blockIndex) + " " + what).str();
}

Error Machine::takeError() {
  return createStringError(inconvertibleErrorCode(), message);
}

//===----------------------------------------------------------------------===//
// Blocks and barriers
//===----------------------------------------------------------------------===//

Machine::Machine(const Kernel &kernel, const Launch &launch)
    : launch(launch), blockDim(kernel.block),
      threads(unsigned(blockDim[0] * blockDim[1] * blockDim[2])) {}

void Machine::beginBlock() {
  firstEpoch = ++epoch;
  hasReturned.assign(threads, false);
  returned = 0;
  groups.assign(threads, {});
  taken.assign(threads, {});
  origins.clear();
}

void Machine::endBlock(ArrayRef<Storage *> barriers) {
  statement = nullptr;
  for (const Storage *s : barriers)
    for (size_t k = 0; s->block == block && k != s->barriers.size(); ++k)
      if (s->barriers[k].hasArrived || !s->barriers[k].copies.empty())
        fault(0, "ends while bulk copies of " + s->nameOf(int64_t(k)) +
                     " are under way");
  // What has not landed has no reader any more, but its sources are free.
  for (Groups &g : groups) {
    g.committed.push_back(std::move(g.open));
    for (const auto &group : g.committed)
      for (const AsyncCopy &c : group)
        for (int64_t k = 0; c.from && k != c.count; ++k)
          endSource(*c.from, c.fromIndex + k);
  }
  ++block;
}

void Machine::expectAll(Lanes lanes, unsigned first, unsigned end,
                        StringRef whom) {
  unsigned missing = first;
  for (Lane t : lanes)
    missing += t == missing;
  if (missing == end)
    return;
  const std::string who =
      missing >= threads ? "one of them has no thread"
                         : threadText(Lane(missing)) +
                               (hasReturned[missing] ? " has returned"
                                                     : " does not get there");
  fault(lanes[0], "waits for all " + whom + ", and " + who);
}

void Machine::synchronise(Lanes lanes) {
  expectAll(lanes, 0, threads, "threads of the block");
  ++epoch;
}

void Machine::meetInWarps(Lanes lanes) {
  while (!lanes.empty()) {
    const unsigned first = lanes[0] / WarpSize * WarpSize,
                   end = first + WarpSize;
    const Lanes warp = lanes.take_while([&](Lane t) { return t < end; });
    expectAll(warp, first, end, "lanes of the warp");
    lanes = lanes.drop_front(warp.size());
  }
}

void Machine::leave(Lanes lanes) {
  for (Lane t : lanes)
    hasReturned[t] = true;
  returned += lanes.size();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void Machine::noteRead(Storage &s, int64_t index, Lane t) {
  Shadow &e = s.shadow[index];
  if (e.flight != Shadow::None)
    return fault(t,
                 "reads " + s.nameOf(index) + ", to which a copy is under way");
  if (e.writer == Shadow::Engine) {
    const Arrival &a = s.arrivals[index];
    if (!a.barrier->isSeenBy(t, a.phase, epoch))
      return fault(t, "reads " + s.nameOf(index) +
                          ", and has not waited for the copy engine");
  } else if (e.writeEpoch == epoch && e.writer != t) {
    return fault(t, "reads " + s.nameOf(index) + ", which " +
                        threadText(e.writer) + " wrote since the last barrier");
  }
  if ((e.writeEpoch && e.writeEpoch < firstEpoch) || e.isUpdatedByOtherBlocks)
    return fault(t, "reads " + s.nameOf(index) + ", which another block wrote");
  if (e.readEpoch == epoch) {
    if (e.reader != t)
      e.reader = Shadow::Many;
    return;
  }
  if (e.readEpoch && e.readEpoch < firstEpoch)
    e.isReadByOtherBlocks = true;
  e.readEpoch = epoch;
  e.reader = t;
}

bool Machine::mayWrite(Storage &s, int64_t index, Lane t, bool isAtomic) {
  auto fails = [&](const Twine &why) {
    fault(t, "writes to " + s.nameOf(index) + ", " + why);
    return false;
  };
  if (s.isReadOnly)
    return fails("which is constant");
  const Shadow &e = s.shadow[index];
  if (e.flight != Shadow::None)
    return fails("to which a copy is under way");
  if (e.sources)
    return fails("from which a copy is under way");
  const bool isOwn = e.writer == t || e.writer == Shadow::Engine;
  if (e.writeEpoch == epoch && !isOwn && !(isAtomic && e.isAtomic))
    return fails("as " + threadText(e.writer) +
                 (e.writer == Shadow::Many ? " have" : " has") +
                 " since the last barrier");
  if (e.readEpoch == epoch && e.reader != t)
    return fails("which " + threadText(e.reader) +
                 " read since the last barrier");
  const bool isWritten = e.writeEpoch && e.writeEpoch < firstEpoch;
  if (e.isReadByOtherBlocks || (e.readEpoch && e.readEpoch < firstEpoch) ||
      (isWritten && !(isAtomic && !e.isPlain)) ||
      (e.isUpdatedByOtherBlocks && !isAtomic))
    return fails("which another block touches");
  return true;
}

void Machine::noteFlight(Storage &s, int64_t index, Lane t, Lane who) {
  if (!mayWrite(s, index, t, /*isAtomic=*/false))
    return;
  Shadow &e = s.shadow[index];
  e.writeEpoch = epoch;
  e.writer = who;
  e.isPlain = true;
  e.isAtomic = false;
}

void Machine::noteAtomic(Storage &s, int64_t index, Lane t) {
  if (!mayWrite(s, index, t, /*isAtomic=*/true))
    return;
  Shadow &e = s.shadow[index];
  if (e.writeEpoch != epoch) {
    e.isUpdatedByOtherBlocks |= e.writeEpoch && e.writeEpoch < firstEpoch;
    e.isAtomic = true;
    e.writer = t;
  } else if (e.writer != t) {
    e.writer = Shadow::Many;
  }
  e.writeEpoch = epoch;
}

void Machine::noteWrite(Storage &s, int64_t index, Lane t) {
  noteFlight(s, index, t, t);
}

void Machine::noteSource(Storage &s, int64_t index, Lane t) {
  if (s.isReadOnly)
    return;
  noteRead(s, index, t);
  ++s.shadow[index].sources;
}

void Machine::endSource(Storage &s, int64_t index) {
  if (!s.isReadOnly)
    --s.shadow[index].sources;
}

//===----------------------------------------------------------------------===//
// What has no value
//===----------------------------------------------------------------------===//

void Machine::take(Lane t, Where where, unsigned declarations, Origin itself) {
  auto known = origins.find(where);
  bool isKnown =
      known != origins.end() && known->second.declarations == declarations;
  taken[t] = isKnown ? known->second : itself;
}

void Machine::takeUndefined(Lane t, const Slot &slot, const Variable &v) {
  take(t, {&slot, t}, slot.declarations, {&v, nullptr, 0});
}

void Machine::takeUndefined(Lane t, const Storage &s, int64_t index) {
  take(t, whereOf(t, s, index), s.declarations, {s.variable, &s, index});
}

void Machine::keepUndefined(Lane t, const Slot &slot) {
  taken[t].declarations = slot.declarations;
  origins[{&slot, t}] = taken[t];
}

void Machine::keepUndefined(Lane t, const Storage &s, int64_t index) {
  taken[t].declarations = s.declarations;
  origins[whereOf(t, s, index)] = taken[t];
}

void Machine::exchangeOrigins(Lanes lanes, unsigned distance) {
  const std::vector<Origin> before = taken;
  for (Lane t : lanes)
    taken[t] = before[t ^ distance];
}

std::string Machine::originText(Lane t) const {
  const Origin &o = taken[t];
  return (o.storage ? o.storage->nameOf(o.index)
                    : "'" + o.variable->name + "'") +
         ", to which nothing was written";
}

//===----------------------------------------------------------------------===//
// Asynchronous copies of threads (PTX ISA, "cp.async")
//===----------------------------------------------------------------------===//

void Machine::startAsync(Lane t, Storage &to, int64_t toIndex, Storage *from,
                         int64_t fromIndex, int64_t count) {
  for (int64_t k = 0; k != count; ++k) {
    if (from)
      noteSource(*from, fromIndex + k, t);
    noteFlight(to, toIndex + k, t, t);
    to.shadow[toIndex + k].flight = t;
  }
  groups[t].open.push_back({&to, from, toIndex, fromIndex, count});
}

void Machine::commit(Lane t) {
  Groups &g = groups[t];
  g.committed.push_back(std::move(g.open));
  g.open.clear();
}

void Machine::waitPrior(Lane t, int64_t prior) {
  std::vector<std::vector<AsyncCopy>> &all = groups[t].committed;
  const size_t count = all.size() - std::min(all.size(), size_t(prior));
  for (size_t k = 0; k != count; ++k)
    for (AsyncCopy &c : all[k])
      land(c, t);
  all.erase(all.begin(), all.begin() + count);
}

/// Written now, as others see it.
void Machine::land(AsyncCopy &c, Lane t) {
  for (int64_t k = 0; k != c.count; ++k) {
    if (c.from)
      endSource(*c.from, c.fromIndex + k);
    Shadow &e = c.to->shadow[c.toIndex + k];
    e.flight = Shadow::None;
    e.writeEpoch = epoch;
    e.writer = t;
    c.to->data[c.toIndex + k] = c.from ? c.from->data[c.fromIndex + k] : 0;
  }
}

//===----------------------------------------------------------------------===//
// Copies of the engine (PTX ISA, "cp.async.bulk", "mbarrier")
//===----------------------------------------------------------------------===//

BulkBarrier *Machine::barrierOf(Lane t, Storage &s, int64_t index) {
  BulkBarrier &b = s.barriers[index];
  if (b.isInitialised && (b.initialiser == t || b.initEpoch < epoch))
    return &b;
  fault(t, "uses the mbarrier " + s.nameOf(index) +
               (b.isInitialised ? ", initialised since the last barrier"
                                : ", which no thread has initialised"));
  return nullptr;
}

void Machine::initBarrier(Lane t, Storage &s, int64_t index) {
  BulkBarrier &b = s.barriers[index];
  if (b.isInitialised)
    return fault(t, "initialises " + s.nameOf(index) + " a second time");
  b.isInitialised = true;
  b.initialiser = t;
  b.initEpoch = epoch;
  b.seen.assign(threads, 0);
}

void Machine::startBulk(Lane t, Storage &s, int64_t index,
                        BulkBarrier::Copy copy) {
  BulkBarrier *b = barrierOf(t, s, index);
  if (!b)
    return;
  if (b->hasArrived || !b->isSeenBy(t, b->phase, epoch))
    return fault(t, "starts a bulk copy in a phase of " + s.nameOf(index) +
                        " that is to end");
  Storage &to = *copy.to;
  to.arrivals.resize(to.size);
  for (int64_t k = 0; k != copy.count; ++k) {
    if (copy.fromIndices[k] >= 0)
      noteSource(*copy.from, copy.fromIndices[k], t);
    Shadow &e = to.shadow[copy.toIndex + k];
    if (e.writeEpoch && e.writer != Shadow::Engine)
      return fault(t, "has the engine write to " + to.nameOf(copy.toIndex + k) +
                          ", to which threads write without a fence");
    noteFlight(to, copy.toIndex + k, t, Shadow::Engine);
    e.flight = Shadow::Engine;
    to.arrivals[copy.toIndex + k] = {b, b->phase + 1};
  }
  b->copies.push_back(std::move(copy));
}

void Machine::arrive(Lane t, Storage &s, int64_t index) {
  BulkBarrier *b = barrierOf(t, s, index);
  if (!b)
    return;
  if (b->hasArrived || !b->isSeenBy(t, b->phase, epoch))
    return fault(t,
                 "arrives at " + s.nameOf(index) + " a second time in a phase");
  b->hasArrived = true;
}

void Machine::waitBulk(Lane t, Storage &s, int64_t index, int64_t parity) {
  BulkBarrier *b = barrierOf(t, s, index);
  if (!b)
    return;
  if (parity != 0 && parity != 1)
    return fault(t, "waits for a phase that is neither even nor odd");
  if (b->phase % 2 == parity) {
    if (!b->hasArrived)
      return fault(t, "waits for ever: no thread has arrived in the phase of " +
                          s.nameOf(index));
    endPhase(*b);
  }
  b->seen[t] = b->phase;
}

void Machine::endPhase(BulkBarrier &b) {
  for (const BulkBarrier::Copy &c : b.copies)
    for (int64_t k = 0; k != c.count; ++k) {
      const int64_t from = c.fromIndices[k];
      c.to->data[c.toIndex + k] = from < 0 ? 0 : c.from->data[from];
      c.to->shadow[c.toIndex + k].flight = Shadow::None;
      if (from >= 0)
        endSource(*c.from, from);
    }
  b.copies.clear();
  b.hasArrived = false;
  ++b.phase;
  b.endEpoch = epoch;
}

} // namespace convopt::program
