//===- JoinTiles.cpp - Tiles of threads as one loop -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `x0 = (blockIdx.x * blockDim.x + threadIdx.x) * N` and `x = x0 + r` for each
/// r below N, or each x from x0 to x0 + N, is one loop over x, where nothing
/// else uses x0 and r, and guards or bounds end x. A thread runs its iterations
/// in the same order, whether or not N divides the end.
///
//===----------------------------------------------------------------------===//

#include "Resolve.h"

using namespace llvm;

namespace convopt {
namespace {

/// The loop `tiles`, of threads, and the loop `within` of one thread.
struct Tiling {
  const Loop *tiles, *within;
  IndexExpr count, size;
  IndexExpr first;               // what is added to `within`
  std::vector<IndexExpr> ends;   // besides that of the tile
  std::optional<IndexExpr> last; // that guards have, which is the end then
};

class TileJoiner {
public:
  TileJoiner(Nest &nest,
             const std::vector<std::pair<std::string, IndexExpr>> &indices)
      : nest(nest), indices(indices) {}

  /// Joins one tile with what is in it, or returns false where there is none.
  bool joinOne();

private:
  const Loop *onlyLoop() const;
  bool isUsedAround(unsigned tiles, const Loop &within) const;
  std::optional<Tiling> tilingOf(unsigned tiles, const Loop &within) const;
  void apply(Tiling t, ThreadMap &map);
  std::string nameOf(const Tiling &t) const;

  Nest &nest;
  const std::vector<std::pair<std::string, IndexExpr>> &indices;
};

} // namespace

/// Whether the tiles of \p t are as many as it takes to get to \p end.
static bool areTo(const Nest &nest, const Tiling &t, const IndexExpr &end) {
  return nest.expandDefinitions(IndexExpr::floorDiv(
             end + (t.size - 1), t.size)) == nest.expandDefinitions(t.count);
}

/// Where a guard of each output ends the loop that \p t becomes; none where its
/// tiles end elsewhere.
static std::optional<IndexExpr> endByGuards(const Nest &nest, const Tiling &t) {
  const Var within = loopVar(t.within->id);
  for (const Constraint &c : conditions(nest)) {
    const IndexExpr end =
        c.expr.substitute(within, IndexExpr::of(within) - t.first) +
        IndexExpr::of(within) + 1;
    if (c.kind != Constraint::NonNegative || end.usesLoops() ||
        !areTo(nest, t, end))
      continue;
    if (all_of(statements(nest), [&](const StatementPath &p) {
          return nest.arrays[p.statement->target.array].isLocal() ||
                 any_of(select<Guard>(p.enclosing), [&](const Guard *g) {
                   return is_contained(g->conditions, c);
                 });
        }))
      return end;
  }
  return std::nullopt;
}

/// The loop that all of a thread is in, under guards alone.
const Loop *TileJoiner::onlyLoop() const {
  const Body *body = &nest.body;
  for (size_t k = 0; k != nest.function.threadMaps.size(); ++k)
    body = &cast<Loop>(body->front().get())->body;
  while (body->size() == 1 && isa<Guard>(body->front().get()))
    body = bodyOf(*body->front());
  return body->size() == 1 ? dyn_cast<Loop>(body->front().get()) : nullptr;
}

std::optional<Tiling> TileJoiner::tilingOf(unsigned tiles,
                                           const Loop &within) const {
  const std::vector<const Loop *> all = loops(nest);
  const Loop *outer =
      *find_if(all, [&](const Loop *l) { return l->id == tiles; });
  auto isPlain = [](const Loop &l) {
    return l.lower.size() == 1 && l.lower[0].divisor == 1 &&
           all_of(l.upper, [](const Bound &b) { return b.divisor == 1; });
  };
  if (!isPlain(*outer) || !isPlain(within) || outer->upper.size() != 1 ||
      !outer->lower[0].expr.isZero() || outer->upper[0].expr.usesLoops())
    return std::nullopt;
  const IndexExpr &start = within.lower[0].expr;
  const auto whole = find_if(within.upper, [&](const Bound &b) {
    return !(b.expr - start).usesLoops();
  });
  if (whole == within.upper.end())
    return std::nullopt;
  Tiling t{outer, &within, outer->upper[0].expr, whole->expr - start, {},
           {},    {}};
  const IndexExpr origin = t.size * IndexExpr::loop(tiles);
  t.first = origin - start;
  if (!t.first.isZero() && t.first != origin)
    return std::nullopt;
  for (const Bound &b : within.upper)
    if (&b != &*whole)
      t.ends.push_back(b.expr + t.first);
  bool isUsed = t.first.isZero(),
       isOnlyJoined = none_of(t.ends, [](auto &e) { return e.usesLoops(); });
  Nest looked = nest; // at; loops of the nest itself stay
  looked.body = within.body;
  mapExpressions(looked, [&](const IndexExpr &e) {
    isUsed |= e.uses(loopVar(tiles));
    isOnlyJoined &=
        !e.substitute(loopVar(within.id), IndexExpr::loop(within.id) - t.first)
             .uses(loopVar(tiles));
    return e;
  });
  if (!isUsed || !isOnlyJoined || isUsedAround(tiles, within))
    return std::nullopt;
  // Else it may be pixels with their channels.
  t.last = endByGuards(nest, t);
  return t.last || any_of(t.ends, [&](auto &e) { return areTo(nest, t, e); })
             ? std::optional(std::move(t))
             : std::nullopt;
}

/// Whether a guard around \p within uses \p tiles.
bool TileJoiner::isUsedAround(unsigned tiles, const Loop &within) const {
  bool isUsed = false;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &around) {
    if (&n == &within)
      for (const Guard *g : select<Guard>(around))
        isUsed |= any_of(g->conditions, [&](const Constraint &c) {
          return c.expr.uses(loopVar(tiles));
        });
  });
  return isUsed;
}

