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
// A block has a tile of p and k. Its threads have some k each, and groups of p
// that lie apart: what neighbouring threads read is side by side, in different
// banks.
//
//===----------------------------------------------------------------------===//

#include "ProductPlan.h"
#include "ProductModel.h"
#include "convopt/Schedule/StepRecorder.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Transforms/Fuse.h"
#include "convopt/Transforms/IfConvert.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/MapLoop.h"
#include "convopt/Transforms/RegisterTile.h"
#include "convopt/Transforms/ScalarReplace.h"
#include "convopt/Transforms/Stage.h"
#include "convopt/Transforms/StripMine.h"
#include "convopt/Transforms/Structure.h"
#include "convopt/Transforms/Unroll.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <numeric>

using namespace llvm;

namespace convopt {

namespace {

constexpr int64_t BytesOfGroup = 16;
/// What sizes that are not known are taken to be.
constexpr int64_t UnknownImages = 16, UnknownChannels = 64;

class ProductPlanner {
public:
  ProductPlanner(const Nest &nest, const Roles &roles, Boundary boundary,
                 bool mayShare, const Gpu &gpu, Remarks &remarks)
      : recorder(nest), nest(recorder.nest()), roles(roles), boundary(boundary),
        mayShare(mayShare), gpu(gpu), remarks(remarks) {}

  Expected<ProductPlan> run() {
    static constexpr Error (ProductPlanner::*stages[])() = {
        &ProductPlanner::find,        &ProductPlanner::findStaged,
        &ProductPlanner::prepare,     &ProductPlanner::fuseOutputs,
        &ProductPlanner::chooseTile,  &ProductPlanner::tile,
        &ProductPlanner::unrollTerms, &ProductPlanner::stage};
    for (auto stage : stages)
      if (Error e = (this->*stage)())
        return std::move(e);
    return ProductPlan{recorder.takeSteps(), cycles, isKnown};
  }

private:
  Error refuseProduct(const Twine &why, SourceRange where,
                      StringRef remedy = "leave -algorithm=product off") const {
    return refuse("structure",
                  ("the sum is no product of matrices: " + why).str(), where,
                  remedy.str());
  }
  Error add(const Pass &pass, std::vector<std::string> words) {
    return recorder.add({pass, std::move(words)});
  }
  const std::string &name(unsigned loop) const { return nest.loopNames[loop]; }
  int64_t trips(unsigned loop, int64_t unknown) const {
    for (const Loop *l : loops(nest))
      if (l->id == loop)
        return constantTrips(nest, *l).value_or(unknown);
    return unknown;
  }

  /// The sum and its loops.
  Error find() {
    // In their order: rows of an image before its columns.
    auto hasRole = [&](unsigned l) {
      return l == roles.x || l == roles.y || l == roles.z ||
             is_contained(roles.others, l);
    };
    copy_if(roles.band, std::back_inserter(parallel), hasRole);
    if (!std::equal(parallel.begin(), parallel.end(), roles.band.begin()))
      return refuseProduct("loops around it are not parallel",
                           nest.function.range);
    const Statement *sum = nullptr;
    for (const StatementPath &p : statements(nest)) {
      std::vector<unsigned> inside;
      for (const NodeRef &n : p.enclosing)
        if (const auto *l = dyn_cast<Loop>(n.get());
            l && !is_contained(parallel, l->id))
          inside.push_back(l->id);
      if (!p.statement->isReduction() || inside.empty())
        continue; // such as one that adds a bias
      if (sum)
        return refuseProduct("there are several", p.statement->range);
      sum = p.statement;
      terms = std::move(inside);
      isGuarded = any_of(p.enclosing,
                         [](const NodeRef &n) { return isa<Guard>(n.get()); });
    }
    if (!sum)
      return refuseProduct("nothing is summed", nest.function.range);
    where = sum->range;
    target = sum->target.array;
    return findFactors(*sum);
  }

  /// Whether outputs that lie next to one another differ in what \p l counts.
  bool isOfWindow(unsigned l) const {
    return any_of(imageAt, [&](const IndexExpr &e) {
      return e.uses(loopVar(l)) &&
             any_of(outputs, [&](unsigned o) { return e.uses(loopVar(o)); });
    });
  }

  /// The loop that is staged is the outermost one of so few terms that these
  /// can be written out. Those around it are as they were, so that the sum
  /// keeps its order.
  Error findStaged() {
    for (staged = terms.size() - 1; staged != 0; --staged) {
      const int64_t count = trips(terms[staged], 0);
      if (count < 1 && isOfWindow(terms[staged]))
        return refuseProduct("loop '" + name(terms[staged]) +
                                 "' has no size that is known",
                             where, "give the filter's size (-assume)");
      if (count < 1 || shape.inner * count > MostTerms)
        break;
      shape.inner *= count;
    }
    shape.length = trips(terms[staged], UnknownChannels);
    for (unsigned l : ArrayRef<unsigned>(terms).take_front(staged))
      shape.outer *= trips(l, UnknownChannels);
    return Error::success();
  }

