//===- SumReads.cpp - What a mapped sum reads, and by which loops ---------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumReads.h"
#include "Fields.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Target/Memory.h"
#include "convopt/Transforms/Footprint.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/SetOperations.h"

using namespace llvm;

namespace convopt {

/// Iterations of a window that are staged at once.
static constexpr int64_t MostWhole = 4096;

std::pair<bool, bool> movedBy(const IndexExpr &e, unsigned id) {
  return {e.uses(loopVar(id)), any_of(e.vars(), [&](Var v) {
            return v.kind == Var::Loop && v != loopVar(id);
          })};
}

/// Sorts the loops around a reduction by what runs them.
static void sortLoops(const StatementPath &p, SumReads &sum) {
  sum.grid.clear();
  sum.blocks.clear();
  sum.serial.clear();
  sum.tiled.clear();
  for (const Loop *l : select<Loop>(p.enclosing)) {
    if (isGrid(l->kind))
      sum.grid.push_back(l);
    else if (isBlock(l->kind))
      sum.blocks.push_back(l);
    else if (l->kind == LoopKind::Unrolled)
      sum.tiled.push_back(l);
    else if (l->kind == LoopKind::Serial)
      sum.serial.push_back(l);
  }
}

/// What the statements of the reduction read: a sum may take its operands
/// from scalars.
static void addReads(const StatementPath &p, SumReads &sum) {
  auto isOutermost = [&](const NodeRef &n) {
    return n.get() == sum.serial.front();
  };
  if (none_of(p.enclosing, isOutermost))
    return;
  for (const Operand &o : readsOf(*p.statement)) {
    unsigned array = o.access.array;
    if (sum.nest->arrays[array].isLocal() || o.access == p.statement->target)
      continue;
    const bool isFirst = !is_contained(sum.arrays, array);
    if (isFirst)
      sum.arrays.push_back(array);
    std::set<Var> &vars = sum.vars[array];
    for (const IndexExpr &e : o.access.subscripts) {
      IndexExpr current = overCurrentLoops(*p.statement, e);
      set_union(vars, current.vars());
      if (isFirst)
        sum.subscripts[array].push_back(std::move(current));
    }
  }
}

size_t loopsAround(const Nest &nest, ArrayRef<const Loop *> serial) {
  for (size_t k = serial.size(); k-- > 0;)
    if (!constantTrips(nest, *serial[k]) &&
        !hasCompileTimeBounds(nest, *serial[k]))
      return k;
  return 0;
}

bool hasUnknownLength(const Nest &nest, const Loop &l) {
  auto usesLoops = [](const Bound &b) { return b.expr.usesLoops(); };
  return none_of(l.lower, usesLoops) && none_of(l.upper, usesLoops) &&
         !constantTrips(nest, l) && !hasCompileTimeBounds(nest, l);
}

bool mayOverlap(const Nest &nest, const Loop &l) {
  return constantTrips(nest, l).value_or(0) > MostWhole ||
         hasUnknownLength(nest, l);
}

std::optional<SumReads> SumReads::find(const Nest &nest, bool anyLength,
                                       bool hasRows) {
  SumReads sum;
  sum.hasRows = hasRows;
  sum.nest = &nest;
  std::vector<StatementPath> all = statements(nest);
  for (const StatementPath &p : all)
    if (p.statement->accumulates()) {
      SumReads own;
      sortLoops(p, own);
      // What adds once, such as a bias, is not the sum.
      if (!own.serial.empty() ||
          (sum.blocks.empty() && p.statement->isReduction()))
        sortLoops(p, sum);
    }
  if (sum.blocks.empty() || sum.serial.empty())
    return std::nullopt;
  if (!anyLength) {
    const auto staged = sum.serial.begin() + loopsAround(nest, sum.serial);
    sum.around.assign(sum.serial.begin(), staged);
    sum.serial.erase(sum.serial.begin(), staged);
  }
  for (const StatementPath &p : all)
    addReads(p, sum);
  return sum;
}

bool SumReads::uses(unsigned array, const Loop *l) const {
  return convopt::anyUses(subscripts.at(array), l->id);
}

bool SumReads::hasConstantLength(const Loop &l) const {
  return hasCompileTimeBounds(*nest, l) || (hasRows && constantTrips(*nest, l));
}

std::vector<DimUse> SumReads::useOf(unsigned array) const {
  const Loop *column = serial.back();
  const size_t rank = subscripts.at(array).size();
  const bool hasFields = fieldsOf(*nest, array) != 0;
  std::vector<DimUse> dims;
  for (const auto &[d, e] : enumerate(subscripts.at(array))) {
    auto isMoving = [&](const Loop *l) { return e.uses(loopVar(l->id)); };
    const int64_t stride = strideOf(array, d);
    auto isOneByOne = [&](const Loop *l) {
      return e.coefficient(loopVar(l->id)) == stride;
    };
    DimUse use;
    use.isField = hasFields && d + 1 == rank;
    for (const auto &[k, threads] : enumerate(blocks))
      use.threads |= unsigned(isMoving(threads)) << k;
    use.bySum = any_of(serial, isMoving);
    use.byColumn = isMoving(column);
    std::tie(use.byPart, use.byOthers) = movedBy(e, serial.front()->id);
    use.isRow = isOneByOne(column) && hasConstantLength(*column);
    if (auto along = find_if(tiled, isOneByOne); along != tiled.end())
      use.outputs = constantUpper(*nest, **along).value_or(0);
    dims.push_back(use);
  }
  return dims;
}

bool SumReads::isStaged(unsigned array) const {
  const unsigned threads = (1u << blocks.size()) - 1;
  auto alongX = find_if(
      blocks, [](const Loop *l) { return l->kind == LoopKind::BlockX; });
  const unsigned x =
      alongX == blocks.end() ? 0 : 1u << (alongX - blocks.begin());
  return isShared(useOf(array), threads) || areRowsApart(useOf(array), x);
}

bool SumReads::isOfOutputs(const Loop *l) const {
  return any_of(statements(*nest), [&](const StatementPath &p) {
    const Access &a = p.statement->target;
    return !nest->arrays[a.array].isLocal() &&
           any_of(a.subscripts, [&](const IndexExpr &e) {
             return overCurrentLoops(*p.statement, e).uses(loopVar(l->id));
           });
  });
}

int64_t SumReads::strideOf(unsigned array, size_t dim) const {
  std::vector<const Loop *> varying;
  for (const auto *some : {&blocks, &serial, &tiled})
    varying.insert(varying.end(), some->begin(), some->end());
  const IndexExpr &e = subscripts.at(array)[dim];
  return std::max<int64_t>(convopt::strideOf(*nest, e, varying), 1);
}

int64_t SumReads::vectorOf(unsigned array) const {
  int64_t size = elementSize(nest->arrays[array].elementType).value_or(4);
  return size > 8 ? 1 : AccessBytes / size;
}

} // namespace convopt
