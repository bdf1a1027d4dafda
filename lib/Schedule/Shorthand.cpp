//===- Shorthand.cpp - What -tile and -reg stand for ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a parallel loop y with T threads and R outputs a thread:
//
//   strip-mine=y,T*R,y_b,y_i     blocks, and what is inside one
//   strip-mine=y_i,R,y_t,y_r     threads, and what is inside one
//   interchange=...              all blocks, then all threads, then registers
//   map=y_b,grid.y  map=y_t,block.y
//   register-tile=y_r            sums of a thread, innermost and unrolled
//   stage=...                    what -staging stands for (StagingPlan.cpp)
//
// Of a loop c of a sum, T threads share it: what is staged of it is taken apart
// once more, or, where nothing is,
//
//   strip-mine=c,T,c_o,c_t  map=c_t,block.z
//
// A level of one iteration is left out.
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Shorthand.h"
#include "BodyCost.h"
#include "Divisions.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Schedule/Resources.h"
#include "convopt/Schedule/StepRecorder.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/IfConvert.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/MapLoop.h"
#include "convopt/Transforms/RegisterTile.h"
#include "convopt/Transforms/ScalarReplace.h"
#include "convopt/Transforms/StripMine.h"
#include "convopt/Transforms/Structure.h"
#include "convopt/Transforms/Unroll.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

namespace {

/// A parallel loop and what becomes of it; names are empty where a level is
/// left out.
struct TiledLoop {
  unsigned loop;
  LoopTile tile;
  LoopKind grid;
  std::optional<LoopKind> block;
  std::string blocks, threads, turns, outputs;
};

class ShorthandExpansion {
public:
  ShorthandExpansion(const Nest &original, const Roles &roles,
                     const Shorthand &spec, const Gpu &gpu, Remarks &remarks)
      : recorder(original), nest(recorder.nest()), roles(roles),
        spec(spec.tiles), staging(spec.staging), boundary(spec.boundary),
        gpu(gpu), remarks(remarks) {}

  Expected<std::vector<Step>> run() {
    static constexpr Error (ShorthandExpansion::*stages[])() = {
        &ShorthandExpansion::arrange,
        &ShorthandExpansion::replaceScalars,
        &ShorthandExpansion::convertGuards,
        &ShorthandExpansion::checkLimits,
        &ShorthandExpansion::stripMineLoops,
        &ShorthandExpansion::interchangeBand,
        &ShorthandExpansion::mapLoops,
        &ShorthandExpansion::registerTileLoops,
        &ShorthandExpansion::stageArrays,
        &ShorthandExpansion::splitSums,
        &ShorthandExpansion::unrollReductions};
    for (auto stage : stages)
      RETURN_IF_ERROR((this->*stage)());
    return recorder.takeSteps();
  }

  /// The nest that the steps lead to.
  const Nest &result() const { return nest; }

private:
  /// Gives each loop its dimensions, in the order of the result: the slowest
  /// dimension first.
  Error arrange() {
    for (unsigned id : roles.others)
      addLoop(id, LoopKind::GridX, std::nullopt);
    if (roles.z)
      addLoop(*roles.z, LoopKind::GridZ, LoopKind::BlockZ);
    // A grid has most blocks along x.
    if (roles.y)
      addLoop(*roles.y, roles.x ? LoopKind::GridY : LoopKind::GridX,
              roles.x ? LoopKind::BlockY : LoopKind::BlockX);
    if (roles.x)
      addLoop(*roles.x, LoopKind::GridX, LoopKind::BlockX);
    RETURN_IF_ERROR(assignOtherThreads());
    return arrangeSplit();
  }

