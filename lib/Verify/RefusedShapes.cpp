//===- RefusedShapes.cpp - Sizes that launchers must not take -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSample.h"
#include "ShapeCheck.h"
#include "convopt/Nest/Facts.h"
#include "convopt/Nest/Terms.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {
namespace verify {

/// By how much to change a size, of which the linear coefficient in a fact is
/// \p by, so that what is \p value and at least 0 falls below; small changes
/// where that says nothing.
static std::vector<int64_t> stepsAway(int64_t value, int64_t by) {
  std::vector<int64_t> steps{1, -1, 2, -2};
  if (by != 0)
    steps.push_back(by > 0 ? -value / by - 1 : value / -by + 1);
  return steps;
}

namespace {
/// A kernel with all that its launcher asks of sizes.
struct Launcher {
  const Nest &nest;
  KernelSample sample;
  std::vector<Assumption> facts;

  Launcher(const LaunchedKernel &k, const Gpu &gpu)
      : nest(k.nest), sample(k, gpu), facts(k.facts) {
    append_range(facts, nest.assumptions);
  }

  /// Whether no fact but \p fact keeps the kernel from \p shape.
  bool asksFor(const Constraint &fact, const Shape &shape) const {
    const auto values = paramValues(nest, shape);
    return !holds(fact, values) && all_of(facts, [&](const Assumption &a) {
      return a.fact == fact || holds(a.fact, values);
    });
  }

  /// Calls \p take with shapes that differ from \p shape in one size of
  /// \p fact. Each size of a template is another instance to compile: those
  /// stay where there are others.
  void change(const Constraint &fact, const Shape &shape,
              function_ref<void(const Shape &)> take) const {
    const IndexExpr e = nest.expandDefinitions(fact.expr);
    const int64_t value = evaluate(e, paramValues(nest, shape)).value_or(0);
    const std::set<Var> vars = e.vars();
    auto isOfTemplate = [&](Var v) { return nest.params[v.id].isTemplate; };
    const bool mayBeOther = all_of(vars, isOfTemplate);
    for (Var v : vars) {
      const Param &p = nest.params[v.id];
      if (!valuesAmong(p).empty() || (p.isTemplate && !mayBeOther))
        continue;
      for (int64_t by : stepsAway(value, e.coefficient(v))) {
        Shape near = shape;
        const int64_t size = near.sizes.at(p.name) += by;
        if (size >= (p.isTemplate ? 1 : isUnsigned(p) ? 0 : INT32_MIN))
          take(near);
      }
    }
  }
};
} // namespace

/// Sizes that are to an int those of the first of \p shapes that \p l takes,
/// where their types hold more: the driver leaves out those of types that do
/// not.
static std::vector<Shape> tooLarge(const Launcher &l, ArrayRef<Shape> shapes) {
  constexpr int64_t beyond = int64_t(1) << 32;
  std::vector<Shape> all;
  auto first = find_if(shapes, [&](const Shape &s) {
    return l.sample.takes(s) && countStatements(l.nest, s) > 0;
  });
  if (first == shapes.end())
    return all;
  for (const Param &p : l.nest.params)
    if (!p.definition && !p.isTemplate && p.type != "int" && p.type != "bool") {
      all.push_back(*first);
      all.back().sizes.at(p.name) += beyond;
    }
  return all;
}

/// Whether a loop around all statements has no iteration, whatever is divided.
static bool isEmptyAt(const Nest &nest, const Shape &shape) {
  const auto values = paramValues(nest, shape);
  return any_of(outermostBand(nest), [&](const Loop *l) {
    return any_of(l->upper, [&](const Bound &end) {
      const Constraint runs{
          Constraint::NonNegative,
          nest.expandDefinitions(hasOne(l->lower.front(), end))};
      return l->lower.size() == 1 && !runs.expr.hasQuotient() &&
             evaluate(runs.expr, values) && !holds(runs, values);
    });
  });
}

} // namespace verify

bool haveRoom(ArrayRef<LaunchedKernel> kernels, const Gpu &gpu,
              const Shape &shape) {
  return any_of(kernels, [&](const LaunchedKernel &k) {
    return verify::KernelSample(k, gpu).hasRoom(shape);
  });
}

std::vector<Shape> refusedShapes(const Nest &nest,
                                 ArrayRef<LaunchedKernel> kernels,
                                 const Gpu &gpu, ArrayRef<Shape> shapes) {
  using namespace verify;
  std::vector<Launcher> launchers;
  for (const LaunchedKernel &k : kernels)
    launchers.emplace_back(k, gpu);
  auto isTaken = [&](const Shape &s) {
    return any_of(launchers,
                  [&](const Launcher &l) { return l.sample.takes(s); });
  };
  std::vector<Shape> refused;
  for (const Launcher &l : launchers)
    append_range(refused, tooLarge(l, shapes));
  for (const Launcher &l : launchers)
    for (const Assumption &a : l.facts) {
      std::optional<Shape> best;
      int64_t least = INT64_MAX; // by how much the fact fails there
      for (const Shape &s : shapes)
        l.change(a.fact, s, [&](const Shape &near) {
          const int64_t value = std::abs(
              evaluate(a.fact.expr, paramValues(nest, near)).value_or(0));
          // Where nothing is to compute, nothing is wrong.
          const bool isSome =
              countStatements(nest, near) > 0 ||
              (isAboutDomain(l.nest, a.fact.expr) && !isEmptyAt(nest, near));
          if (value != 0 && value < least && isSome &&
              l.asksFor(a.fact, near) && !isTaken(near)) {
            best = near;
            least = value;
          }
        });
      auto isSame = [&](const Shape &s) { return s.sizes == best->sizes; };
      if (best && none_of(refused, isSame))
        refused.push_back(*best);
    }
  return refused;
}

} // namespace convopt
