//===- ArrayPlan.cpp - Vectors and rows of what is staged -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayPlan.h"
#include "BankConflicts.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/Memory.h"
#include "convopt/Target/Shuffle.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

/// Adds the steps of \p p to \p trial; an error says why its vectors cannot
/// be.
static Error tryVectors(const ArrayPlan &p, StepRecorder &trial) {
  std::vector<StageArguments> stages{p.shared};
  if (p.registers)
    stages.push_back(*p.registers);
  for (const StageArguments &s : stages) {
    if (Error e = trial.add({stagePass, s.words()}))
      return e;
    const Nest &nest = trial.nest();
    RETURN_IF_ERROR(checkVectors(nest, *copyOf(nest, nest.arrays.size() - 1)));
  }
  return Error::success();
}

namespace {

class LayoutChooser {
public:
  LayoutChooser(const StepRecorder &recorder, const SumReads &sum,
                ArrayPlan &plan, Remarks &remarks)
      : recorder(recorder), nest(recorder.nest()), sum(sum), p(plan),
        remarks(remarks) {}

  void run() {
    chooseVectors();
    choosePitch();
  }

private:
  void missed(const std::string &what, SourceRange where) {
    remarks.push_back({Remark::Kind::Missed, "stage", what, where});
  }

  /// Whether rows of a filter may have any length. Odd ones would keep the
  /// image from being copied in vectors, as the launcher asks about all arrays
  /// at once.
  bool isFilterOfAnyWidth() const {
    auto hasOutputs = [&](unsigned array) {
      const std::optional<unsigned> last = sum.vectorDim(array);
      return last && sum.useOf(array)[*last].outputs != 0;
    };
    return p.last && !hasOutputs(p.array) && any_of(sum.arrays, hasOutputs) &&
           none_of(sum.useOf(p.array),
                   [](const DimUse &d) { return d.threads != 0; }) &&
           !nest.constantOf(nest.arrays[p.array].extents[*p.last]);
  }

  /// The widest copies that rows allow, while registers can be read in vectors.
  void chooseVectors() {
    const int64_t widest = sum.vectorOf(p.array);
    // Vectors along rows of which every other element is read would bring all.
    const bool isInOrder =
        p.shared.layout.order.empty() && !isFilterOfAnyWidth() &&
        (p.pack ||
         sum.strideOf(p.array, sum.subscripts.at(p.array).size() - 1) == 1);
    std::optional<Refusal> why;
    for (bool readsVectors : {true, false}) {
      if (p.registers)
        p.registers->layout.vector = readsVectors ? widest : 1;
      for (int64_t v = isInOrder ? widest : 1; v != 0; v /= 2) {
        p.shared.layout.vector = v;
        StepRecorder trial = recorder;
        Error e = tryVectors(p, trial);
        if (!e)
          return explain(why, widest);
        handleAllErrors(std::move(e), [&](const Refusal &r) {
          if (!why)
            why = r;
        });
      }
    }
    p.shared.layout.vector = 1; // adding the steps says what is wrong
  }

  /// Says what is narrower than \p widest.
  void explain(const std::optional<Refusal> &why, int64_t widest) {
    if (!why)
      return;
    const std::string &array = nest.arrays[p.array].name;
    if (p.registers && p.registers->layout.vector != widest) {
      missed("reads '" + array + "' element by element: " + why->message,
             why->where);
      // Elements that no register tile reuses are as well read where they are.
      if (sum.useOf(p.array)[*p.last].outputs == 0)
        p.registers.reset();
      return;
    }
    int64_t v = p.shared.layout.vector;
    if (v != widest)
      missed("copies '" + array + "' " +
                 (v == 1 ? "element by element"
                         : std::to_string(v) + " elements at a time") +
                 ": " + why->message,
             why->where);
  }