  /// Threads that share the sums of a loop take a dimension that is left.
  Error arrangeSplit() {
    for (const auto &[loop, tile] : spec) {
      if (tile.threads == 1 ||
          any_of(loops, [&](const TiledLoop &t) { return t.loop == loop; }))
        continue;
      const std::string &name = nest.loopNames[loop];
      if (split)
        return refuse("usage",
                      "-tile asks for threads along two loops of a sum, '" +
                          nest.loopNames[split->loop] + "' and '" + name + "'",
                      nest.function.range, "choose one of them");
      split =
          StagingSpec::Split{loop, tile.threads, recorder.freeName(name, "_t")};
      if (staging)
        staging->split = split;
      RETURN_IF_ERROR(placeSplit());
    }
    return Error::success();
  }

  /// The slowest dimension, so that lanes of a warp have the same terms: the
  /// others move up to where nothing is.
  Error placeSplit() {
    static constexpr LoopKind dimensions[] = {
        LoopKind::BlockX, LoopKind::BlockY, LoopKind::BlockZ};
    const LoopKind *next = std::begin(dimensions);
    for (LoopKind k : dimensions)
      for (TiledLoop &t : loops)
        if (t.block == k && t.tile.threads > 1) {
          t.block = *next++;
          break;
        }
    if (next == std::end(dimensions))
      return refuse("usage",
                    "-tile asks for threads along more than three loops",
                    nest.function.range,
                    "a block has three dimensions: give one of the others one "
                    "thread");
    splitKind = *next;
    return Error::success();
  }

  /// Maps what staging has made of the loop, or every so many iterations of it.
  Error splitSums() {
    if (!split)
      return Error::success();
    const std::string &name = nest.loopNames[split->loop];
    const bool isStaged = any_of(convopt::loops(nest), [&](const Loop *l) {
      return nest.loopNames[l->id] == split->name;
    });
    if (!isStaged)
      RETURN_IF_ERROR(stripMine(name, split->threads,
                                recorder.freeName(name, "_o"), split->name));
    return recorder.add({mapLoopPass, {split->name, str(*splitKind).str()}});
  }

  void addLoop(unsigned id, LoopKind grid, std::optional<LoopKind> block) {
    auto tile = spec.find(id);
    TiledLoop t{id,   tile == spec.end() ? LoopTile() : tile->second,
                grid, block,
                "",   "",
                "",   ""};
    loops.push_back(t);
  }

  /// Threads along a loop without a role take a dimension that is free.
  Error assignOtherThreads() {
    for (TiledLoop &t : loops) {
      if (t.tile.threads == 1 || t.block)
        continue;
      for (LoopKind k : {LoopKind::BlockX, LoopKind::BlockY, LoopKind::BlockZ})
        if (!t.block && none_of(loops, [&](const TiledLoop &other) {
              return other.block == k && other.tile.threads > 1;
            }))
          t.block = k;
      if (!t.block)
        return refuse("usage",
                      "-tile asks for threads along more than three loops",
                      nest.function.range,
                      "a block has three dimensions: give '" +
                          nest.loopNames[t.loop] + "' one thread");
    }
    return Error::success();
  }

  /// A sum that the source keeps in the output is kept in a register.
  Error replaceScalars() {
    for (size_t array = 0, end = nest.arrays.size(); array != end; ++array) {
      if (!isSummedInMemory(nest, array))
        continue;
      Step step(scalarReplacePass, {nest.arrays[array].name});
      if (Error e = recorder.add(step))
        handleAllErrors(std::move(e), [&](const Refusal &r) {
          missed(step, r.message, r.where);
        });
    }
    return Error::success();
  }