  /// Two arrays, each of which has parallel loops of its own. The filter is the
  /// one that has a single loop, the channel; of two such the one that does not
  /// use the outputs' columns, which lie next to one another.
  Error findFactors(const Statement &sum) {
    std::vector<const Access *> reads;
    for (const Operand &o : sum.operands)
      if (o.kind == Operand::Read)
        reads.push_back(&o.access);
    auto loopsOf = [&](const Access &a) {
      std::vector<unsigned> used = parallel;
      erase_if(used, [&](unsigned l) {
        return none_of(a.subscripts,
                       [&](const IndexExpr &e) { return e.uses(loopVar(l)); });
      });
      return used;
    };
    std::vector<std::vector<unsigned>> used;
    for (const Access *a : reads)
      used.push_back(loopsOf(*a));
    const bool isSplit =
        reads.size() == 2 && reads[0]->array != reads[1]->array &&
        none_of(used[0],
                [&](unsigned l) { return is_contained(used[1], l); }) &&
        used[0].size() + used[1].size() == parallel.size();
    auto isFilter = [&](size_t k) {
      return used[k].size() == 1 && !used[1 - k].empty() &&
             (used[1 - k].size() != 1 || used[k][0] != roles.x);
    };
    if (!isSplit || (!isFilter(0) && !isFilter(1)))
      return refuseProduct("it does not read one array by a single parallel "
                           "loop, and another by the others",
                           where);
    const size_t k = isFilter(1) ? 1 : 0;
    filter = reads[k]->array;
    filterAt = reads[k]->subscripts;
    channel = used[k][0];
    image = reads[1 - k]->array;
    imageAt = reads[1 - k]->subscripts;
    outputs = used[1 - k];
    return Error::success();
  }

  /// Sums in registers, without guards.
  Error prepare() {
    if (!nest.arrays[target].isLocal())
      if (Error e = add(scalarReplacePass, {nest.arrays[target].name}))
        return e;
    if (!isGuarded)
      return Error::success();
    std::vector<std::string> words{nest.arrays[image].name};
    if (boundary != Boundary::Fill)
      words.push_back("exact");
    return add(ifConvertPass, std::move(words));
  }

  Error fuseOutputs() {
    std::vector<std::string> order, old;
    for (unsigned l : outputs)
      order.push_back(name(l));
    order.push_back(name(channel));
    for (unsigned l : parallel)
      old.push_back(name(l));
    if (order != old)
      if (Error e = add(interchangePass, order))
        return e;
    fused = outputs.front();
    for (unsigned l : drop_begin(outputs)) {
      if (Error e = add(fusePass, {name(fused), name(l)}))
        return e;
      fused = nest.loopNames.size() - 1;
    }
    return Error::success();
  }

