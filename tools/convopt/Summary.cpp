//===- Summary.cpp - What a run made --------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/Facts.h"
#include "convopt/Nest/SplitSum.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Schedule/UsualSizes.h"
#include "convopt/Transforms/RegisterTile.h"
#include "convopt/Transforms/Structure.h"
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

/// `'x', 'c'`: loops of the source that index outputs and that each thread runs
/// through, but for those of the register tile, \p tile.
static std::string loopsOfThread(const PlannedKernel &kernel,
                                 const std::set<std::string> &tile) {
  const Nest &nest = kernel.pipeline->nest(),
             &source = kernel.pipeline->original();
  std::set<unsigned> shared; // by blocks, threads or launches
  for (const Loop *l : loops(nest))
    if (isParallel(l->kind) || l->kind == LoopKind::Launch)
      shared.insert(l->id);
  SmallSetVector<StringRef, 4> names;
  for (const StatementPath &p : statements(nest)) {
    const Statement &s = *p.statement;
    if (nest.arrays[s.target.array].isLocal())
      continue;
    for (const auto &[id, at] : zip_equal(s.iterators, s.instance)) {
      const Var v = loopVar(id);
      const bool isShared = any_of(at.vars(), [&](Var of) {
        return of.kind == Var::Loop && shared.count(of.id);
      });
      if (!isShared && !tile.count(source.loopNames[id]) &&
          any_of(s.target.subscripts,
                 [&](const IndexExpr &e) { return e.uses(v); }))
        names.insert(source.loopNames[id]);
    }
  }
  return names.empty() ? "" : "'" + join(names, "', '") + "'";
}

/// `8 outputs a thread (x 4, m 2)`, by the loops of the register tile, or `all
/// outputs along 'x' in a thread`.
static std::string outputsOf(const PlannedKernel &kernel) {
  const Nest &nest = kernel.pipeline->nest();
  int64_t outputs = 1;
  std::vector<std::string> extents;
  std::set<std::string> tile;
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
      tile.insert(name.str());
      extents.push_back((name + " " + Twine(*n)).str());
      break;
    }
  }
  const std::string along = loopsOfThread(kernel, tile);
  if (outputs == 1)
    return along.empty() ? "an output a thread"
                         : "all outputs along " + along + " in a thread";
  return std::to_string(outputs) + " outputs a thread (" + join(extents, ", ") +
         ")" + (along.empty() ? "" : ", times all along " + along);
}

/// Whether the results of sums that iterations of \p split share are the same
/// in each run: parts are added up in a fixed order, or in any order,
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
         (l->isAtomic ? "added up atomically" : "added up in a fixed order") +
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
      for (const Operand &o : readsOf(*p.statement))
        if (nest.arrays[o.access.array].role == Array::Input)
          add(o.access);
  return inputs;
}

static std::string namesOf(const Nest &nest, ArrayRef<unsigned> arrays) {
  std::vector<std::string> names;
  for (unsigned id : arrays)
    names.push_back("'" + nest.arrays[id].name + "'");
  return join(names, ", ");
}

/// The sizes that \p facts, `K=3`, are about.
static std::set<std::string> sizesOf(ArrayRef<std::string> facts) {
  std::set<std::string> sizes;
  for (StringRef fact : facts)
    sizes.insert(fact.split('=').first.str());
  return sizes;
}

/// Whether \p version is \p kernel with \p facts, whatever their values.
static bool isFor(const PlannedKernel &version, const PlannedKernel &kernel,
                  ArrayRef<std::string> facts) {
  std::vector<std::string> own;
  for (const Assumption &a : version.facts)
    if (none_of(kernel.facts,
                [&](const Assumption &of) { return of.fact == a.fact; }))
      own.push_back(factText(a).str());
  return version.isUsual && sizesOf(own) == sizesOf(facts);
}

/// The names of the inputs that \p kernel would stage if \p facts were said.
static std::set<std::string> stagedWith(const PlannedFile &file,
                                        const PlannedKernel &kernel,
                                        ArrayRef<std::string> facts) {
  PlannedKernel tried;
  // The general one may read global memory as its versions do not.
  const bool isGeneral = &kernel == &file.general();
  tried.request = isGeneral ? file.options.shared.request : kernel.request;
  tried.facts = kernel.facts;
  const PlannedKernel *planned = &tried;
  for (const PlannedKernel &version : file.versions())
    if (isGeneral && isFor(version, kernel, facts))
      planned = &version;
  if (planned == &tried) {
    for (const std::string &text : facts) {
      auto fact = expectedToOptional(parseFact(file.source.nest, text));
      if (!fact)
        return {};
      tried.facts.push_back(*fact);
    }
    if (errorToBool(tried.plan(
            {file.source.nest, file.gpu, file.options.shared.legality})))
      return {};
  }
  const Nest &nest = planned->pipeline->nest();
  const Inputs inputs = inputsOf(nest);
  std::set<std::string> names;
  for (unsigned id : concat<const unsigned>(inputs.shared, inputs.constant))
    names.insert(nest.arrays[id].name);
  return names;
}

