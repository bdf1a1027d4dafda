//===- ThreadLaunch.cpp - The launch that covers a kernel's loops ---------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Delinearize.h"
#include "Diagnostics.h"
#include "ThreadMapper.h"
#include "convopt/Target/Gpu.h"

using namespace llvm;

namespace convopt {

/// How many threads there are along \p d in whatever launch: a size that host
/// code takes from it. None where \p d is a part of an index, other than the
/// slowest part of the number of a block: a launch with blocks left over is
/// none that the extents make up.
std::optional<IndexExpr> ThreadMapper::ofAnyLaunch(const ThreadDigit &d) {
  if (d.block && !d.modulus && !d.thread && d.width == IndexExpr(1) &&
      d.divisor != IndexExpr(1)) {
    addAssumption(nest, d.divisor - 1, "blocks are shared among some",
                  nest.function.range);
    return IndexExpr::floorDiv(
        b.takeOfLaunch({*d.block}, std::string("blocks_") + "xyz"[*d.block]),
        d.divisor);
  }
  if (d.modulus || d.rows || d.divisor != IndexExpr(1))
    return std::nullopt;
  if (!d.block)
    return b.takeOfLaunch({{}, *d.thread},
                          std::string("block_") + "xyz"[*d.thread]);
  const std::string name(1, "xyz"[*d.block]);
  if (d.width.asConstant())
    return d.width * b.takeOfLaunch({*d.block}, "blocks_" + name);
  if (!d.thread || d.width != hardware::index(hardware::BlockDim, *d.thread))
    return std::nullopt;
  return b.takeOfLaunch({*d.block, *d.thread}, "threads_" + name);
}

/// Takes the extents of blocks along each dimension that \p isOpen from the
/// launches in the file; false where these are none that a block can have.
bool ThreadMapper::takeLaunched(const std::array<bool, 3> &isOpen) {
  const LaunchFacts launched = getLaunches(/*ofGrid=*/false);
  std::array<int64_t, 3> all = block;
  for (unsigned k = 0; k != 3; ++k)
    if (isOpen[k])
      all[k] = launched.block[k].value_or(0);
  const int64_t threads = all[0] * all[1] * all[2];
  if (threads < 1 || threads > MaxThreadsPerBlock)
    return false;
  block = all;
  return true;
}

/// Threads of one block alone: as many as the loop has iterations.
Error ThreadMapper::blockOf(const MappedLoop &m) {
  const unsigned k = *m.digit.thread;
  const IndexExpr extent = m.variable->loop->upper[0].expr;
  const std::optional<int64_t> n = nest.constantOf(extent);
  if (n ? *n < 1 || *n > MaxThreadsPerBlock : extent.usesLoops())
    return refuseVariable(diag::ThreadBlock, *m.variable,
                          "stands for the threads of one block, whose number "
                          "is not from 1 to " +
                              std::to_string(MaxThreadsPerBlock));
  nest.function.blockExact[k] = m.isExact;
  if (n)
    block[k] = *n;
  else
    nest.function.block[k] = extent;
  return Error::success();
}

/// Takes blocks as wide as was found, which are no wider than blocks can be.
void ThreadMapper::setBlock() {
  IndexExpr threads = 1;
  bool isNumber = true;
  for (unsigned k = 0; k != 3; ++k) {
    IndexExpr &extent = nest.function.block[k];
    if (extent.isConstant())
      extent = block[k];
    else
      isNumber = false;
    threads = threads * extent;
  }
  if (!isNumber)
    addAssumption(nest, IndexExpr(MaxThreadsPerBlock) - threads,
                  "a block has at most " + std::to_string(MaxThreadsPerBlock) +
                      " threads",
                  nest.function.range);
}

/// Literal widths as they are; where the kernel asks blockDim, what the
/// launches in the file say, else 256 threads in a row, or 16 by 16.
Error ThreadMapper::blockExtents() {
  std::array<bool, 3> isOpen{};
  bool isCrossed = false;
  bool isLong = false;
  for (const MappedLoop &m : mapped) {
    const ThreadDigit &d = m.digit;
    if (!d.thread)
      continue;
    if (m.variable->isShared || (!d.block && d.isFlat)) {
      isOpen[*d.thread] = d.width.asConstant() == std::nullopt;
      if (!isOpen[*d.thread])
        block[*d.thread] = *d.width.asConstant();
    } else if (!d.block) {
      RETURN_IF_ERROR(blockOf(m));
      isLong |= !nest.function.block[*d.thread].isConstant();
    } else if (auto c = d.width.asConstant()) {
      if (*c > MaxThreadsPerBlock)
        return refuseVariable(diag::ThreadBlock, *m.variable,
                              "needs more than " +
                                  std::to_string(MaxThreadsPerBlock) +
                                  " threads");
      block[*d.thread] = *c;
    } else if (!m.isExact) { // else one thread a block covers any extent
      isOpen[*d.thread] = true;
      isCrossed |= d.width != hardware::index(hardware::BlockDim, *d.thread);
    }
  }
  unsigned open = llvm::count(isOpen, true);
  if (open && takeLaunched(isOpen))
    return Error::success();
  int64_t taken = isLong ? MaxThreadsPerBlock : 1;
  for (unsigned k = 0; k != 3; ++k)
    taken *= block[k];
  bool square = isCrossed || open == 2 || taken > 1;
  for (unsigned k = 0; k != 3; ++k)
    if (isOpen[k])
      block[k] = open == 1 && !square     ? 256
                 : open == 3 && isCrossed ? 8
                 : open == 3 && k == 2    ? 1
                 : taken > 4              ? 1
                                          : 16;
  return Error::success();
}

/// Blocks of one grid dimension: the product of what each digit needs.
Error ThreadMapper::launchOf(ArrayRef<MappedLoop *> group) {
  const ThreadDigit &first = group[0]->digit;
  if (!first.block)
    return Error::success();
  unsigned g = *first.block;
  Function &f = nest.function;
  if (first.isFlat) {
    f.gridExact[g] = group[0]->isExact;
    f.grid[g].divisor = block[*first.thread];
    return Error::success();
  }
  std::string product;
  for (MappedLoop *m : group) {
    const ThreadDigit &d = m->digit;
    int64_t width = d.thread ? block[*d.thread] : 1;
    const IndexExpr &extent = m->variable->loop->upper[0].expr;
    f.gridExact[g] |= !m->isGuarded;
    if (group.size() == 1) {
      f.grid[g] = {extent, width};
      return Error::success();
    }
    std::string blocks = blocksText(extent, width);
    if (d.modulus) {
      // As many blocks a row as the kernel takes there to be: enough of them.
      IndexExpr need = nest.expandDefinitions(
          IndexExpr::floorDiv(extent + (width - 1), width));
      if (nest.expandDefinitions(*d.modulus) == need)
        roundedUp.emplace_back(need, blocks);
      else
        addAssumption(nest, IndexExpr(width) * *d.modulus - extent,
                      "blocks along '" + m->variable->name +
                          "' cover its extent",
                      m->variable->range);
      blocks = text(*d.modulus);
    }
    product += (product.empty() ? "" : " * ") + blocks;
  }
  f.gridText[g] = product;
  f.grid[g] = {group.back()->variable->loop->upper[0].expr, 1};
  return Error::success();
}

} // namespace convopt
