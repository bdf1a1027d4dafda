//===- Operations.cpp - Statements that run -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operations.h"
#include "convopt/Program/Values.h"

using namespace llvm;

namespace convopt::program {

void Sequence::run(Lanes lanes) {
  unsigned returned = m.returned;
  std::vector<Lane> left;
  for (const auto &op : all) {
    if (m.hasFailed) // of what decides whether this runs, too
      return;
    m.statement = op->source;
    m.operations += lanes.size();
    if (m.operations > m.launch.limit)
      m.fault(lanes[0], "runs for longer than the limit");
    op->run(lanes);
    if (m.returned == returned)
      continue;
    returned = m.returned;
    std::vector<Lane> still;
    for (Lane t : lanes)
      if (!m.hasReturned[t])
        still.push_back(t);
    left = std::move(still);
    lanes = left;
    if (lanes.empty())
      return;
  }
}

/// What comes of nothing is nothing.
static uint64_t updatedOrUndefined(Assignment::Update update, uint64_t old,
                                   uint64_t value, const Machine &m) {
  return value == Uninitialised
             ? value
             : updated(update, old, value, m.launch.isAlgebraic);
}

void SetSlot::run(Lanes lanes) {
  if (!value) {
    for (Lane t : lanes)
      slot.values[t] = Word(Uninitialised);
    ++slot.declarations;
    return;
  }
  const Word *from = value->eval(lanes);
  if (m.hasFailed)
    return;
  if (update == Assignment::Update::None) {
    for (Lane t : lanes)
      slot.values[t] = from[t];
  } else {
    for (Lane t : lanes)
      if (uint64_t old = uint64_t(slot.values[t]); old != Uninitialised)
        slot.values[t] =
            Word(updatedOrUndefined(update, old, uint64_t(from[t]), m));
      else
        m.takeUndefined(t, slot, variable);
  }
  if (slot.mayBeUndefined)
    for (Lane t : lanes)
      if (uint64_t(slot.values[t]) == Uninitialised)
        m.keepUndefined(t, slot);
}

void SetElements::run(Lanes lanes) {
  Storage &s = *place.storage;
  const Word *from = value->eval(lanes);
  const unsigned width = value->width;
  if (!m.hasFailed)
    place.eval(m, lanes, width, width * s.elementBytes);
  if (m.hasFailed)
    return;
  for (Lane t : lanes)
    for (unsigned k = 0; k != width; ++k) {
      const int64_t at = place.indices[t] + k;
      uint64_t w = uint64_t(from[t * width + k]);
      if (update != Assignment::Update::None) {
        const uint64_t old =
            isAtomic ? m.readAtomically(s, at, t) : m.read(s, at, t);
        if (old == Uninitialised)
          m.takeUndefined(t, s, at);
        w = old == Uninitialised ? old : updatedOrUndefined(update, old, w, m);
      }
      if (isAtomic)
        s.data[at] = w;
      else
        m.write(s, at, t, w);
      if (w != Uninitialised)
        continue;
      if (s.isParameter)
        return m.fault(t, "stores to " + s.nameOf(at) + " what comes of " +
                              m.originText(t));
      m.keepUndefined(t, s, at);
    }
}

void MakeArray::run(Lanes lanes) {
  Storage &s = storage;
  SmallVector<int64_t, 6> all;
  for (const ValueRef &e : extents) {
    const Word *extent = e->eval(lanes);
    if (m.hasFailed)
      return;
    for (Lane t : lanes)
      if (extent[t] < 0 || extent[t] != extent[lanes[0]])
        return m.fault(t, "has an array of extent " + Twine(extent[t]));
    all.push_back(extent[lanes[0]]);
  }
  const Variable &v = *s.variable;
  if (s.isRegisters()) {
    s.setExtents(all, v.isPointer, false);
    s.data.resize(s.size * m.threads);
    for (int64_t k = 0; k != s.size; ++k)
      for (Lane t : lanes)
        s.data[k * m.threads + t] = Uninitialised;
    ++s.declarations;
    return;
  }
  // Of the block: whoever comes first makes it.
  if (s.block == m.block)
    return;
  s.block = m.block;
  s.place = 0;
  s.setExtents(all, v.isPointer, !v.box.empty());
  s.data.assign(s.size, Uninitialised);
  s.shadow.assign(s.size, {});
  s.arrivals.clear();
  if (v.type.kind == Type::Barrier)
    s.barriers.assign(s.size, {});
  if (!placed)
    return;
  const Word *at = place ? place->eval(lanes) : nullptr;
  if (m.hasFailed)
    return;
  s.place = at ? at[lanes[0]] : 0;
  const int64_t end = s.place + s.size * s.elementBytes;
  if (s.place < 0 || s.place % s.elementBytes)
    return m.fault(lanes[0], "has an array at byte " + Twine(s.place) +
                                 " of shared memory");
  if (m.launch.sharedBytes && end > *m.launch.sharedBytes)
    return m.fault(lanes[0], "has an array that ends at byte " + Twine(end) +
                                 " of shared memory, which has " +
                                 Twine(*m.launch.sharedBytes));
  for (const Storage *other : *placed)
    if (other != &s && other->block == m.block && s.place < end &&
        other->place < end &&
        s.place < other->place + other->size * other->elementBytes)
      return m.fault(lanes[0], "has an array in the memory of '" +
                                   other->variable->name + "'");
}

void Conditional::run(Lanes lanes) {
  const Word *is = condition->eval(lanes);
  yes.clear();
  no.clear();
  for (Lane t : lanes)
    (is[t] ? yes : no).push_back(t);
  if (!yes.empty())
    body.run(yes);
  if (!no.empty())
    otherwise.run(no);
}

void Assert::run(Lanes lanes) {
  const Word *holds = condition->eval(lanes);
  for (Lane t : lanes)
    if (!holds[t])
      m.fault(t, "does not fulfil it");
}

void Repeat::run(Lanes lanes) {
  const Word *begin = first->eval(lanes);
  for (Lane t : lanes)
    slot.values[t] = begin[t];
  std::vector<Lane> live(lanes.begin(), lanes.end());
  while (!m.hasFailed) {
    const Word *bound = end->eval(live);
    size_t count = 0;
    for (Lane t : live)
      if (slot.values[t] < bound[t])
        live[count++] = t;
    live.resize(count);
    if (m.hasFailed || live.empty())
      return;
    const unsigned returned = m.returned;
    m.operations += live.size();
    body.run(live);
    m.statement = source;
    if (m.hasFailed)
      return;
    if (m.returned != returned)
      erase_if(live, [&](Lane t) { return m.hasReturned[t]; });
    if (live.empty())
      return;
    if (m.operations > m.launch.limit)
      return m.fault(live[0], "runs for longer than the limit");
    const Word *by = step->eval(live);
    for (Lane t : live) {
      const Word next = slot.values[t] + by[t];
      if (by[t] < 1 || next != int32_t(next))
        return m.fault(t, "steps from " + Twine(slot.values[t]) + " by " +
                              Twine(by[t]));
      slot.values[t] = next;
    }
  }
}

void CallFunction::run(Lanes lanes) {
  const Word *from = argument->eval(lanes);
  for (Lane t : lanes)
    parameter.values[t] = from[t];
  body.run(lanes);
}

} // namespace convopt::program
