//===- Pass.h - What a pass is to a schedule --------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A pass describes itself by one constant beside its function: its name, the
/// arguments of its steps, and how words become a call. Parser, printer and
/// command-line options follow from it.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_PASS_H
#define CONVOPT_TRANSFORMS_PASS_H

#include "convopt/Nest/Nest.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace convopt {

struct Pass;

/// Is told of each primitive that a composite pass has applied (the text of
/// its step and the nest after it) and may refuse to go on.
using PrimitiveDone =
    llvm::function_ref<llvm::Error(llvm::StringRef step, const Nest &after)>;

/// A pass with its arguments, which finds the loops and arrays that they name
/// in the nest that it is given.
using PassCall =
    std::function<llvm::Expected<Nest>(const Nest &, PrimitiveDone)>;

/// The arguments of a step: what stands between commas after the `=`.
class StepWords {
public:
  StepWords(const Pass &pass, std::vector<std::string> words)
      : pass(&pass), words(std::move(words)) {}

  size_t size() const { return words.size(); }
  const std::string &operator[](size_t k) const { return words[k]; }
  std::vector<std::string>::const_iterator begin() const {
    return words.begin();
  }
  std::vector<std::string>::const_iterator end() const { return words.end(); }

  /// The same arguments in other words.
  void set(std::vector<std::string> w) { words = std::move(w); }
  /// `strip-mine=y,16`
  std::string str() const;

  /// Word \p k as a whole number; refuses (rule "usage") anything else.
  llvm::Expected<int64_t> number(size_t k) const;
  /// What \p wrong, by default the whole step, is refused with: that these are
  /// not the arguments of the pass (rule "usage").
  llvm::Error refuseArguments(llvm::StringRef wrong = "") const;

private:
  const Pass *pass;
  std::vector<std::string> words;
};

struct Pass {
  llvm::StringRef name;      // "strip-mine"
  llvm::StringRef arguments; // "LOOP,FACTOR[,OUTER,INNER]"
  llvm::StringRef help;      // "Split a loop into strips"
  /// Refuses (rule "usage") words that are not the pass's arguments; puts
  /// others into the one order and form in which they print.
  llvm::Expected<PassCall> (*bind)(StepWords &words);
  enum class Effect : uint8_t {
    Order,      // which instances run where and when
    Statements, // the statements themselves, which compute the same
    Values,     // and they compute the same only by rule Values
    Iterators,  // what statements are over, and with it what loops mean
  } effect = Effect::Order;

  bool changesStatements() const { return effect != Effect::Order; }
};

/// Parses a whole number; refuses (rule "usage") what is none.
llvm::Expected<int64_t>
parseNumber(llvm::StringRef text,
            llvm::StringRef remedy = "give a whole number");

/// The loop that the text of \p nest calls \p name; refuses (rule "usage") an
/// unknown or ambiguous one with the list of loops.
llvm::Expected<unsigned> findLoopByName(const Nest &nest, llvm::StringRef name);
/// The same of an array.
llvm::Expected<unsigned> findArrayByName(const Nest &nest,
                                         llvm::StringRef name);

/// Binds a pass whose only argument is a loop.
template <llvm::Expected<Nest> (*apply)(const Nest &, unsigned)>
llvm::Expected<PassCall> bindLoop(StepWords &words) {
  if (words.size() != 1)
    return words.refuseArguments();
  return PassCall([name = words[0]](const Nest &nest,
                                    PrimitiveDone) -> llvm::Expected<Nest> {
    llvm::Expected<unsigned> loop = findLoopByName(nest, name);
    return loop ? apply(nest, *loop) : loop.takeError();
  });
}

/// Binds a pass whose only argument is an array.
template <llvm::Expected<Nest> (*apply)(const Nest &, unsigned)>
llvm::Expected<PassCall> bindArray(StepWords &words) {
  if (words.size() != 1)
    return words.refuseArguments();
  return PassCall([name = words[0]](const Nest &nest,
                                    PrimitiveDone) -> llvm::Expected<Nest> {
    llvm::Expected<unsigned> array = findArrayByName(nest, name);
    return array ? apply(nest, *array) : array.takeError();
  });
}

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_PASS_H
