//===- StagingPlan.cpp - What -staging stands for -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//                                    pack w, outputs last, at launch
//   for c in 0 .. C {                for c_o in 0 .. C / 4 {
//     for row in 0 .. F {              stage in, w to shared memory
//       for col in 0 .. F {            for c_i in 0 .. 4 {
//         for z_r, x_r {                 for row in 0 .. F { // unrolled if
//         short
//           sum += in[..] * w[..]          stage a window of in to registers
//         }                                for col in 0 .. F { // unrolled
//       }                                    stage w along z_r to registers
//     }                                      for z_r, x_r {
//   }                                          sum += in_r[..] * w_r[..]
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/StagingPlan.h"
#include "ArrayPlan.h"
#include "BodyCost.h"
#include "Divisions.h"
#include "LaunchPlan.h"
#include "StorePlan.h"
#include "SumReads.h"
#include "convopt/Legality/Legality.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/StripMine.h"
#include "convopt/Transforms/Structure.h"
#include "convopt/Transforms/Unroll.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

/// Multiply-adds of a thread that are worth a stage's barrier.
static constexpr int64_t WantedWork = 8192;

namespace {

class Planner {
public:
  Planner(StepRecorder &recorder, const StagingSpec &spec, Remarks &remarks)
      : recorder(recorder), nest(recorder.nest()), spec(spec),
        remarks(remarks) {}

  Error run() {
    if (!find())
      return Error::success();
    RETURN_IF_ERROR(stripMinePart());
    find();
    RETURN_IF_ERROR(stripMineColumn());
    for (unsigned array : sum.arrays)
      if (!sum.isStaged(array) || isPartly(array))
        unstaged.push_back(array);
      else if (!tryConstant(array))
        addPlan(planArray(array));
    RETURN_IF_ERROR(unrollLoops());
    if (constantBytes != spec.constantBytes)
      readInPlace();
    for (ArrayPlan &p : plans)
      if (p.pack)
        RETURN_IF_ERROR(tryPacking(p));
    for (ArrayPlan &p : plans) {
      chooseLayout(recorder, sum, p, remarks);
      const size_t before = recorder.size();
      if (Error e = tryStep({stagePass, p.shared.words()}))
        return e;
      if (recorder.size() == before)
        p.registers.reset();
    }
    for (ArrayPlan &p : plans)
      if (p.registers)
        if (Error e = tryStep({stagePass, p.registers->words()}))
          return e;
    if (spec.storesVectors)
      planStores(recorder, sum, remarks);
    tellOthers();
    return Error::success();
  }

private:
  /// What is found stays as it is while steps change the nest.
  bool find() {
    before = nest;
    std::optional<SumReads> found =
        SumReads::find(before, spec.anyLength, hasStrips());
    if (found)
      sum = std::move(*found);
    return found.has_value();
  }

  /// Whether registers hold what a strip of a loop of unknown length reads.
  bool hasStrips() const {
    return spec.hasRows || spec.slides || hasStripsOfColumn;
  }

  /// Whether less of \p array may be there than copies would read; says so.
  bool isPartly(unsigned array) {
    if (!is_contained(spec.partly, array))
      return false;
    const Array &a = nest.arrays[array];
    missed("left '" + a.name + "' in global memory: " + partlyText(a), a.range);
    return true;
  }

  /// Says what other sums than the one that is staged read.
  void tellOthers() {
    std::vector<unsigned> told = sum.arrays;
    for (const StatementPath &p : statements(before))
      for (const Operand &o : readsOf(*p.statement))
        if (const unsigned array = o.access.array;
            p.statement->accumulates() && !before.arrays[array].isLocal() &&
            !is_contained(told, array)) {
          told.push_back(array);
          missed("left '" + before.arrays[array].name +
                     "' in global memory: one sum of a nest is staged, and "
                     "another reads it; -schedule= can stage it",
                 p.statement->range);
        }
  }

  void missed(const std::string &what, SourceRange where) {
    remarks.push_back({Remark::Kind::Missed, "stage", what, where});
  }

  /// Adds a step; one that the nest's structure does not allow is left out
  /// with a remark.
  Error tryStep(const Step &step) {
    return handleErrors(
        recorder.add(step), [&](std::unique_ptr<Refusal> r) -> Error {
          if (r->rule != "structure")
            return Error(std::move(r));
          remarks.push_back({Remark::Kind::Missed, step.pass->name.str(),
                             "left out " + step.str() + ": " + r->message,
                             r->where});
          return Error::success();
        });
  }

