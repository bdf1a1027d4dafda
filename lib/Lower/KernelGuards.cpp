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
#include "SmallSums.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Transforms/Footprint.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

/// Whether \p a is within its array in all whole tiles, inside of the domain or
/// not. Legality sees to it that the boxes of buffers hold what these use.
static bool isWithin(const Nest &nest, const Statement &st, const Access &a) {
  const Array &array = nest.arrays[a.array];
  if (a.buffer || array.extents.empty())
    return true;
  std::vector<std::shared_ptr<const Loop>> tiles;
  std::vector<const Loop *> around;
  for (const Loop *l : loops(nest)) {
    tiles.push_back(convopt::fullTile(nest, *l));
    around.push_back(tiles.back().get());
  }
  return all_of(zip(a.subscripts, array.extents), [&](const auto &dimension) {
    const auto &[subscript, extent] = dimension;
    const IndexExpr at = overCurrentLoops(st, subscript);
    return isProvablyNonNegative(nest, at, around) &&
           isProvablyNonNegative(nest, extent - 1 - at, around);
  });
}

/// Whether \p a, of \p st, is to nothing of global memory, and to an element
/// that there is.
static bool isNear(const Nest &nest, const Statement &st, const Access &a) {
  return (a.buffer || nest.arrays[a.array].isLocal()) && isWithin(nest, st, a);
}

/// Whether \p st writes where nothing else lies. Buffers that lie as their
/// array have the next row's elements where a partial tile's would be; nothing
/// of others that lies outside is stored.
static bool writesFree(const Nest &nest, const Statement &st) {
  const Access &a = st.target;
  return isNear(nest, st, a) &&
         (!a.buffer || nest.arrays[*a.buffer].buffer->layout.linear == 1);
}

/// Whether C++ defines \p st whatever it reads.
static bool isDefined(const Nest &nest, const Statement &st) {
  return isTotal(nest, st) || staysSmall(nest, st);
}

static bool readsNear(const Nest &nest, const Statement &st) {
  return all_of(st.operands, [&](const Operand &o) {
    return o.kind == Operand::Index || isNear(nest, st, o.access);
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
  return declares(a.array);
}

OwnCells::OwnCells(const Nest &nest, const Loop &loop)
    : nest(nest), loop(loop) {
  for (const Local *local : collect<Local>(loop.body))
    declared.insert(local->array);
}

/// Whether \p loop has the same iterations for as long as the local \p array
/// lives: an iteration that it has elsewhere may have set the array's cell.
static bool isSameFor(const Nest &nest, const Loop &loop, unsigned array) {
  std::set<unsigned> around;
  walk(nest.body, [&](const Node &n, ArrayRef<NodeRef> enclosing) {
    if (const auto *local = dyn_cast<Local>(&n); local && local->array == array)
      for (const Loop *l : select<Loop>(enclosing))
        around.insert(l->id);
  });
  return all_of(
      concat<const Bound>(loop.lower, loop.upper), [&](const Bound &b) {
        return all_of(loopsOf(b.expr),
                      [&](unsigned l) { return around.count(l) != 0; });
      });
}

/// True where running \p loop for an iteration that is not in the domain does
/// no harm: it touches nothing but locals of that iteration.
static bool isHarmless(const Nest &nest, const Loop &loop) {
  OwnCells own(nest, loop);
  return all_of(collect<Statement>(loop.body), [&](const Statement *st) {
    return (st->target.buffer || (own.has(st->target) &&
                                  (own.declares(st->target.array) ||
                                   isSameFor(nest, loop, st->target.array)))) &&
           isDefined(nest, *st) && writesFree(nest, *st) &&
           readsNear(nest, *st);
  });
}

bool KernelBody::isPrivate(const Node &node) const {
  bool isPrivate = !isOfFirst(node);
  walkFrom(node, [&](const Node &n) {
    const auto *st = dyn_cast<Statement>(&n);
    if (!st)
      return;
    isPrivate = isPrivate && isDefined(nest, *st) && writesFree(nest, *st) &&
                readsNear(nest, *st);
  });
  return isPrivate;
}

std::vector<Constraint> KernelBody::neededGuard(const Loop &l) const {
  if (l.kind != LoopKind::Unrolled || !constantUpper(nest, l) ||
      isHarmless(nest, l))
    return {};
  return partialConstraints(l);
}

bool KernelBody::isAlways(const Constraint &c, const Scope &s,
                          ArrayRef<std::shared_ptr<Loop>> inner) const {
  // Threads that are outside of the domain come here too, where they have not
  // left, and so do unrolled iterations.
  std::vector<std::shared_ptr<const Loop>> full;
  std::vector<const Loop *> around;
  for (const Loop *l : loops(nest)) {
    if (!s.loops.count(l->id))
      continue;
    bool holds = isBlock(l->kind) && !inside && !isSplit(*l);
    full.push_back(convopt::fullTile(nest, *l));
    around.push_back(holds ? l : full.back().get());
  }
  for (const std::shared_ptr<Loop> &l : inner)
    around.push_back(l.get());
  return isProvablyTrue(nest, c, around);
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
    return isPerfect && none_of(select<Loop>(path), [&](const Loop *l) {
             return c.expr.uses(loopVar(l->id));
           });
  });
  return conditions;
}

