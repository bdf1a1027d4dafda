//===- TileModel.cpp - What a staged kernel does --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BankConflicts.h"
#include "LaunchPlan.h"
#include "ModelledTile.h"
#include "convopt/Schedule/Request.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace convopt {

/// Sums under guards of their own that are unrolled in a thread's tile: of
/// 900, nvcc takes 15 s.
static constexpr int64_t MaxCases = 256;

/// Instructions for an operand that comes from constants far away.
static constexpr int64_t OfFarConstant = 2;
/// Wavefronts of a copy whose neighbours come to lie in rows of their own.
static constexpr int64_t OfSortedCopy = 16;
/// Bytes of constants that operands find near, and that a block may go through:
/// more miss their cache again and again.
static constexpr int64_t NearConstants = 1024, MostConstantsOfBlock = 8 * 1024;

ModelledTile::ModelledTile(const SumShape &shape, const Gpu &gpu,
                           const TileCounts &tile, bool hasConflicts)
    : shape(shape), gpu(gpu), tile(tile), hasConflicts(hasConflicts),
      thread(shape.loops(), 1), block(shape.extents) {
  // A loop that never runs, which nothing can be divided by.
  isRefused = shape.others < 1 || shape.lastExtent < 1 ||
              any_of(shape.extents, [](int64_t n) { return n < 1; });
  if (isRefused)
    return;
  for (unsigned r = 0; r != RoleCount; ++r) {
    threads *= tile.threads[r];
    outputs *= tile.outputs[r];
    thread[r] = tile.outputs[r];
    block[r] = tile.threads[r] * tile.outputs[r];
    blocks *= divideCeil(shape.extents[r], block[r]);
  }
  turns = std::min(tile.turns, shape.lastExtent);
  blocks *= shape.others / std::max<int64_t>(shape.lastExtent, 1) *
            divideCeil(shape.lastExtent, turns);
  threads *= tile.shares;
  warps = divideCeil(threads, gpu.warpSize);
  if (shape.takesParts)
    block[RoleCount] =
        std::min(tile.iterations * tile.shares, shape.extents[RoleCount]);
  share = block;
  share[RoleCount] = divideCeil(block[RoleCount], tile.shares);
  stages =
      shape.rounds * divideCeil(shape.extents[RoleCount], block[RoleCount]);
  // A tile at a border has every case of every output in its text.
  isRefused |= outputs > 1 && shape.cases > 1 &&
               outputs * shape.cells * shape.cases > MaxCases;
  int64_t constantBytes = tile.constantBytes; // that are left
  for (const ReadShape &r : shape.reads)
    if (plans.emplace_back(planOf(r, constantBytes)).memory == Buffer::Constant)
      constantBytes -= *r.allBytes;
  rolled = findUnrolled();
  for (const auto &[r, plan] : zip(shape.reads, plans)) {
    if (r.ofOther) {
      addOtherSum(r);
      continue;
    }
    if (plan.memory == Buffer::Constant) {
      isRefused |= r.isOfOthers || (hasTurns() && isHoisted(r)) ||
                   !isWorthPacking(r, shape.work()) ||
                   bytesOfThread(r, shape.extents) > MostConstantsOfBlock;
      addConstants(r);
      wouldPack |= planOf(r, /*available=*/0).isPacked;
      continue;
    }
    // Turns have their part of an array and all of their sums.
    isRefused |= hasTurns() && (!r.isOfOthers || stages != 1);
    plan.memory == Buffer::Shared ? addRead(r, plan) : addGlobalRead(r);
  }
  isRefused |= tile.constantBytes != 0 &&
               (constantBytes == tile.constantBytes || !isUnrolled());
}

/// The outermost loop of the sum that is unrolled, with those inside of it.
unsigned ModelledTile::findUnrolled() const {
  const bool isNarrow = any_of(zip(shape.reads, plans), [](const auto &read) {
    const auto &[r, plan] = read;
    return plan.memory == Buffer::Shared && r.vector > 4;
  });
  const bool hasWindow =
      any_of(plans, [](const ReadPlan &p) { return p.isWindow; });
  if (shape.hasStrips)
    return shape.loops(); // but strips that windows slide along
  PerLoop inside = thread; // iterations in a body
  for (unsigned l = shape.loops(); l-- != RoleCount;) {
    inside[l] = share[l];
    if (inside[l] == 1)
      continue;
    int64_t work = shape.products, globalReads = 0;
    for (int64_t n : inside)
      work *= n;
    for (const auto &[r, plan] : zip(shape.reads, plans))
      if (plan.memory == Buffer::Global && !r.ofOther)
        globalReads += readsOf(r, inside);
    SumLoop loop{l == shape.column(), l == RoleCount && stages > 1};
    loop.hasWindow = loop.isInnermost && hasWindow;
    if (!convopt::isUnrolled(loop, bodyOf(work, isNarrow, globalReads),
                             MaxStagedBody / shape.sums))
      return l + 1;
  }
  return RoleCount;
}

