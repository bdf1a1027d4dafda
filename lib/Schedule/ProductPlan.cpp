//===- ProductPlan.cpp - What -algorithm=product stands for ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for n, k, y, x {                 for p, k {              // p = n, y, x
//     for c, r, s {                    for c, r, s {
//       sum += in[n][c][y + r]..         sum += in[p, c, r, s] * w[k][c][r][s]
//              * w[k][c][r][s]         }
//     }                              }
//   }
//
// Loops that all three arrays use stay outside, each iteration with blocks of
// its own. A block has a tile of p and k. Its threads have some k each, and
// groups of p that lie apart: what neighbouring threads read is side by side,
// in different banks.
//
//===----------------------------------------------------------------------===//

#include "ProductPlan.h"
#include "ProductOperands.h"
#include "StorePlan.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Schedule/StepRecorder.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Transforms/Fuse.h"
#include "convopt/Transforms/IfConvert.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/MapLoop.h"
#include "convopt/Transforms/MinBlocks.h"
#include "convopt/Transforms/RegisterTile.h"
#include "convopt/Transforms/ScalarReplace.h"
#include "convopt/Transforms/Stage.h"
#include "convopt/Transforms/StripMine.h"
#include "convopt/Transforms/Structure.h"
#include "convopt/Transforms/Unroll.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace convopt {

namespace {

constexpr int64_t BytesOfGroup = 16;
/// The matrix of a launch may take one of so many parts of the device's memory.
constexpr int64_t PartOfDevice = 4;

class ProductPlanner {
public:
  ProductPlanner(const Nest &nest, const Roles &roles,
                 const ProductOptions &options, const Gpu &gpu,
                 Remarks &remarks)
      : recorder(nest), nest(recorder.nest()), roles(roles), options(options),
        gpu(gpu), remarks(remarks) {}

  Expected<ProductPlan> run() {
    ASSIGN_OR_RETURN(ProductOperands operands, findProduct(nest, roles));
    product = std::move(operands);
    static constexpr Error (ProductPlanner::*stages[])() = {
        &ProductPlanner::prepare,     &ProductPlanner::divideMatrix,
        &ProductPlanner::fuseOutputs, &ProductPlanner::chooseTile,
        &ProductPlanner::tile,        &ProductPlanner::unrollTerms,
        &ProductPlanner::stage,       &ProductPlanner::limitRegisters};
    for (auto stage : stages)
      RETURN_IF_ERROR((this->*stage)());
    const int64_t bytes = product.shape.isMade
                              ? launches * matrixBytes(product.shape.outputs)
                              : 0;
    return ProductPlan{recorder.takeSteps(), cycles, isKnown, bytes};
  }

private:
  Error add(const Pass &pass, std::vector<std::string> words) {
    return recorder.add({pass, std::move(words)});
  }
  const std::string &name(unsigned loop) const { return nest.loopNames[loop]; }
  std::vector<std::string> namesOf(ArrayRef<unsigned> loops) const {
    std::vector<std::string> names;
    for (unsigned l : loops)
      names.push_back(name(l));
    return names;
  }
  int64_t trips(unsigned loop, int64_t unknown) const {
    return tripsOf(nest, loop, unknown);
  }

  /// Sums in registers, without guards.
  Error prepare() {
    if (!nest.arrays[product.target].isLocal())
      if (Error e = add(scalarReplacePass, {nest.arrays[product.target].name}))
        return e;
    if (!product.isGuarded)
      return Error::success();
    std::vector<std::string> words{nest.arrays[product.image].name};
    if (options.boundary != Boundary::Fill)
      words.push_back("exact");
    return refuseStep(add(ifConvertPass, std::move(words)));
  }