/// The variable that is the index in a tile; else that of the first of a tile,
/// or that of the loop within.
std::string TileJoiner::nameOf(const Tiling &t) const {
  const IndexExpr value = t.first + IndexExpr::loop(t.within->id);
  auto it = find_if(indices,
                    [&](const auto &named) { return named.second == value; });
  if (it != indices.end())
    return it->first;
  StringRef first = nest.loopNames[t.tiles->id];
  return !t.first.isZero() && first.consume_back("_tile")
             ? first.str()
             : nest.loopNames[t.within->id];
}

/// \p body without the condition that \p loop is below \p end.
static Body withoutEnd(const Body &body, unsigned loop, const IndexExpr &end) {
  const Constraint known{Constraint::NonNegative,
                         end - IndexExpr::loop(loop) - 1};
  return rewriteEach<Guard>(body, [&](const Guard *g) -> std::optional<Body> {
    if (!is_contained(g->conditions, known))
      return std::nullopt;
    auto rest = std::make_shared<Guard>(*g);
    llvm::erase(rest->conditions, known);
    rest->body = withoutEnd(g->body, loop, end);
    return rest->conditions.empty() ? rest->body : Body{rest};
  });
}

void TileJoiner::apply(Tiling t, ThreadMap &map) {
  const unsigned tiles = t.tiles->id, within = t.within->id;
  const std::string name = nameOf(t);
  auto joined = std::make_shared<Loop>(
      name == nest.loopNames[within] ? within : nest.addLoopName(name),
      t.within->range);
  joined->lower.push_back({0, 1});
  nest.body =
      rewriteEach<Loop>(nest.body, [&](const Loop *l) -> std::optional<Body> {
        return l->id == within ? std::optional(l->body) : std::nullopt;
      });
  mapExpressions(nest, [&](const IndexExpr &e) {
    return e.substitute(loopVar(within), IndexExpr::loop(joined->id) - t.first);
  });
  if (t.last)
    joined->upper.push_back({*t.last, 1});
  for (const IndexExpr &e : t.ends)
    joined->upper.push_back({e, 1});
  nest.body =
      rewriteEach<Loop>(nest.body, [&](const Loop *l) -> std::optional<Body> {
        if (l->id != tiles)
          return std::nullopt;
        joined->body =
            t.last ? withoutEnd(l->body, joined->id, *t.last) : l->body;
        return Body{joined};
      });
  map.loop = joined->id;
  map.tile = t.size.str([&](Var v) { return nest.name(v); });
}

bool TileJoiner::joinOne() {
  const Loop *within = onlyLoop();
  if (!within)
    return false;
  for (ThreadMap &map : nest.function.threadMaps)
    if (std::optional<Tiling> t =
            map.tile.empty() ? tilingOf(map.loop, *within) : std::nullopt) {
      apply(std::move(*t), map);
      return true;
    }
  return false;
}

void joinTiles(Nest &nest,
               const std::vector<std::pair<std::string, IndexExpr>> &indices) {
  TileJoiner joiner(nest, indices);
  while (joiner.joinOne())
    continue;
}

} // namespace convopt