/// Reads of \p r in \p counts iterations, where none serves another.
int64_t ModelledTile::readsOf(const ReadShape &r, const PerLoop &counts) const {
  int64_t reads = std::max<int64_t>(r.fields, 1);
  for (unsigned l = 0; l != shape.loops(); ++l)
    if (r.uses(l))
      reads *= counts[l];
  return reads;
}

/// Whether what a thread reads of \p r is the same in each turn, and many or no
/// literal places: the compiler then loads all of it before the first.
bool ModelledTile::isHoisted(const ReadShape &r) const {
  bool isRolled = false, isOfBlock = false;
  for (unsigned l = 0; l != shape.loops(); ++l)
    if (l < RoleCount)
      isOfBlock |= r.uses(l) && thread[l] < shape.extents[l];
    else if (l < rolled)
      isRolled |= r.uses(l) && shape.extents[l] > 1;
  return !isRolled &&
         (isOfBlock || bytesOfThread(r, shape.extents) > NearConstants);
}

/// The bytes of \p r that a thread reads in \p counts iterations of the loops
/// of the reduction.
int64_t ModelledTile::bytesOfThread(const ReadShape &r, PerLoop counts) const {
  for (unsigned l = 0; l != RoleCount; ++l)
    counts[l] = thread[l];
  return r.bytes * r.box(counts);
}

/// Whether all is unrolled but a loop of which parts can be staged:
/// constants are then operands at literal distances.
bool ModelledTile::isUnrolled() const {
  return rolled <= RoleCount + unsigned(shape.takesParts);
}

/// Multiply-adds of whole blocks and stages, where all lengths are known.
std::optional<double> ModelledTile::knownWork() const {
  if (shape.isGuessed)
    return std::nullopt;
  double work =
      double(blocks * turns * stages) * double(threads / tile.shares * outputs);
  for (unsigned l = RoleCount; l != shape.loops(); ++l)
    work *= double(block[l]);
  return work;
}

/// Whether the launcher may fill memory with \p r, for a sum of \p work.
bool ModelledTile::isWorthPacking(const ReadShape &r,
                                  std::optional<double> work) const {
  int64_t readers = divideCeil(r.reuse, turns); // blocks, of an element
  for (unsigned l = 0; l != RoleCount; ++l)
    if (!r.uses(l))
      readers =
          shape.isKnown[l]
              ? std::min<int64_t>(
                    readers * divideCeil(shape.extents[l], block[l]), INT32_MAX)
              : INT32_MAX;
  return packingFault(r.elements, work, readers) == PackingFault::None;
}

/// Operands from constant memory take nothing, but some of many have to come to
/// the cache that is near.
void ModelledTile::addConstants(const ReadShape &r) {
  if (bytesOfThread(r, shape.extents) > NearConstants)
    reads += OfFarConstant * bytesOfThread(r, block) / r.bytes;
}

/// By dimension, for StagingPolicy.h. A bit stands for the threads of a role.
SmallVector<DimUse, 5> ModelledTile::useOf(const ReadShape &r) const {
  SmallVector<DimUse, 5> dims;
  for (const auto &[d, c] : enumerate(r.coefficients)) {
    DimUse &use = dims.emplace_back();
    use.isField = r.isField(d);
    for (unsigned l = 0; l != RoleCount; ++l) {
      use.threads |= unsigned(c[l] != 0 && tile.threads[l] > 1) << l;
      if (c[l] == 1 && tile.outputs[l] > 1)
        use.outputs = tile.outputs[l];
    }
    for (unsigned l = RoleCount; l != shape.loops(); ++l)
      use.bySum |= c[l] != 0;
    use.byColumn = c[shape.column()] != 0;
    // One element has no vectors.
    use.isRow = c[shape.column()] == 1 && share[shape.column()] != 1;
  }
  return dims;
}

/// Elements of a window, such as `x[2 * ox + s]`, that the compiler of the
/// emitted code reads at once where the columns of the filter are unrolled: it
/// keeps what these share, and vectorizes what lies side by side as far as
/// places of threads are aligned. None of other arrays.
std::optional<int64_t>
ModelledTile::vectorOfCompiler(const ReadShape &r) const {
  if (r.fields != 0)
    return r.areAllFields ? std::gcd(r.fields, r.vector) : 1;
  if (rolled > shape.column())
    return std::nullopt;
  for (const PerLoop &c : reverse(r.coefficients))
    for (unsigned l = 0; l != RoleCount && c[shape.column()] != 0; ++l)
      if (c[l] != 0)
        return &c == &r.coefficients.back() && c[shape.column()] == 1
                   ? std::gcd(c[l] * tile.outputs[l], r.vector)
                   : 1;
  return std::nullopt;
}