  /// Of the factors of a product, the one whose ends the guard is about reads
  /// zeros.
  Error convertGuards() {
    size_t before = recorder.size();
    const bool isExact = boundary == Boundary::Recompute;
    const bool converts = isExact || boundary == Boundary::Fill;
    for (size_t array = 0; converts && array != nest.arrays.size(); ++array) {
      std::vector<std::string> words{nest.arrays[array].name};
      if (isExact)
        words.push_back("exact");
      Step step(ifConvertPass, words);
      const auto next = expectedToOptional(ifConvert(nest, array, isExact));
      if (!next)
        continue;
      if (all_of(statements(*next), [&](const StatementPath &p) {
            return all_of(p.statement->operands, [&](const Operand &o) {
              return o.access.array != array || isGuardedByEnds(*next, o);
            });
          }))
        RETURN_IF_ERROR(recorder.add(std::move(step)));
    }
    if (boundary == Boundary::Fill && recorder.size() == before)
      remarks.push_back({Remark::Kind::Missed, "if-convert",
                         "no sum of products stands under a guard of the ends "
                         "of a factor's array",
                         nest.function.range});
    return Error::success();
  }

  void missed(const Step &step, const std::string &why, SourceRange where) {
    remarks.push_back({Remark::Kind::Missed, step.pass->name.str(),
                       "left out " + step.str() + ": " + why, where});
  }

  /// Whether what is declared inside of \p enclosing is gone before the next
  /// output of a register tile has its own: a loop that is not tiled runs
  /// between them.
  bool isOfOneOutput(ArrayRef<NodeRef> enclosing) const {
    return any_of(select<Loop>(enclosing), [&](const Loop *l) {
      return none_of(loops,
                     [&](const TiledLoop &t) { return t.loop == l->id; });
    });
  }

