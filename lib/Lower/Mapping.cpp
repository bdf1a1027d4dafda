//===- Mapping.cpp - How a nest lies on grid and block --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mapping.h"
#include "SplitSums.h"
#include "convopt/Nest/SplitSum.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::lower {

const char *dimensionName(unsigned d) {
  static const char *const names[] = {"x", "y", "z"};
  return names[d];
}

std::vector<Constraint> partialConstraints(const Loop &l) {
  std::vector<Constraint> result;
  for (const Bound &b : l.upper)
    if (!b.expr.isConstant())
      result.push_back({Constraint::NonNegative,
                        b.expr - IndexExpr(1) -
                            IndexExpr(b.divisor) * IndexExpr::loop(l.id)});
  return result;
}

static bool startsAtZero(const Loop &l) {
  return l.lower.size() == 1 && l.lower[0].expr.isZero();
}

std::vector<const Loop *> Mapping::hostLoops() const {
  std::vector<const Loop *> loops;
  for (const HostLevel &level : host)
    if (level.loop)
      loops.push_back(level.loop);
  return loops;
}

Loop acrossLaunches(const Loop &l) {
  Loop all = l;
  llvm::erase_if(all.upper, [](const Bound &b) { return b.expr.usesLoops(); });
  return all;
}

bool variesByLaunch(const Loop &l) {
  return llvm::any_of(l.upper,
                      [](const Bound &b) { return b.expr.usesLoops(); });
}

/// The launcher counts the blocks of the largest launch before the first.
static Error checkGridLoop(const Nest &nest, const Loop &l, const Mapping &m) {
  auto isKnown = [&](const Bound &b) {
    return llvm::all_of(b.expr.vars(), [&](Var v) {
      return v.kind == Var::Param ||
             llvm::any_of(m.hostLoops(),
                          [&](const Loop *h) { return h->id == v.id; });
    });
  };
  if (l.lower.size() == 1 && !l.lower[0].expr.usesLoops() &&
      l.lower[0].divisor == 1 && llvm::all_of(l.upper, isKnown) &&
      !acrossLaunches(l).upper.empty())
    return Error::success();
  return refuse("Mapping",
                "the bounds of grid loop '" + nest.loopNames[l.id] +
                    "' depend on other loops",
                l.range,
                "begin and end it at sizes, with a guard in it for the rest, "
                "or map another loop");
}

static Error checkBlockLoop(const Nest &nest, const Loop &l, const Mapping &m,
                            unsigned d) {
  const std::string &name = nest.loopNames[l.id];
  if (m.block[d])
    return refuse("Mapping",
                  "loops '" + nest.loopNames[m.block[d]->id] + "' and '" +
                      name + "' are both mapped to block." + dimensionName(d),
                  l.range, "map one of them to another dimension");
  if (!startsAtZero(l) || !constantUpper(nest, l))
    return refuse("Mapping",
                  "block loop '" + name + "' has no constant extent from 0",
                  l.range, "strip-mine it and map the inner loop");
  if (*constantUpper(nest, l) < 1)
    return refuse("Mapping", "block loop '" + name + "' has no thread", l.range,
                  "give it one iteration or more");
  return Error::success();
}

/// Whether all threads of a block come through \p enclosing equally often.
static bool isUniform(const Nest &nest, const std::vector<NodeRef> &enclosing) {
  auto usesThread = [&](const Bound &b) {
    return any_of(loops(nest), [&](const Loop *l) {
      return isBlock(l->kind) && b.expr.uses(loopVar(l->id));
    });
  };
  return all_of(enclosing, [&](const NodeRef &n) {
    const auto *l = dyn_cast<Loop>(n.get());
    return l && none_of(l->bounds(), usesThread);
  });
}

/// Only serial and unrolled loops may stand inside a thread, but for a split
/// sum's.
static Error checkThread(const Nest &nest, const Mapping &m) {
  Error result = Error::success();
  walk(*m.thread, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    if (result)
      return;
    if (isa<Barrier>(n) && !isUniform(nest, enclosing)) {
      consumeError(std::move(result));
      result = refuse("Mapping",
                      "a barrier stands where not every thread of a block "
                      "comes equally often",
                      n.range, "put it outside of the loops over a tile");
      return;
    }
    const auto *l = dyn_cast<Loop>(&n);
    if (!l || !(isParallel(l->kind) || isHost(l->kind)) ||
        (m.split && l == m.split->loop))
      return;
    consumeError(std::move(result));
    if (isHost(l->kind))
      result = refuse("Mapping",
                      "loop '" + nest.loopNames[l->id] +
                          "' of launches stands beside other code",
                      l->range,
                      "a launcher launches one kernel: map the loop around "
                      "both, or none of them");
    else
      result = refuse("Mapping",
                      "mapped loop '" + nest.loopNames[l->id] +
                          "' stands inside a loop or beside a statement of a "
                          "thread",
                      l->range, "interchange it outwards first");
  });
  return result;
}