  /// Whether the threads of a block, which read the same of \p array, take it
  /// from constant memory.
  bool tryConstant(unsigned array) {
    std::optional<Step> step = constantStep(sum, array, constantBytes);
    // If it is refused, other memory has room for it.
    if (!step || errorToBool(recorder.add(std::move(*step))))
      return false;
    constantBytes -= bytesOf(nest, array).value_or(constantBytes);
    return true;
  }

  /// Where weights are constants and all that windows slide along is written
  /// out, these are read where they are: the compiler reads each row of a
  /// thread's once, and rows need no pitch, so that whole images are one piece.
  void readInPlace() {
    const std::optional<SumReads> now =
        SumReads::find(nest, spec.anyLength, hasStrips());
    for (ArrayPlan &p : plans) {
      if (!now || !p.registers || !p.shared.layout.order.empty() || p.pack ||
          vectorAlongRows(nest, p.array) == 1 ||
          any_of(now->useOf(p.array),
                 [](const DimUse &d) { return d.threads != 0 && d.bySum; }))
        continue;
      p.registers.reset();
      p.shared.layout.pitch = 1;
    }
  }

  Error tryPacking(ArrayPlan &p) {
    const size_t before = recorder.size();
    if (Error e = tryStep({stagePass, p.pack->words()}))
      return e;
    if (recorder.size() == before) // copies to shared memory sort it instead
      p.shared.layout.order = p.pack->layout.order;
    return Error::success();
  }

  Error stripMine(const std::string &loop, const std::string &outer,
                  const std::string &inner, int64_t factor) {
    return recorder.add(
        {stripMinePass, {loop, std::to_string(factor), outer, inner}});
  }

  /// How many iterations of \p part, the outermost loop, are staged at a time.
  int64_t iterationsOf(const Loop *part) const {
    if (spec.iterations)
      return *spec.iterations;
    // A stage is to be worth its barrier: narrow filters do little with a
    // channel, wide ones fill the memory.
    if (sum.serial.size() == 1)
      return 16;
    std::vector<const Loop *> inside = sum.tiled;
    inside.insert(inside.end(), sum.serial.begin() + 1, sum.serial.end());
    int64_t most = std::clamp<int64_t>(WantedWork / workOf(nest, inside), 1, 8);
    return llvm::bit_floor(uint64_t(most));
  }

  /// Takes the outermost loop of the sum apart, some iterations of which are
  /// staged at a time; none where all of it is staged at once.
  Error stripMinePart() {
    const Loop *l = sum.serial.front();
    if (sum.isOfOutputs(l)) { // turns, each of which has all of its sums
      part = sum.name(l);
      return Error::success();
    }
    std::optional<int64_t> trips = constantTrips(nest, *l);
    const bool isSplit = spec.split && spec.split->loop == l->id;
    int64_t iterations = iterationsOf(l), all = iterations;
    if (isSplit)
      all *= spec.split->threads;
    std::vector<std::vector<DimUse>> shared;
    for (unsigned array : sum.arrays)
      if (sum.isStaged(array))
        shared.push_back(sum.useOf(array));
    if (!takesParts(shared, /*mayOverlap=*/spec.slides) ||
        (trips && *trips <= all))
      return Error::success();
    std::string name = sum.name(l);
    part = name;
    if (all == 1)
      return Error::success();
    part = recorder.freeName(name, "_o");
    inPart = recorder.freeName(name, "_i");
    partIterations = iterations;
    if (!isSplit)
      return stripMine(name, part, inPart, iterations);
    threads = spec.split->name;
    if (iterations == 1) {
      inPart.clear();
      return stripMine(name, part, threads, all);
    }
    RETURN_IF_ERROR(stripMine(name, part, inPart, all));
    const std::string whole = inPart;
    inPart = recorder.freeName(name, "_r");
    return stripMine(whole, threads, inPart, iterations);
  }

  /// Takes the innermost loop apart, if windows slide along it and it has no
  /// length that is known: registers hold what a vector's iterations read.
  Error stripMineColumn() {
    const Loop *column = sum.serial.back();
    int64_t vector = 1;
    for (unsigned array : sum.arrays)
      if (const std::optional<unsigned> last = sum.vectorDim(array);
          last && sum.isStaged(array) && sum.useOf(array)[*last].byColumn)
        vector = std::max(vector, sum.vectorOf(array));
    if (vector == 1 || !hasUnknownLength(nest, *column))
      return Error::success();
    const std::string name = sum.name(column);
    RETURN_IF_ERROR(stripMine(name, recorder.freeName(name, "_o"),
                              recorder.freeName(name, "_i"), vector));
    hasStripsOfColumn = true;
    find();
    return Error::success();
  }

