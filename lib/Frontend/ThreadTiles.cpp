//===- ThreadTiles.cpp - Threads that compute several outputs -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `o0 = blockIdx.z * 4;` with `o0 + k` for each k below 4 is four times the
/// index of a block, and k. So the loop of the threads is over tiles of four
/// outputs, and its extent is what the guards around all that is written leave:
/// of `o0 + k < O` that is ceil(O / 4). A size in the place of four is
/// positive.
///
//===----------------------------------------------------------------------===//

#include "Resolve.h"
#include "ThreadMapper.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Polynomial.h"

using namespace llvm;
using namespace clang;

namespace convopt {

namespace {
/// `times * digit + rest`, of which no thread decides `times` and `rest`.
struct Scaled {
  IndexExpr digit, times, rest;
};
} // namespace

/// What may multiply all hardware indices of \p e, sizes before numbers.
static std::vector<IndexExpr> factorsOf(const IndexExpr &e) {
  std::vector<IndexExpr> result;
  for (Var v : e.vars())
    if (v.kind == Var::Param && !hardware::parse(v))
      result.push_back(IndexExpr::of(v));
  result.push_back(commonFactor(e));
  return result;
}

static std::optional<Scaled> parseScaled(const IndexExpr &value) {
  IndexExpr own, rest;
  for (const auto &[m, c] : value.terms()) {
    IndexExpr one = term(m, c);
    (hardware::isIn(one) ? own : rest) += one;
  }
  if (own.isZero() || rest.hasQuotient())
    return std::nullopt;
  if (parseDigit(own))
    return Scaled{own, 1, rest};
  IndexExpr digit = own, times = 1;
  for (const IndexExpr &by : factorsOf(own))
    if (std::optional<IndexExpr> less = divideExactly(digit, by)) {
      digit = std::move(*less);
      times = times * by;
      if (parseDigit(digit))
        return Scaled{digit, times, rest};
    }
  return std::nullopt;
}

/// Whether \p value is an index of \p threads without the thread in its block:
/// the first of a tile, which is no index beside those of the tile.
static bool isFirstOfTile(const Threads &threads, const IndexExpr &value) {
  return any_of(threads.variables, [&](const ThreadVariable &v) {
    const std::optional<Var> inTile = (v.value - value).asVar();
    return v.loop && inTile && hardware::parse(*inTile);
  });
}

/// \p value, which blocks and threads compute, over the loops that they stand
/// for; none where it is no multiple of one. \p name is that of a new loop.
std::optional<IndexExpr> NestBuilder::overThreads(const IndexExpr &value,
                                                  const Twine &name,
                                                  SourceRange where) {
  std::optional<Scaled> s = parseScaled(value);
  if (!s)
    return overDimensions(value, where);
  if (isFirstOfTile(threads, value))
    return std::nullopt;
  auto it = find_if(threads.variables, [&](const ThreadVariable &v) {
    return v.value == s->digit;
  });
  if (it == threads.variables.end())
    it = threads.variables.insert(
        it, {name.str(), s->digit, /*loop=*/nullptr, where});
  return s->times * loopOf(nest, *it) + s->rest;
}

/// A name for what \p digit counts.
static std::string nameOfLoop(const ThreadDigit &digit) {
  return digit.block && digit.thread
             ? std::string("thread_") + "xyz"[*digit.block]
         : digit.block ? std::string("blockIdx_") + "xyz"[*digit.block]
                       : std::string("threadIdx_") + "xyz"[*digit.thread];
}

/// \p value, a sum of what blocks and threads compute in several dimensions, as
/// of `blockIdx.z * (w * h) + y * w + x`, over a loop for each; none where it
/// is something else.
std::optional<IndexExpr> NestBuilder::overDimensions(const IndexExpr &value,
                                                     SourceRange where) {
  std::map<unsigned, IndexExpr> parts; // by their dimension
  IndexExpr result;
  for (const auto &[m, c] : value.terms()) {
    const IndexExpr one = term(m, c);
    std::set<unsigned> dimensions;
    for (Var v : one.vars())
      if (const auto of = hardware::parse(v);
          of &&
          (of->first == hardware::ThreadIdx || of->first == hardware::BlockIdx))
        dimensions.insert(of->second);
    if (dimensions.size() > 1 || (dimensions.empty() && hardware::isIn(one)))
      return std::nullopt;
    (dimensions.empty() ? result : parts[*dimensions.begin()]) += one;
  }
  if (parts.size() < 2 || result.hasQuotient())
    return std::nullopt;
  for (const auto &[dimension, part] : parts) {
    const std::optional<Scaled> s = parseScaled(part);
    ASSIGN_OR_RETURN(
        const IndexExpr over,
        s ? overThreads(part, nameOfLoop(*parseDigit(s->digit)), where)
          : std::nullopt);
    result += over;
  }
  return result;
}

bool NestBuilder::namesHardware(const Stmt *s) const {
  const auto *m = dyn_cast<MemberExpr>(s);
  return (m && hardwareOf(m)) || any_of(s->children(), [&](const Stmt *c) {
           return c && namesHardware(c);
         });
}

/// \p e, in which hardware indices stand themselves.
std::optional<IndexExpr> NestBuilder::indexOfThreads(const Expr *e) {
  if (!nest.function.isKernel || threadMode || !namesHardware(e))
    return std::nullopt;
  const std::optional<IndexExpr> value = threadIndex(e);
  const std::optional<Scaled> s = value ? parseScaled(*value) : std::nullopt;
  return s ? overThreads(*value, nameOfLoop(*parseDigit(s->digit)),
                         range(e->getSourceRange()))
           : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

namespace {
/// `loop * by < end`
struct TileEnd {
  IndexExpr end, by;
};
} // namespace

/// How many iterations of \p loop the guards and loops around the statement at
/// \p path leave at most.
static std::optional<TileEnd> leftBy(const Nest &nest, ArrayRef<NodeRef> path,
                                     unsigned loop) {
  Conjunction all;
  for (const NodeRef &n : path)
    addKnown(*n, all);
  for (const Constraint &c : all) {
    // The others are where it says the least of this one.
    const IndexExpr e =
        mostAtEnds(nest, c.expr, loopsAmong(path)).value_or(c.expr);
    const std::optional<IndexExpr> times = e.symbolicCoefficient(loopVar(loop));
    if (c.kind != Constraint::NonNegative || !times)
      continue;
    const IndexExpr by = -*times, rest = e + by * IndexExpr::loop(loop);
    if ((by.asConstant().value_or(0) > 0 || by.asVar()) && !by.usesLoops() &&
        !rest.usesLoops())
      return TileEnd{rest + 1, by};
  }
  return std::nullopt;
}

/// As many iterations of \p loop as all that is written needs.
std::optional<IndexExpr> ThreadMapper::extentFromGuards(unsigned loop) {
  std::optional<TileEnd> all;
  for (const StatementPath &p : statements(nest)) {
    if (nest.arrays[p.statement->target.array].isLocal())
      continue;
    std::optional<TileEnd> one = leftBy(nest, p.enclosing, loop);
    if (!one)
      return std::nullopt;
    if (!all)
      all = one;
    const std::optional<int64_t> more = (one->end - all->end).asConstant();
    if (!more || one->by != all->by)
      return std::nullopt;
    if (*more > 0)
      all = one;
  }
  if (!all)
    return std::nullopt;
  addAssumption(nest, all->by - 1, "tiles are not empty", nest.function.range);
  return IndexExpr::floorDiv(all->end + (all->by - 1), all->by);
}

} // namespace convopt
