//===- UsualSizes.cpp - Filters and strides that most layers have ---------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/UsualSizes.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

/// The iterations of \p l, over parameters; invalid where there is no such
/// expression.
static IndexExpr lengthOf(const Loop &l) {
  if (l.lower.size() != 1 || l.upper.size() != 1 || l.lower[0].divisor != 1)
    return IndexExpr::invalid();
  const auto &[end, divisor] = l.upper[0];
  const IndexExpr length =
      (divisor == 1 ? end : IndexExpr::floorDiv(end + divisor - 1, divisor)) -
      l.lower[0].expr;
  return length.usesLoops() ? IndexExpr::invalid() : length;
}

/// Whether \p e is less the larger \p v is, as `(H - R) / s + 1` is for R.
static bool fallsWith(const IndexExpr &e, Var v) {
  return any_of(e.terms(), [&](const auto &t) {
    return any_of(t.first, [&](const Atom &a) {
      return a.isVar() ? t.second < 0 && a.asVar() == v
                       : t.second > 0 && fallsWith(a.num(), v);
    });
  });
}

/// Whether \p outputs move by one more than a size in a subscript that they
/// share with \p sum, and that does not: so filters do whose dilations count
/// from zero.
static bool areDilated(const Nest &nest, const Loop &outputs, const Loop &sum) {
  auto isOneMore = [](const IndexExpr &e, const Loop &l) {
    const IndexExpr step = e.symbolicCoefficient(loopVar(l.id)).value_or(0);
    return (step - 1).asVar().has_value();
  };
  return any_of(statements(nest), [&](const StatementPath &p) {
    return any_of(readsOf(*p.statement), [&](const Operand &o) {
      return any_of(o.access.subscripts, [&](const IndexExpr &e) {
        return e.uses(loopVar(sum.id)) && isOneMore(e, outputs) &&
               !isOneMore(e, sum);
      });
    });
  });
}

/// Whether \p outputs are the filter that \p sum passes over an image, as in
/// its gradient: the sum has as many terms as it has places there.
static bool isGradient(const Nest &nest, const Loop &outputs, const Loop &sum) {
  const IndexExpr width = lengthOf(outputs), places = lengthOf(sum);
  const std::optional<Var> size =
      width.isValid() ? width.asVar() : std::nullopt;
  return size && places.isValid() &&
         (fallsWith(nest.expandDefinitions(places), *size) ||
          areDilated(nest, outputs, sum));
}

/// Loops that pass a filter over an input: those of the sum, and of a filter's
/// gradient those of the outputs.
static std::set<unsigned> filterLoops(const Nest &nest) {
  const LoopsByUse byUse = loopsByUse(nest);
  std::vector<const Loop *> outputs, sums;
  for (const Loop *l : loops(nest))
    if (byUse.window.count(l->id))
      (byUse.parallel.count(l->id) ? outputs : sums).push_back(l);
  std::set<unsigned> result;
  for (const Loop *sum : sums) {
    auto filter = find_if(
        outputs, [&](const Loop *l) { return isGradient(nest, *l, *sum); });
    result.insert((filter == outputs.end() ? sum : *filter)->id);
  }
  return result;
}

/// Of what a fact says that it is \p width for a loop of \p length iterations:
/// the size that they are taken from, if there are fewer or if it is halved, as
/// in `win - 1` or `2 * (k / 2) + 1`. It is what a filter is called by, and
/// more follows from it. `2 * (k / 2)` iterations are for an even k, though.
static IndexExpr saidBy(const Nest &nest, const IndexExpr &length,
                        int64_t width) {
  const IndexExpr expanded = nest.expandDefinitions(length);
  const std::set<Var> sizes = expanded.vars();
  if (sizes.size() != 1)
    return length;
  auto iterationsOf = [&](int64_t size) {
    return expanded.evaluate([&](Var) { return size; }).value_or(0);
  };
  const int64_t own = iterationsOf(width), next = iterationsOf(width + 1);
  const bool isOfSize = own == width ? expanded.hasQuotient()
                                     : own > 0 && own < width && next - own < 2;
  return isOfSize ? IndexExpr::of(*sizes.begin()) : length;
}