/// What threads that share a sum run is theirs alone: the body of the loop
/// over them writes nothing but the parts of the sums and what is its own.
static Error checkTerms(const Nest &nest, const Split &split) {
  std::vector<unsigned> own = split.sums;
  std::optional<SourceRange> other;
  for (const Local *l : collect<Local>(split.loop->body))
    own.push_back(l->array);
  walk(split.loop->body, [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *s = dyn_cast<Statement>(&n);
    const auto *c = dyn_cast<Copy>(&n);
    if (isa<Barrier>(n) || (s && !is_contained(own, s->target.array)) ||
        (c && !is_contained(own, c->buffer)))
      other = n.range;
  });
  if (!other)
    return Error::success();
  return refuse("Mapping",
                "the threads of loop '" + nest.loopNames[split.loop->id] +
                    "', which share a sum, do more than add to it",
                *other, "put that outside of the loop");
}

/// Each thread has to begin with a value that changes no sum. That of a maximum
/// is its first value, which all of them set, in tiles that are not full, too.
static Error checkFirstValues(const Nest &nest, const Split &split) {
  for (const StatementPath &p : statements(nest)) {
    const Statement &s = *p.statement;
    if (!is_contained(split.sums, s.target.array) || s.isReduction() ||
        s.operands.empty())
      continue;
    const Statement::Op op = operationOf(*split.loop, s.target.array);
    if (op == Statement::Op::Max || op == Statement::Op::Min)
      return refuse("Mapping",
                    "'" + nest.arrays[s.target.array].name + "', which " +
                        (split.isOverBlocks() ? "blocks" : "threads") +
                        " of loop '" + nest.loopNames[split.loop->id] +
                        "' share, begins with no constant",
                    s.range, "begin with a constant, as -INFINITY");
  }
  return Error::success();
}

bool addsAtomically(const Mapping &m) {
  auto isAtomic = [&](const Loop *l) {
    return l && l->isAtomic && !(m.split && m.split->loop == l);
  };
  return any_of(m.block, isAtomic) ||
         any_of(m.grid, [&](const auto &all) { return any_of(all, isAtomic); });
}

/// Adds \p split, a loop over threads within \p enclosing, to \p m.
static Error addSplitOverThreads(const Nest &nest, Mapping &m, Split split,
                                 const std::vector<NodeRef> &enclosing) {
  const Loop &l = *split.loop;
  const unsigned d = dimensionOf(l.kind);
  if (Error e = checkBlockLoop(nest, l, m, d))
    return e;
  if (Error e = checkTerms(nest, split))
    return e;
  if (!isUniform(nest, enclosing))
    return refuse("Mapping",
                  "loop '" + nest.loopNames[l.id] +
                      "', whose threads share a sum, stands where not "
                      "every thread of a block comes equally often",
                  l.range, "map it where no guard stands around it");
  m.block[d] = &l;
  m.blockDim[d] = *constantUpper(nest, l);
  m.split = std::move(split);
  return Error::success();
}

static Error addSplitOverBlocks(const Nest &nest, Mapping &m, Split split) {
  const Loop &l = *split.loop;
  if (Error e = checkGridLoop(nest, l, m))
    return e;
  m.grid[dimensionOf(l.kind)].push_back(&l);
  m.split = std::move(split);
  return Error::success();
}

/// Finds the loop over threads or blocks within what one thread runs. One that
/// adds to no sum is for checkThread to refuse.
static Error findSplit(const Nest &nest, Mapping &m, const Gpu &gpu) {
  Error result = Error::success();
  walk(*m.thread, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *l = dyn_cast<Loop>(&n);
    if (result || m.split || !l || !isParallel(l->kind))
      return;
    Split split{l, splittableSums(nest, *l)};
    if (split.sums.empty())
      return;
    consumeError(std::move(result));
    result = checkFirstValues(nest, split);
    if (!result)
      result = split.isOverBlocks()
                   ? addSplitOverBlocks(nest, m, std::move(split))
                   : addSplitOverThreads(nest, m, std::move(split), enclosing);
    if (!result && m.takesKernels())
      result = checkSplit(nest, m, gpu);
  });
  return result;
}

