//===- TileSpec.cpp - The values of -tile and -reg ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Legality/Reassociation.h"
#include "convopt/Schedule/Shorthand.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/MapLoop.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

namespace {

/// Reads the text of one option.
class ValueReader {
public:
  ValueReader(StringRef option, StringRef text, const Nest &nest,
              const DependenceAnalysis &dependences,
              const LegalityOptions &legality, const Roles &roles,
              int64_t LoopTile::*member, TileSpec &spec)
      : option(option), text(text), nest(nest), dependences(dependences),
        legality(legality), roles(roles), member(member), spec(spec) {}

  /// \p places are the loops that values by position are of.
  Error run(ArrayRef<std::optional<unsigned>> places) {
    SmallVector<StringRef> words;
    if (!text.empty())
      text.split(words, ',');
    size_t named = count_if(words, [](StringRef w) { return w.contains(':'); });
    if (named != 0 && named != words.size())
      return usage("mixes values with and without a loop's name");
    return named == 0 ? readPositional(words, filled(places, words.size()))
                      : readNamed(words);
  }

private:
  /// Where more than the loops with a role are given, places without one are
  /// those of the other parallel loops, the innermost first. Where fewer are, z
  /// is left out if no channels are along it.
  std::vector<unsigned> filled(ArrayRef<std::optional<unsigned>> places,
                               size_t wanted) const {
    size_t found = count_if(places, [](const auto &id) { return bool(id); });
    auto next = roles.others.rbegin();
    std::vector<unsigned> result;
    for (const std::optional<unsigned> &id : places)
      if (id) {
        if (found <= wanted || id != roles.z || roles.hasChannels())
          result.push_back(*id);
      } else if (roles.x && found < wanted && next != roles.others.rend()) {
        result.push_back(*next++);
        ++found;
      }
    return result;
  }

  Error usage(const Twine &what, const Twine &remedy = "") {
    return refuse("usage", ("-" + option + "=" + text + " " + what).str(),
                  nest.function.range,
                  remedy.isTriviallyEmpty() ? howTo() : remedy.str());
  }

  std::string howTo() const {
    std::string names;
    for (unsigned id : parallelLoops())
      names += (names.empty() ? "" : ", ") + nest.loopNames[id];
    return "the parallel loops are " + names + "; name them as in -" +
           option.str() + "=" + nest.loopNames[parallelLoops().front()] + ":8";
  }

  std::vector<unsigned> parallelLoops() const {
    std::vector<unsigned> result;
    for (std::optional<unsigned> id : {roles.x, roles.y, roles.z})
      if (id)
        result.push_back(*id);
    append_range(result, roles.others);
    return result;
  }

  Error readValue(StringRef word, unsigned loop) {
    int64_t value;
    if (word.trim().getAsInteger(10, value) || value < 1 || value > INT32_MAX)
      return usage("has the value '" + word.trim() +
                   "', which is not in 1 .. 2147483647");
    spec[loop].*member = value;
    return Error::success();
  }

  Error readPositional(ArrayRef<StringRef> words,
                       ArrayRef<unsigned> positional) {
    if (words.size() != positional.size()) {
      std::string names;
      for (unsigned id : positional)
        names += (names.empty() ? "" : ", ") + nest.loopNames[id];
      if (positional.empty())
        return usage("has values by position, and no loop takes one here");
      return usage("has " + Twine(words.size()) +
                       (words.size() == 1 ? " value" : " values") +
                       ", the nest takes " + Twine(positional.size()) + ": " +
                       names,
                   "give one value each for " + quoteLoops(nest, positional) +
                       ", or name loops as in -" + option + "=" +
                       nest.loopNames[positional.front()] + ":8");
    }
    for (size_t i = 0; i != words.size(); ++i)
      RETURN_IF_ERROR(readValue(words[i], positional[i]));
    return Error::success();
  }

  Error readNamed(ArrayRef<StringRef> words) {
    std::set<unsigned> seen;
    for (StringRef word : words) {
      auto [name, value] = word.split(':');
      ASSIGN_OR_RETURN(unsigned loop, findNamed(name.trim()));
      if (!seen.insert(loop).second)
        return usage("names loop '" + name.trim() + "' twice");
      RETURN_IF_ERROR(readValue(value, loop));
    }
    return Error::success();
  }

  Expected<unsigned> findNamed(StringRef name) {
    for (unsigned id : parallelLoops())
      if (nest.loopNames[id] == name)
        return id;
    for (const Loop *l : loops(nest))
      if (nest.loopNames[l->id] == name) {
        if (maySplit(*l, legality))
          return l->id;
        return notParallel(*l);
      }
    return usage("names loop '" + name + "', which the nest does not have");
  }

  /// Whether threads may share the sums of \p l: it holds nothing else, and
  /// \p options allow any order of the terms.
  bool maySplit(const Loop &l, const LegalityOptions &options) const {
    return member == &LoopTile::threads &&
           all_of(collect<Statement>(l.body), [&](const Statement *s) {
             return s->isReduction() &&
                    isAllowed(reordering(nest, *s), options);
           });
  }

  /// \p e, which says so where an option lets threads share the sums of \p l.
  Error withLicense(Error e, const Loop &l) const {
    LegalityOptions licensed = legality;
    licensed.associativeMath = true;
    if (!maySplit(l, licensed))
      return e;
    return handleErrors(std::move(e), [&](std::unique_ptr<Refusal> r) -> Error {
      walk(l.body, [&](const Node &n, const std::vector<NodeRef> &) {
        if (const auto *s = dyn_cast<Statement>(&n))
          r->remedy = licenseRemedy(nest, s->target.array);
      });
      return Error(std::move(r));
    });
  }

  /// Legality has a witness against threads along \p l; registers are not
  /// mapped.
  Error notParallel(const Loop &l) {
    if (member == &LoopTile::threads) {
      ASSIGN_OR_RETURN(Nest mapped, mapLoop(nest, l.id, LoopKind::BlockX));
      if (Error e = checkLegality(dependences, mapped))
        return withLicense(std::move(e), l);
    }
    return usage("names loop '" + nest.loopNames[l.id] +
                 "', which is not a parallel loop of the outermost band");
  }

  StringRef option, text;
  const Nest &nest;
  const DependenceAnalysis &dependences;
  const LegalityOptions &legality;
  const Roles &roles;
  int64_t LoopTile::*member;
  TileSpec &spec;
};

} // namespace

Error parseTile(StringRef text, const Nest &nest,
                const DependenceAnalysis &dependences,
                const LegalityOptions &legality, const Roles &roles,
                TileSpec &spec) {
  return ValueReader("tile", text, nest, dependences, legality, roles,
                     &LoopTile::threads, spec)
      .run({roles.x, roles.y, roles.z});
}

Error parseRegisters(StringRef text, const Nest &nest,
                     const DependenceAnalysis &dependences, const Roles &roles,
                     TileSpec &spec) {
  ValueReader reader("reg", text, nest, dependences, {}, roles,
                     &LoopTile::outputs, spec);
  const bool isAlone = !roles.y && !roles.z && roles.others.empty();
  return isAlone ? reader.run({roles.x}) : reader.run({roles.y, roles.z});
}

} // namespace convopt