/// What an iteration in the tile asks before it does something.
struct KernelBody::TileGuard {
  const Node *node;
  std::vector<const Node *> around;
  std::vector<const Loop *> varying; // the loops that an iteration is of
  std::vector<Constraint> all;
  std::vector<Constraint> inside; // those that are asked in the tile
  int64_t nearness;
};

/// How far \p g reads where its iteration is: less for each size in a
/// subscript, as at the far end of an image, and each loop that is missing, as
/// where the index is clamped, or runs backwards, as where it is mirrored.
static int64_t nearness(const Guard &g) {
  int64_t sum = 0;
  for (const Statement *st : collect<Statement>(g.body))
    for (const Operand &o : st->operands)
      for (const IndexExpr &e : o.access.subscripts)
        for (Var v : e.vars())
          sum += v.kind == Var::Loop && e.coefficient(v) >= 0 ? 1 : -1;
  return sum;
}

/// Those that any iteration asks first, then guards by their nearness.
std::vector<KernelBody::TileGuard>
KernelBody::guardsOfTile(const Loop &outer) const {
  std::vector<TileGuard> guards;
  walk(outer.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    TileGuard t{&n, {}, {&outer}, {}, {}, INT64_MAX};
    for (const NodeRef &around : enclosing) {
      t.around.push_back(around.get());
      if (const auto *l = dyn_cast<Loop>(around.get()))
        t.varying.push_back(l);
    }
    if (const auto *l = dyn_cast<Loop>(&n)) {
      t.varying.push_back(l);
      t.all = t.inside = neededGuard(*l);
    } else if (const auto *g = dyn_cast<Guard>(&n)) {
      t.all = g->conditions;
      t.inside = insideTile(*g, enclosing);
      t.nearness = nearness(*g);
    } else if (const auto *st = dyn_cast<Statement>(&n)) {
      // A constant costs a choice, and an image an address.
      for (const Operand &o : st->operands)
        if (isAsked(o) && o.otherwise == AtBorder)
          for (const Constraint &c : o.guard)
            t.all.push_back({c.kind, overCurrentLoops(*st, c.expr)});
      t.inside = t.all;
    }
    if (!t.all.empty())
      guards.push_back(std::move(t));
  });
  stable_sort(guards, [](const TileGuard &a, const TileGuard &b) {
    return a.nearness > b.nearness;
  });
  return guards;
}

/// Whether \p c fails in iterations of which \p holds, which is no equation.
static bool isContrary(const Constraint &c, const Constraint &holds) {
  auto isNegative = [](const IndexExpr &e) {
    return e.asConstant().value_or(0) < 0;
  };
  return isNegative(holds.expr + c.expr) ||
         (c.kind == Constraint::Zero && isNegative(holds.expr - c.expr));
}

/// Adds \p c to \p all; of two that differ by a number, the stricter stays.
static void addStricter(const Constraint &c, std::vector<Constraint> &all) {
  for (Constraint &other : all)
    if (std::optional<int64_t> more = (other.expr - c.expr).asConstant()) {
      if (*more > 0)
        other = c;
      return;
    }
  all.push_back(c);
}

KernelBody::TileTest KernelBody::tileTest(const Node &n, const Scope &s) const {
  TileTest test;
  const auto *outer = dyn_cast<Loop>(&n);
  if (!fullTiles || !outer ||
      (outer->kind == LoopKind::Unrolled && indexesRegisters(*outer, s)))
    return test;
  std::vector<Constraint> holding;
  for (const TileGuard &t : guardsOfTile(*outer)) {
    if (any_of(t.around, [&](const Node *n) { return test.never.count(n); }))
      continue;
    // Of cases that exclude each other, as at borders, a tile is full of one.
    if (isa<Guard>(t.node) && any_of(t.all, [&](const Constraint &c) {
          return any_of(holding,
                        [&](const auto &h) { return isContrary(c, h); });
        })) {
      test.never.insert(t.node);
      continue;
    }
    for (const Constraint &c : t.inside) {
      // A strip's own guard ends it for what is within.
      std::vector<IndexExpr> least = leastValues(
          nest, c.expr, t.varying, /*wholeStrips=*/isa<Loop>(t.node));
      // What fails somewhere in any tile is asked there.
      if (c.kind == Constraint::Zero || least.empty() ||
          !all_of(least, [&](const IndexExpr &e) {
            return onlyLoops(e, s.loops) &&
                   !isAlways({Constraint::NonNegative, -e - 1}, s);
          }))
        continue;
      holding.push_back(c);
      test.settled[t.node].push_back(c);
      for (const IndexExpr &e : least) {
        if (!isAlways({c.kind, e}, s))
          addStricter({c.kind, s.names.fold(e)}, test.conditions);
      }
    }
  }
  return test;
}

} // namespace convopt::lower
