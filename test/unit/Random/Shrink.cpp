//===- Shrink.cpp - The least of a failing case ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cases are text, and so are smaller ones: what is no nest, or none that does
// what it may, is no failure.
//
//===----------------------------------------------------------------------===//

#include "Shrink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace convopt::test {
namespace {

class Shrinker {
public:
  explicit Shrinker(Case c) : best(std::move(c)), kind(kindOf(runCase(best))) {}

  Case shrink() {
    do {
      changed = false;
      shrinkSizes();
      shrinkSteps();
      shrinkOptions();
      shrinkNest();
    } while (changed && tries < MaxTries);
    return best;
  }

private:
  static constexpr unsigned MaxTries = 3000;
  Case best;
  const std::string kind; // of the failure, which is to stay the same
  bool changed = false;
  unsigned tries = 0;

  static std::string kindOf(const Verdict &v) {
    return v.isFailure() ? std::to_string(v.kind) + kindOfMessage(v.message)
                         : "";
  }
  bool keep(Case c) {
    if (++tries > MaxTries || kindOf(runCase(c)) != kind)
      return false;
    best = std::move(c);
    return changed = true;
  }

  void shrinkSizes();
  void shrinkSteps();
  void shrinkOptions();
  void shrinkNest();
  bool withoutLines();
  std::vector<std::string> smallerNumbers(StringRef text);
};

} // namespace

void Shrinker::shrinkSizes() {
  for (size_t k = 0; best.sizes.size() > 1 && k < best.sizes.size();) {
    Case c = best;
    c.sizes = {best.sizes[k]};
    keep(c) ? k = 0 : ++k;
  }
  if (best.sizes.empty())
    return;
  const Sizes names = best.sizes[0];
  for (const auto &entry : names)
    for (int64_t n = 1; n < best.sizes[0][entry.first]; ++n) {
      Case c = best;
      c.sizes[0][entry.first] = n;
      if (keep(c))
        break;
    }
}

void Shrinker::shrinkSteps() {
  for (size_t k = best.steps.size(); k-- != 0;) {
    Case c = best;
    c.steps.erase(c.steps.begin() + k);
    keep(c);
  }
  for (size_t k = 0; k != best.steps.size(); ++k) {
    SmallVector<StringRef> words;
    const std::string step = best.steps[k];
    StringRef(step).split(words, ',');
    for (size_t w = words.size(); w-- > 1;) {
      SmallVector<StringRef> fewer = words;
      fewer.erase(fewer.begin() + w);
      Case c = best;
      c.steps[k] = join(fewer, ",");
      if (keep(c))
        words = fewer;
    }
    bool smaller = true;
    while (smaller) {
      smaller = false;
      for (std::string &text : smallerNumbers(best.steps[k])) {
        Case c = best;
        c.steps[k] = std::move(text);
        if ((smaller = keep(c)))
          break;
      }
    }
  }
}

void Shrinker::shrinkOptions() {
  for (bool Case::*flag :
       {&Case::hasBulk, &Case::isAlgebraic, &Case::isOfDoubles}) {
    Case c = best;
    if (c.*flag) {
      c.*flag = false;
      keep(c);
    }
  }
  if (!best.fullTiles) {
    Case c = best;
    c.fullTiles = true;
    keep(c);
  }
}

/// \p text with a number that is one less, or 0.
std::vector<std::string> Shrinker::smallerNumbers(StringRef text) {
  std::vector<std::string> all;
  for (size_t k = 0; k < text.size(); ++k) {
    if (!isDigit(text[k]) || (k && (isAlnum(text[k - 1]) ||
                                    text[k - 1] == '.' || text[k - 1] == '_')))
      continue;
    StringRef number = text.drop_front(k).take_while(isDigit);
    unsigned n;
    if (number.getAsInteger(10, n) || n == 0)
      continue;
    std::vector<unsigned> smaller{n / 2};
    if (n > 2)
      smaller.push_back(n - 1);
    for (unsigned s : smaller)
      all.push_back((text.take_front(k) + std::to_string(s) +
                     text.drop_front(k + number.size()))
                        .str());
  }
  return all;
}

/// Leaves out lines; with the head of a block, its end.
bool Shrinker::withoutLines() {
  SmallVector<StringRef> lines;
  const std::string nest = best.nest;
  StringRef(nest).split(lines, '\n');
  for (size_t k = lines.size(); k-- > 1;) {
    std::vector<size_t> gone{k};
    if (lines[k].ends_with("{")) {
      unsigned depth = 1;
      size_t end = k;
      while (depth != 0 && ++end < lines.size())
        depth += lines[end].ends_with("{") - lines[end].ends_with("}");
      gone.push_back(end);
    }
    std::string text;
    for (size_t n = 0; n != lines.size(); ++n)
      if (!is_contained(gone, n))
        text += (lines[n] + "\n").str();
    Case c = best;
    c.nest = StringRef(text).rtrim().str() + "\n";
    if (lines[k].trim().empty() || lines[k].ends_with("}"))
      continue;
    if (keep(c))
      return true;
  }
  return false;
}

void Shrinker::shrinkNest() {
  while (withoutLines())
    ;
  bool smaller = true;
  while (smaller && tries < MaxTries) {
    smaller = false;
    for (std::string &text : smallerNumbers(best.nest)) {
      Case c = best;
      c.nest = std::move(text);
      if ((smaller = keep(c)))
        break;
    }
  }
}

Case shrunk(Case c) { return Shrinker(std::move(c)).shrink(); }

} // namespace convopt::test