  /// Lengthens rows so that the threads of a warp find their vectors in
  /// different banks, by a quarter at most.
  void choosePitch() {
    if (!p.registers || p.registers->layout.vector == 1)
      return;
    StepRecorder trial = recorder;
    if (errorToBool(trial.add({stagePass, p.shared.words()})))
      return;
    const Array &buffer = trial.nest().arrays.back();
    std::vector<int64_t> extents;
    for (const IndexExpr &e : buffer.extents) {
      std::optional<int64_t> extent = nest.constantOf(e);
      if (!extent)
        return;
      extents.push_back(*extent);
    }
    const int64_t widest = p.registers->layout.vector;
    const int64_t row = extents[*p.last];
    int64_t best = p.shared.layout.pitch, least = INT64_MAX, shortest = 0;
    const bool isSorted = !p.shared.layout.order.empty();
    const int64_t longest = std::max(16 * widest, row + row / 4);
    for (int64_t pitch = widest; pitch <= longest; pitch += widest) {
      int64_t length = alignTo(row, pitch);
      if (length > row + row / 4 && pitch != widest)
        continue;
      int64_t cycles = cyclesOf(p.array, buffer, extents, length);
      if (isSorted)
        cycles = cycles * readsOf(p.array, extents) / widest +
                 cyclesOfSorting(p.array, buffer, extents, length);
      if (cycles < least || (cycles == least && length < shortest)) {
        best = pitch;
        least = cycles;
        shortest = length;
      }
    }
    ArrayPlan longer = p;
    longer.shared.layout.pitch = best;
    StepRecorder again = recorder;
    if (!errorToBool(tryVectors(longer, again)))
      p = longer;
  }

  int64_t threads() const {
    int64_t all = 1;
    for (const Loop *l : sum.blocks)
      all *= constantUpper(nest, *l).value_or(1);
    return all;
  }

  /// The elements of a box that one thread reads.
  int64_t readsOf(unsigned array, ArrayRef<int64_t> extents) const {
    int64_t reads = 1;
    for (auto [d, extent] : enumerate(extents)) {
      int64_t across = 1;
      for (const Loop *l : sum.blocks)
        if (sum.subscripts.at(array)[d].uses(loopVar(l->id)))
          across *= constantUpper(nest, *l).value_or(1);
      reads *= divideCeil(extent, across);
    }
    return reads;
  }

  /// What a warp takes to write its share of a box in another order than the
  /// array's, along whose rows it reads.
  int64_t cyclesOfSorting(unsigned array, const Array &buffer,
                          ArrayRef<int64_t> extents, int64_t length) const {
    const int64_t size = AccessBytes / sum.vectorOf(array);
    std::vector<unsigned> dims = StorageMap(nest, buffer).dims();
    const auto strides = bytesApart(dims, extents, length, size);
    int64_t elements = 1;
    for (unsigned d : dims)
      elements *= extents[d];
    WarpRead write;
    write.bytes = size;
    llvm::sort(dims);
    for (unsigned k = 0, lanes = WarpSize; k != 3 && !dims.empty(); ++k) {
      write.strides[k] = strides[dims.back()];
      write.threads[k] = std::min<int64_t>(lanes, extents[dims.back()]);
      lanes = divideCeil(lanes, uint64_t(write.threads[k]));
      dims.pop_back();
    }
    return wavefronts(write) * divideCeil(elements, uint64_t(threads()));
  }

  /// What a warp's vector from \p buffer with rows of \p length elements takes.
  int64_t cyclesOf(unsigned array, const Array &buffer,
                   ArrayRef<int64_t> extents, int64_t length) const {
    const int64_t size = AccessBytes / sum.vectorOf(array);
    const std::vector<unsigned> dims = StorageMap(nest, buffer).dims();
    const auto strides = bytesApart(dims, extents, length, size);
    WarpRead read;
    for (const Loop *l : sum.blocks) {
      const unsigned k = dimensionOf(l->kind);
      read.threads[k] = constantUpper(nest, *l).value_or(1);
      for (unsigned d : dims)
        read.strides[k] +=
            strides[d] *
            sum.subscripts.at(array)[d].coefficient(loopVar(l->id)) /
            buffer.buffer->stride(d);
    }
    return wavefronts(read);
  }

  const StepRecorder &recorder;
  const Nest &nest; // the recorder's
  const SumReads &sum;
  ArrayPlan &p;
  Remarks &remarks;
};

} // namespace

void chooseLayout(const StepRecorder &recorder, const SumReads &sum,
                  ArrayPlan &plan, Remarks &remarks) {
  LayoutChooser(recorder, sum, plan, remarks).run();
}

} // namespace convopt