/// \p available bytes of constant memory are left.
ReadPlan ModelledTile::planOf(const ReadShape &r, int64_t available) const {
  ReadPlan plan;
  const SmallVector<DimUse, 5> dims = useOf(r);
  unsigned blockLoops = 0;
  for (unsigned l = 0; l != RoleCount; ++l)
    blockLoops |= unsigned(tile.threads[l] > 1) << l;
  if (r.ofOther || (!isShared(dims, blockLoops) && !areRowsApart(dims, 1)))
    return plan;
  if (isConstant(dims, r.allBytes, available, isWorthPacking(r, knownWork()))) {
    plan.memory = Buffer::Constant;
    return plan;
  }
  if (!r.hasBox)
    return plan;
  plan.memory = Buffer::Shared;
  plan.vectorDim = vectorDim(dims, r.vector);
  plan.isWindow = plan.vectorDim && dims[*plan.vectorDim].byColumn;
  if (plan.isWindow && share[shape.column()] > MostWindow) {
    plan.isWindow = false;
    plan.vectorDim.reset();
  }
  plan.isSorted = plan.vectorDim && *plan.vectorDim + 1 != dims.size();
  plan.isPacked = plan.isSorted && tile.packs && isWorthPacking(r, knownWork());
  plan.copied = plan.isPacked ? r.vector : plan.isSorted ? 1 : r.copied;
  plan.elements = 1;
  for (size_t d = 0; d != dims.size(); ++d) {
    const int64_t extent = r.extent(d, block);
    plan.elements *= plan.vectorDim == d ? alignTo(extent, r.vector) : extent;
  }
  return plan;
}

/// Instructions that read \p r, of a thread in a stage, and what they take.
void ModelledTile::addRead(const ReadShape &r, const ReadPlan &plan) {
  const size_t dims = r.coefficients.size();
  const std::optional<unsigned> last = plan.vectorDim;
  const std::optional<int64_t> width =
      last ? std::optional(r.vector) : vectorOfCompiler(r);
  // Loops whose iterations a read serves: unrolled, or that it slides along.
  PerLoop held = thread, times = share;
  for (unsigned l = 0; l != RoleCount; ++l)
    times[l] = 1;
  auto hold = [&](unsigned l) {
    held[l] = share[l];
    times[l] = 1;
  };
  if (last && r.coefficients[*last][shape.column()] != 0) {
    hold(shape.column());
    if (rolled > shape.column()) { // by vectors, if a body is long
      held[shape.column()] = std::min(share[shape.column()], r.vector);
      times[shape.column()] =
          divideCeil(share[shape.column()], held[shape.column()]);
    }
  }
  int64_t kept = 1; // registers, of the elements that one iteration needs
  for (size_t d = 0; d != dims; ++d) {
    int64_t extent = r.extent(d, held);
    kept *= last == d ? alignTo(extent, r.vector) : extent;
  }
  if (width)
    for (unsigned l = rolled; l != shape.loops(); ++l)
      hold(l);
  int64_t loads = 1;
  for (int64_t n : times)
    loads *= n;
  for (size_t d = 0; d != dims; ++d) {
    int64_t extent = r.extent(d, held);
    loads *= d == last.value_or(dims - 1)
                 ? divideCeil(extent, width.value_or(1))
                 : extent;
  }
  const int64_t elements = plan.elements, row = r.row(block);
  registers += kept * divideCeil(r.bytes, 4);
  reads += loads;
  sharedBytes += elements * r.bytes;
  const int64_t ofThread =
      divideCeil(divideCeil(elements, plan.copied), threads);
  copies += ofThread;
  if (plan.isSorted && !plan.isPacked)
    port += OfSortedCopy * ofThread;
  if (!isAsyncSize(plan.copied * r.bytes))
    waitedCopies += ofThread;
  copiedBytes +=
      plan.isPacked ? elements * r.bytes
                    : elements / row *
                          alignTo(row * std::min(r.step * r.bytes, SectorBytes),
                                  SectorBytes);
  port += loads * cyclesOf(r, last, width.value_or(1));
}

