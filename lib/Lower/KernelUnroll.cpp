//===- KernelUnroll.cpp - What a kernel writes out ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum is unrolled as its loops say. The compiler takes longest for guards,
// which the copy for partial tiles has, and which every warp with such a tile
// runs; the copy for full tiles has those that hold in a part of a tile, such
// as
// `(y - r) % stride == 0`. So loops of the tile that more of them are about
// stand outside of others:
//
//   for k_r, x_r unrolled            for x_r unrolled
//     if (x + s < W)                   if (x + s < W)
//       sum[k_r][x_r] += ...             for k_r unrolled
//                                          sum[k_r][x_r] += ...
//
// It is unrolled where registers are passed over. Where many guards would
// be, that is done as far as registers are indexed, and where these are still
// many, what registers hold a part of is read from where they come from, so
// that nothing but the tile of sums is unrolled:
//
//   for s unrolled {                 for s {
//     w_r[..] = w_s[r][s][..]
//     for y_r, x_r unrolled            for y_r, x_r unrolled
//       if (..)                          if (..)
//         sum += in_r[s + x_r] *           sum += in_s[r][s + x_r] *
//                w_r[..]                          w_s[r][s][..]
//   }                                }
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdint>

using namespace llvm;

namespace convopt::lower {

/// The most guards of a partial tile that are unrolled for the sake of
/// registers that hold a part of other memory.
static constexpr int64_t MostGuards = 192;

/// What \p look says of any access inside of \p l to registers.
static bool
anyInRegisters(const Nest &nest, const Loop &l,
               function_ref<bool(const Statement &, const Access &)> look) {
  return any_of(collect<Statement>(l.body), [&](const Statement *st) {
    return any_of(accessesOf(*st), [&](const Access *a) {
      const Array &place = nest.arrays[a->buffer.value_or(a->array)];
      bool isRegisters =
          !place.buffer || place.buffer->memory == Buffer::Registers;
      return place.isLocal() && isRegisters && look(*st, *a);
    });
  });
}

bool KernelBody::indexesRegisters(const Loop &l, const Scope &s) const {
  return anyInRegisters(nest, l, [&](const Statement &st, const Access &a) {
    return !(a.buffer && s.isInPlace(*a.buffer)) &&
           anyUses(indices(a, st), l.id);
  });
}

bool KernelBody::passesOverRegisters(const Loop &l) const {
  return anyInRegisters(nest, l, [&](const Statement &, const Access &a) {
    return uses(a, l.id);
  });
}

bool KernelBody::isUnrolled(const Loop &l, const Scope &s) const {
  if (l.kind != LoopKind::Unrolled || !s.partial)
    return l.kind == LoopKind::Unrolled;
  return s.isShort ? indexesRegisters(l, s) : passesOverRegisters(l);
}

/// Whether the iterations of \p l write cells of their own and read nothing
/// else that is written: it may stand anywhere in its band.
static bool isIndependent(const Nest &nest, const Loop &l) {
  OwnCells own(nest, l);
  std::set<unsigned> written;
  bool independent =
      collect<Barrier>(l.body).empty() && collect<Copy>(l.body).empty();
  for (const Statement *st : collect<Statement>(l.body)) {
    written.insert(st->target.array);
    independent &= own.has(st->target);
  }
  for (const Statement *st : collect<Statement>(l.body))
    for (const Operand &o : st->operands)
      independent &= o.kind == Operand::Index ||
                     !written.count(o.access.array) || own.has(o.access);
  return independent;
}

/// The band of unrolled loops that \p head begins, of which none is in
/// another's bounds.
static std::vector<const Loop *> tileBand(const Nest &nest, const Loop &head) {
  std::vector<const Loop *> band;
  for (const Loop *l : perfectBand(head)) {
    auto usesBand = [&](const Bound &b) {
      return any_of(band, [&](const Loop *outer) {
        return b.expr.uses(loopVar(outer->id));
      });
    };
    if (l->kind != LoopKind::Unrolled || !constantUpper(nest, *l) ||
        any_of(l->bounds(), usesBand))
      break;
    band.push_back(l);
  }
  return band;
}

Body KernelBody::withGuardsOutside(const Body &body, Scope &s) const {
  Body result;
  for (const NodeRef &n : body)
    if (!s.never.count(n.get()))
      result.push_back(withGuardsOutside(n, s));
  return result;
}

NodeRef KernelBody::withGuardsOutside(const NodeRef &n, Scope &s) const {
  // What has been compared before \p of has been so before its copy.
  auto settleAs = [&](const Node &copy, const Node &of) {
    std::vector<Constraint> settled = s.settled.lookup(&of);
    s.settled[&copy] = std::move(settled);
  };
  if (const auto *g = dyn_cast<Guard>(n.get())) {
    auto copy = std::make_shared<Guard>(*g);
    copy->body = withGuardsOutside(g->body, s);
    settleAs(*copy, *g);
    return copy;
  }
  const auto *head = dyn_cast<Loop>(n.get());
  if (!head)
    return n;
  std::vector<const Loop *> band = tileBand(nest, *head);
  if (band.empty())
    band.push_back(head);
  Body body = withGuardsOutside(band.back()->body, s);
  std::vector<Constraint> conditions;
  for (const Guard *g : collect<Guard>(body))
    append_range(conditions, unsettled(*g, s));
  auto guards = [&](const Loop *l) -> size_t {
    if (!isIndependent(nest, *l))
      return SIZE_MAX;
    return unsettled(*l, neededGuard(*l), s).size() +
           count_if(conditions,
                    [&](const auto &c) { return c.expr.uses(loopVar(l->id)); });
  };
  stable_sort(band, [&](const Loop *a, const Loop *b) {
    return guards(a) > guards(b);
  });
  for (const Loop *l : reverse(band)) {
    auto copy = std::make_shared<Loop>(*l);
    copy->body = std::exchange(body, {});
    settleAs(*copy, *l);
    body.push_back(std::move(copy));
  }
  return body.front();
}

/// How many guards stand in the text of \p n once its loops are unrolled.
int64_t KernelBody::guardsUnrolled(const Node &n, const Scope &s) const {
  if (const auto *g = dyn_cast<Guard>(&n)) {
    int64_t count = !unsettled(*g, s).empty();
    for (const NodeRef &inner : g->body)
      count += guardsUnrolled(*inner, s);
    return count;
  }
  const auto *l = dyn_cast<Loop>(&n);
  if (!l)
    return 0;
  Conditions invariant = invariantGuards(*l, s);
  Scope within = s;
  settle(invariant, within);
  within.loops.insert(l->id);
  int64_t count = !neededGuard(*l).empty();
  for (const NodeRef &inner : l->body)
    count += guardsUnrolled(*inner, within);
  if (isUnrolled(*l, s))
    count *= constantTrips(nest, *l).value_or(1);
  return count + !invariant.empty();
}

void KernelBody::shorten(const NodeRef &n, Scope &s) const {
  if (!s.isShort && guardsUnrolled(*n, s) <= MostGuards)
    return;
  if (!std::exchange(s.isShort, true) && guardsUnrolled(*n, s) <= MostGuards)
    return;
  auto isSource = [&](unsigned buffer) {
    return any_of(copySites,
                  [&](const auto &f) { return f.second.copy->from == buffer; });
  };
  walk({n}, [&](const Node &inner, const std::vector<NodeRef> &) {
    const auto *c = dyn_cast<Copy>(&inner);
    if (c && c->from && !c->isStore && !isSource(c->buffer) &&
        nest.arrays[c->buffer].buffer->memory == Buffer::Registers &&
        nest.arrays[*c->from].buffer->memory != Buffer::Registers)
      s.inPlace.insert(c->buffer);
  });
}

} // namespace convopt::lower
