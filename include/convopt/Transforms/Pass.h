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
#include "llvm/Support/Error.h"

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

/// What a word of a step is: the name of a loop or an array of the nest, a
/// whole number, or a new name. New names come last, and may be left off
/// together.
enum class Word : uint8_t { Loop, Array, Number, NewName };

/// Such a word as a pass takes it.
struct StepValue {
  int64_t number = 0; // or the id of the loop or array
  llvm::StringRef name = {};

  operator unsigned() const { return unsigned(number); }
  operator int64_t() const { return number; }
  operator llvm::StringRef() const { return name; }
};

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
  /// Refuses (rule "usage") words that are not \p kinds.
  llvm::Error check(llvm::ArrayRef<Word> kinds) const;
  /// What these stand for in \p nest; refuses (rule "usage") unknown names.
  llvm::Expected<std::vector<StepValue>>
  valuesIn(const Nest &nest, llvm::ArrayRef<Word> kinds) const;

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

template <auto apply, size_t... k>
llvm::Expected<Nest> applyTo(const Nest &nest, llvm::ArrayRef<StepValue> values,
                             [[maybe_unused]] PrimitiveDone done,
                             std::index_sequence<k...>) {
  if constexpr (std::is_invocable_v<decltype(apply), const Nest &,
                                    decltype(values[k])..., PrimitiveDone>)
    return apply(nest, values[k]..., done);
  else
    return apply(nest, values[k]...);
}

/// Binds a pass whose arguments, after the nest, are what \p kinds say.
template <auto apply, Word... kinds>
llvm::Expected<PassCall> bindTo(StepWords &words) {
  if (llvm::Error e = words.check({kinds...}))
    return std::move(e);
  return PassCall(
      [words](const Nest &nest, PrimitiveDone done) -> llvm::Expected<Nest> {
        auto values = words.valuesIn(nest, {kinds...});
        if (!values)
          return values.takeError();
        return applyTo<apply>(nest, *values, done,
                              std::make_index_sequence<sizeof...(kinds)>());
      });
}

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_PASS_H