  /// A matrix that leaves no room for others is made in parts, by launches
  /// that have some iterations each of the outermost loop of outputs.
  Error divideMatrix() {
    product.shape.isMade = options.isMade && !product.hasMatrix();
    if (!product.shape.isMade)
      columnVector = vectorOfColumns();
    product.shape.isMatrix =
        options.isMade || product.hasMatrix() ||
        columnVector == groupOf(nest.arrays[product.image]);
    const unsigned first = product.outputs.front();
    const int64_t count = trips(first, 0);
    int64_t inner = 1;
    for (unsigned l : drop_begin(product.outputs))
      inner *= trips(l, 0);
    auto isUnknown = [&](unsigned l) { return trips(l, 0) == 0; };
    if (!product.shape.isMade || count <= 1 || inner == 0 ||
        any_of(product.terms, isUnknown))
      return Error::success();
    const int64_t most = std::max<int64_t>(
        gpu.deviceBytes / PartOfDevice / matrixBytes(inner), 1);
    launches = divideCeil(count, most);
    if (launches == 1)
      return Error::success();
    const int64_t each = divideCeil(count, launches);
    product.shape.outputs = each * inner;
    launched = recorder.freeName(name(first), "_l");
    const std::string within = recorder.freeName(name(first), "_s");
    RETURN_IF_ERROR(stripMine(name(first), each, launched, within));
    const unsigned own = find(nest.loopNames, within) - nest.loopNames.begin();
    product.outputs.front() = own;
    replace(product.parallel, first, own);
    return Error::success();
  }
  static int64_t groupOf(const Array &a) {
    return BytesOfGroup / elementSize(a.elementType).value_or(BytesOfGroup);
  }
  /// So many neighbouring outputs read neighbours in a row of the image, as
  /// those of filters of one element do.
  int64_t vectorOfColumns() const {
    const Array &i = nest.arrays[product.image];
    const unsigned column = product.outputs.back();
    auto isColumn = [&](const IndexExpr &e) { return e.uses(loopVar(column)); };
    if (product.isGuarded ||
        inOnlyIterations(nest, product.imageAt.back()) !=
            IndexExpr::loop(column) ||
        any_of(ArrayRef(product.imageAt).drop_back(), isColumn))
      return 1;
    return std::gcd(groupOf(i),
                    std::gcd(trips(column, 1),
                             nest.constantOf(i.extents.back()).value_or(1)));
  }
  /// \p loops, within the one over launches.
  std::vector<std::string> launchedOf(std::vector<std::string> loops) const {
    if (!launched.empty())
      loops.insert(loops.begin(), launched);
    return loops;
  }

  Error fuseOutputs() {
    std::vector<std::string> order = namesOf(product.batches);
    append_range(order, namesOf(product.outputs));
    order.push_back(name(product.channel));
    if (order != namesOf(product.parallel))
      RETURN_IF_ERROR(add(interchangePass, launchedOf(order)));
    fused = product.outputs.front();
    for (unsigned l : drop_begin(product.outputs)) {
      if (Error e = add(fusePass, {name(fused), name(l)}))
        return e;
      fused = nest.loopNames.size() - 1;
    }
    return Error::success();
  }

  Error chooseTile() {
    product.shape.channels = trips(product.channel, product.unknownChannels());
    if (launches == 1)
      product.shape.outputs = trips(fused, product.unknownOutputs());
    if (product.shape.channels == 0 || product.shape.outputs == 0 ||
        product.shape.batches == 0)
      return refuseProduct("loops around it have no iterations", product.where);
    auto isConstant = [&](unsigned l) { return trips(l, 0) > 0; };
    const std::optional<int64_t> size =
        elementSize(nest.arrays[product.image].elementType);
    const bool isWhole = all_of(product.terms, isConstant) &&
                         isConstant(product.channel) &&
                         (launches > 1 || isConstant(fused)) && size;
    product.shape.elementBytes = size.value_or(product.shape.elementBytes);
    product.shape.hasRowsOfOutputs =
        any_of(statements(nest), [&](const StatementPath &p) {
          const unsigned a = p.statement->target.array;
          return !nest.arrays[a].isLocal() &&
                 vectorAlongRows(nest, a) == groupOf(nest.arrays[a]);
        });
    // What batches cost has not been measured.
    isKnown = isWhole && product.batches.empty();
    RETURN_IF_ERROR(findLayout(isWhole));
    chosen = chooseProductTile(product.shape, gpu,
                               options.mayShare && isKnown && launches == 1);
    cycles = double(launches) * cyclesOf(product.shape, chosen, gpu);
    remarks.push_back(
        {Remark::Kind::Analysis, "tile",
         formatv(
             "a product in blocks of {0} channels by {1} outputs{2}; the model "
             "expects {3} cycles in all",
             chosen.channels, chosen.outputs,
             chosen.parts == 1 ? ""
                               : ", of which " + std::to_string(chosen.parts) +
                                     " share each sum",
             std::llround(cycles))
             .str(),
         nest.function.range});
    return Error::success();
  }

  Error stripMine(const std::string &loop, int64_t factor,
                  const std::string &outer, const std::string &inner) {
    return add(stripMinePass, {loop, std::to_string(factor), outer, inner});
  }

  /// Blocks of a batch come one after another where the grid's slowest
  /// dimension is sure to have room for all.
  const char *dimensionOfBatches() const {
    const bool areKnown =
        all_of(product.batches, [&](unsigned l) { return trips(l, 0) > 0; });
    return areKnown && product.shape.batches <= gpu.gridDim[2] ? "grid.z"
                                                               : "grid.x";
  }

