//===- Summary.cpp - What a run made --------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summary.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/Facts.h"
#include "convopt/Nest/SplitSum.h"
#include "convopt/Schedule/UsualSizes.h"
#include "convopt/Transforms/RegisterTile.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

std::string printFacts(const PlannedKernel &kernel) {
  std::string text;
  for (const Assumption &a : kernel.facts)
    text += (text.empty() ? "" : ", ") + factText(a).str();
  if (kernel.leastBlocks)
    text += (text.empty() ? "" : ", ") + std::to_string(kernel.leastBlocks) +
            " blocks or more";
  return text;
}

/// `32 x 8 threads a block`
static std::string threadsOf(const Nest &nest) {
  std::vector<std::string> extents;
  for (LoopKind kind : {LoopKind::BlockX, LoopKind::BlockY, LoopKind::BlockZ})
    for (const Loop *l : loops(nest))
      if (l->kind == kind)
        if (std::optional<int64_t> n = constantUpper(nest, *l))
          extents.push_back(std::to_string(*n));
  return extents.empty() ? "one thread a block"
                         : join(extents, " x ") + " threads a block";
}

/// `8 outputs a thread (x 4, m 2)`, by the loops of the register tile.
static std::string outputsOf(const PlannedKernel &kernel) {
  const Nest &nest = kernel.pipeline->nest();
  int64_t outputs = 1;
  std::vector<std::string> extents;
  for (const Step &step : kernel.pipeline->steps()) {
    if (!step.is(registerTilePass))
      continue;
    for (const Loop *l : loops(nest)) {
      const std::optional<int64_t> n = constantUpper(nest, *l);
      StringRef name = nest.loopNames[l->id];
      if (name != step.words[0] || !n)
        continue;
      name.consume_back("_r");
      outputs *= *n;
      extents.push_back((name + " " + Twine(*n)).str());
      break;
    }
  }
  return outputs == 1 ? "an output a thread"
                      : std::to_string(outputs) + " outputs a thread (" +
                            join(extents, ", ") + ")";
}

/// Whether the results of sums that iterations of \p split share are the same
/// in each run: parts are added up in the order of the loop, or in any order,
/// which changes no integer.
static bool hasSameBits(const Nest &nest, const Loop &split) {
  return !split.isAtomic ||
         all_of(splittableSums(nest, split), [&](unsigned sum) {
           return isInteger(nest.arrays[sum].elementType);
         });
}

std::string sharesOfSum(const Nest &nest) {
  const Loop *l = splitLoop(nest);
  if (!l)
    return "";
  const std::optional<int64_t> n = constantTrips(nest, *l);
  return (n ? std::to_string(*n) : "several") +
         (isGrid(l->kind) ? " blocks" : " threads") + " a sum, " +
         (l->isAtomic ? "added up atomically" : "added up in order") +
         (hasSameBits(nest, *l) ? ": the same bits in each run"
                                : ": other last bits in each run");
}

namespace {
/// The inputs that the iterations of a sum read, by where they are kept.
struct Inputs {
  SmallSetVector<unsigned, 4> shared, constant, global;
};
} // namespace

/// A buffer of a buffer holds what the first one holds.
static Inputs inputsOf(const Nest &nest) {
  Inputs inputs;
  auto add = [&](const Access &a) {
    bool isShared = false, isConstant = false;
    for (const Array &buffer : nest.arrays)
      if (buffer.buffer && buffer.buffer->of == a.array) {
        isShared |= buffer.buffer->memory == Buffer::Shared;
        isConstant |= buffer.buffer->memory == Buffer::Constant;
      }
    (isShared     ? inputs.shared
     : isConstant ? inputs.constant
                  : inputs.global)
        .insert(a.array);
  };
  const std::vector<StatementPath> all = statements(nest);
  size_t ofOutputs = SIZE_MAX; // loops
  for (const StatementPath &p : all)
    if (!nest.arrays[p.statement->target.array].isLocal())
      ofOutputs = std::min(ofOutputs, p.statement->iterators.size());
  for (const StatementPath &p : all)
    if (p.statement->isReduction() || p.statement->iterators.size() > ofOutputs)
      for (const Operand &o : p.statement->operands)
        if (o.kind == Operand::Read &&
            nest.arrays[o.access.array].role == Array::Input)
          add(o.access);
  return inputs;
}

static std::string namesOf(const Nest &nest, ArrayRef<unsigned> arrays) {
  std::vector<std::string> names;
  for (unsigned id : arrays)
    names.push_back("'" + nest.arrays[id].name + "'");
  return join(names, ", ");
}

/// `, as 'S' is known at run time only (-assume='S=1')`: why \p arrays are not
/// staged, and which option would change that.
static std::string whyGlobal(const PlannedKernel &kernel,
                             ArrayRef<unsigned> arrays) {
  if (arrays.empty())
    return "";
  if (kernel.request.scheduleFile)
    return ", as the schedule has it";
  if (!kernel.request.isDefault() && !kernel.request.staging)
    return ", as no -staging= is given";
  const Nest &nest = kernel.pipeline->original();
  std::vector<std::string> facts = strideFacts(
      nest, [&](unsigned array) { return is_contained(arrays, array); },
      UsualStrides.front());
  if (facts.empty() && !isFilterOfTemplate(nest)) {
    constexpr int64_t width = 9; // whichever
    if (Expected<std::vector<std::string>> widths = filterFacts(nest, width))
      facts = *widths;
    else
      consumeError(widths.takeError());
  }
  std::string names;
  for (StringRef fact : facts)
    names += (names.empty() ? "'" : ", '") + fact.split('=').first.str() + "'";
  if (!facts.empty())
    return ", as " + names + (facts.size() == 1 ? " is" : " are") +
           " known at run time only (-assume='" + join(facts, ",") + "')";
  const bool isSaid = any_of(kernel.notes.remarks, [](const Remark &r) {
    return r.kind == Remark::Kind::Missed && r.pass == "stage";
  });
  return isSaid ? " (-Rpass-missed=stage says why)" : "";
}

void printSummary(const PlannedKernel &kernel, StringRef name, bool isLast,
                  raw_ostream &os) {
  const Nest &nest = kernel.pipeline->nest();
  os << "  " << name << ": ";
  if (const std::string facts = printFacts(kernel); !facts.empty())
    os << "for " << facts << "; ";
  else if (!isLast)
    os << "if a block has room for it; ";
  os << threadsOf(nest) << ", " << outputsOf(kernel);
  if (std::string shares = sharesOfSum(nest); !shares.empty())
    os << ", " << shares;
  const Inputs inputs = inputsOf(nest);
  auto print = [&](ArrayRef<unsigned> arrays, StringRef where) {
    if (!arrays.empty())
      os << "; " << namesOf(nest, arrays) << " in " << where << " memory";
  };
  print(inputs.shared.getArrayRef(), "shared");
  print(inputs.constant.getArrayRef(), "constant");
  print(inputs.global.getArrayRef(), "global");
  os << whyGlobal(kernel, inputs.global.getArrayRef()) << '\n';
}

} // namespace convopt