  Error chooseTile() {
    shape.channels = trips(channel, UnknownChannels);
    shape.outputs = trips(fused, UnknownImages);
    if (shape.channels == 0 || shape.outputs == 0)
      return refuseProduct("loops around it have no iterations", where);
    // What loops around the stages cost has not been measured.
    auto isConstant = [&](unsigned l) { return trips(l, 0) > 0; };
    isKnown = all_of(terms, isConstant) && isConstant(channel) &&
              isConstant(fused) && shape.outer == 1;
    chosen = chooseProductTile(shape, gpu, mayShare && isKnown);
    cycles = cyclesOf(shape, chosen, gpu);
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

  Error tile() {
    const std::string k = name(channel), p = name(fused);
    auto part = [&](const std::string &loop, StringRef ending) {
      return recorder.freeName(loop, ending);
    };
    const std::string kb = part(k, "_b"), ki = part(k, "_i"),
                      kt = part(k, "_t"), kr = part(k, "_r"),
                      pb = part(p, "_b"), pi = part(p, "_i"),
                      ph = part(p, "_h"), pj = part(p, "_j"),
                      pt = part(p, "_t"), pr = part(p, "_r");
    const int64_t size =
        elementSize(nest.arrays[image].elementType).value_or(BytesOfGroup);
    const int64_t group = std::clamp<int64_t>(BytesOfGroup / size, 1, 8);
    const bool hasGroups = group < chosen.outputsOfThread;
    if (Error e = stripMine(k, chosen.channels, kb, ki))
      return e;
    if (Error e = stripMine(ki, chosen.channelsOfThread, kt, kr))
      return e;
    if (Error e = stripMine(p, chosen.outputs, pb, pi))
      return e;
    if (hasGroups)
      if (Error e = stripMine(
              pi, chosen.outputs * group / chosen.outputsOfThread, ph, pj))
        return e;
    if (Error e = stripMine(hasGroups ? pj : pi, group, pt, pr))
      return e;
    std::vector<std::string> order{kb, pb, kt, pt, kr};
    if (hasGroups)
      order.push_back(ph);
    order.push_back(pr);
    if (Error e = add(interchangePass, order))
      return e;
    for (const auto &[loop, kind] : {std::pair(kb, "grid.y"),
                                     {pb, "grid.x"},
                                     {kt, "block.y"},
                                     {pt, "block.x"}})
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
    std::string loop = name(terms[staged]);
    part = recorder.freeName(loop, "_o");
    const std::string within = recorder.freeName(loop, "_i");
    if (chosen.parts > 1) {
      const std::string blocks = recorder.freeName(loop, "_b"),
                        inside = recorder.freeName(loop, "_p");
      if (Error e =
              stripMine(loop, chosen.iterationsOfPart(shape), blocks, inside))
        return e;
      if (Error e = add(mapLoopPass, {blocks, "grid.z"}))
        return e;
      loop = inside;
    }
    if (Error e = stripMine(loop, chosen.iterations(shape), part, within))
      return e;
    for (unsigned l : reverse(ArrayRef<unsigned>(terms).drop_front(staged + 1)))
      if (Error e = add(unrollPass, {name(l)}))
        return e;
    return add(unrollPass, {within});
  }

  /// Filters with the channel last, and the image as columns.
  Error stage() {
    const Array &f = nest.arrays[filter], &i = nest.arrays[image];
    const std::string filters = f.name, images = i.name;
    const std::string depth = "depth:" + std::to_string(chosen.depth);
    // Elements of 16 bytes, as far as they divide what a block has.
    auto vectorOf = [](const Array &a, int64_t count) {
      return std::gcd(BytesOfGroup /
                          elementSize(a.elementType).value_or(BytesOfGroup),
                      count);
    };
    auto extentOf = [&](const Array &a, unsigned d) {
      return nest.expandDefinitions(a.extents[d]).asConstant();
    };
    const int64_t vector = vectorOf(f, chosen.channels);
    const int64_t vectorOfImage =
        std::gcd(vectorOf(i, chosen.outputs),
                 extentOf(i, imageAt.size() - 1).value_or(0));
    std::vector<unsigned> own, order;
    for (auto [d, e] : enumerate(filterAt))
      (e.uses(loopVar(channel)) ? own : order).push_back(d);
    if (own.size() != 1 ||
        filterAt[own.front()].coefficient(loopVar(channel)) != 1)
      return refuseProduct("the channel is not a subscript of '" + filters +
                               "' by itself",
                           where);
    auto wide = [](std::vector<std::string> words, int64_t vector) {
      if (vector > 1)
        words.push_back("vector:" + std::to_string(vector));
      return words;
    };
    const std::optional<int64_t> extent = extentOf(f, own.front());
    const bool isLast = own.front() == filterAt.size() - 1;
    if (!order.empty() && (!isLast || extent.value_or(0) % vector != 0)) {
      order.push_back(own.front());
      std::string text = "order";
      for (auto [k, d] : enumerate(order))
        text += (k ? "." : ":") + std::to_string(d);
      std::vector<std::string> words{filters, "launch", "global", text};
      if (isLast) // as it lies
        words.pop_back();
      if (vector > 1 && extent.value_or(1) % vector != 0)
        words.push_back("pitch:" + std::to_string(vector));
      if (Error e = add(stagePass, words))
        return e;
    }
    // A matrix lies as it is read.
    const bool isMatrix = outputs.size() == 1 &&
                          imageAt.back() == IndexExpr::loop(outputs.front());
    std::vector<std::string> words{images, part, "shared"};
    if (isMatrix)
      words = wide(words, vectorOfImage);
    else
      words.push_back("unfolded");
    words.push_back(depth);
    if (Error e = add(stagePass, words))
      return e;
    words = wide({filters, part, "shared"}, vector);
    words.push_back(depth);
    return add(stagePass, words);
  }

  StepRecorder recorder;
  const Nest &nest;
  const Roles &roles;
  const Boundary boundary;
  const bool mayShare;
  const Gpu &gpu;
  Remarks &remarks;
  SourceRange where;              // of the sum
  std::vector<unsigned> parallel; // loops around the sum
  std::vector<unsigned> outputs;  // those that become one
  std::vector<unsigned> terms;    // loops of the sum, outermost first
  std::vector<IndexExpr> imageAt, filterAt;
  unsigned image = 0, filter = 0, target = 0; // arrays
  unsigned channel = 0, fused = 0;            // loops
  bool isGuarded = false, isKnown = false;
  size_t staged = 0; // of terms: the loop of which parts are
  ProductShape shape{1, 1, 1, 1, 1};
  ProductTile chosen{};
  double cycles = 0;
  std::string part; // the loop over stages
};

} // namespace

Expected<ProductPlan> planProduct(const Nest &nest, const Roles &roles,
                                  Boundary boundary, bool mayShare,
                                  const Gpu &gpu, Remarks &remarks) {
  return ProductPlanner(nest, roles, boundary, mayShare, gpu, remarks).run();
}

} // namespace convopt