  Error tile() {
    const std::string k = name(product.channel), p = name(fused);
    auto part = [&](const std::string &loop, StringRef ending) {
      return recorder.freeName(loop, ending);
    };
    const std::string kb = part(k, "_b"), ki = part(k, "_i"),
                      kt = part(k, "_t"), ku = part(k, "_u"),
                      kv = part(k, "_v"), kr = part(k, "_r"),
                      pb = part(p, "_b"), pi = part(p, "_i"),
                      ph = part(p, "_h"), pj = part(p, "_j"),
                      pt = part(p, "_t"), pr = part(p, "_r");
    const int64_t size = elementSize(nest.arrays[product.image].elementType)
                             .value_or(BytesOfGroup);
    const int64_t group = std::clamp<int64_t>(BytesOfGroup / size, 1, 8);
    const bool hasGroups = group < chosen.outputsOfThread;
    RETURN_IF_ERROR(stripMine(k, chosen.channels, kb, ki));
    // A vector of the image is read in half the time if pairs of neighbouring
    // threads read the same one.
    const bool hasPairs = chosen.hasPairs();
    if (hasPairs)
      RETURN_IF_ERROR(stripMine(ki, 2 * chosen.channelsOfThread, kt, kv));
    RETURN_IF_ERROR(stripMine(hasPairs ? kv : ki, chosen.channelsOfThread,
                              hasPairs ? ku : kt, kr));
    RETURN_IF_ERROR(stripMine(p, chosen.outputs, pb, pi));
    if (hasGroups)
      RETURN_IF_ERROR(stripMine(
          pi, chosen.outputs * group / chosen.outputsOfThread, ph, pj));
    RETURN_IF_ERROR(stripMine(hasGroups ? pj : pi, group, pt, pr));
    std::vector<std::string> order = namesOf(product.batches);
    append_range(order, ArrayRef{kb, pb, kt});
    if (hasPairs)
      order.push_back(ku);
    append_range(order, ArrayRef{pt, kr});
    if (hasGroups)
      order.push_back(ph);
    order.push_back(pr);
    RETURN_IF_ERROR(add(interchangePass, launchedOf(order)));
    if (!launched.empty())
      if (Error e = add(mapLoopPass, {launched, "launch"}))
        return e;
    for (unsigned l : product.batches)
      if (Error e = add(mapLoopPass, {name(l), dimensionOfBatches()}))
        return e;
    std::vector<std::pair<std::string, const char *>> mapped{
        {kb, "grid.y"},
        {pb, "grid.x"},
        {kt, hasPairs ? "block.z" : "block.y"},
        {pt, hasPairs ? "block.y" : "block.x"}};
    if (hasPairs)
      mapped.emplace_back(ku, "block.x");
    for (const auto &[loop, kind] : mapped)
      if (Error e = add(mapLoopPass, {loop, kind}))
        return e;
    std::vector<std::string> registers{pr, kr};
    if (hasGroups)
      registers.insert(registers.begin() + 1, ph);
    for (const std::string &loop : registers)
      if (Error e = add(registerTilePass, {loop}))
        return e;
    return Error::success();
  }

  Error unrollTerms() {
    std::string loop = name(product.terms[product.staged]);
    part = recorder.freeName(loop, "_o");
    const std::string within = recorder.freeName(loop, "_i");
    if (chosen.parts > 1) {
      const std::string first = name(product.terms.front()),
                        blocks = recorder.freeName(first, "_b"),
                        inside = recorder.freeName(first, "_p");
      RETURN_IF_ERROR(stripMine(first, chosen.iterationsOfPart(product.shape),
                                blocks, inside));
      if (Error e = add(mapLoopPass, {blocks, "grid.z"}))
        return e;
      if (product.staged == 0)
        loop = inside;
    }
    RETURN_IF_ERROR(
        stripMine(loop, chosen.iterations(product.shape), part, within));
    for (unsigned l : reverse(
             ArrayRef<unsigned>(product.terms).drop_front(product.staged + 1)))
      if (Error e = add(unrollPass, {name(l)}))
        return e;
    return add(unrollPass, {within});
  }

  /// Of which dimension of the filter the channel is the subscript.
  Error findLayout(bool isWhole) {
    for (auto [d, e] : enumerate(product.filterAt))
      if (!e.uses(loopVar(product.channel)))
        termsAt.push_back(d);
      else if (channelAt || e.coefficient(loopVar(product.channel)) != 1)
        return refuseProduct("the channel is not a subscript of '" +
                                 nest.arrays[product.filter].name +
                                 "' by itself",
                             product.where);
      else
        channelAt = d;
    if (isChannelLast())
      return Error::success();
    const ProductShape &s = product.shape;
    const int64_t size = elementSize(nest.arrays[product.filter].elementType)
                             .value_or(BytesOfGroup);
    product.shape.unpackedBytes =
        s.batches * s.channels * s.outer * s.length * s.inner * size;
    // Of doubles, ptxas 13.0 gives such copies wrong addresses from -O1 on.
    product.shape.hasRowsOfTerms = isWhole && size == 4 &&
                                   product.filterAt.back().coefficient(loopVar(
                                       product.terms[product.staged])) == 1;
    return Error::success();
  }
  bool isChannelLast() const {
    return *channelAt == product.filterAt.size() - 1;
  }

