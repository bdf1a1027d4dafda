//===- Remarks.cpp - What passes have to say ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Remarks.h"
#include "convopt/Nest/SizeSamples.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/ElementSize.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace convopt {

static StringRef optionName(Remark::Kind kind) {
  switch (kind) {
  case Remark::Kind::Passed:
    return "-Rpass";
  case Remark::Kind::Missed:
    return "-Rpass-missed";
  case Remark::Kind::Analysis:
    return "-Rpass-analysis";
  case Remark::Kind::Warning:
  case Remark::Kind::Said:
    return "";
  }
  llvm_unreachable("a Remark::Kind");
}

Error RemarkFilter::check() const {
  for (const std::string &expression : {passed, missed, analysis}) {
    std::string problem;
    if (!expression.empty() && !Regex(expression).isValid(problem))
      return refuse("usage", "'" + expression +
                                 "' is not a regular expression: " + problem);
  }
  return Error::success();
}

bool RemarkFilter::wants(const Remark &r) const {
  if (r.isAlwaysPrinted())
    return true;
  const std::string &wanted = r.kind == Remark::Kind::Passed   ? passed
                              : r.kind == Remark::Kind::Missed ? missed
                                                               : analysis;
  return !wanted.empty() && Regex(wanted).match(r.pass);
}

/// `plane` of `-(plane % row)`.
static std::optional<IndexExpr> dividend(const IndexExpr &fact) {
  for (const auto &[m, c] : fact.terms())
    for (const Atom &a : m)
      if (!a.isVar() && fact == -IndexExpr::mod(a.num(), a.den()))
        return a.num();
  return std::nullopt;
}

/// Multiples or quotients that are sizes which no loop bounds: the caller's
/// pitches, which may be anything.
static bool needsMultiples(const IndexExpr &fact, const SizeSamples &samples) {
  return fact.hasQuotient() &&
         all_of(dividend(fact).value_or(fact).vars(), [&](Var v) {
           return v.kind == Var::Param && samples.isFree(v);
         });
}

/// Whether \p fact keeps rows apart that the nest adds to, of a length that no
/// loop bounds: a pitch, or the stride of a transposed convolution, whose
/// outputs have several sums.
static bool keepsSumsApart(const Nest &nest, const IndexExpr &fact,
                           const SizeSamples &samples) {
  return any_of(statements(nest), [&](const StatementPath &p) {
    const Array &a = nest.arrays[p.statement->target.array];
    return p.statement->isReduction() && a.role == Array::InOut &&
           any_of(drop_begin(a.extents), [&](const IndexExpr &extent) {
             const std::optional<Var> v = extent.asVar();
             return v && samples.isFree(*v) && fact.coefficient(*v) == 1 &&
                    fact.vars().size() > 1;
           });
  });
}

/// Whether \p fact leaves out sizes that callers have: of those that loops and
/// guards tell, and no multiples, as channels are of groups.
static bool leavesOut(const IndexExpr &fact, const SizeSamples &samples) {
  return !dividend(fact) && none_of(fact.vars(), [&](Var v) {
    return samples.roleOf(v) == SizeSamples::Role::Free;
  }) && samples.shareOf(fact) < SizeSamples::NearlyAll;
}

/// Sets of \p all that together hold for hardly any sizes, each as small as
/// does that. Kernels copy nothing that their callers have, and no caller has
/// what ends the program.
static std::vector<std::vector<size_t>> rareFacts(const Nest &nest,
                                                  ArrayRef<Assumption> all,
                                                  const SizeSamples &samples) {
  std::vector<size_t> left;
  for (auto [id, a] : enumerate(all))
    if ((!a.spanned || !nest.function.isKernel) && a.why != assertedWhy)
      left.push_back(id);
  std::vector<std::vector<size_t>> sets;
  while (!left.empty()) {
    std::vector<Constraint> facts;
    for (size_t id : left)
      facts.push_back(all[id].fact);
    std::vector<size_t> few = samples.rareTogether(facts);
    if (few.empty())
      break;
    for (size_t &k : few)
      k = left[k];
    erase_if(left, [&](size_t id) { return is_contained(few, id); });
    sets.push_back(std::move(few));
  }
  return sets;
}

static SourceRange placeOf(const Nest &nest, const Assumption &a) {
  return a.range.isValid() ? a.range : nest.function.range;
}

