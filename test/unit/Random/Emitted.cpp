//===- Emitted.cpp - Nests against what they are lowered to ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitted.h"
#include "Interpreter.h"
#include "Launches.h"
#include "Mistake.h"
#include "convopt/Lower/Kernel.h"
#include "convopt/Nest/Text.h"
#include "convopt/Program/Check.h"
#include "convopt/Support/Refusal.h"
#include "interpreter/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::test {

std::string Case::str() const {
  std::string text = nest + "\n# steps\n" + join(steps, "\n") + "\n# ";
  for (const Sizes &s : sizes) {
    for (const auto &[name, value] : s)
      text += name + "=" + std::to_string(value) + " ";
    text += "; ";
  }
  text += arch + (hasBulk ? " with TMA" : " without TMA");
  text += fullTiles ? "" : " -boundary=guards";
  text += isAlgebraic ? " -ffast-math" : "";
  text += isOfDoubles ? " T=double" : "";
  text += without.empty() ? "" : " without rule " + without;
  return text + "\n";
}

RefusalText::RefusalText(Error e) : rule("a bug") {
  handleAllErrors(std::move(e), [&](const ErrorInfoBase &info) {
    message = info.message();
    if (!info.isA<Refusal>())
      return;
    const auto &r = static_cast<const Refusal &>(info);
    isIllegal = r.status == ExitStatus::Illegal;
    rule = (isIllegal ? "illegal by " : "refused by ") + r.rule;
    message = r.message;
  });
}

std::string kindOfMessage(StringRef message) {
  std::string text;
  SmallVector<StringRef> words;
  message.split(words, ' ', -1, /*KeepEmpty=*/false);
  unsigned depth = 0; // of brackets
  for (StringRef word : words) {
    const bool isName =
        depth || word.find_first_of("_['0123456789") != StringRef::npos ||
        none_of(word, isLower);
    depth += word.count('[') - word.count(']');
    if (!isName)
      text += (text.empty() ? "" : " ") + word.str();
  }
  return text;
}

