//===- DefaultShapes.cpp - Sizes that exercise a nest ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each shape starts from wanted trip counts of the loops by what they do in a
/// convolution. Sizes are found by search: a loop's trip count is evaluated
/// for 1, 2, ... of the one parameter that is still open, so strides, paddings
/// and quotients need no rules of their own.
///
//===----------------------------------------------------------------------===//

#include "ShapeCheck.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include <set>

using namespace llvm;

namespace convopt {
namespace verify {
namespace {

/// Wanted trip counts. A loop with no match here keeps what its sizes give.
struct Wanted {
  int64_t column, row; // the output's contiguous dimension, and the others
  int64_t filter;      // reduction loops that slide the input's window
  int64_t inChannels;  // other reduction loops
  int64_t outChannels; // parallel loops without a window
  int64_t step;        // strides and dilations
};

enum class LoopUse { Column, Row, Filter, InChannel, OutChannel };

class Chooser {
public:
  explicit Chooser(const Nest &nest) : nest(nest) { classify(); }

  std::optional<Shape> choose(const Wanted &wanted);

private:
  const Nest &nest;
  std::map<unsigned, LoopUse> uses; // by loop id
  std::vector<const Loop *> order;  // reductions first, then parallel loops
  std::set<unsigned> steps;         // parameters that multiply or divide loops
  std::set<unsigned> dimensions;    // parameters that are an extent themselves
  Shape shape;

