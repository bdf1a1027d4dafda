//===- KernelGuards.cpp - What keeps a tile from running in full ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for c {                          if (y0 >= pad && y0 + 10 <= H + pad) {
//     for r in 0 .. 3 {                for c, r
//       for y_r unrolled {               if (x inside)
//         if (y + r >= pad &&              for y_r
//             y + r < H + pad &&             sum[y_r] += ...
//             x inside)              } else {
//           sum[y_r] += ...            for c, r
//       }                                if (x inside)
//     }                                    for y_r
//   }                                        if (y inside)
//                                              sum[y_r] += ...
//                                    }
//
// The test is one of a thread. What differs between the lanes of a warp, the
// column, is mostly no part of it: it does not depend on the register tile, so
// it stays before the tile, where it costs one comparison for all of it. Where
// the register tile runs along the columns, a warp at the border of the image
// runs both copies, and the faster one is what it runs in vain.
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "convopt/Nest/Factors.h"
#include "convopt/Transforms/Bounds.h"
#include "convopt/Transforms/Footprint.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::emit {

/// Whether \p a is to nothing of global memory. Legality has the boxes of
/// buffers hold what whole tiles use, inside of the domain or not, and nothing
/// that lies outside is stored.
static bool isNear(const Nest &nest, const Access &a) {
  return a.buffer || nest.arrays[a.array].isLocal();
}

/// Whether \p a is written where nothing else lies. Buffers that lie as their
/// array have the next row's elements where a partial tile's would be.
static bool isFree(const Nest &nest, const Access &a) {
  return isNear(nest, a) &&
         (!a.buffer || nest.arrays[*a.buffer].buffer->layout.linear == 1);
}

static bool isNear(const Nest &nest, const Operand &o) {
  return o.kind == Operand::Index || isNear(nest, o.access);
}

/// Whether \p st is undefined for some values of what it reads: a division by
/// an integer zero, a shift by too much.
static bool isPartial(const Nest &nest, const Statement &st) {
  return StringRef(st.text).find_first_of("/%<>") != StringRef::npos &&
         any_of(st.operands, [&](const Operand &o) {
           return o.kind == Operand::Read &&
                  !isFloatingType(nest.arrays[o.access.array].elementType);
         });
}

bool OwnCells::has(const Access &a) const {
  const Array &array = nest.arrays[a.array];
  for (unsigned d = 0; d < array.expandedDims && d < a.subscripts.size(); ++d) {
    auto extent = array.extents[d].asConstant();
    if (a.subscripts[d] == IndexExpr::loop(loop.id) && extent &&
        *extent >= *constantUpper(nest, loop))
      return true;
  }
  return declared.count(a.array) != 0;
}

OwnCells::OwnCells(const Nest &nest, const Loop &loop)
    : nest(nest), loop(loop) {
  walk(loop.body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const auto *local = dyn_cast<Local>(&n))
      declared.insert(local->array);
  });
}

/// True where running \p loop for an iteration that is not in the domain does
/// no harm: it touches nothing but locals of that iteration.
static bool isHarmless(const Nest &nest, const Loop &loop) {
  OwnCells own(nest, loop);
  bool harmless = true;
  walk(loop.body, [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *st = dyn_cast<Statement>(&n);
    if (!st)
      return;
    harmless &=
        (st->target.buffer ? isFree(nest, st->target) : own.has(st->target)) &&
        !isPartial(nest, *st);
    for (const Operand &o : st->operands)
      harmless &= isNear(nest, o);
  });
  return harmless;
}

bool KernelBody::isPrivate(const Node &node) const {
  bool isPrivate = true;
  auto look = [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *st = dyn_cast<Statement>(&n);
    if (!st)
      return;
    isPrivate &= isFree(nest, st->target) && !isPartial(nest, *st);
    for (const Operand &o : st->operands)
      isPrivate &= isNear(nest, o);
  };
  if (isa<Statement>(&node))
    look(node, {});
  if (const auto *l = dyn_cast<Loop>(&node))
    walk(l->body, look);
  if (const auto *g = dyn_cast<Guard>(&node))
    walk(g->body, look);
  return isPrivate;
}

std::vector<Constraint> KernelBody::neededGuard(const Loop &l) const {
  if (l.kind != LoopKind::Unrolled || !constantUpper(nest, l) ||
      isHarmless(nest, l))
    return {};
  return partialConstraints(l);
}

bool KernelBody::isAlways(const Constraint &c, const Scope &s) const {
  // Threads that are outside of the domain come here too, where they have not
  // left, and so do unrolled iterations.
  std::vector<std::shared_ptr<const Loop>> full;
  std::vector<const Loop *> around;
  for (const Loop *l : loops(nest)) {
    if (!s.loops.count(l->id))
      continue;
    bool holds = isBlock(l->kind) && !inside;
    full.push_back(convopt::fullTile(nest, *l));
    around.push_back(holds ? l : full.back().get());
  }
  return isProvablyNonNegative(nest, c.expr, around) &&
         (c.kind == Constraint::NonNegative ||
          isProvablyNonNegative(nest, -c.expr, around));
}