  StageArguments stageOf(unsigned array, const std::string &loop,
                         Buffer::Memory memory) const {
    return {{memory}, nest.arrays[array].name, loop};
  }

  /// Finds out in time whether \p plan will fail; adding its steps says why.
  void addPlan(ArrayPlan plan) {
    StepRecorder trial = recorder;
    StageArguments plain = plan.shared;
    plain.layout = {};
    if (errorToBool(trial.add({stagePass, plain.words()}))) {
      unstaged.push_back(plan.array);
      plan.registers.reset();
    }
    plans.push_back(std::move(plan));
  }

  ArrayPlan planArray(unsigned array) {
    ArrayPlan plan{array, {}, {}, {}, sum.vectorDim(array)};
    bool inParts = !part.empty() && any_of(sum.serial, [&](const Loop *l) {
      return sum.name(l) == part && sum.uses(array, l);
    });
    plan.shared = stageOf(array, inParts ? part : sum.name(sum.outside()),
                          Buffer::Shared);
    if (inParts)
      plan.shared.layout.depth = spec.depth;
    else // there is no next box
      plan.shared.layout.async = spec.depth != 1;
    if (!plan.last)
      return plan;
    BufferLayout &layout = plan.shared.layout;
    layout.pitch = sum.vectorOf(array);
    unsigned dims = nest.arrays[array].extents.size();
    if (*plan.last + 1 != dims) {
      layout.order = orderWithLast(dims, *plan.last);
      planPacking(plan);
    }
    planRegisters(plan);
    return plan;
  }

  /// Has the launcher put what threads read along the last dimension there, if
  /// that is worth it: copies in shared memory are then read and written in
  /// vectors.
  void planPacking(ArrayPlan &plan) {
    const std::string why =
        spec.packs ? whyNotPacked(sum, plan.array) : "the outputs are few";
    const Array &a = nest.arrays[plan.array];
    if (!why.empty()) {
      missed("left out packing '" + a.name + "' in the launcher: " + why,
             a.range);
      return;
    }
    plan.pack = stageOf(plan.array, "launch", Buffer::Global);
    plan.pack->layout.order = plan.shared.layout.order;
    plan.pack->layout.pitch = plan.shared.layout.pitch;
    plan.shared.layout.order.clear(); // that of the packed copy
  }

  /// A window that slides with the innermost loop is held for the loop around
  /// it; other elements for an iteration. Registers need constant indices.
  void planRegisters(ArrayPlan &plan) {
    const Loop *column = sum.serial.back();
    const bool slides = sum.useOf(plan.array)[*plan.last].byColumn;
    const Loop *around = sum.serial.size() > 1
                             ? sum.serial[sum.serial.size() - 2]
                             : sum.outside();
    const std::string &array = nest.arrays[plan.array].name;
    if (slides && !sum.hasConstantLength(*column)) {
      missed("left out a window of '" + array + "' in registers: loop '" +
                 sum.name(column) + "' has no length that is known",
             column->range);
      return;
    }
    if (slides && constantTrips(nest, *column).value_or(1) > MostWindow) {
      missed("left out a window of '" + array + "' in registers: loop '" +
                 sum.name(column) + "' is too long",
             column->range);
      return;
    }
    plan.registers = stageOf(plan.array, sum.name(slides ? around : column),
                             Buffer::Registers);
    plan.registers->layout.vector = sum.vectorOf(plan.array);
  }

  /// What iterations of \p inside come to once they are unrolled, in
  /// multiply-adds.
  int64_t bodyOf(ArrayRef<const Loop *> inside) const {
    const bool isNarrow = any_of(
        plans, [&](const ArrayPlan &p) { return sum.vectorOf(p.array) > 4; });
    int64_t globalReads = 0, divisions = 0;
    for (unsigned array : unstaged) {
      std::vector<const Loop *> used = inside.vec();
      erase_if(used, [&](const Loop *l) { return !sum.anyUses(array, l); });
      globalReads += workOf(nest, used);
    }
    for (const StatementPath &p : statements(before)) {
      if (!p.statement->accumulates())
        continue;
      divisions += OfDivision * divisionsOf(nest, p, inside);
      if (!nest.arrays[p.statement->target.array].isLocal())
        globalReads += 2 * workOf(nest, inside); // and as many stores
    }
    return divisions + convopt::bodyOf(productsOf(*sum.serial.back()) *
                                           workOf(nest, inside),
                                       isNarrow, globalReads);
  }

