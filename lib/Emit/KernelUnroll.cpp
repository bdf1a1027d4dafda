//===- KernelUnroll.cpp - What a kernel writes out ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum is written out as its loops say. The copy for partial tiles need not be
// fast, but the compiler takes longest for it, as it has the guards: it is
// written out where registers are passed over. Where many guards would be, it
// reads what registers hold a part of from where they come from, so that
// nothing but the tile of sums is written out:
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

using namespace llvm;

namespace convopt::emit {

/// The most guards of a partial tile that are written out for the sake of
/// registers that hold a part of other memory.
static constexpr int64_t MostGuards = 512;

/// What \p look says of any access inside of \p l to registers.
static bool
anyInRegisters(const Nest &nest, const Loop &l,
               function_ref<bool(const Statement &, const Access &)> look) {
  bool found = false;
  walk(l.body, [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *st = dyn_cast<Statement>(&n);
    if (!st)
      return;
    auto visit = [&](const Access &a) {
      const Array &place = nest.arrays[a.buffer.value_or(a.array)];
      bool isRegisters =
          !place.buffer || place.buffer->memory == Buffer::Registers;
      found = found || (place.isLocal() && isRegisters && look(*st, a));
    };
    visit(st->target);
    for (const Operand &o : st->operands)
      if (o.kind == Operand::Read)
        visit(o.access);
  });
  return found;
}

static bool anyUses(ArrayRef<IndexExpr> all, const Loop &l) {
  return any_of(all, [&](const IndexExpr &e) { return e.uses(loopVar(l.id)); });
}

bool KernelBody::indexesRegisters(const Loop &l, const Scope &s) const {
  return anyInRegisters(nest, l, [&](const Statement &st, const Access &a) {
    return !(a.buffer && s.isInPlace(*a.buffer)) && anyUses(indices(a, st), l);
  });
}

bool KernelBody::passesOverRegisters(const Loop &l) const {
  return anyInRegisters(nest, l, [&](const Statement &, const Access &a) {
    return anyUses(a.subscripts, l);
  });
}

bool KernelBody::isWrittenOut(const Loop &l, const Scope &s) const {
  if (l.kind != LoopKind::Unrolled || !s.partial)
    return l.kind == LoopKind::Unrolled;
  return s.isShort ? indexesRegisters(l, s) : passesOverRegisters(l);
}

/// How many guards stand in the text of \p n once its loops are written out.
int64_t KernelBody::guardsWrittenOut(const Node &n, const Scope &s) const {
  const auto *l = dyn_cast<Loop>(&n);
  const auto *g = dyn_cast<Guard>(&n);
  if (!l && !g)
    return 0;
  int64_t count = g ? !unsettled(*g, s).empty() : !neededGuard(*l).empty();
  for (const NodeRef &inner : l ? l->body : g->body)
    count += guardsWrittenOut(*inner, s);
  return l && isWrittenOut(*l, s) ? count * constantTrips(nest, *l).value_or(1)
                                  : count;
}

void KernelBody::shorten(const Loop &l, Scope &s) const {
  if (guardsWrittenOut(l, s) <= MostGuards)
    return;
  s.isShort = true;
  if (guardsWrittenOut(l, s) <= MostGuards)
    return;
  walk(l.body, [&](const Node &inner, const std::vector<NodeRef> &) {
    const auto *c = dyn_cast<Copy>(&inner);
    if (c && c->from && !c->isStore &&
        nest.arrays[c->buffer].buffer->memory == Buffer::Registers &&
        nest.arrays[*c->from].buffer->memory != Buffer::Registers)
      s.inPlace.insert(c->buffer);
  });
}

} // namespace convopt::emit