std::optional<int64_t> constantGrid(const Nest &nest, const Mapping &m,
                                    unsigned d) {
  int64_t product = 1;
  for (const Loop *l : m.grid[d]) {
    const Loop all = acrossLaunches(*l);
    auto upper = constantUpper(nest, all);
    auto lower = all.lower[0].expr.asConstant();
    if (!upper || !lower || all.upper.size() != 1)
      return std::nullopt;
    int64_t extent = std::max<int64_t>(0, *upper - *lower);
    if (__builtin_mul_overflow(product, extent, &product))
      return INT64_MAX;
  }
  return product;
}

static Error checkGridLimits(const Nest &nest, const Mapping &m,
                             const Gpu &gpu) {
  for (unsigned d = 0; d != 3; ++d) {
    std::optional<int64_t> blocks = constantGrid(nest, m, d);
    if (blocks && *blocks > gpu.gridDim[d])
      return refuse("limit",
                    "grid." + std::string(dimensionName(d)) + " would be " +
                        std::to_string(*blocks) + " blocks, " + gpu.name +
                        " allows " + std::to_string(gpu.gridDim[d]),
                    m.grid[d].back()->range,
                    "choose a larger -tile or -reg for loop '" +
                        nest.loopNames[m.grid[d].back()->id] + "'");
  }
  return Error::success();
}

/// The only loop of \p body, beside what the launcher fills.
static const Loop *soleLoop(const Nest &nest, const Body &body,
                            std::vector<const Copy *> &copies) {
  const Loop *sole = nullptr;
  for (const NodeRef &n : body) {
    const auto *local = dyn_cast<Local>(n.get());
    const auto *copy = dyn_cast<Copy>(n.get());
    const Array *a = local  ? &nest.arrays[local->array]
                     : copy ? &nest.arrays[copy->buffer]
                            : nullptr;
    if (a && a->buffer && a->buffer->isOnHost()) {
      if (copy)
        copies.push_back(copy);
      continue;
    }
    if (sole || !isa<Loop>(n.get()))
      return nullptr;
    sole = cast<Loop>(n.get());
  }
  return sole;
}

/// Takes the loops of the host off and gives the body that a launch runs.
static const Body *findHostLevels(const Nest &nest, Mapping &m) {
  const Body *body = &nest.body;
  const Loop *sole = nullptr;
  do {
    m.host.push_back({sole});
    sole = soleLoop(nest, *body, m.host.back().copies);
    if (sole && isHost(sole->kind))
      body = &sole->body;
  } while (sole && isHost(sole->kind));
  return body;
}

static Error refuseUnmapped(const Nest &nest, const Mapping &m) {
  const Loop *l = m.host.back().loop;
  if (!l)
    return refuse("Mapping", "no loop is mapped to the grid or the block",
                  nest.function.range, "map a parallel loop, or give -tile");
  return refuse("Mapping",
                "what loop '" + nest.loopNames[l->id] +
                    "' launches is no loop over blocks or threads",
                l->range, "map the loop inside to the grid");
}

Expected<Mapping> findMapping(const Nest &nest, const Gpu &gpu) {
  Mapping m;
  m.sharedPerBlock = gpu.sharedPerBlock;
  const Body *launched = m.thread = findHostLevels(nest, m);
  bool inBlock = false;
  std::vector<const Copy *> none;
  while (const Loop *l = soleLoop(nest, *m.thread, none)) {
    if (!isParallel(l->kind))
      break;
    if (isGrid(l->kind)) {
      if (inBlock)
        return refuse("Mapping",
                      "grid loop '" + nest.loopNames[l->id] +
                          "' stands inside a block loop",
                      l->range, "interchange it outwards");
      if (Error e = checkGridLoop(nest, *l, m))
        return std::move(e);
      m.grid[dimensionOf(l->kind)].push_back(l);
    } else {
      inBlock = true;
      unsigned d = dimensionOf(l->kind);
      if (Error e = checkBlockLoop(nest, *l, m, d))
        return std::move(e);
      m.block[d] = l;
      m.blockDim[d] = *constantUpper(nest, *l);
    }
    m.thread = &l->body;
  }
  if (Error e = findSplit(nest, m, gpu))
    return std::move(e);
  if (Error e = checkThread(nest, m))
    return std::move(e);
  if (m.thread == launched)
    return refuseUnmapped(nest, m);
  if (Error e = checkBlock(gpu, m.blockDim, nest.function.range))
    return std::move(e);
  if (Error e = checkGridLimits(nest, m, gpu))
    return std::move(e);
  return m;
}

} // namespace convopt::lower