Expected<std::vector<std::string>> filterFacts(const Nest &nest, int64_t width,
                                               bool isLeast) {
  std::set<unsigned> filter = filterLoops(nest);
  std::vector<std::string> facts;
  for (const Loop *l : loops(nest)) {
    if (!filter.count(l->id))
      continue;
    IndexExpr length = lengthOf(*l);
    std::optional<int64_t> constant =
        length.isValid() ? nest.constantOf(length) : std::nullopt;
    const std::string loop =
        "loop '" + nest.loopNames[l->id] + "' of the filter";
    if (!length.isValid())
      return refuse("structure",
                    "the number of iterations of " + loop +
                        " is not the same for all outputs",
                    l->range, "leave out -filter-widths");
    if (constant && (isLeast ? *constant < width : *constant != width))
      return refuse("structure",
                    loop + " has " + std::to_string(*constant) + " iterations",
                    l->range, "say with -assume= which sizes are known");
    if (constant)
      continue;
    const IndexExpr said = saidBy(nest, length, width);
    if (said.hasQuotient())
      return refuse("structure",
                    "no fact says how many iterations " + loop +
                        " has: " + str(nest, said),
                    l->range, "say with -assume= which sizes are known");
    const std::string fact =
        str(nest, said) + (isLeast ? ">=" : "=") + std::to_string(width);
    if (!is_contained(facts, fact))
      facts.push_back(fact);
  }
  if (facts.empty())
    return refuse("structure",
                  "no loop of run-time length passes a filter over an input",
                  nest.function.range,
                  "leave out -filter-widths, or say with -assume= which sizes "
                  "are known");
  return facts;
}

std::vector<std::string> stepFacts(const Nest &nest,
                                   function_ref<bool(unsigned)> isAsked,
                                   FilterStep step) {
  const std::set<unsigned> parallel = loopsByUse(nest).parallel;
  auto isOfOutputs = [&](unsigned l) { return parallel.count(l) != 0; };
  const std::set<unsigned> filter = filterLoops(nest);
  MapVector<unsigned, int64_t> found; // what is wanted, by size
  auto addFactors = [&](const IndexExpr &e) {
    const bool isOfGradient = any_of(loopsOf(e), [&](unsigned l) {
      return isOfOutputs(l) && filter.count(l);
    });
    for (const auto &[m, coefficient] : e.terms()) {
      if (m.size() != 2 || !m[0].isVar() || !m[1].isVar())
        continue;
      const bool isFirst = m[0].asVar().kind == Var::Loop;
      const Var loop = m[isFirst ? 0 : 1].asVar(),
                size = m[isFirst ? 1 : 0].asVar();
      if (loop.kind != Var::Loop || size.kind != Var::Param)
        continue;
      int64_t &value = found.insert({size.id, 0}).first->second;
      const bool isStride = isOfOutputs(loop.id) != isOfGradient;
      value = std::max(value, (isStride ? step.stride : step.dilation) -
                                  e.coefficient(loop));
    }
  };
  for (const StatementPath &p : statements(nest))
    for (const Operand &o : readsOf(*p.statement))
      for (const IndexExpr &e : o.access.subscripts)
        if (isAsked(o.access.array) && count_if(loopsOf(e), isOfOutputs) < 2)
          addFactors(e);
  std::vector<std::string> facts;
  for (const auto &[id, value] : found)
    facts.push_back(nest.params[id].name + "=" + std::to_string(value));
  return facts;
}

bool isFilterOfTemplate(const Nest &nest) {
  std::set<unsigned> filter = filterLoops(nest);
  bool isKnown = true, isConstant = true;
  for (const Loop *l : loops(nest))
    if (filter.count(l->id)) {
      isKnown &= hasCompileTimeBounds(nest, *l);
      isConstant &= constantTrips(nest, *l).has_value();
    }
  return isKnown && !isConstant;
}

bool areOutputsKnown(const Nest &nest) {
  const std::set<unsigned> parallel = loopsByUse(nest).parallel;
  return all_of(loops(nest), [&](const Loop *l) {
    return !parallel.count(l->id) || constantTrips(nest, *l);
  });
}

/// Whether elements of input \p array serve outputs of several windows, as of
/// all output channels: of a depthwise layer none do, and the nearest cache
/// holds what windows have in common.
static bool isReused(const Nest &nest, unsigned array) {
  std::set<unsigned> left = loopsByUse(nest).parallel;
  for (const StatementPath &p : statements(nest))
    for (const Operand &o : readsOf(*p.statement))
      if (o.access.array == array)
        for (const IndexExpr &e : o.access.subscripts)
          for (unsigned l : loopsOf(e))
            left.erase(l);
  return nest.arrays[array].role == Array::Input && !left.empty();
}

