//===- ThreadMapping.cpp - A kernel's threads as loops --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Delinearize.h"
#include "Diagnostics.h"
#include "Resolve.h"
#include "ThreadMapper.h"
#include "convopt/Nest/Polynomial.h"

using namespace llvm;

namespace convopt {

static const char dimensionNames[] = "xyz";

Error ThreadMapper::refuseVariable(StringRef rule, const ThreadVariable &v,
                                   const Twine &message, const Twine &remedy) {
  return refuse(rule.str(), "'" + v.name + "' " + message.str(), v.range,
                remedy.str());
}

std::string ThreadMapper::blocksText(const IndexExpr &extent,
                                     int64_t width) const {
  if (width == 1)
    return text(extent);
  IndexExpr sum = extent + (width - 1);
  return "(" + text(sum) + " / " + std::to_string(width) + ")";
}

std::string ThreadMapper::text(const IndexExpr &e) const {
  IndexExpr expanded = nest.expandDefinitions(e);
  for (const auto &[blocks, rounded] : roundedUp)
    if (blocks == expanded)
      return rounded;
  std::string s = e.str([&](Var v) -> std::string {
    auto h = hardware::parse(v);
    return h ? std::string("blockDim.") + dimensionNames[h->second]
             : nest.name(v);
  });
  bool isAtom = e.isConstant() || e.asVar();
  return isAtom ? s : "(" + s + ")";
}

std::string ThreadMapper::textOf(const ThreadDigit &d) const {
  std::string thread =
      d.thread ? std::string("threadIdx.") + dimensionNames[*d.thread] : "";
  if (!d.block)
    return thread;
  std::string base = std::string("blockIdx.") + dimensionNames[*d.block];
  if (d.rows) {
    base = hardware::rowsText(*d.rows);
    if (!d.isFlat)
      return base;
    base = "(" + base + ")";
  } else if (d.isFlat)
    base = "(" + base + " * " + text(d.width) + " + " + thread + ")";
  if (d.divisor != IndexExpr(1))
    base += " / " + text(d.divisor);
  if (d.modulus)
    base += " % " + text(*d.modulus);
  if (d.isFlat || !d.thread)
    return base;
  return base + " * " + text(d.width) + " + " + thread;
}

/// The variables that the body uses, each with its digit.
Error ThreadMapper::collect() {
  std::set<unsigned> used = usedLoops(nest.body);
  for (const ThreadVariable &v : b.threads.variables) {
    if (!v.loop || !used.count(v.loop->id))
      continue;
    std::optional<ThreadDigit> d = parseDigit(v.value);
    if (!d)
      return refuseVariable(diag::ThreadIndex, v,
                            "is not the index of one output dimension");
    // A loop that threads share by a number says how many a block has.
    if (!d->block && nest.function.blockExact[*d->thread])
      d->width = nest.function.block[*d->thread];
    mapped.push_back({&v, *d, !v.loop->upper.empty()});
  }
  if (mapped.empty())
    return refuse(diag::ThreadIndex,
                  "no thread index is used: every thread computes "
                  "the same",
                  nest.function.range);
  substituteWholes();
  substituteParts();
  return checkHardware();
}

/// No two loops share a hardware index, unless they split one between them.
Error ThreadMapper::checkHardware() {
  for (size_t i = 0; i != mapped.size(); ++i)
    for (size_t j = 0; j != i; ++j) {
      const ThreadDigit &a = mapped[i].digit, &o = mapped[j].digit;
      bool sameThread = a.thread && a.thread == o.thread;
      bool sameBlock = a.block && a.block == o.block;
      bool flatPair = a.isFlat && o.isFlat && a.sameBase(o);
      bool packed = sameBlock && !a.isFlat && !o.isFlat && !sameThread;
      if (((sameThread || sameBlock) && !flatPair && !packed) ||
          a.crossesRows(o))
        return refuseVariable(
            diag::ThreadIndex, *mapped[i].variable,
            "and '" + mapped[j].variable->name +
                "' use the same index of the hardware",
            "use parts of one index: x = i % W and y = i / W, "
            "checked by if (i < W * H)");
    }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// Sorts the digits of one number, fastest first, and checks that they make it
/// up.
Error ThreadMapper::chain(std::vector<MappedLoop *> &group) {
  IndexExpr next = 1;
  for (size_t k = 0; k != group.size(); ++k) {
    auto it = find_if(drop_begin(group, k), [&](MappedLoop *m) {
      return nest.expandDefinitions(m->digit.divisor) ==
             nest.expandDefinitions(next);
    });
    if (it == group.end())
      return refuseVariable(diag::ThreadDigit, *group[k]->variable,
                            "takes a part of an index that is not understood",
                            "split an index with / and % by one size after "
                            "another");
    std::swap(group[k], *it);
    bool isLast = k + 1 == group.size();
    if (!group[k]->digit.modulus && !isLast)
      return refuseVariable(diag::ThreadDigit, *group[k]->variable,
                            "uses all of an index that others use parts of");
    group[k]->digit.divisor = next;
    if (group[k]->digit.modulus)
      next =
          next * named(nest, nest.expandDefinitions(*group[k]->digit.modulus));
  }
  return Error::success();
}

/// How many values digit \p d of an index below \p total has: all that its
/// divisor leaves, or those of its modulus where there are more.
IndexExpr ThreadMapper::extentOf(const ThreadDigit &d, const IndexExpr &total,
                                 bool isSlowest) const {
  if (d.modulus && !isSlowest)
    return *d.modulus;
  if (std::optional<IndexExpr> exact = divideExactly(total, d.divisor))
    return *exact;
  return divideExactly(nest.expandDefinitions(total),
                       nest.expandDefinitions(d.divisor))
      .value_or(IndexExpr::floorDiv(total, d.divisor));
}

/// That the digits up to \p slowest have all their values together, and no
/// value twice, where the index is below \p total; a fact where that is an
/// argument, as in `i < n`.
Error ThreadMapper::assumeWhole(const MappedLoop &slowest,
                                const IndexExpr &total) {
  const ThreadDigit &d = slowest.digit;
  std::vector<IndexExpr> facts{
      extentOf(d, total, /*isSlowest=*/true) * d.divisor - total};
  if (d.modulus)
    facts.push_back(*d.modulus * d.divisor - total);
  for (const IndexExpr &fact : facts) {
    if (nest.expandDefinitions(fact).asConstant().value_or(0) < 0)
      return refuseVariable(
          diag::ThreadExtent, *slowest.variable,
          "has an extent that the bounds check does not give",
          "check the index against the product of all extents");
    addAssumption(nest, fact,
                  "the bounds check of '" + slowest.variable->name +
                      "' is the product of extents",
                  slowest.variable->range);
  }
  return Error::success();
}

/// `i < total` bounds all the digits of `i` at once.
Error ThreadMapper::flatExtents(ArrayRef<MappedLoop *> group) {
  const ThreadVariable *base = nullptr;
  for (const ThreadVariable &v : b.threads.variables) {
    std::optional<ThreadDigit> d =
        v.loop && !v.loop->upper.empty() ? parseDigit(v.value) : std::nullopt;
    if (d && !d->modulus && d->divisor == IndexExpr(1) &&
        d->sameIndex(group[0]->digit))
      base = &v;
  }
  const ThreadDigit &fastest = group[0]->digit;
  std::optional<IndexExpr> all = launched(fastest);
  if (!fastest.block && launches().block[*fastest.thread])
    all = IndexExpr(*launches().block[*fastest.thread]);
  if (base && base->loop->upper.size() == 1)
    all = base->loop->upper[0].expr;
  // A check of the slowest digit is one of the whole index.
  const MappedLoop &slowest = *group.back();
  const bool isBySlowest = !base && !slowest.digit.modulus &&
                           slowest.variable->loop->upper.size() == 1;
  if (isBySlowest)
    all = slowest.variable->loop->upper[0].expr * slowest.digit.divisor;
  if (!all)
    return refuseVariable(diag::ThreadExtent, *group[0]->variable,
                          "is part of an index without a bounds check, and no "
                          "launch in the file says how many threads there are",
                          "guard the whole index: if (i < total)");
  const IndexExpr &total = *all;
  RETURN_IF_ERROR(assumeWhole(*group.back(), total));
  const bool isExact = !base && !isBySlowest;
  if (isExact && !fastest.block)
    nest.function.blockExact[*fastest.thread] = true;
  for (MappedLoop *m : group) {
    m->isExact = isExact;
    if (isBySlowest && m == &slowest)
      continue;
    const IndexExpr extent = extentOf(m->digit, total, m == group.back());
    m->variable->loop->upper.push_back({extent, 1});
    if (group.size() > 1)
      addAssumption(nest, extent,
                    "the extent of '" + m->variable->name + "' is not negative",
                    m->variable->range);
  }
  if (std::optional<unsigned> g = group[0]->digit.block)
    nest.function.grid[*g] = {total, 1};
  return Error::success();
}

/// An inner dimension of the output that \p loop alone indexes: its extent is
/// in the strides.
std::optional<IndexExpr> ThreadMapper::extentFromStrides(unsigned loop) const {
  for (auto [id, array] : enumerate(nest.arrays)) {
    if (array.isLocal())
      continue;
    std::vector<PlacedAccess> placed;
    std::vector<std::vector<IndexExpr>> written;
    for (const ArrayUse &u : usesOf(nest, id))
      if (u.isWrite) {
        placed.push_back({u.access->subscripts, u.domain});
        written.push_back(u.access->subscripts);
      }
    if (written.empty())
      continue;
    std::vector<IndexExpr> extents = b.sourceArrays[id].innerExtents;
    if (extents.empty()) {
      if (!all_of(written, [](const auto &s) { return isLinearInLoops(s[0]); }))
        continue;
      LinearShape shape =
          candidateShapes(placed, /*fields=*/1, Prover(nest)).front();
      for (size_t k = shape.rank() - 1; k-- > 0;)
        extents.push_back(shape.extent(k));
      for (std::vector<IndexExpr> &s : written) {
        s = decompose(s[0], shape);
        std::reverse(s.begin(), s.end());
      }
    }
    for (const auto &s : written)
      for (size_t k = 1; k != s.size(); ++k)
        if (s[k] == IndexExpr::loop(loop))
          return extents[k - 1];
  }
  return std::nullopt;
}

/// The outermost dimension of an output that the source declares with it, and
/// that \p loop alone indexes.
std::optional<IndexExpr> ThreadMapper::declaredExtent(unsigned loop) const {
  for (auto [id, array] : enumerate(nest.arrays))
    for (const ArrayUse &u : usesOf(nest, id))
      if (u.isWrite && b.sourceArrays[id].outermost &&
          u.access->subscripts[0] == IndexExpr::loop(loop))
        return IndexExpr(*b.sourceArrays[id].outermost);
  return std::nullopt;
}

const LaunchFacts &ThreadMapper::launches() {
  if (!facts)
    facts = getLaunches(/*ofGrid=*/true);
  return *facts;
}

/// How many threads the launches in the file start along \p d. Of `n / 256`
/// blocks and of `(n + 255) / 256` it is n: where 256 does not divide that, the
/// launch is another one.
std::optional<IndexExpr> ThreadMapper::launched(const ThreadDigit &d) {
  if (!d.block || !d.thread || d.rows || !launches().grid[*d.block])
    return std::nullopt;
  std::optional<int64_t> width = d.width.asConstant();
  if (d.width == hardware::index(hardware::BlockDim, *d.thread))
    width = launches().block[*d.thread];
  if (!width)
    return std::nullopt;
  const IndexExpr blocks = nest.expandDefinitions(*launches().grid[*d.block]);
  for (const auto &[product, times] : blocks.terms()) {
    const Atom *one = product.size() == 1 ? &product.front() : nullptr;
    if (!one || one->isVar() || one->den() != IndexExpr(*width) ||
        blocks != IndexExpr::floorDiv(one->num(), one->den()))
      continue;
    const IndexExpr least = one->num() - (*width - 1);
    return least.constantTerm() % *width == 0 ? least : one->num();
  }
  return blocks * IndexExpr(*width);
}

/// What nothing guards is as long as an output's dimension, or as the launches
/// in the file say: others that start more or fewer threads stay as they are.
/// Where neither says, it is as long as whatever launch makes it.
Error ThreadMapper::unguarded(MappedLoop &m) {
  const ThreadDigit &d = m.digit;
  const bool isBlock = d.width == IndexExpr(1);
  const std::optional<int64_t> width = d.width.asConstant();
  const bool isWhole = !d.modulus && d.divisor == IndexExpr(1);
  const bool isOwn =
      width ||
      (d.thread && d.width == hardware::index(hardware::BlockDim, *d.thread));
  std::optional<IndexExpr> extent;
  if (isBlock)
    extent = d.modulus;
  const unsigned loop = m.variable->loop->id;
  if (!extent && (isBlock || (isWhole && isOwn)))
    extent = extentFromStrides(loop);
  // The grid is the product of the digits; this is the slowest.
  if (d.block && !extent && isBlock && launches().grid[*d.block])
    extent = divideExactly(nest.expandDefinitions(*launches().grid[*d.block]),
                           nest.expandDefinitions(d.divisor));
  if (!extent && isWhole && !isBlock)
    extent = launched(d);
  if (!extent && isWhole && isOwn)
    extent = declaredExtent(loop);
  if (!extent)
    extent = ofAnyLaunch(d);
  if (!extent && d.block && launches().isUnknown[*d.block])
    return refuseVariable(diag::ThreadExtent, *m.variable,
                          "has an extent that the launch does not give in "
                          "terms of the kernel's parameters",
                          "pass it to the kernel, or guard it: if (" +
                              m.variable->name + " < EXTENT) { ... }");
  if (!extent)
    return refuseVariable(
        diag::ThreadExtent, *m.variable,
        "has an extent that nothing in the file gives",
        "guard it: if (" + m.variable->name +
            " < EXTENT) { ... }, or launch blocks of a constant size in the "
            "same file");
  m.isExact = true;
  m.variable->loop->upper.push_back({*extent, 1});
  if (width)
    addAssumption(nest, -IndexExpr::mod(*extent, *width),
                  "blocks along '" + m.variable->name + "' end where it does",
                  m.variable->range);
  return Error::success();
}

Error ThreadMapper::extents(std::vector<MappedLoop *> &group) {
  RETURN_IF_ERROR(chain(group));
  if (group[0]->digit.isFlat)
    return flatExtents(group);
  for (MappedLoop *m : group) {
    if (m->isGuarded)
      continue;
    Loop &loop = *m->variable->loop;
    if (std::optional<IndexExpr> extent = extentFromGuards(loop.id)) {
      loop.upper.push_back({*extent, 1});
      m->isGuarded = true;
    } else if (Error e = unguarded(*m)) {
      return e;
    }
  }
  return Error::success();
}

/// The greater, the less often \p d changes from one thread to the next.
static auto slowness(const ThreadDigit &d) {
  const auto &factors = d.divisor.terms().rbegin()->first;
  return std::make_tuple(d.thread.value_or(3), d.block.value_or(0),
                         factors.size() + !d.modulus);
}

Error ThreadMapper::run() {
  nest.function.grid.fill({1, 1});
  RETURN_IF_ERROR(collect());
  std::vector<std::vector<MappedLoop *>> groups;
  for (MappedLoop &m : mapped) {
    auto it = find_if(groups, [&](const auto &g) {
      const ThreadDigit &o = g[0]->digit;
      return m.digit.block ? o.block == m.digit.block
                           : !o.block && o.thread == m.digit.thread;
    });
    if (it == groups.end())
      groups.push_back({&m});
    else
      it->push_back(&m);
  }
  for (auto &group : groups)
    RETURN_IF_ERROR(extents(group));
  RETURN_IF_ERROR(blockExtents());
  setBlock();
  for (auto &group : groups)
    RETURN_IF_ERROR(launchOf(group));
  // What tells strides that are arguments apart: neighbours in a warp are
  // neighbours in memory.
  stable_sort(mapped, [](const MappedLoop &a, const MappedLoop &b) {
    return slowness(a.digit) < slowness(b.digit);
  });
  for (MappedLoop &m : mapped) {
    // However many threads there are, they share the loop.
    std::string by;
    if (m.variable->isShared)
      by = m.digit.block
               ? std::string("gridDim.") + dimensionNames[*m.digit.block]
               : text(m.digit.width);
    nest.function.threadMaps.push_back(
        {m.variable->loop->id, textOf(m.digit), by});
    Loop &l = *m.variable->loop;
    l.body = std::exchange(nest.body, {});
    nest.body.push_back(m.variable->loop);
  }
  return Error::success();
}

Error mapThreads(NestBuilder &b, GetLaunchFacts launches) {
  return ThreadMapper(b, launches).run();
}

} // namespace convopt