/// What might keep \p arrays of \p nest in a block: that strides are known, or
/// lengths of filters, or both.
static std::vector<std::vector<std::string>>
factsToTry(const Nest &nest, ArrayRef<unsigned> arrays) {
  std::vector<std::vector<std::string>> all;
  const std::vector<std::string> strides = stepFacts(
      nest, [&](unsigned array) { return is_contained(arrays, array); },
      UsualSteps.front());
  if (!strides.empty())
    all.push_back(strides);
  if (isFilterOfTemplate(nest))
    return all;
  constexpr int64_t width = 9; // whichever
  const auto widths = expectedToOptional(filterFacts(nest, width));
  if (!widths)
    return all;
  all.push_back(strides);
  append_range(all.back(), *widths);
  return all;
}

/// `, as 'S' is known at run time only (where it is a small number N, say
/// -assume='S=N')`. What was tried is no size that a caller has.
static std::string whyOf(ArrayRef<std::string> facts) {
  std::vector<std::string> sizes, given;
  for (StringRef fact : facts) {
    const std::string size = fact.split('=').first.str();
    sizes.push_back("'" + size + "'");
    given.push_back(size + "=N");
  }
  const bool isOne = facts.size() == 1;
  return ", as " + join(sizes, ", ") + (isOne ? " is" : " are") +
         " known at run time only (where " +
         (isOne ? "it is a small number N" : "they are small numbers N") +
         ", say -assume='" + join(given, ",") + "')";
}

/// `; 'in' in global memory`, why, and which option would change that.
static void printGlobal(const PlannedFile &file, const PlannedKernel &kernel,
                        ArrayRef<unsigned> arrays, raw_ostream &os) {
  const Nest &nest = kernel.pipeline->nest();
  auto print = [&](ArrayRef<unsigned> some, const Twine &why) {
    if (!some.empty())
      os << "; " << namesOf(nest, some) << " in global memory" << why;
  };
  if (kernel.request.scheduleFile)
    return print(arrays, ", as the schedule has it");
  if (!kernel.request.isDefault() && !kernel.request.staging)
    return print(arrays, ", as no -staging= is given");
  std::vector<unsigned> others(arrays.begin(), arrays.end());
  if (!arrays.empty())
    for (const std::vector<std::string> &facts :
         factsToTry(kernel.pipeline->original(), arrays)) {
      const std::set<std::string> staged = stagedWith(file, kernel, facts);
      auto rest =
          std::stable_partition(others.begin(), others.end(), [&](unsigned id) {
            return staged.count(nest.arrays[id].name);
          });
      if (rest == others.begin())
        continue;
      print(ArrayRef(others).take_front(rest - others.begin()), whyOf(facts));
      others.erase(others.begin(), rest);
      break;
    }
  const bool isSaid = any_of(file.kernels, [](const PlannedKernel &k) {
    return any_of(k.notes.remarks, [](const Remark &r) {
      return r.kind == Remark::Kind::Missed && r.pass == "stage";
    });
  });
  print(others, isSaid ? " (-Rpass-missed=stage says why)" : "");
}

void printSummary(const PlannedFile &file, const PlannedKernel &kernel,
                  raw_ostream &os) {
  const Nest &nest = kernel.pipeline->nest();
  os << "  " << file.kernelName(kernel) << ": ";
  if (file.inWhole)
    for (const std::string &loop : file.inWhole->around.names)
      os << "in each iteration of '" << loop << "'; ";
  std::string takes = printFacts(kernel);
  if (!takes.empty())
    takes = "for " + takes;
  if (&kernel != &file.general() &&
      (takes.empty() || !hasConstantBuffers(nest)))
    takes +=
        (takes.empty() ? "" : ", ") + std::string("if a block has room for it");
  if (!takes.empty())
    os << takes << "; ";
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
  printGlobal(file, kernel, inputs.global.getArrayRef(), os);
  os << '\n';
}

} // namespace convopt
