//===- RandomSchedule.cpp - Whole schedules at random ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomSchedule.h"
#include "convopt/Nest/SplitSum.h"
#include "convopt/Schedule/Request.h"
#include "convopt/Target/Shuffle.h"
#include "convopt/Transforms/Gather.h"
#include "convopt/Transforms/Jam.h"
#include "convopt/Transforms/MapLoop.h"
#include "convopt/Transforms/Stage.h"
#include "convopt/Transforms/StripMine.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

using namespace llvm;

namespace convopt::test {

bool RandomSchedule::tryStep(const Step &step) {
  if (Error e = pipeline.apply(step)) {
    refused(step, std::move(e));
    return false;
  }
  return true;
}

bool RandomSchedule::tryStep(const std::string &text) {
  Expected<Step> step = parseStep(text);
  if (step)
    return tryStep(*step);
  consumeError(step.takeError());
  return false;
}

/// Asks once, which takes less time, and without those that are refused.
void RandomSchedule::trySteps(ArrayRef<Step> steps) {
  const size_t before = pipeline.steps().size();
  if (Error e = pipeline.applyAll(steps)) {
    steps = steps.drop_front(pipeline.steps().size() - before);
    refused(steps.front(), std::move(e));
    for (const Step &step : steps.drop_front())
      tryStep(step);
  }
}

/// The loops of a perfect band, from \p l inwards.
std::vector<const Loop *> RandomSchedule::band(const Loop *l) const {
  std::vector<const Loop *> all{l};
  while (l->body.size() == 1 && isa<Loop>(l->body[0].get()))
    all.push_back(l = cast<Loop>(l->body[0].get()));
  return all;
}

std::vector<unsigned> RandomSchedule::arrays() const {
  std::vector<unsigned> all;
  for (unsigned k = 0; k != nest().arrays.size(); ++k)
    if (!nest().arrays[k].isLocal())
      all.push_back(k);
  return all;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Makes loops that stand side by side, and jams some.
void RandomSchedule::siblings() {
  for (unsigned n = random.between(1, 3); n; --n) {
    const Loop *l = random.oneOf(loops(nest()));
    std::string step = "distribute=" + name(l);
    if (random.chance(40))
      for (const NodeRef &part : l->body)
        if (!isa<Local>(part.get()))
          step += "," + number(1, 2);
    tryStep(step);
  }
  for (unsigned n = random.between(1, 4); n; --n) {
    std::vector<std::pair<const Loop *, const Loop *>> pairs;
    auto add = [&](const Body &body) {
      for (size_t k = 1; k < body.size(); ++k)
        if (const auto *first = dyn_cast<Loop>(body[k - 1].get()))
          if (const auto *second = dyn_cast<Loop>(body[k].get()))
            pairs.push_back({first, second});
    };
    add(nest().body);
    for (const Loop *l : loops(nest()))
      add(l->body);
    if (pairs.empty())
      return;
    const auto [first, second] = random.oneOf(pairs);
    std::vector<std::string> order;
    for (const Loop *l : band(random.chance(50) ? first : second))
      order.push_back(name(l));
    if (random.chance(30)) {
      random.shuffle(order);
      tryStep("interchange=" + join(order, ","));
    } else { // as the default does
      trySteps({{jamPass, {name(first), name(second)}}});
    }
  }
}

void RandomSchedule::beforeTiles() {
  for (const StatementPath &p : statements(nest()))
    if (!scatteredLoops(nest(), *p.statement).empty()) {
      if (random.chance(60))
        tryStep("gather=" + nest().arrays[p.statement->target.array].name);
      break;
    }
  for (unsigned k : arrays()) {
    const Array &a = nest().arrays[k];
    const std::string name = a.name;
    if (a.role != Array::Input && (isOfSums || random.chance(40)))
      tryStep("scalar-replace=" + name);
    else if (a.role == Array::Input && random.chance(isOfSums      ? 60
                                                     : isAlgebraic ? 30
                                                                   : 10))
      tryStep("if-convert=" + name + (random.chance(50) ? ",exact" : ""));
  }
}

/// The steps of \p request, some with zeros in place of guards; none where it
/// is refused.
std::optional<std::vector<Step>>
RandomSchedule::planned(ScheduleRequest request, const Gpu &device) {
  if (isAlgebraic && random.chance(50))
    request.boundary = Boundary::Fill;
  PlanNotes notes;
  Expected<std::vector<Step>> steps =
      planSteps(pipeline, request, device, notes);
  if (steps)
    return std::move(*steps);
  consumeError(steps.takeError());
  return std::nullopt;
}

/// What -tile, -reg and -staging stand for, some of it changed.
bool RandomSchedule::shorthand() {
  ScheduleRequest request;
  if (random.chance(90))
    request.tile = number(1, 8) + "," + number(1, 3) + "," + number(1, 2);
  if (random.chance(70))
    request.registers = number(1, 3) + "," + number(1, 3);
  if (random.chance(70)) {
    request.staging = random.chance(50) ? "shared" : "pipelined";
    if (random.chance(60))
      *request.staging += ":" + number(1, 3);
  }
  const std::optional<std::vector<Step>> steps =
      planned(std::move(request), gpu);
  if (!steps)
    return false;
  const bool changes = random.chance(60);
  for (const Step &step : *steps)
    if (changes && step.is(stagePass) && random.chance(50))
      tryStep(otherLayout(step));
    else if (!changes || random.chance(97))
      tryStep(step);
  return true;
}

/// Two loops, where any can be fused.
void RandomSchedule::fuse() {
  std::vector<std::string> pairs;
  for (const Loop *l : loops(nest()))
    if (const std::vector<const Loop *> all = band(l); all.size() > 1)
      pairs.push_back(name(all[0]) + "," + name(all[1]));
  if (!pairs.empty())
    tryStep("fuse=" + random.oneOf(pairs));
}

/// What -algorithm=product stands for, with tiles and layouts of any kind.
bool RandomSchedule::product() {
  ScheduleRequest request;
  request.algorithm =
      random.chance(30) ? Algorithm::Im2col : Algorithm::Product;
  Gpu device = gpu;
  if (random.chance(50)) // has matrices made in parts
    device.deviceBytes = random.between(100, 10000);
  const std::optional<std::vector<Step>> steps =
      planned(std::move(request), device);
  if (!steps)
    return false;
  const bool changes = random.chance(70);
  std::vector<Step> tried;
  for (const Step &step : *steps) {
    const StepWords &w = step.words;
    if (step.is(stripMinePass)) { // of blocks, and of what is in one
      std::string loop = w[0];
      if (isAlgebraic && StringRef(w[2]).ends_with("_o") && random.chance(50)) {
        // Blocks share the sums.
        tried.push_back(
            {stripMinePass, {loop, number(2, 6), loop + "_g", loop + "_p"}});
        tried.push_back({mapLoopPass, {loop + "_g", "grid.z"}});
        loop += "_p";
      }
      tried.push_back(
          {stripMinePass,
           {loop, w[1].size() > 1 ? number(2, 12) : number(1, 4), w[2], w[3]}});
    } else if (changes && step.is(stagePass) && random.chance(40))
      tried.push_back(otherLayout(step));
    else if (!changes || random.chance(97))
      tried.push_back(step);
  }
  trySteps(tried);
  return true;
}

/// One loop, so that there is something to launch.
void RandomSchedule::mapOutermost() {
  const std::vector<const Loop *> all = loops(nest());
  auto inner = find_if(all, [](const Loop *l) { return !isHost(l->kind); });
  if (inner == all.end())
    return;
  const std::string loop = name(*inner);
  if (!tryStep("map=" + loop + ",grid.x") && tryStep("map=" + loop + ",launch"))
    mapOutermost();
}

/// Strips of the outermost loops, in another order, on grid and block.
void RandomSchedule::byHand() {
  const Loop *outermost = nullptr;
  for (const NodeRef &n : nest().body)
    if (const auto *l = dyn_cast<Loop>(n.get()); l && !outermost)
      outermost = l;
  if (!outermost)
    return;
  std::vector<std::string> names, host, grid, block, serial, registers;
  for (const Loop *l : band(outermost))
    names.push_back(name(l));
  unsigned room = 48; // threads of a block
  for (const std::string &l : names) {
    const unsigned t = isOfSums ? 1u << random.pick(3)
                                : random.between(1, room < 6 ? room : 6),
                   r = random.between(1, 3), what = random.pick(100);
    auto strip = [&](const std::string &of, unsigned by, const char *outer,
                     const char *inner) {
      return tryStep("strip-mine=" + of + "," + std::to_string(by) + "," + l +
                     outer + "," + l + inner);
    };
    if (what < 8) {
      host.push_back(l);
    } else if (what < 28) {
      grid.push_back(l);
    } else if (what < 60 && block.size() < 3 && strip(l, t, "_b", "_t")) {
      grid.push_back(l + "_b");
      block.push_back(l + "_t");
      room /= t;
    } else if (what < 80 && block.size() < 3 && strip(l, t * r, "_b", "_i") &&
               strip(l + "_i", r, "_t", "_r")) {
      grid.push_back(l + "_b");
      block.push_back(l + "_t");
      registers.push_back(l + "_r");
      room /= t;
    } else if (what < 90 && strip(l, r, "_b", "_r")) {
      grid.push_back(l + "_b");
      registers.push_back(l + "_r");
    } else {
      serial.push_back(l);
    }
  }
  std::vector<std::string> order;
  for (auto *part : {&host, &grid, &block, &serial, &registers}) {
    random.shuffle(*part);
    append_range(order, *part);
  }
  if (order.size() > 1 && !tryStep("interchange=" + join(order, ",")))
    return mapOutermost();
  for (const std::string &l : host)
    tryStep("map=" + l +
            (random.chance(50) ? ",launch" : ",stream:" + number(1, 4)));
  static const std::vector<std::string> dims{"x", "y", "z"};
  for (const std::string &l : grid)
    tryStep("map=" + l + ",grid." + random.oneOf(dims));
  // Some of them leave x to threads that share a sum.
  const size_t first = isOfSums ? random.pick(2) : 0;
  for (size_t d = 0; d != block.size(); ++d)
    tryStep("map=" + block[d] + ",block." + dims[(d + first) % 3]);
  for (const std::string &l : reverse(registers))
    if (isOfSums || random.chance(80))
      tryStep("register-tile=" + l);
}

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

std::string RandomSchedule::order(size_t dims) {
  std::vector<unsigned> all(dims);
  std::iota(all.begin(), all.end(), 0);
  random.shuffle(all);
  std::string text = ",order:";
  for (size_t k = 0; k != dims; ++k)
    text += (k ? "." : "") + std::to_string(all[k]);
  return text;
}

/// `,pitch:4,vector:2` and the like.
std::string RandomSchedule::layout(const std::string &memory, size_t dims) {
  std::string text;
  auto maybe = [&](unsigned percent, const char *key,
                   std::initializer_list<unsigned> values) {
    if (random.chance(percent))
      text += std::string(",") + key +
              std::to_string(values.begin()[random.pick(values.size())]);
  };
  const bool isShared = memory == "shared";
  if (dims > 1 && random.chance(isShared ? 25 : 35))
    text += order(dims);
  maybe(25, "pitch:", {1, 2, 3, 4, 6, 8});
  const bool isUnfolded = draw == Draw::Products && random.chance(40);
  maybe(isShared || memory == "registers" ? 12 : 25, "block:", {2, 3, 4});
  if (memory == "global" || memory == "constant")
    return isUnfolded ? text + ",unfolded" : text;
  maybe(40, "vector:", {2, 4});
  if (!isShared)
    return text;
  maybe(35, "depth:", {2, 2, 3});
  if (isUnfolded)
    text += ",unfolded";
  maybe(12, "linear:", {2, 3});
  maybe(12, "swizzle:", {1, 2, 4});
  if (random.chance(16))
    text += random.chance(60) ? ",bulk" : ",tensor";
  return text;
}

/// The staging of \p step, laid out in another way.
Step RandomSchedule::otherLayout(const Step &step) {
  size_t dims = 1;
  for (const Array &a : nest().arrays)
    if (a.name == step.words[0])
      dims = a.extents.size();
  std::string text = "stage=" + step.words[0] + "," + step.words[1] + "," +
                     step.words[2] + layout(step.words[2], dims);
  Expected<Step> other = parseStep(text);
  if (other)
    return *other;
  consumeError(other.takeError());
  return step;
}

void RandomSchedule::stage() {
  const std::vector<unsigned> all = arrays();
  const unsigned array = random.oneOf(all);
  const size_t dims = nest().arrays[array].extents.size();
  std::vector<std::string> host{"launch"}, kernel;
  for (const Loop *l : loops(nest()))
    if (isHost(l->kind))
      host.push_back(name(l));
    else if (!isGrid(l->kind))
      kernel.push_back(name(l));
  const unsigned what = random.pick(100);
  const std::string memory = what < 50   ? "shared"
                             : what < 80 ? "registers"
                             : what < 90 ? "global"
                                         : "constant";
  std::vector<std::string> &places = what < 80 ? kernel : host;
  if (!places.empty())
    tryStep("stage=" + nest().arrays[array].name + "," + random.oneOf(places) +
            "," + memory + (random.chance(10) ? ",buf" : "") +
            layout(memory, dims));
}

/// Unfolds an array by loops that a subscript adds to others.
void RandomSchedule::unfoldSome() {
  std::vector<std::string> reads; // the array and a loop
  for (const StatementPath &p : statements(nest()))
    for (const Operand &o : p.statement->operands)
      for (const IndexExpr &e : o.access.subscripts) {
        std::vector<std::string> added;
        for (unsigned l : p.statement->iterators)
          if (e.uses(loopVar(l)))
            added.push_back(nest().loopNames[l]);
        if (added.size() > 1)
          for (const std::string &l : added)
            reads.push_back(nest().arrays[o.access.array].name + ":" + l);
      }
  std::vector<std::string> places{"launch,global"};
  for (const Loop *l : loops(nest()))
    if (!isHost(l->kind) && !isGrid(l->kind))
      places.push_back(name(l) + ",shared");
  if (reads.empty())
    return;
  const auto [array, loop] = StringRef(random.oneOf(reads)).split(':');
  const std::string &place =
      random.chance(50) ? places[0] : random.oneOf(places);
  std::string text =
      "stage=" + array.str() + "," + place + ",unfolded:" + loop.str();
  const size_t rank =
      nest().arrays[*findArrayByName(nest(), array)].extents.size();
  if (random.chance(40))
    text += order(rank + random.between(1, 2));
  if (random.chance(30))
    text += ",pitch:" + number(2, 8);
  tryStep(text);
}

//===----------------------------------------------------------------------===//
// Split sums
//===----------------------------------------------------------------------===//

/// Gives a part of a loop that adds up terms to threads or blocks.
void RandomSchedule::split() {
  std::vector<const Loop *> sums;
  std::vector<LoopKind> taken;
  for (const Loop *l : loops(nest()))
    if (l->kind == LoopKind::Serial && !splittableSums(nest(), *l).empty())
      sums.push_back(l);
    else
      taken.push_back(l->kind);
  if (sums.empty())
    return;
  const std::string l = name(random.oneOf(sums));
  tryStep("strip-mine=" + l + "," + number(2, 6) + "," + l + "_o," + l + "_p");
  if (random.chance(50))
    tryStep("strip-mine=" + l + "_p," + number(1, 3) + "," + l + "_p," + l +
            "_q");
  const char *atomic = random.chance(60) ? ",atomic" : "";
  if (random.chance(30)) {
    tryStep("map=" + l + "_o,grid.z" + atomic);
    return;
  }
  for (const auto &[kind, text] : {std::pair(LoopKind::BlockZ, "block.z"),
                                   {LoopKind::BlockY, "block.y"},
                                   {LoopKind::BlockX, "block.x"}})
    if (!is_contained(taken, kind)) {
      tryStep("map=" + l + "_p," + text + atomic);
      return;
    }
}

/// Gives a part of such a loop to lanes of a warp, as many as fit beside the
/// threads that there are, or to other threads.
void RandomSchedule::splitAmongLanes() {
  std::vector<const Loop *> sums;
  std::array<int64_t, 3> block{0, 0, 0}; // 0: a dimension that is free
  for (const Loop *l : loops(nest()))
    if (l->kind == LoopKind::Serial && !splittableSums(nest(), *l).empty())
      sums.push_back(l);
    else if (isBlock(l->kind))
      block[dimensionOf(l->kind)] = constantUpper(nest(), *l).value_or(1);
  std::vector<std::pair<unsigned, unsigned>> lanes; // dimension, threads
  for (unsigned d = 0; d != 3; ++d)
    for (unsigned threads = 2; block[d] == 0 && threads <= 32; threads *= 2) {
      std::array<int64_t, 3> all = block;
      all[d] = threads;
      for (int64_t &extent : all)
        extent = std::max<int64_t>(extent, 1);
      if (areLanesOfWarp(all, d))
        lanes.push_back({d, threads});
    }
  if (sums.empty() || lanes.empty())
    return split();
  const std::string l = name(random.oneOf(sums));
  auto [dimension, threads] = random.oneOf(lanes);
  if (random.chance(10))
    threads = random.between(2, 6);
  const unsigned terms = random.between(1, 3);
  tryStep("strip-mine=" + l + "," + std::to_string(threads * terms) + "," + l +
          "_o," + l + "_i");
  tryStep("strip-mine=" + l + "_i," + std::to_string(terms) + "," + l + "_p," +
          l + "_q");
  tryStep("map=" + l + "_p,block." + "xyz"[dimension]);
}

//===----------------------------------------------------------------------===//
// Anything
//===----------------------------------------------------------------------===//

void RandomSchedule::anything() {
  const std::vector<const Loop *> all = loops(nest());
  if (all.empty())
    return;
  const Loop *l = random.oneOf(all);
  const std::string n = name(l);
  if (draw == Draw::Products && random.chance(20))
    return fuse();
  switch (random.pick(10)) {
  case 0:
  case 1:
  case 2:
    tryStep("strip-mine=" + n + "," + number(1, 4));
    return;
  case 3:
  case 4: {
    std::vector<std::string> order;
    for (const Loop *b : band(l))
      if (order.size() < 2 || random.chance(50))
        order.push_back(name(b));
    random.shuffle(order);
    tryStep("interchange=" + join(order, ","));
    return;
  }
  case 5:
    tryStep("unroll=" + n);
    return;
  case 6:
    tryStep(random.chance(50)
                ? "distribute=" + n
                : "register-tile=" + n +
                      (random.chance(50) ? "" : "," + number(1, 4)));
    return;
  case 7:
    tryStep(random.chance(50) ? "min-blocks=" + number(1, 4) : "widen=" + n);
    return;
  case 8:
    tryStep("skew=" + n + "," + name(random.oneOf(all)) + "," +
            (random.chance(50) ? "-" : "") + number(1, 2));
    return;
  default:
    static const std::vector<std::string> kinds{
        "grid.x",  "grid.y", "grid.z", "block.x", "block.y",
        "block.z", "launch", "serial", "stream:2"};
    tryStep("map=" + n + "," + random.oneOf(kinds));
  }
}

void RandomSchedule::run() {
  if (isOfSums) {
    beforeTiles();
    byHand();
    for (unsigned n = random.pick(3); n; --n)
      stage();
    return splitAmongLanes();
  }
  if (draw == Draw::Siblings)
    siblings();
  const bool isProduct =
      draw == Draw::Products && random.chance(60) && product();
  if (!isProduct && (!random.chance(50) || !shorthand())) {
    beforeTiles();
    for (unsigned n = draw == Draw::Products ? random.pick(4) : 0; n; --n)
      fuse();
    for (unsigned n = random.chance(30) ? random.between(1, 3) : 0; n; --n)
      anything();
    byHand();
  }
  for (unsigned n = random.chance(60) ? random.between(1, 3) : 0; n; --n)
    anything();
  for (unsigned n = random.pick(4); n; --n)
    if (draw == Draw::Products && random.chance(30))
      unfoldSome();
    else
      stage();
  if (isAlgebraic && random.chance(40))
    split();
  for (unsigned n = random.chance(25) ? random.between(1, 2) : 0; n; --n)
    anything();
  if (none_of(loops(nest()), [](const Loop *l) { return isParallel(l->kind); }))
    mapOutermost();
}

Expected<Pipeline> randomPipeline(Nest nest, Case &c, Draw draw,
                                  Random &random) {
  c.sizes = randomSizes(nest, random);
  chooseTarget(c, random);
  Expected<Pipeline> pipeline =
      Pipeline::create(std::move(nest), legalityOf(c));
  if (pipeline)
    RandomSchedule(random, draw, *pipeline, *findGpu(c.arch), c.isAlgebraic,
                   [](const Step &, Error e) { consumeError(std::move(e)); })
        .run();
  return pipeline;
}

} // namespace convopt::test