/// The narrowest window that is worth its copies. The nearest cache serves
/// others (on an H200, 4 taps of each channel of a sequence take 0.052 ms, and
/// staged 0.092; 2 x 2 of an image 0.045 and 0.053; columns of 6 as long).
static int64_t leastWidth(const Nest &nest) {
  constexpr int64_t leastOfRows = 3, leastOfColumns = 10;
  const std::set<unsigned> filter = filterLoops(nest);
  bool isAlongRows = false;
  for (const StatementPath &p : statements(nest))
    for (const Operand &o : readsOf(*p.statement)) {
      const auto isOfWindow = [&](const IndexExpr &e) {
        const std::set<unsigned> ids = loopsOf(e);
        return ids.size() > 1 &&
               any_of(ids, [&](unsigned l) { return filter.count(l) != 0; });
      };
      if (none_of(o.access.subscripts, isOfWindow))
        continue;
      if (isReused(nest, o.access.array))
        return 1;
      isAlongRows |= isOfWindow(o.access.subscripts.back());
    }
  return isAlongRows ? leastOfRows : leastOfColumns;
}

/// Kernels for UsualSteps and any filters, no two by the same facts; one by
/// none where all steps are known.
static std::vector<UsualKernel> kernelsBySteps(const Nest &nest,
                                               bool isPipelined) {
  auto isAsked = [&](unsigned array) { return isReused(nest, array); };
  std::vector<UsualKernel> kernels;
  for (FilterStep step : UsualSteps) {
    UsualKernel k{" with strides of " + std::to_string(step.stride),
                  stepFacts(nest, isAsked, step), isPipelined};
    if (step.dilation != 1)
      k.what += " and dilations of " + std::to_string(step.dilation);
    if (none_of(kernels,
                [&](const UsualKernel &o) { return o.facts == k.facts; }))
      kernels.push_back(std::move(k));
  }
  UsualKernel &first = kernels.front();
  if (first.facts.empty()) {
    first.what.clear();
    first.name = "staged";
  }
  return kernels;
}

std::vector<UsualKernel> usualKernels(const Nest &nest, bool stages,
                                      bool isProduct, Remarks &missed) {
  const bool isOfTemplate = isFilterOfTemplate(nest);
  std::vector<UsualKernel> strides = kernelsBySteps(nest, isOfTemplate);
  const bool areKnown = strides.front().facts.empty();
  if (isProduct ? !areKnown : stages && areKnown && !isOfTemplate)
    return {};
  if ((stages && !isProduct) || isOfTemplate) {
    for (UsualKernel &k : strides)
      k.what = (isOfTemplate ? "filters that a block has room for" : "sums") +
               k.what;
    return strides;
  }
  std::vector<UsualKernel> kernels;
  for (unsigned width : UsualWidths) {
    if (!areKnown && width != UsualWidths.front())
      break;
    for (const UsualKernel &any : strides) {
      UsualKernel k{"filters of " + std::to_string(width) + any.what, {}};
      Expected<std::vector<std::string>> facts = filterFacts(nest, width);
      if (!facts) {
        handleAllErrors(facts.takeError(), [&](const Refusal &r) {
          missed.push_back(k.leftOut(r));
        });
        continue;
      }
      k.facts = std::move(*facts);
      append_range(k.facts, any.facts);
      kernels.push_back(std::move(k));
    }
  }
  const std::set<unsigned> parallel = loopsByUse(nest).parallel;
  const bool isSummed = none_of(
      filterLoops(nest), [&](unsigned l) { return parallel.count(l) != 0; });
  if (stages || !isSummed || kernels.empty())
    return kernels;
  UsualKernel any = strides.front();
  any.what = "filters of any width" + any.what;
  any.isPipelined = true;
  if (const int64_t least = leastWidth(nest); least > 1)
    if (auto facts = expectedToOptional(filterFacts(nest, least, true)))
      append_range(any.facts, *facts);
  kernels.push_back(std::move(any));
  return kernels;
}

Remark UsualKernel::leftOut(const Refusal &why) const {
  return {Remark::Kind::Missed, "stage",
          "left out a kernel for " + what + ": " + why.message, why.where};
}

} // namespace convopt