  /// Before the first step, so that no pass meets an absurd factor.
  Error checkLimits() {
    Resources r;
    int64_t outputs = 1, operands = 0;
    for (const TiledLoop &t : loops) {
      if (t.tile.threads > 1)
        r.blockDim[dimensionOf(*t.block)] = t.tile.threads;
      if (t.tile.outputs == 1)
        continue;
      outputs = std::min<int64_t>(outputs, INT32_MAX) * t.tile.outputs;
      operands += t.tile.outputs;
    }
    if (split)
      r.blockDim[dimensionOf(*splitKind)] = split->threads;
    int64_t words = 0, sums = 0;
    walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
      const auto *local = dyn_cast<Local>(&n);
      if (!local || !nest.arrays[local->array].extents.empty() ||
          isOfOneOutput(enclosing))
        return;
      words += registersOf(nest.arrays[local->array].elementType);
      ++sums;
    });
    outputs = std::min<int64_t>(outputs, INT32_MAX);
    r.sums = outputs * std::max<int64_t>(sums, 1);
    r.sumRegisters = outputs * std::max<int64_t>(words, 1);
    r.otherRegisters =
        AddressRegisters + operands * std::max<int64_t>(words, 1);
    return checkResources(r, gpu, nest.function.range);
  }

  Error stripMine(const std::string &loop, int64_t factor,
                  const std::string &outer, const std::string &inner) {
    return recorder.add(
        {stripMinePass, {loop, std::to_string(factor), outer, inner}});
  }

  /// Whether each thread has all iterations of \p t: no grid dimension stands
  /// for them, so that indices of what it reads by them are literals.
  bool isWholeInThread(const TiledLoop &t) const {
    const bool hasConstants = staging && staging->constantBytes != 0;
    if (t.tile.threads != 1 || t.tile.turns != 1 ||
        (t.tile.outputs == 1 && !(hasConstants && t.loop == roles.z)) ||
        none_of(loops, [](const TiledLoop &o) { return o.tile.threads > 1; }))
      return false;
    return any_of(convopt::loops(nest), [&](const Loop *l) {
      return l->id == t.loop && constantTrips(nest, *l) == t.tile.outputs;
    });
  }

  Error stripMineLoops() {
    for (TiledLoop &t : loops) {
      std::string name = nest.loopNames[t.loop];
      auto [threads, outputs, turns] = t.tile;
      t.blocks = name;
      if (isWholeInThread(t)) {
        t.outputs = name;
        t.blocks.clear();
        continue;
      }
      if (threads == 1 && outputs == 1 && turns == 1)
        continue;
      t.blocks = recorder.freeName(name, "_b");
      if (turns > 1) {
        t.turns = recorder.freeName(name, "_s");
        RETURN_IF_ERROR(stripMine(name, turns, t.blocks, t.turns));
        continue;
      }
      if (threads > 1)
        t.threads = recorder.freeName(name, "_t");
      if (outputs > 1)
        t.outputs = recorder.freeName(name, "_r");
      std::string inside = outputs == 1   ? t.threads
                           : threads == 1 ? t.outputs
                                          : recorder.freeName(name, "_i");
      RETURN_IF_ERROR(stripMine(name, threads * outputs, t.blocks, inside));
      if (threads > 1 && outputs > 1)
        RETURN_IF_ERROR(stripMine(inside, outputs, t.threads, t.outputs));
    }
    return Error::success();
  }

  /// Loops of registers, outermost first: x is innermost, contiguous.
  std::vector<const TiledLoop *> registerOrder() const {
    std::vector<const TiledLoop *> order;
    for (const TiledLoop &t : loops)
      if (t.loop != roles.z && t.loop != roles.x)
        order.push_back(&t);
    for (const TiledLoop &t : loops)
      if (t.loop == roles.z)
        order.push_back(&t);
    for (const TiledLoop &t : loops)
      if (t.loop == roles.x)
        order.push_back(&t);
    erase_if(order, [](const TiledLoop *t) { return t->outputs.empty(); });
    return order;
  }

  /// Blocks, threads, turns, registers, and then loops that are not parallel,
  /// as far as the band goes.
  Error interchangeBand() {
    std::vector<std::string> order, old;
    for (const TiledLoop &t : loops)
      if (!t.blocks.empty())
        order.push_back(t.blocks);
    for (const TiledLoop &t : loops)
      if (!t.threads.empty())
        order.push_back(t.threads);
    for (const TiledLoop &t : loops)
      if (!t.turns.empty())
        order.push_back(t.turns);
    for (const TiledLoop *t : registerOrder())
      order.push_back(t->outputs);
    for (const Loop *l : outermostBand(nest)) {
      const std::string &name = nest.loopNames[l->id];
      old.push_back(name);
      if (!is_contained(order, name))
        order.push_back(name);
    }
    if (order == old)
      return Error::success();
    return recorder.add({interchangePass, order});
  }

  Error mapLoops() {
    for (const TiledLoop &t : loops)
      if (!t.blocks.empty())
        if (Error e =
                recorder.add({mapLoopPass, {t.blocks, str(t.grid).str()}}))
          return e;
    for (const TiledLoop &t : loops)
      if (!t.threads.empty())
        if (Error e =
                recorder.add({mapLoopPass, {t.threads, str(*t.block).str()}}))
          return e;
    return Error::success();
  }

  Error registerTileLoops() {
    std::vector<const TiledLoop *> order = registerOrder();
    for (const TiledLoop *t : reverse(order))
      if (Error e = recorder.add({registerTilePass, {t->outputs}}))
        return e;
    return Error::success();
  }

  Error stageArrays() {
    if (!staging)
      return Error::success();
    return planStaging(recorder, *staging, remarks);
  }

  /// Innermost first, while the body stays short: a long one no longer fits
  /// the instruction cache and takes the compiler minutes.
  Error unrollReductions() {
    while (std::optional<Step> step = nextUnroll())
      RETURN_IF_ERROR(recorder.add(*step));
    return Error::success();
  }

  /// The next loop to unroll: the innermost serial loop around a reduction.
  std::optional<Step> nextUnroll() {
    for (const StatementPath &p : statements(nest)) {
      if (!p.statement->accumulates())
        continue;
      std::vector<const Loop *> inside;
      for (const NodeRef &n : reverse(p.enclosing)) {
        const auto *l = dyn_cast<Loop>(n.get());
        if (l)
          inside.push_back(l);
        if (!l || l->kind == LoopKind::Unrolled ||
            (l->kind == LoopKind::Serial && constantTrips(nest, *l) == 1))
          continue;
        if (l->kind != LoopKind::Serial || is_contained(leftRolled, l->id))
          break;
        Step step(unrollPass, {nest.loopNames[l->id]});
        std::string why = whyRolled(*l, copiesOf(*l, p.enclosing),
                                    divisionsOf(nest, p, inside));
        if (why.empty())
          return step;
        missed(step, why, l->range);
        leftRolled.push_back(l->id);
        break;
      }
    }
    return std::nullopt;
  }

  /// How often \p l is unrolled by the loops around it, as those of a tile
  /// whose outputs each stand under a guard.
  int64_t copiesOf(const Loop &l, ArrayRef<NodeRef> enclosing) const {
    int64_t copies = 1;
    for (const NodeRef &n : enclosing) {
      const auto *around = dyn_cast<Loop>(n.get());
      if (around == &l)
        break;
      if (around && around->kind == LoopKind::Unrolled)
        copies *= constantTrips(nest, *around).value_or(1);
    }
    return copies;
  }

  /// \p l is unrolled \p times; \p divisions are those of an unrolled body.
  std::string whyRolled(const Loop &l, int64_t times, int64_t divisions) const {
    if (any_of(l.body, [](const NodeRef &n) { return isa<Copy>(n.get()); }))
      return "its iterations stage arrays";
    std::optional<int64_t> trips = constantTrips(nest, l);
    int64_t copies;
    if (!trips)
      return "its number of iterations is not constant";
    // Of several sums one is staged. Each read of another has an address and
    // guards of its own, which are as long again.
    const int64_t sums = sumsOf(nest, isSerial);
    const int64_t most = MaxUnrolledBody / (sums == 1 ? 1 : 2 * sums);
    auto ofBody = [](const Statement &s) {
      return 1 + StatementsOfCall * longOperationsIn(s);
    };
    if (*trips > MaxUnrolledTrips ||
        MulOverflow(*trips, unrolledStatements(nest, l.body, ofBody), copies) ||
        AddOverflow(copies, OfDivision * divisions, copies) ||
        MulOverflow(copies, times, copies) || copies > most)
      return "the body would be longer than " + std::to_string(most) +
             " statements";
    return "";
  }

  StepRecorder recorder;
  const Nest &nest; // the recorder's, after the last step
  const Roles &roles;
  const TileSpec &spec;
  std::optional<StagingSpec> staging;
  const Boundary boundary;
  const Gpu &gpu;
  Remarks &remarks;
  std::vector<TiledLoop> loops; // the slowest dimension first
  std::vector<unsigned> leftRolled;
  std::optional<StagingSpec::Split> split; // threads that share a sum
  std::optional<LoopKind> splitKind;
};

} // namespace

/// Whether a predicate is asked where a sum reads, as the array is not staged:
/// tiles inside of the image are faster without.
static bool asksForEach(const Nest &nest) {
  return any_of(statements(nest), [](const StatementPath &p) {
    return any_of(p.statement->operands, [](const Operand &o) {
      return o.isPredicate && !o.access.buffer;
    });
  });
}

Expected<std::vector<Step>> expandShorthand(const Nest &nest,
                                            const Roles &roles,
                                            const Shorthand &spec,
                                            const Gpu &gpu, Remarks &remarks) {
  Remarks made;
  ShorthandExpansion expansion(nest, roles, spec, gpu, made);
  Expected<std::vector<Step>> steps = expansion.run();
  if (steps && spec.boundary == Boundary::Recompute &&
      asksForEach(expansion.result())) {
    Shorthand guarded = spec;
    guarded.boundary = Boundary::FullTiles;
    return expandShorthand(nest, roles, guarded, gpu, remarks);
  }
  append_range(remarks, made);
  return steps;
}

} // namespace convopt