/// What is read at a stride that is known at run time only stays in global
/// memory: each element is read, and its guard asked, where it is used.
void ModelledTile::addGlobalRead(const ReadShape &r) {
  PerLoop counts = share;
  copy(ArrayRef(thread).take_front(RoleCount), counts.begin());
  const int64_t loads = readsOf(r, counts);
  reads += OfGlobalRead * loads;
  copiedBytes += r.box(block) * r.bytes;
  globalReads += loads;
  // Sectors that the lanes of a warp touch, four of which come in a cycle.
  int64_t lanes = gpu.warpSize, sectors = 1;
  for (unsigned l = 0; l != RoleCount; ++l) {
    const int64_t across = std::min(lanes, tile.threads[l]);
    const int64_t step =
        r.along()[l] * thread[l] * r.bytes * std::max<int64_t>(r.fields, 1);
    if (step != 0)
      sectors *= divideCeil(across * std::min(step, SectorBytes), SectorBytes);
    else if (r.uses(l))
      sectors *= across;
    lanes /= across;
  }
  port += loads * divideCeil(sectors, 4);
}

/// What other sums of the nest read stays in global memory.
void ModelledTile::addOtherSum(const ReadShape &r) {
  double loads = double(r.ofOther);
  for (unsigned l = 0; l != RoleCount; ++l)
    if (r.uses(l))
      loads *= double(thread[l]);
  othersReads += loads;
  ofOthers += OfGlobalRead * loads + double(r.ofOther) * double(outputs) / 2;
}

/// Those of a warp's read in which no two places share a bank.
int64_t ModelledTile::leastCyclesOf(const ReadShape &r, int64_t bytes) const {
  int64_t lanes = gpu.warpSize, places = 1;
  auto add = [&](unsigned l, int64_t count) {
    const int64_t across = std::min(lanes, count);
    if (r.uses(l))
      places *= across;
    lanes /= across;
  };
  for (unsigned l = 0; l != RoleCount; ++l)
    add(l, tile.threads[l]);
  add(RoleCount, tile.shares);
  return std::max<int64_t>(places * bytes / BankBytes, 1);
}

/// What a warp's read of \p width elements takes of the port of shared memory.
int64_t ModelledTile::cyclesOf(const ReadShape &r, std::optional<unsigned> last,
                               int64_t width) const {
  WarpRead best;
  best.threads = {tile.threads[0], tile.threads[1], tile.threads[2],
                  tile.shares};
  best.bytes = std::clamp<int64_t>(width * r.bytes, 4, AccessBytes);
  if (!hasConflicts)
    return leastCyclesOf(r, best.bytes);
  const unsigned innermost = last.value_or(r.coefficients.size() - 1);
  const int64_t row = r.extent(innermost, block);
  const auto dims = orderWithLast(r.coefficients.size(), innermost);
  SmallVector<int64_t, 8> extents;
  for (unsigned d = 0; d != r.coefficients.size(); ++d)
    extents.push_back(r.extent(d, block));
  int64_t least = INT64_MAX;
  // Elements of fields that are read one by one have no pitch.
  for (int64_t length = r.fields != 0 && !last ? row : alignTo(row, r.vector);
       length <= row + row / 4 || least == INT64_MAX; length += r.vector) {
    WarpRead read = best;
    const auto strides = bytesApart(dims, extents, length, r.bytes);
    for (unsigned d : dims)
      addStrides(r, d, strides[d], read);
    least = std::min(least, wavefronts(read));
    // A pitch is chosen for rows of a length that is known.
    if (!last || (shape.hasStrips && r.uses(shape.column())))
      break;
  }
  return least;
}

void ModelledTile::addStrides(const ReadShape &r, unsigned dim, int64_t stride,
                              WarpRead &read) const {
  for (unsigned l = 0; l != RoleCount; ++l)
    read.strides[l] += r.coefficients[dim][l] * tile.outputs[l] * stride;
  read.strides[RoleCount] +=
      r.coefficients[dim][RoleCount] * share[RoleCount] * stride;
}

TileCounts countsOf(const SumShape &shape, const StagedTile &staged) {
  TileCounts t;
  t.iterations = staged.iterations;
  t.constantBytes = staged.hasConstants ? ScheduleRequest().constantBytes : 0;
  t.packs = staged.packs;
  auto tileOf = [&](std::optional<unsigned> loop) {
    auto found = loop ? staged.tiles.find(*loop) : staged.tiles.end();
    return found == staged.tiles.end() ? LoopTile() : found->second;
  };
  t.shares = tileOf(shape.outermost).threads;
  t.turns = tileOf(shape.last).turns;
  for (unsigned r = 0; r != RoleCount; ++r) {
    t.threads[r] = tileOf(shape.ids[r]).threads;
    t.outputs[r] = tileOf(shape.ids[r]).outputs;
  }
  return t;
}

std::optional<StagedCost> costOf(const Nest &nest, const Roles &roles,
                                 const Gpu &gpu, const StagedTile &tile) {
  std::optional<SumShape> shape = SumShape::of(nest, roles);
  if (!shape)
    return std::nullopt;
  return ModelledTile(*shape, gpu, countsOf(*shape, tile)).cost();
}

} // namespace convopt