Remarks assumptionRemarks(const Nest &nest, ArrayRef<Assumption> facts) {
  Remarks remarks;
  if (facts.empty())
    return remarks;
  SizeSamples samples(nest);
  std::set<size_t> rare;
  for (const std::vector<size_t> &few : rareFacts(nest, facts, samples)) {
    std::vector<std::string> texts;
    for (size_t id : few)
      texts.push_back(str(nest, facts[id].fact) + " (" + facts[id].why + ")");
    rare.insert(few.begin(), few.end());
    remarks.push_back({Remark::Kind::Warning, "assumptions",
                       "the kernel runs for hardly any sizes: only where " +
                           join(texts, " and "),
                       placeOf(nest, facts[few.front()])});
  }
  for (auto [id, a] : enumerate(facts)) {
    const SourceRange where = placeOf(nest, a);
    const std::string fact = str(nest, a.fact);
    remarks.push_back(
        {Remark::Kind::Analysis, "assumptions",
         (a.spanned ? "host code that copies '" + nest.arrays[*a.spanned].name +
                          "' checks "
                    : "the launcher checks ") +
             fact + ": " + a.why,
         where});
    if (!rare.count(id) && !a.spanned && a.why != assertedWhy &&
        (leavesOut(a.fact.expr, samples) ||
         needsMultiples(a.fact.expr, samples) ||
         keepsSumsApart(nest, a.fact.expr, samples)))
      remarks.push_back({Remark::Kind::Said, "assumptions",
                         "the kernel runs only where " +
                             (dividend(a.fact.expr)
                                  ? str(nest, {Constraint::Zero, -a.fact.expr})
                                  : fact) +
                             " (" + a.why +
                             "), and the naive code for other sizes",
                         where});
  }
  return remarks;
}

Remarks footprintRemarks(const Nest &nest, ArrayRef<unsigned> loose) {
  Remarks remarks;
  std::vector<std::string> names;
  for (unsigned id : loose) {
    const Array &a = nest.arrays[id];
    if (any_of(nest.function.arguments, [&](const Argument &argument) {
          return argument.isGlobalArray() && argument.index == id;
        }))
      continue; // it has what the file says
    names.push_back("'" + a.name + "'");
    std::string elements = a.footprint.empty() ? str(nest, wholeOf(nest, a))
                                               : leastText(nest, a.footprint);
    remarks.push_back(
        {Remark::Kind::Analysis, "footprint",
         "'" + a.name + "' must have " + elements +
             " elements on the device, as far as its subscripts may go by "
             "their loops and guards: perhaps more than are "
             "touched",
         a.range});
  }
  if (!names.empty())
    remarks.push_back(
        {Remark::Kind::Said, "footprint",
         join(names, ", ") +
             " must be on the device as far as subscripts may go by their "
             "loops and guards, perhaps further than they go: blocks may read "
             "all of that" +
             (nest.function.isKernel
                  ? ""
                  : "; of arrays of the host, what is touched is copied") +
             " (-Rpass-analysis=footprint says how many elements)",
         nest.function.range});
  return remarks;
}

Remarks launchRemarks(const Nest &nest) {
  Remarks remarks;
  for (const Argument &a : nest.function.arguments) {
    if (!a.launch)
      continue;
    for (const Loop *l : loops(nest))
      if (any_of(l->upper, [&](const Bound &b) {
            return b.expr.uses(paramVar(a.index));
          }))
        remarks.push_back({Remark::Kind::Said, "launch",
                           "how far '" + nest.loopNames[l->id] +
                               "' goes is up to the launch alone: '" + a.name +
                               "' is its " + a.launch->str(),
                           l->range});
  }
  return remarks;
}

Remarks memoryRemarks(const Nest &mapped, const Gpu &gpu) {
  Remarks remarks;
  for (const Array &a : mapped.arrays) {
    if (!a.buffer || a.buffer->memory != Buffer::Global)
      continue;
    const int64_t bytes =
        SaturatingMultiply<uint64_t>(constantElements(mapped, a).value_or(0),
                                     elementSize(a.elementType).value_or(1));
    if (bytes <= gpu.deviceBytes)
      continue;
    const std::string &of = mapped.arrays[a.buffer->of].name;
    remarks.push_back(
        {Remark::Kind::Warning, "stage",
         "the " + std::string(a.buffer->unfolding ? "matrix" : "copy") +
             " of '" + of + "' takes " + std::to_string(bytes) +
             " bytes, more than " + gpu.name + " has (about " +
             std::to_string(gpu.deviceBytes) +
             "), and the naive code would run: stage it at a loop that is "
             "mapped to 'launch', for a part in each launch" +
             (a.buffer->unfolding ? ", or make none (-algorithm=product)" : ""),
         mapped.arrays[a.buffer->of].range});
  }
  return remarks;
}

void print(const Remarks &remarks, const RemarkFilter &filter, StringRef file,
           raw_ostream &os) {
  for (const Remark &r : remarks) {
    if (!filter.wants(r))
      continue;
    os << file << ':';
    if (r.where.isValid())
      os << r.where.line << ':' << r.where.column << ':';
    os << (r.kind == Remark::Kind::Warning ? " warning: " : " remark: ")
       << r.message << " [";
    if (!r.isAlwaysPrinted())
      os << optionName(r.kind) << '=';
    os << r.pass << "]\n";
  }
}

} // namespace convopt