/// The value of each parameter; none where the launcher would not start.
static std::optional<std::vector<int64_t>> valuesOf(const Nest &nest,
                                                    const Sizes &sizes) {
  std::vector<int64_t> values;
  auto value = [&](const IndexExpr &e) {
    return e.evaluate([&](Var v) { return values[v.id]; });
  };
  for (const Param &p : nest.params) {
    std::optional<int64_t> v;
    if (p.definition)
      v = value(*p.definition);
    else if (auto it = sizes.find(p.name); it != sizes.end())
      v = it->second;
    if (!v)
      return std::nullopt;
    values.push_back(*v);
  }
  for (const Assumption &a : nest.assumptions) {
    std::optional<int64_t> v = value(a.fact.expr);
    if (!v || (a.fact.kind == Constraint::Zero ? *v != 0 : *v < 0))
      return std::nullopt;
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// What an array holds before: elements of outputs nothing, as nothing may
/// read them.
static std::vector<uint64_t> initialElements(const Nest &nest, unsigned id,
                                             ArrayRef<int64_t> values) {
  const Array &a = nest.arrays[id];
  std::vector<uint64_t> elements(*elementsOf(a, values),
                                 program::Uninitialised);
  if (a.role == Array::Output)
    return elements;
  const std::vector<int64_t> extents = extentsOf(a, values);
  for (size_t k = 0; k != elements.size(); ++k) {
    std::vector<int64_t> at(extents.size());
    int64_t rest = int64_t(k);
    for (size_t d = extents.size(); d-- != 0; rest /= extents[d])
      at[d] = rest % extents[d];
    elements[k] = program::initialValue(1, id, at);
  }
  return elements;
}

static Original::Result resultOf(const Nest &nest,
                                 const std::vector<int64_t> &values,
                                 bool isAlgebraic) {
  Original::Result result;
  for (const Array &a : nest.arrays)
    if (!a.isLocal() && !elementsOf(a, values))
      result.fault = "'" + a.name + "' has no number of elements";
  if (!result.fault.empty())
    return result;
  const Memory written =
      run(nest, {1, false, isAlgebraic, values, &result.fault});
  if (result.fault.empty() && written.empty())
    result.fault = "nothing is written";
  if (!result.fault.empty())
    return result;
  for (unsigned k = 0; k != nest.arrays.size(); ++k)
    if (!nest.arrays[k].isLocal())
      result.arrays[nest.arrays[k].name] = initialElements(nest, k, values);
  for (const auto &[element, value] : written) {
    const Array &a = nest.arrays[element.first];
    const int64_t place = flatIndex(element.second, extentsOf(a, values));
    std::vector<uint64_t> &elements = result.arrays[a.name];
    if (place < int64_t(elements.size()))
      elements[place] = value;
    else
      result.fault = "'" + a.name + "' is touched beyond its footprint";
  }
  return result;
}

const Original::Result &
Original::leaves(const std::vector<int64_t> &values) const {
  auto [known, isNew] = results.try_emplace(values);
  if (isNew)
    known->second = resultOf(nest, values, isAlgebraic);
  return known->second;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static Verdict failed(Verdict::Kind kind, std::string rule,
                      std::string message) {
  Verdict v;
  v.kind = kind;
  v.rule = std::move(rule);
  v.message = std::move(message);
  return v;
}

static Verdict refused(Error e) {
  // What is no refusal is a program that breaks a rule.
  const Verdict::Kind kind =
      e.isA<Refusal>() ? Verdict::Refused : Verdict::Fault;
  const RefusalText text(std::move(e));
  return failed(kind, text.rule, text.message);
}

/// Runs \p kernels for one set of sizes, launches of streams in order or
/// backwards. What one leaves in an array the next one finds there.
static Verdict runSizes(const Original &original,
                        ArrayRef<LoweredKernel> kernels, const Case &c,
                        const Sizes &sizes, bool backwards) {
  std::vector<int64_t> values = *valuesOf(kernels.front().nest, sizes);
  values.resize(original.nest.params.size());
  const Original::Result &leaves = original.leaves(values);
  if (!leaves.fault.empty())
    return failed(Verdict::Invalid, "", leaves.fault);
  std::map<std::string, program::LaunchArray> arrays;
  unsigned count = 0;
  uint64_t operations = 0;
  for (const LoweredKernel &kernel : kernels) {
    const Nest &nest = kernel.nest;
    const std::vector<int64_t> own = *valuesOf(nest, sizes);
    Launches launches(nest, kernel.program, kernel.packing, c, own);
    for (unsigned k = 0; k != nest.arrays.size(); ++k)
      if (!nest.arrays[k].isLocal()) {
        auto left = arrays.find(nest.arrays[k].name);
        launches.setArray(k, left == arrays.end()
                                 ? initialElements(nest, k, own)
                                 : left->second.elements);
      }
    if (Error e = launches.run(backwards)) {
      if (e.isA<Refusal>())
        return refused(std::move(e));
      return failed(Verdict::Fault, "", toString(std::move(e)));
    }
    arrays = launches.arrays();
    count += launches.launches;
    operations += launches.operations;
  }
  Verdict v;
  v.kind = Verdict::Same;
  v.launches = count;
  v.operations = operations;
  for (size_t id = 0; id != original.nest.arrays.size(); ++id) {
    const Array &array = original.nest.arrays[id];
    if (array.isLocal())
      continue;
    const std::string &name = array.name;
    const std::vector<uint64_t> &elements = leaves.arrays.at(name);
    std::vector<uint64_t> found = arrays.at(name).elements;
    // An array to which the pipeline gives no elements keeps those it had.
    if (found.size() < elements.size())
      found = initialElements(original.nest, id, values);
    for (size_t k = 0; k != elements.size(); ++k)
      if (elements[k] != found[k])
        return failed(Verdict::Wrong, "",
                      name + "[" + std::to_string(k) + "] (flat) is " +
                          utohexstr(found[k]) + ", not " +
                          utohexstr(elements[k]));
  }
  return v;
}

LegalityOptions legalityOf(const Case &c) {
  LegalityOptions options;
  options.associativeMath = options.finiteMath = options.noSignedZeros =
      c.isAlgebraic;
  options.without = c.without;
  return options;
}

Expected<std::vector<LoweredKernel>> lowered(const Pipeline &pipeline,
                                             const Case &c) {
  Expected<CheckedNest> checked = pipeline.checked();
  return checked ? lowered(*checked, c) : checked.takeError();
}

Expected<std::vector<LoweredKernel>> lowered(const CheckedNest &nest,
                                             const Case &c) {
  Expected<Gpu> gpu = findGpu(c.arch);
  if (!gpu)
    return gpu.takeError();
  LowerOptions options;
  options.fullTiles = c.fullTiles;
  options.assertions = true;
  return lowerKernels(nest, *gpu, options);
}

Verdict runKernels(const Original &original, ArrayRef<LoweredKernel> kernels,
                   const Case &c) {
  const Nest &mapped = kernels.front().nest;
  const bool hasStreams = any_of(
      loops(mapped), [](const Loop *l) { return l->kind == LoopKind::Stream; });
  Verdict all = failed(Verdict::Invalid, "", "no sizes fit");
  for (const Sizes &sizes : c.sizes)
    for (bool backwards : {false, true}) {
      if ((backwards && !hasStreams) || !valuesOf(mapped, sizes))
        continue;
      Verdict v = runSizes(original, kernels, c, sizes, backwards);
      if (v.isFailure())
        return v;
      if (v.kind == Verdict::Same || all.kind == Verdict::Invalid)
        all.kind = v.kind;
      all.rule = v.rule;
      all.message = v.message;
      all.launches += v.launches;
      all.operations += v.operations;
    }
  return all;
}

Verdict runEmitted(const Original &original, const Pipeline &pipeline,
                   const Case &c) {
  Expected<std::vector<LoweredKernel>> kernels = lowered(pipeline, c);
  if (!kernels)
    return refused(kernels.takeError());
  bool hasExchanges = false;
  for (const LoweredKernel &kernel : *kernels) {
    program::walkExprs(kernel.program.body, [&](const program::Expr &e) {
      hasExchanges |= e.kind() == program::Expr::Call &&
                      e.function().callee == program::Callee::Exchange;
    });
    std::vector<program::Kernel> programs = kernel.packing;
    programs.push_back(kernel.program);
    for (const program::Kernel &k : programs)
      if (Error e = program::check(k))
        return failed(Verdict::Fault, "", toString(std::move(e)));
  }
  Verdict v = runKernels(original, *kernels, c);
  v.hasExchanges = hasExchanges;
  return v;
}

Verdict runCase(const Case &c) {
  Expected<Nest> nest = parseNest(c.nest);
  if (!nest)
    return failed(Verdict::Invalid, "", toString(nest.takeError()));
  const Original original(*nest, c.isAlgebraic);
  Expected<Pipeline> pipeline =
      Pipeline::create(std::move(*nest), legalityOf(c));
  if (!pipeline)
    return failed(Verdict::Invalid, "", toString(pipeline.takeError()));
  for (const std::string &text : c.steps) {
    Expected<Step> step = parseAnyStep(text);
    if (!step)
      return refused(step.takeError());
    if (Error e = pipeline->apply(*step))
      return refused(std::move(e));
  }
  return runEmitted(original, *pipeline, c);
}

} // namespace convopt::test