std::vector<Constraint>
KernelBody::unsettled(const Node &n, std::vector<Constraint> conditions,
                      const Scope &s) const {
  auto settled = s.settled.find(&n);
  if (settled != s.settled.end())
    erase_if(conditions, [&](const Constraint &c) {
      return is_contained(settled->second, c);
    });
  return conditions;
}

std::vector<Constraint> KernelBody::unsettled(const Guard &g,
                                              const Scope &s) const {
  std::vector<Constraint> conditions = unsettled(g, g.conditions, s);
  erase_if(conditions, [&](const Constraint &c) { return isAlways(c, s); });
  return conditions;
}

void KernelBody::settle(const Conditions &conditions, Scope &s) {
  for (const auto &[node, compared] : conditions)
    append_range(s.settled[node], compared);
}

KernelBody::Conditions KernelBody::invariantGuards(const Loop &l,
                                                   const Scope &s) const {
  Conditions invariant;
  std::vector<const Loop *> inner{&l};
  auto isInvariant = [&](const Constraint &c) {
    return none_of(inner,
                   [&](const Loop *i) { return c.expr.uses(loopVar(i->id)); });
  };
  for (const Body *body = &l.body; body->size() == 1;) {
    if (const auto *next = dyn_cast<Loop>(body->front().get())) {
      inner.push_back(next);
      body = &next->body;
    } else if (const auto *g = dyn_cast<Guard>(body->front().get())) {
      for (const Constraint &c : unsettled(*g, s))
        if (isInvariant(c))
          invariant[g].push_back(c);
      body = &g->body;
    } else {
      break;
    }
  }
  return invariant;
}

//===----------------------------------------------------------------------===//
// Full tiles
//===----------------------------------------------------------------------===//

/// The conditions of \p g that stand inside of a register tile: the outermost
/// loop of the tile is among \p enclosing, and no invariant guard takes them
/// out of it.
std::vector<Constraint>
KernelBody::insideTile(const Guard &g, ArrayRef<NodeRef> enclosing) const {
  auto tile = find_if(enclosing, [&](const NodeRef &n) {
    const auto *l = dyn_cast<Loop>(n.get());
    return l && l->kind == LoopKind::Unrolled && passesOverRegisters(*l);
  });
  if (tile == enclosing.end())
    return {};
  ArrayRef<NodeRef> path = enclosing.drop_front(tile - enclosing.begin());
  bool isPerfect = all_of(path, [](const NodeRef &n) {
    const auto *l = dyn_cast<Loop>(n.get());
    return (l ? l->body : cast<Guard>(n.get())->body).size() == 1;
  });
  std::vector<Constraint> conditions = g.conditions;
  erase_if(conditions, [&](const Constraint &c) {
    return isPerfect && none_of(path, [&](const NodeRef &n) {
             const auto *l = dyn_cast<Loop>(n.get());
             return l && c.expr.uses(loopVar(l->id));
           });
  });
  return conditions;
}

KernelBody::TileTest KernelBody::tileTest(const Node &n, const Scope &s) const {
  TileTest test;
  const auto *outer = dyn_cast<Loop>(&n);
  if (!fullTiles || !outer ||
      (outer->kind == LoopKind::Unrolled && indexesRegisters(*outer, s)))
    return test;
  auto look = [&](const Node &node, const std::vector<NodeRef> &enclosing) {
    std::vector<const Loop *> varying{outer};
    for (const NodeRef &around : enclosing)
      if (const auto *l = dyn_cast<Loop>(around.get()))
        varying.push_back(l);
    std::vector<Constraint> conditions;
    if (const auto *l = dyn_cast<Loop>(&node)) {
      varying.push_back(l);
      conditions = neededGuard(*l);
    } else if (const auto *g = dyn_cast<Guard>(&node)) {
      conditions = insideTile(*g, enclosing);
    }
    for (const Constraint &c : conditions) {
      std::vector<IndexExpr> least = leastValues(nest, c.expr, varying);
      if (c.kind == Constraint::Zero || least.empty() ||
          !all_of(least,
                  [&](const IndexExpr &e) { return onlyLoops(e, s.loops); }))
        continue;
      test.settled[&node].push_back(c);
      for (const IndexExpr &e : least) {
        Constraint all{c.kind, s.names.fold(e)};
        if (!isAlways({c.kind, e}, s) && !is_contained(test.conditions, all))
          test.conditions.push_back(all);
      }
    }
  };
  walk(outer->body, look);
  return test;
}

} // namespace convopt::emit
