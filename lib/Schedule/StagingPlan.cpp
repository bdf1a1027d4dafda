//===- StagingPlan.cpp - What -staging stands for
//---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for c in 0 .. C {                for c_o in 0 .. C / 4 {
//     for row in 0 .. F {              stage in, w to shared memory
//       for col in 0 .. F {            for c_i in 0 .. 4 {
//         for z_r, x_r {                 for row in 0 .. F {
//           sum += in[..] * w[..]          stage a window of in to registers
//         }                                for col in 0 .. F { // unrolled
//       }                                    stage w along z_r to registers
//     }                                      for z_r, x_r {
//   }                                          sum += in_r[..] * w_r[..]
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/StagingPlan.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Transforms/MapLoop.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace convopt {

std::optional<int64_t> filterWidth(const Nest &nest) {
  std::optional<int64_t> width;
  for (const StatementPath &p : statements(nest)) {
    if (!p.statement->isReduction())
      continue;
    for (const NodeRef &n : p.enclosing)
      if (const auto *l = dyn_cast<Loop>(n.get());
          l && l->kind == LoopKind::Serial)
        width = constantTrips(nest, *l);
  }
  return width;
}

/// A stage is to be worth its barrier: narrow filters do little with a channel.
static int64_t defaultIterations(const Nest &nest) {
  int64_t width = filterWidth(nest).value_or(5);
  return width <= 4 ? 8 : width <= 6 ? 4 : 2;
}

namespace {

class Planner {
public:
  Planner(StepRecorder &recorder, const StagingSpec &spec, Remarks &remarks)
      : recorder(recorder), nest(recorder.nest()), spec(spec),
        iterations(spec.iterations.value_or(defaultIterations(nest))),
        remarks(remarks) {}

  Error run() {
    if (!findSum())
      return Error::success();
    for (unsigned array : reads)
      if (isShared(array))
        shared.push_back(array);
    if (Error e = stageShared())
      return e;
    return stageRegisters();
  }

private:
  /// Finds the innermost reduction and sorts the loops around it; false where
  /// there is none in threads.
  bool findSum() {
    sum = nullptr;
    for (const StatementPath &p : statements(nest)) {
      if (!p.statement->isReduction())
        continue;
      sum = p.statement;
      blocks.clear();
      serial.clear();
      tiled.clear();
      for (const NodeRef &n : p.enclosing)
        if (const auto *l = dyn_cast<Loop>(n.get())) {
          if (isBlock(l->kind))
            blocks.push_back(l);
          else if (l->kind == LoopKind::Unrolled)
            tiled.push_back(l);
          else if (l->kind == LoopKind::Serial)
            serial.push_back(l);
        }
    }
    if (!sum || blocks.empty() || serial.empty())
      return false;
    findReads();
    return true;
  }

  /// What the statements of the reduction read: a sum may take its operands
  /// from scalars.
  void findReads() {
    reads.clear();
    first.clear();
    for (const StatementPath &p : statements(nest)) {
      if (none_of(p.enclosing,
                  [&](const NodeRef &n) { return n.get() == serial.front(); }))
        continue;
      for (const Operand &o : p.statement->operands) {
        unsigned array = o.access.array;
        if (o.kind != Operand::Read || nest.arrays[array].isLocal() ||
            is_contained(reads, array))
          continue;
        reads.push_back(array);
        for (const IndexExpr &e : o.access.subscripts)
          first[array].push_back(overCurrentLoops(*p.statement, e));
      }
    }
  }

  std::string name(const Loop *l) const { return nest.loopNames[l->id]; }

  /// The subscripts of the first read of \p array over current loops.
  const std::vector<IndexExpr> &subscripts(unsigned array) const {
    return first.at(array);
  }

  bool uses(unsigned array, const Loop *l) const {
    return any_of(subscripts(array),
                  [&](const IndexExpr &e) { return e.uses(loopVar(l->id)); });
  }

  /// Whether threads of a block read the same elements: those along a loop
  /// that the subscripts do not use, or whose windows overlap.
  bool isShared(unsigned array) const {
    return any_of(blocks, [&](const Loop *threads) {
      bool overlaps = any_of(subscripts(array), [&](const IndexExpr &e) {
        return e.uses(loopVar(threads->id)) &&
               any_of(serial,
                      [&](const Loop *l) { return e.uses(loopVar(l->id)); });
      });
      return overlaps || !uses(array, threads);
    });
  }

  /// Whether iterations of \p l read different boxes of \p array: it has a
  /// subscript to itself.
  bool isSeparate(unsigned array, const Loop *l) const {
    return any_of(subscripts(array), [&](const IndexExpr &e) {
      return e.uses(loopVar(l->id)) && all_of(e.vars(), [&](Var v) {
               return v == loopVar(l->id) || v.kind == Var::Param;
             });
    });
  }

  /// Adds a step; one that the nest's structure does not allow is left out
  /// with a remark.
  Error tryStep(const Step &step) {
    return handleErrors(
        recorder.add(step), [&](std::unique_ptr<Refusal> r) -> Error {
          if (r->rule != "structure")
            return Error(std::move(r));
          remarks.push_back({Remark::Kind::Missed, passName(step.kind).str(),
                             "left out " + step.str() + ": " + r->message,
                             r->where});
          return Error::success();
        });
  }

  /// Elements of 16 bytes.
  int64_t vectorOf(unsigned array) const {
    int64_t size = elementSize(nest.arrays[array].elementType).value_or(4);
    return size > 8 ? 1 : 16 / size;
  }

  Step stageStep(unsigned array, const std::string &loop,
                 Buffer::Memory memory) const {
    Step step{Step::Kind::Stage, {nest.arrays[array].name, loop}, std::nullopt};
    step.memory = memory;
    return step;
  }

  /// The loop of \p from that strides through dimension \p dim of \p array one
  /// by one, if there is one.
  const Loop *along(unsigned array, size_t dim,
                    ArrayRef<const Loop *> from) const {
    IndexExpr e = subscripts(array)[dim];
    for (const Loop *l : from)
      if (e.coefficient(loopVar(l->id)) == 1)
        return l;
    return nullptr;
  }

  /// The dimension of \p array that a thread reads in vectors: the contiguous
  /// one if a register tile runs along it, else one along which another does.
  std::optional<unsigned> vectorDim(unsigned array) const {
    size_t dims = nest.arrays[array].extents.size();
    for (size_t d = dims; d-- != 0;) {
      const Loop *l = along(array, d, tiled);
      std::optional<int64_t> trips = l ? constantUpper(nest, *l) : std::nullopt;
      if (trips && *trips % vectorOf(array) == 0)
        return unsigned(d);
    }
    return std::nullopt;
  }

  /// Threads read along the vector's dimension, so it is the last one.
  BufferLayout sharedLayout(unsigned array) const {
    BufferLayout layout;
    std::optional<unsigned> last = vectorDim(array);
    if (!last)
      return layout;
    unsigned dims = nest.arrays[array].extents.size();
    if (*last + 1 != dims) {
      for (unsigned d = 0; d != dims; ++d)
        if (d != *last)
          layout.order.push_back(d);
      layout.order.push_back(*last);
    }
    layout.pitch = vectorOf(array);
    return layout;
  }

  Error stageShared() {
    const std::string threads = name(blocks.back());
    std::string part = partLoop();
    if (!part.empty() && iterations != 1) {
      std::string outer = recorder.freeName(part, "_o"),
                  inner = recorder.freeName(part, "_i");
      if (Error e = recorder.add(
              {Step::Kind::StripMine, {part, outer, inner}, iterations}))
        return e;
      part = outer;
    }
    for (unsigned array : shared) {
      findSum();
      bool inParts = !part.empty() && any_of(serial, [&](const Loop *l) {
        return name(l) == part && uses(array, l);
      });
      Step step = stageStep(array, inParts ? part : threads, Buffer::Shared);
      step.layout = sharedLayout(array);
      if (inParts)
        step.layout.depth = spec.depth;
      if (Error e = tryStep(step))
        return e;
    }
    findSum();
    return Error::success();
  }

  /// The loop whose iterations are staged some at a time, the outermost of the
  /// reduction; none where all of it is staged at once.
  std::string partLoop() const {
    const Loop *l = serial.front();
    std::optional<int64_t> trips = constantTrips(nest, *l);
    auto isUsed = [&](unsigned array) { return uses(array, l); };
    // Parts that overlap would be copied several times.
    bool overlaps = any_of(shared, [&](unsigned array) {
      return isUsed(array) && !isSeparate(array, l);
    });
    if (none_of(shared, isUsed) || overlaps || (trips && *trips <= iterations))
      return "";
    return name(l);
  }

  /// Windows along the innermost reduction loop, which is written out so that
  /// registers have constant indices.
  Error stageRegisters() {
    if (serial.size() < 2 || !hasCompileTimeBounds(nest, *serial.back()))
      return Error::success();
    const Loop *column = serial.back(), *row = serial[serial.size() - 2];
    std::vector<Step> stages;
    for (unsigned array : shared) {
      std::optional<unsigned> dim = vectorDim(array);
      if (!dim)
        continue;
      bool slides = subscripts(array)[*dim].uses(loopVar(column->id));
      stages.push_back(
          stageStep(array, name(slides ? row : column), Buffer::Registers));
      stages.back().layout.vector = vectorOf(array);
    }
    if (stages.empty())
      return Error::success();
    if (Error e =
            recorder.add({Step::Kind::Unroll, {name(column)}, std::nullopt}))
      return e;
    for (const Step &step : stages)
      if (Error e = tryStep(step))
        return e;
    return Error::success();
  }

  StepRecorder &recorder;
  const Nest &nest; // the recorder's, after the last step
  const StagingSpec &spec;
  const int64_t iterations;
  Remarks &remarks;
  const Statement *sum = nullptr;
  std::vector<const Loop *> blocks, serial, tiled; // outermost first
  std::vector<unsigned> reads, shared;
  std::map<unsigned, std::vector<IndexExpr>> first; // subscripts by array
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