  /// Filters with the channel last, and the image as columns.
  Error stage() {
    // Copies, as steps make the nest anew.
    const Array f = nest.arrays[product.filter], i = nest.arrays[product.image];
    auto extentOf = [&](const Array &a, unsigned d) {
      return nest.constantOf(a.extents[d]);
    };
    // Elements of 16 bytes, as far as they divide what a block has.
    const int64_t vector = std::gcd(groupOf(f), chosen.channels);
    // A matrix that is made has rows of whole tiles.
    int64_t vectorOfImage = std::gcd(groupOf(i), chosen.outputs);
    if (!product.shape.isMade)
      vectorOfImage = std::gcd(
          vectorOfImage, extentOf(i, product.imageAt.size() - 1).value_or(0));
    const std::optional<int64_t> extent = extentOf(f, *channelAt);
    std::vector<unsigned> order;
    if (!isChannelLast())
      order = orderWithLast(f.extents.size(), *channelAt);
    const bool isSorted = !isChannelLast() && !chosen.packs;
    if (!isSorted && !termsAt.empty() &&
        (!isChannelLast() || extent.value_or(0) % vector != 0)) {
      StageArguments packed{{Buffer::Global}, f.name, "launch"};
      packed.layout.order = order;
      if (extent.value_or(1) % vector != 0)
        packed.layout.pitch = vector;
      RETURN_IF_ERROR(add(stagePass, packed.words()));
    }
    if (product.shape.isMade) {
      StageArguments matrix{
          {Buffer::Global}, i.name, launched.empty() ? "launch" : launched};
      matrix.unfolded.emplace();
      RETURN_IF_ERROR(add(stagePass, matrix.words()));
    }
    StageArguments columns{{Buffer::Shared}, i.name, part};
    columns.layout.depth = chosen.depth;
    columns.layout.vector = vectorOfImage;
    if (!product.shape.isMade && !product.hasMatrix()) {
      columns.unfolded.emplace();
      columns.layout.vector = columnVector;
    }
    RETURN_IF_ERROR(add(stagePass, columns.words()));
    StageArguments rows{{Buffer::Shared}, f.name, part};
    rows.layout.depth = chosen.depth;
    if (isSorted) { // rows that begin in different banks
      rows.layout.order = order;
      rows.layout.pitch = chosen.channels + groupOf(f);
    } else {
      rows.layout.vector = vector;
    }
    RETURN_IF_ERROR(add(stagePass, rows.words()));
    if (chosen.storesVectors(product.shape))
      planStoresOfRows(recorder, remarks);
    return Error::success();
  }

  /// Of the matrix of \p outputs.
  int64_t matrixBytes(int64_t outputs) const {
    const ProductShape &s = product.shape;
    return s.batches * s.outer * s.length * s.inner * outputs *
           elementSize(nest.arrays[product.image].elementType)
               .value_or(BytesOfGroup);
  }

  Error limitRegisters() {
    const std::optional<int64_t> blocks = chosen.minBlocks(product.shape, gpu);
    if (!blocks || elementSize(nest.arrays[product.image].elementType) != 4)
      return Error::success();
    return add(minBlocksPass, {std::to_string(*blocks)});
  }

  StepRecorder recorder;
  const Nest &nest;
  const Roles &roles;
  const ProductOptions options;
  const Gpu &gpu;
  Remarks &remarks;
  ProductOperands product;
  std::string launched; // the loop over launches; empty: there is one launch
  int64_t launches = 1;
  unsigned fused = 0; // the loop of outputs
  int64_t columnVector = 1; // of an image that is unfolded
  bool isKnown = false;
  ProductTile chosen{};
  double cycles = 0;
  std::string part; // the loop over stages
  std::optional<unsigned> channelAt; // dimension of the filter
  std::vector<unsigned> termsAt;     // its others
};

} // namespace

Expected<ProductPlan> planProduct(const Nest &nest, const Roles &roles,
                                  const ProductOptions &options, const Gpu &gpu,
                                  Remarks &remarks) {
  return ProductPlanner(nest, roles, options, gpu, remarks).run();
}

} // namespace convopt
