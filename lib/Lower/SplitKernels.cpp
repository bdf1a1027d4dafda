//===- SplitKernels.cpp - The kernels of sums that blocks share -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for y_b grid.x {              for y_b grid.x {        for y_b grid.x {
//     for y_t block.x {             for c_b grid.z {        for y_t block.x {
//       local sum                     for y_t block.x {       local sum
//       sum = bias                      local sum             sum = bias
//       for c_b grid.z {                sum = 0               for part {
//         for c_i {                     for c_i {               sum +=
//         sum_parts
//           sum += ...                    sum += ...          }
//         }                             }                     y = sum
//       }                               sum_parts = sum     }
//       y = sum                       }                   }
//     }                             }
//   }                             }
//
// Parts lie as [c_b][y_b][registers][y_t]: threads write and read them side by
// side. They are added up in the order of the loop, so that results are the
// same in each run.
//
//===----------------------------------------------------------------------===//

#include "SplitKernels.h"
#include "Names.h"
#include "SplitSums.h"
#include "convopt/Nest/SplitSum.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

/// Parts whose loop is unrolled.
static constexpr int64_t MostUnrolled = 16;

void dropUnusedBuffers(Nest &nest) {
  auto isUsed = [&](unsigned buffer) {
    auto isIn = [&](const Access *a) { return a->buffer == buffer; };
    return any_of(collect<Statement>(nest.body),
                  [&](const Statement *s) {
                    return any_of(accessesOf(*s), isIn);
                  }) ||
           any_of(collect<Copy>(nest.body),
                  [&](const Copy *c) { return c->from == buffer; });
  };
  // Once more for those that only a dropped one was filled from.
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (unsigned k = 0; k != nest.arrays.size(); ++k) {
      if (!nest.arrays[k].buffer || isUsed(k))
        continue;
      nest.arrays[k].buffer.reset();
      isDone = false;
      nest.body =
          rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
            const auto *local = dyn_cast<Local>(n.get());
            const auto *copy = dyn_cast<Copy>(n.get());
            const bool goes =
                (local && local->array == k) || (copy && copy->buffer == k);
            return goes ? std::optional<Body>(Body()) : std::nullopt;
          });
    }
  }
}

/// Of the loop \p l over blocks, an extent that holds all its iterations.
static IndexExpr extentOf(const Nest &nest, const Loop &l) {
  if (std::optional<int64_t> constant = constantUpper(nest, l))
    return IndexExpr(*constant) - l.lower[0].expr;
  const Bound &b = l.upper.front();
  return IndexExpr::floorDiv(b.expr + IndexExpr(b.divisor - 1),
                             IndexExpr(b.divisor)) -
         l.lower[0].expr;
}

namespace {
/// The nest that makes parts of sums, and the one that adds these up.
struct SplitNests {
  Nest parts, sums;
};
} // namespace

/// By loop of the grid, its extent; \p kernels get a size for each that is no
/// constant, so that they compute it once.
static std::map<unsigned, IndexExpr> extentsOfGrid(const Nest &nest,
                                                   const Mapping &m,
                                                   SplitNests &kernels,
                                                   Names &names) {
  std::map<unsigned, IndexExpr> extents;
  for (const auto &loops : m.grid)
    for (const Loop *l : loops) {
      IndexExpr &extent = extents[l->id] = extentOf(nest, *l);
      if (extent.isConstant() || extent.asVar())
        continue;
      Param size;
      size.name = names.fresh(nest.loopNames[l->id] + "_blocks");
      size.definition = extent;
      extent = IndexExpr::param(kernels.parts.params.size());
      kernels.parts.params.push_back(size);
      kernels.sums.params.push_back(size);
    }
  return extents;
}

namespace {
/// The array of the parts of one sum.
class Parts {
public:
  Parts(const Nest &nest, const Mapping &m,
        const std::map<unsigned, IndexExpr> &extents, const Body &before,
        unsigned sum, std::string name)
      : nest(nest), m(m), extents(extents), before(before), sum(sum),
        name(std::move(name)), setter(*setterOf(before, sum)) {}

  /// Adds the array to \p to, and an argument that it comes by; its number.
  unsigned addTo(Nest &to, Array::Role role) const;
  /// An element of the \p array, of the thread and the iteration \p part.
  Access elementOf(unsigned array, const IndexExpr &part) const;
  /// The loops in which the sum is set, around \p s.
  Body inLoops(const NodeRef &s) const;
  /// A statement over the loops of the one that sets the sum.
  std::shared_ptr<Statement> statement() const {
    auto s = std::make_shared<Statement>(setter);
    s->op = Statement::Op::Assign;
    s->fused.clear();
    s->text = "$0";
    return s;
  }

private:
  /// Calls \p f with the place in each dimension and its extent.
  void forDimensions(
      const IndexExpr &part,
      function_ref<void(const IndexExpr &, const IndexExpr &)> f) const;

  const Nest &nest;
  const Mapping &m;
  const std::map<unsigned, IndexExpr> &extents; // of loops of the grid
  const Body &before;                           // the split loop
  const unsigned sum;
  const std::string name;

public:
  const Statement &setter;
};
} // namespace

void Parts::forDimensions(
    const IndexExpr &part,
    function_ref<void(const IndexExpr &, const IndexExpr &)> f) const {
  const Loop &split = *m.split->loop;
  f(part - split.lower[0].expr, extents.at(split.id));
  for (const auto &loops : reverse(m.grid))
    for (const Loop *l : loops)
      if (l != &split)
        f(IndexExpr::loop(l->id) - l->lower[0].expr, extents.at(l->id));
  for (auto [at, extent] :
       zip_equal(setter.target.subscripts, nest.arrays[sum].extents))
    f(at, extent);
  for (unsigned d : {2, 1, 0})
    if (m.block[d])
      f(IndexExpr::loop(m.block[d]->id), m.blockDim[d]);
}