  void classify();
  void classifyParams();
  std::vector<unsigned> openParams(const IndexExpr &e) const;
  IndexExpr tripCount(const Loop &l) const;
  void set(unsigned param, int64_t value) {
    shape.sizes[nest.params[param].name] = value;
  }
  void reach(const IndexExpr &count, int64_t target);
  void settleRest();
  void settleEquations();
  bool assumptionsHold() const;
};

} // namespace

void Chooser::classify() {
  const LoopsByUse byUse = loopsByUse(nest);
  const std::set<unsigned> &parallel = byUse.parallel;
  std::optional<unsigned> column;
  for (const StatementPath &path : statements(nest))
    if (const Access &target = path.statement->target;
        !nest.arrays[target.array].isLocal())
      for (const IndexExpr &e : target.subscripts)
        if (std::set<unsigned> used = loopsOf(e); !used.empty())
          column = *used.rbegin();
  for (const Loop *l : loops(nest)) {
    const bool slides = byUse.window.count(l->id);
    uses[l->id] = !parallel.count(l->id)
                      ? (slides ? LoopUse::Filter : LoopUse::InChannel)
                  : l->id == column ? LoopUse::Column
                  : slides          ? LoopUse::Row
                                    : LoopUse::OutChannel;
    order.push_back(l);
  }
  llvm::stable_sort(order, [&](const Loop *a, const Loop *b) {
    return !parallel.count(a->id) && parallel.count(b->id);
  });
  // The contiguous dimension first: sizes that it shares are set for it.
  auto firstParallel = llvm::find_if(
      order, [&](const Loop *l) { return parallel.count(l->id); });
  std::stable_partition(firstParallel, order.end(), [&](const Loop *l) {
    return uses[l->id] == LoopUse::Column;
  });
  classifyParams();
}

void Chooser::classifyParams() {
  auto scan = [&](const IndexExpr &e, auto &&self) -> void {
    for (const auto &[monomial, coefficient] : e.terms()) {
      const bool hasLoop = any_of(monomial, [](const Atom &a) {
        return a.isVar() && a.asVar().kind == Var::Loop;
      });
      for (const Atom &a : monomial) {
        if (hasLoop && a.isVar() && a.asVar().kind == Var::Param)
          steps.insert(a.asVar().id);
        if (a.isVar())
          continue;
        self(a.num(), self);
        for (Var v : a.den().vars())
          if (v.kind == Var::Param)
            steps.insert(v.id);
      }
    }
  };
  for (const StatementPath &path : statements(nest))
    for (const Operand &o : path.statement->operands)
      for (const IndexExpr &e : o.access.subscripts)
        scan(nest.expandDefinitions(e), scan);
  for (const Loop *l : order)
    for (const Bound &b : l->upper)
      scan(nest.expandDefinitions(b.expr), scan);
  for (const Array &a : nest.arrays)
    for (const IndexExpr &e : a.extents)
      if (auto v = e.asVar(); v && !nest.params[v->id].definition)
        dimensions.insert(v->id);
}

std::vector<unsigned> Chooser::openParams(const IndexExpr &e) const {
  std::vector<unsigned> open;
  for (Var v : e.vars())
    if (v.kind == Var::Param && !shape.sizes.count(nest.params[v.id].name))
      open.push_back(v.id);
  return open;
}

/// Upper minus lower bound over parameters; invalid where it depends on loops.
IndexExpr Chooser::tripCount(const Loop &l) const {
  auto one = [&](ArrayRef<Bound> bounds) -> IndexExpr {
    for (const Bound &b : bounds) {
      IndexExpr e = nest.expandDefinitions(b.expr);
      if (!e.usesLoops())
        return b.divisor == 1
                   ? e
                   : IndexExpr::floorDiv(e + IndexExpr(b.divisor - 1),
                                         IndexExpr(b.divisor));
    }
    return IndexExpr::invalid();
  };
  return one(l.upper) - one(l.lower);
}

/// Gives the open parameters of \p count values for which it comes to
/// \p target, or past it by the least.
void Chooser::reach(const IndexExpr &count, int64_t target) {
  std::vector<unsigned> open = openParams(count);
  if (open.empty())
    return;
  // Solve for an array's own dimension rather than for a padding, say.
  auto solved =
      llvm::find_if(open, [&](unsigned p) { return dimensions.count(p); });
  const unsigned param = solved == open.end() ? open.front() : *solved;
  for (unsigned p : open)
    if (p != param)
      set(p, dimensions.count(p) ? 5 : 1);
  int64_t best = 1; // of those that are allowed, if the target is not
  for (int64_t value = 1; value <= 4096; ++value) {
    set(param, value);
    if (!assumptionsHold())
      continue;
    best = value;
    auto now = evaluate(count, paramValues(nest, shape));
    if (now && *now >= target)
      return;
  }
  set(param, best);
}

/// Parameters that an equation gives, all others in it being known.
void Chooser::settleEquations() {
  for (bool progress = true; progress;) {
    progress = false;
    for (const Assumption &a : nest.assumptions) {
      IndexExpr e = nest.expandDefinitions(a.fact.expr);
      std::vector<unsigned> open = openParams(e);
      if (a.fact.kind != Constraint::Zero || open.size() != 1)
        continue;
      Var x = paramVar(open.front());
      int64_t by = e.coefficient(x);
      IndexExpr rest = e - IndexExpr(by) * IndexExpr::of(x);
      if (by == 0 || rest.uses(x))
        continue;
      auto value = evaluate(rest, paramValues(nest, shape));
      if (!value || *value % by != 0)
        continue;
      set(open.front(), -*value / by);
      progress = true;
    }
  }
}

bool Chooser::assumptionsHold() const {
  auto values = paramValues(nest, shape);
  return all_of(nest.assumptions, [&](const Assumption &a) {
    auto value = evaluate(nest.expandDefinitions(a.fact.expr), values);
    return !value ||
           (a.fact.kind == Constraint::Zero ? *value == 0 : *value >= 0);
  });
}

/// Parameters that no loop decides take the smallest value that no assumption
/// forbids, in turn.
void Chooser::settleRest() {
  for (unsigned p = 0; p != nest.params.size(); ++p) {
    const Param &param = nest.params[p];
    if (param.definition || shape.sizes.count(param.name))
      continue;
    int64_t value = 1;
    for (set(p, value); !assumptionsHold() && value < 4096;)
      set(p, ++value);
  }
}

std::optional<Shape> Chooser::choose(const Wanted &wanted) {
  shape = Shape();
  settleEquations();
  for (unsigned p : steps)
    if (!dimensions.count(p) && !nest.params[p].definition &&
        !shape.sizes.count(nest.params[p].name))
      set(p, wanted.step);
  int64_t rows = 0, channels = 0;
  for (const Loop *l : order) {
    settleEquations();
    IndexExpr count = tripCount(*l);
    if (!count.isValid())
      continue;
    // Neighbouring sizes differ, so that swapped ones do not pass.
    auto apart = [](int64_t base, int64_t by) {
      return base == 1 ? 1 : base + by;
    };
    switch (uses[l->id]) {
    case LoopUse::Column:
      reach(count, wanted.column);
      break;
    case LoopUse::Row:
      reach(count, apart(wanted.row, rows++));
      break;
    case LoopUse::Filter:
      reach(count, wanted.filter);
      break;
    case LoopUse::InChannel:
      reach(count, wanted.inChannels);
      break;
    case LoopUse::OutChannel:
      reach(count, apart(wanted.outChannels, channels++));
      break;
    }
  }
  settleEquations();
  settleRest();
  for (const std::string &name : spelledArguments(nest))
    shape.types[name] =
        is_contained(nest.function.typeParams, name) ? "float" : "1";
  if (Error e = checkShape(nest, shape)) {
    consumeError(std::move(e));
    return std::nullopt;
  }
  return shape;
}

/// By how much to change \p v, of which the linear coefficient in a fact is
/// \p by, so that what is \p value and at least 0 falls below; small changes
/// where that says nothing.
static std::vector<int64_t> stepsAway(int64_t value, int64_t by) {
  std::vector<int64_t> steps{1, -1, 2, -2};
  if (by != 0)
    steps.push_back(by > 0 ? -value / by - 1 : value / -by + 1);
  return steps;
}

std::optional<Shape> violate(const Nest &nest, const Assumption &fact,
                             const Shape &shape) {
  const IndexExpr &e = fact.fact.expr;
  int64_t value = evaluate(e, paramValues(nest, shape)).value_or(0);
  for (Var v : e.vars())
    for (int64_t by : stepsAway(value, e.coefficient(v))) {
      Shape near = shape;
      const Param &p = nest.params[v.id];
      int64_t &size = near.sizes.at(p.name);
      size += by;
      auto now = evaluate(e, paramValues(nest, near));
      if (size >= (p.isTemplate ? 1 : 0) && now &&
          (fact.fact.kind == Constraint::Zero ? *now != 0 : *now < 0))
        return near;
    }
  return std::nullopt;
}

} // namespace verify

std::vector<Shape> defaultShapes(const Nest &original) {
  using verify::Wanted;
  static const Wanted all[] = {
      // column, row, filter, in and out channels, step
      {37, 23, 3, 3, 5, 1}, // nothing that a tile divides
      {1, 1, 5, 2, 3, 1},   // 1x1 output, a filter as large as the image
      {19, 13, 3, 1, 1, 1}, // one input and one output channel
      {33, 17, 3, 2, 9, 1}, // one more than a tile
      {64, 16, 1, 4, 8, 1}, // whole tiles, a 1x1 filter
      {21, 10, 4, 2, 3, 2}, // an even filter, a step of two
  };
  verify::Chooser chooser(original);
  std::vector<Shape> shapes;
  for (const Wanted &wanted : all) {
    std::optional<Shape> shape = chooser.choose(wanted);
    if (!shape ||
        any_of(shapes, [&](const Shape &s) { return s.sizes == shape->sizes; }))
      continue;
    // Constant sizes can make any shape large; one is run whatever it costs.
    if (!shapes.empty() && verify::countOperations(original, *shape) > 2e7)
      continue;
    shapes.push_back(*shape);
  }
  return shapes;
}

/// Elements of the shared buffers of \p staged at \p shape, one stage and no
/// pitch counted.
static int64_t sharedElements(const Nest &staged, const Shape &shape) {
  auto values = verify::paramValues(staged, shape);
  int64_t all = 0;
  for (const Array &a : staged.arrays) {
    if (!a.buffer || a.buffer->memory != Buffer::Shared)
      continue;
    int64_t elements = 1;
    for (const IndexExpr &e : a.extents)
      elements *=
          verify::evaluate(staged.expandDefinitions(e), values).value_or(0);
    all += elements;
  }
  return all;
}

std::optional<Shape> largeFilterShape(const Nest &original, const Nest &staged,
                                      int64_t sharedBytes) {
  constexpr int64_t LeastBytes = 4; // of an element
  for (int64_t width : {61, 127, 251}) {
    std::optional<Shape> shape =
        verify::Chooser(original).choose({1, 1, width, 1, 1, 1});
    if (shape && sharedElements(staged, *shape) * LeastBytes > sharedBytes)
      return shape;
  }
  return std::nullopt;
}

} // namespace convopt