  /// Writes the innermost loops out as far as a body of some length holds.
  Error unrollLoops() {
    const int64_t most = MaxStagedBody / sumsOf(nest, isSerial);
    std::vector<const Loop *> inside = sum.tiled;
    std::vector<Step> steps;
    for (const Loop *l : reverse(sum.serial)) {
      std::string name = sum.name(l);
      SumLoop loop{l == sum.serial.back(), name == inPart};
      loop.hasWindow =
          loop.isInnermost && any_of(plans, [&](const ArrayPlan &p) {
            return p.registers && p.registers->loop != name;
          });
      inside.push_back(l);
      loop.isConstant = constantTrips(nest, *l).has_value() &&
                        (loop.isPart || hasCompileTimeBounds(nest, *l));
      if (name == part || name == threads)
        break;
      if (constantTrips(nest, *l) == 1)
        continue; // is unrolled as it is
      if (isUnrolled(loop, bodyOf(inside), most)) {
        steps.push_back({unrollPass, {name}});
        continue;
      }
      const size_t around = threads.empty() ? 2 : 3; // this and those of parts
      if (loop.isPart && (!loop.isInnermost || loop.hasWindow) &&
          steps.size() + around == sum.serial.size())
        addPartialUnroll(most / bodyOf(ArrayRef(inside).drop_back()), steps);
      break;
    }
    for (Step &step : steps)
      RETURN_IF_ERROR(recorder.add(std::move(step)));
    return Error::success();
  }

  /// Writes out whole iterations of a part, at most \p most. What was to be
  /// held for an iteration of it is held for one that is written out, and what
  /// for all of it for those.
  void addPartialUnroll(int64_t most, std::vector<Step> &steps) {
    int64_t count = std::min(most, partIterations);
    while (count > 1 && partIterations % count != 0)
      --count;
    // Registers need constant indices, and are read in whole vectors.
    for (ArrayPlan &p : plans)
      if (p.registers && p.registers->loop == part &&
          (count < 2 || count % sum.vectorOf(p.array) != 0))
        p.registers.reset();
    if (count < 2)
      return;
    std::string outer = recorder.freeName(inPart, "_s"),
                inner = recorder.freeName(inPart, "_u");
    steps.push_back(
        {stripMinePass, {inPart, std::to_string(count), outer, inner}});
    steps.push_back({unrollPass, {inner}});
    for (ArrayPlan &p : plans)
      if (p.registers && p.registers->loop == inPart)
        p.registers->loop = inner;
      else if (p.registers && p.registers->loop == part)
        p.registers->loop = outer;
  }

  StepRecorder &recorder;
  const Nest &nest; // the recorder's, after the last step
  const StagingSpec &spec;
  Remarks &remarks;
  Nest before;  // loops are unrolled
  SumReads sum; // of it
  std::vector<ArrayPlan> plans;
  std::vector<unsigned> unstaged; // arrays that stay in global memory
  /// The loop at which parts of the outermost loop are staged, the one over the
  /// threads that share a part, and the one over what a thread has of it; empty
  /// where there is none.
  std::string part, threads, inPart;
  int64_t partIterations = 1;
  bool hasStripsOfColumn = false;
  int64_t constantBytes = spec.constantBytes; // that are left
};

} // namespace

Error planStaging(StepRecorder &recorder, const StagingSpec &spec,
                  Remarks &remarks) {
  return Planner(recorder, spec, remarks).run();
}

Expected<std::optional<StagingSpec>> parseStaging(StringRef text) {
  auto [mode, count] = text.split(':');
  StagingSpec spec;
  bool hasCount = text.contains(':');
  if (mode == "none" && !hasCount)
    return std::nullopt;
  if (mode == "pipelined")
    spec.depth = 2;
  else if (mode != "shared")
    return refuse("usage", "-staging does not know '" + text.str() + "'", {},
                  "give none, shared or pipelined, the last two with the "
                  "iterations to stage at a time if you like: pipelined:4");
  int64_t iterations = 0;
  if (!hasCount)
    return spec;
  if (count.getAsInteger(10, iterations) || iterations < 1)
    return refuse("usage", "'" + count.str() + "' is no number of iterations",
                  {}, "give 1 or more: " + mode.str() + ":4");
  spec.iterations = iterations;
  return spec;
}

} // namespace convopt