unsigned Parts::addTo(Nest &to, Array::Role role) const {
  Array parts;
  parts.name = name;
  parts.elementType = nest.arrays[sum].elementType;
  parts.role = role;
  parts.range = nest.arrays[sum].range;
  forDimensions(0, [&](const IndexExpr &, const IndexExpr &extent) {
    parts.extents.push_back(extent);
  });
  to.arrays.push_back(std::move(parts));
  addArgument(to, to.arrays.size() - 1);
  return to.arrays.size() - 1;
}

Access Parts::elementOf(unsigned array, const IndexExpr &part) const {
  Access access{array, {}};
  forDimensions(part, [&](const IndexExpr &at, const IndexExpr &) {
    access.subscripts.push_back(at);
  });
  return access;
}

Body Parts::inLoops(const NodeRef &s) const {
  return rewrite(before, [&](const NodeRef &n) -> std::optional<Body> {
    if (n.get() == &setter)
      return Body{s};
    const bool isAround = bodyOf(*n) && setterOf({n}, sum) == &setter;
    return isAround ? std::nullopt : std::optional<Body>(Body());
  });
}

Body beginningAnew(const Body &before, const Nest &nest, const Split &split) {
  return rewriteEach<Statement>(
      before, [&](const Statement *s) -> std::optional<Body> {
        if (!is_contained(split.sums, s->target.array))
          return std::nullopt;
        const Statement::Op op = operationOf(*split.loop, s->target.array);
        if (mayBeginEach(nest, *s, op))
          return std::nullopt;
        auto first = std::make_shared<Statement>(*s);
        first->operands.clear();
        first->text = neutralOf(op, nest.arrays[s->target.array].elementType);
        return Body{first};
      });
}

Body mapped(const Nest &nest, const Mapping &m, Body thread,
            ArrayRef<std::shared_ptr<Loop>> inner) {
  auto inGrid = [&](Body body) {
    for (const std::shared_ptr<Loop> &l : reverse(inner)) {
      l->body = std::move(body);
      body = {l};
    }
    return body;
  };
  const bool hasThreads =
      any_of(m.block, [&](const Loop *l) { return l && l != m.split->loop; });
  if (!hasThreads)
    thread = inGrid(std::move(thread));
  const Body whole =
      rewriteEach<Loop>(nest.body, [&](const Loop *l) -> std::optional<Body> {
        if (&l->body != m.thread)
          return std::nullopt;
        return Body{withBody(*l, thread)};
      });
  if (!hasThreads)
    return whole;
  return rewrite(whole, [&](const NodeRef &n) -> std::optional<Body> {
    const auto *l = dyn_cast<Loop>(n.get());
    return l && isBlock(l->kind) ? std::optional(inGrid({n})) : std::nullopt;
  });
}

Body ofSums(Nest &to, const Mapping &m, const Loop &round,
            const DependenceAnalysis &dependences, Body thread) {
  std::vector<std::shared_ptr<Loop>> elements;
  if (m.split->sums.size() == 1)
    elements = spreadElements(to, m.split->sums[0], round, dependences, thread);
  return mapped(to, m, std::move(thread), elements);
}

std::array<SplitKernel, 2> splitKernels(const CheckedNest &whole,
                                        const Mapping &m,
                                        ArrayRef<std::string> reserved) {
  const Nest &nest = whole.nest();
  const Loop &loop = *m.split->loop;
  if (loop.isAtomic)
    return atomicKernels(whole, m);
  const auto [before, at, after] = aroundSplit(*m.thread, loop);
  SplitNests kernels{nest, nest};
  kernels.sums.minBlocks = 0;
  Names names(nest, reserved);
  const std::map<unsigned, IndexExpr> extents =
      extentsOfGrid(nest, m, kernels, names);
  Body parts = beginningAnew(before, nest, *m.split), sums = before;
  append_range(parts, loop.body);
  auto round = std::make_shared<Loop>(kernels.sums.addLoopName("part"));
  round->lower = loop.lower;
  round->upper = loop.upper;
  // Few parts are all read before the first is added.
  if (constantTrips(kernels.sums, *round).value_or(INT64_MAX) <= MostUnrolled)
    round->kind = LoopKind::Unrolled;
  for (unsigned sum : m.split->sums) {
    const Parts of(nest, m, extents, before, sum,
                   names.fresh(nest.arrays[sum].name + "_parts"));
    const auto write = of.statement(), add = of.statement();
    write->target = of.elementOf(of.addTo(kernels.parts, Array::Output),
                                 IndexExpr::loop(loop.id));
    write->operands = {{Operand::Read, of.setter.target}};
    append_range(parts, of.inLoops(write));
    add->op = operationOf(loop, sum);
    add->operands = {
        {Operand::Read, of.elementOf(of.addTo(kernels.sums, Array::Input),
                                     IndexExpr::loop(round->id))}};
    append_range(round->body, of.inLoops(add));
  }
  sums.push_back(round);
  append_range(sums, after);
  kernels.parts.body =
      mapped(nest, m, std::move(parts), {std::make_shared<Loop>(loop)});
  kernels.sums.body =
      ofSums(kernels.sums, m, *round, whole.dependences(), std::move(sums));
  dropUnusedBuffers(kernels.parts);
  dropUnusedBuffers(kernels.sums);
  return {SplitKernel{std::move(kernels.parts), "_parts"},
          SplitKernel{std::move(kernels.sums), "_sums"}};
}

} // namespace convopt::lower
