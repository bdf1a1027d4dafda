//===- Pass.cpp - What a pass is to a schedule ----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Pass.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

std::string StepWords::str() const {
  return pass->name.str() + "=" + join(words, ",");
}

Expected<int64_t> StepWords::number(size_t k) const {
  return parseNumber(words[k]);
}

Error StepWords::refuseArguments(StringRef wrong) const {
  return refuse("usage",
                "'" + (wrong.empty() ? str() : wrong.str()) +
                    "' does not have the arguments of " + pass->name.str(),
                {}, "write " + (pass->name + "=" + pass->arguments).str());
}

Error StepWords::check(ArrayRef<Word> kinds) const {
  const size_t names = count(kinds, Word::NewName);
  if (size() != kinds.size() && size() != kinds.size() - names)
    return refuseArguments();
  for (const auto &[word, kind] : zip(words, kinds))
    if (kind == Word::Number)
      RETURN_IF_ERROR(parseNumber(word).takeError());
  return Error::success();
}

Expected<std::vector<StepValue>>
StepWords::valuesIn(const Nest &nest, ArrayRef<Word> kinds) const {
  std::vector<StepValue> values(kinds.size());
  for (size_t k = 0; k != size(); ++k) {
    values[k].name = words[k];
    if (kinds[k] == Word::Number) // as has been checked
      (void)values[k].name.getAsInteger(10, values[k].number);
    if (kinds[k] != Word::Loop && kinds[k] != Word::Array)
      continue;
    ASSIGN_OR_RETURN(unsigned id, kinds[k] == Word::Loop
                                      ? findLoopByName(nest, words[k])
                                      : findArrayByName(nest, words[k]));
    values[k].number = id;
  }
  return values;
}

Expected<int64_t> parseNumber(StringRef text, StringRef remedy) {
  int64_t value;
  if (text.getAsInteger(10, value))
    return refuse("usage", "'" + text.str() + "' is not a whole number", {},
                  remedy.str());
  return value;
}

Expected<unsigned> findLoopByName(const Nest &nest, StringRef name) {
  std::vector<unsigned> all, named;
  for (const Loop *l : loops(nest)) {
    all.push_back(l->id);
    if (nest.loopNames[l->id] == name)
      named.push_back(l->id);
  }
  if (named.size() == 1)
    return named.front();
  std::string what = named.empty()
                         ? "there is no loop '" + name.str() + "'"
                         : "there are several loops '" + name.str() + "'";
  return refuse("usage", what, nest.function.range,
                all.empty() ? "the nest has no loops"
                            : "the loops are " + quoteLoops(nest, all));
}

Expected<unsigned> findArrayByName(const Nest &nest, StringRef name) {
  std::string known;
  for (size_t i = 0; i != nest.arrays.size(); ++i) {
    const Array &a = nest.arrays[i];
    if (a.name == name)
      return unsigned(i);
    known += (known.empty() ? "'" : ", '") + a.name + "'";
  }
  return refuse("usage", "there is no array '" + name.str() + "'",
                nest.function.range, "the arrays are " + known);
}

} // namespace convopt
