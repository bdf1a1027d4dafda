//===- StorePlan.cpp - Outputs that are stored in vectors -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StorePlan.h"
#include "Fields.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Target/Memory.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/Stage.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

int64_t vectorAlongRows(const Nest &nest, unsigned array) {
  const Array &a = nest.arrays[array];
  const int64_t size = elementSize(a.elementType).value_or(4);
  if (a.extents.empty())
    return 1;
  std::optional<int64_t> row = nest.constantOf(a.extents.back());
  int64_t vector = row && size <= 8 ? AccessBytes / size : 1;
  while (vector > 1 && *row % vector != 0)
    vector /= 2;
  return vector;
}

int64_t storedVector(int64_t storable, int64_t widest, int64_t columns,
                     int64_t length) {
  while (storable > 1 && columns % storable != 0)
    storable /= 2;
  return length > LongSum && storable != widest ? 1 : storable;
}

/// What a thread writes of an array.
struct ThreadOutputs {
  unsigned array;
  int64_t columns = 1; // next to one another
  int64_t length = 1;  // multiply-adds of each; many where that is not known
};

static ThreadOutputs outputsOf(const SumReads &sum, const StatementPath &p) {
  const Access &a = p.statement->target;
  ThreadOutputs outputs{a.array};
  std::vector<IndexExpr> at;
  for (const IndexExpr &e : a.subscripts)
    at.push_back(overCurrentLoops(*p.statement, e));
  outputs.columns = std::max<int64_t>(fieldsOf(*sum.nest, a.array), 1);
  // Loops of registers around the write are others than those of the sum.
  for (const Loop *l : select<Loop>(p.enclosing))
    if (l->kind == LoopKind::Unrolled &&
        at.back().coefficient(loopVar(l->id)) == 1)
      outputs.columns = constantUpper(*sum.nest, *l).value_or(1);
  std::vector<const Loop *> summed = sum.around;
  append_range(summed, sum.serial);
  for (const Loop *l : summed)
    if (!anyUses(at, l->id))
      outputs.length = std::min(
          outputs.length * std::clamp<int64_t>(
                               constantTrips(*sum.nest, *l).value_or(INT32_MAX),
                               1, INT32_MAX),
          int64_t(INT32_MAX));
  return outputs;
}

/// Of each array that the nest of \p sum writes.
static std::vector<ThreadOutputs> outputsOf(const SumReads &sum) {
  std::vector<ThreadOutputs> outputs;
  for (const StatementPath &p : statements(*sum.nest)) {
    const Access &a = p.statement->target;
    if (!sum.nest->arrays[a.array].isLocal() && !a.subscripts.empty() &&
        none_of(outputs, [&](auto &o) { return o.array == a.array; }))
      outputs.push_back(outputsOf(sum, p));
  }
  return outputs;
}

/// Adds \p step, or says why outputs of \p array are stored one by one.
static bool addOrNote(StepRecorder &recorder, Step step,
                      const std::string &array, Remarks &remarks) {
  Error e = recorder.add(std::move(step));
  const bool isDone = !e;
  handleAllErrors(std::move(e), [&](const Refusal &r) {
    remarks.push_back(
        {Remark::Kind::Missed, "stage",
         "stores '" + array + "' element by element: " + r.message, r.where});
  });
  return isDone;
}

static Step storeStep(const std::string &array, const std::string &around,
                      int64_t vector) {
  StageArguments store{{Buffer::Registers}, array, around};
  store.layout.vector = vector;
  return {stagePass, store.words()};
}

void planStores(StepRecorder &recorder, const SumReads &sum, Remarks &remarks) {
  // Of a turn, or of all that a thread does.
  const Loop *around = sum.isOfOutputs(sum.serial.front()) ? sum.serial.front()
                                                           : sum.blocks.back();
  for (const ThreadOutputs &o : outputsOf(sum)) {
    const int64_t vector =
        storedVector(vectorAlongRows(*sum.nest, o.array), sum.vectorOf(o.array),
                     o.columns, o.length);
    if (vector == 1)
      continue;
    const std::string &array = sum.nest->arrays[o.array].name;
    addOrNote(recorder, storeStep(array, sum.name(around), vector), array,
              remarks);
  }
}

void planStoresOfRows(StepRecorder &recorder, Remarks &remarks) {
  const Nest nest = recorder.nest(); // steps make it anew
  for (const StatementPath &p : statements(nest)) {
    const Access &a = p.statement->target;
    if (nest.arrays[a.array].isLocal() || a.subscripts.empty())
      continue;
    const IndexExpr column =
        overCurrentLoops(*p.statement, a.subscripts.back());
    std::vector<std::string> registers, along;
    int64_t vector = 1;
    bool isInnermost = false;
    for (const Loop *l : select<Loop>(p.enclosing)) {
      if (l->kind != LoopKind::Unrolled)
        continue;
      isInnermost = column.coefficient(loopVar(l->id)) == 1;
      if (isInnermost)
        vector = std::gcd(vectorAlongRows(nest, a.array),
                          constantTrips(nest, *l).value_or(1));
      (isInnermost ? along : registers).push_back(nest.loopNames[l->id]);
    }
    if (vector == 1 || registers.empty() || along.size() != 1)
      continue;
    const std::string &array = nest.arrays[a.array].name;
    const std::string around = registers.back();
    append_range(registers, along);
    if (isInnermost ||
        addOrNote(recorder, {interchangePass, registers}, array, remarks))
      addOrNote(recorder, storeStep(array, around, vector), array, remarks);
  }
}

} // namespace convopt
