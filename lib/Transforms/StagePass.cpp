//===- StagePass.cpp - Stagings as text -----------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of `stage=ARRAY,LOOP,MEMORY[,NAME][,KEY:NUMBER]...[,COPY]`.
//
//===----------------------------------------------------------------------===//

#include "convopt/Support/Refusal.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Target/Memory.h"
#include "convopt/Transforms/Stage.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

/// By Buffer::Memory.
static constexpr StringRef memoryNames[] = {"registers", "shared", "global",
                                            "constant"};

static constexpr StringRef unfoldedWord = "unfolded";

/// `order:0.2.1`, `pitch:4`: what differs from the default.
static std::vector<std::string> wordsOf(const BufferLayout &l) {
  std::vector<std::string> words;
  std::string order;
  for (unsigned d : l.order)
    order += (order.empty() ? "order:" : ".") + std::to_string(d);
  if (!order.empty())
    words.push_back(order);
  for (auto [key, value, ordinary] : BufferLayout::numbersOf(l))
    if (*value != ordinary)
      words.push_back(std::string(key) + ":" + std::to_string(*value));
  if (l.copyKind != BufferLayout::Threads)
    words.push_back(BufferLayout::copyKindNames[l.copyKind]);
  return words;
}

std::vector<std::string> StageArguments::words() const {
  std::vector<std::string> words{array, loop, memoryNames[memory].str()};
  if (!name.empty())
    words.push_back(name);
  if (unfolded)
    words.push_back(unfoldedWord.str() + (unfolded->empty() ? "" : ":") +
                    join(*unfolded, "."));
  append_range(words, wordsOf(layout));
  return words;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static Error parseOrder(StringRef text, BufferLayout &layout) {
  SmallVector<StringRef> dims;
  text.split(dims, '.');
  for (StringRef dim : dims) {
    ASSIGN_OR_RETURN(int64_t d,
                     parseNumber(dim, "give dimensions, as in 0.2.1"));
    if (d < 0 || d > UINT16_MAX)
      return refuse("usage", "there is no dimension " + dim.str(), {},
                    "count dimensions from 0");
    layout.order.push_back(unsigned(d));
  }
  return Error::success();
}

/// One `key:value`.
static Error parseLayout(const StepWords &words, StringRef word,
                         BufferLayout &layout) {
  auto [key, value] = word.split(':');
  if (key == "order")
    return parseOrder(value, layout);
  auto numbers = BufferLayout::numbersOf(layout);
  auto target =
      find_if(numbers, [key = key](auto n) { return std::get<0>(n) == key; });
  if (target == numbers.end())
    return words.refuseArguments(word);
  ASSIGN_OR_RETURN(int64_t number, parseNumber(value, "give a number, as in " +
                                                          (key + ":4").str()));
  *std::get<1>(*target) = number;
  return Error::success();
}

Expected<StageArguments> StageArguments::parse(const StepWords &words) {
  StageArguments result;
  std::vector<StringRef> names;
  std::set<StringRef> given;
  for (StringRef word : words) {
    StringRef key = word.split(':').first;
    auto kind = find(drop_begin(BufferLayout::copyKindNames), word);
    const bool isCopyKind =
        kind != BufferLayout::copyKindNames.end() && names.size() >= 3;
    const bool isUnfolded = key == unfoldedWord && names.size() >= 3;
    if (key.size() == word.size() && !isCopyKind && !isUnfolded) {
      names.push_back(word);
      continue;
    }
    if (!given.insert(key).second)
      return refuse("usage",
                    "'" + words.str() + "' gives " + key.str() + " twice");
    if (isUnfolded) {
      result.unfolded.emplace();
      SmallVector<StringRef> loops;
      if (key != word)
        word.drop_front(key.size() + 1).split(loops, '.');
      if (is_contained(loops, ""))
        return words.refuseArguments(word);
      for (StringRef loop : loops)
        result.unfolded->push_back(loop.str());
      continue;
    }
    if (!isCopyKind) {
      RETURN_IF_ERROR(parseLayout(words, word, result.layout));
      continue;
    }
    if (result.layout.copyKind != BufferLayout::Threads)
      return refuse("usage",
                    "'" + words.str() + "' names two kinds of TMA copies", {},
                    "give one");
    result.layout.copyKind =
        BufferLayout::CopyKind(kind - BufferLayout::copyKindNames.begin());
  }
  if (names.size() != 3 && names.size() != 4)
    return words.refuseArguments();
  const auto *memory = find(memoryNames, names[2]);
  if (memory == std::end(memoryNames))
    return words.refuseArguments();
  result.array = names[0].str();
  result.loop = names[1].str();
  result.memory = Buffer::Memory(memory - memoryNames);
  if (names.size() == 4)
    result.name = names[3].str();
  return result;
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

/// TMA works in units of 16 bytes, as many elements as that is.
static Error setUnit(const Nest &nest, unsigned array, BufferLayout &layout) {
  const Array &a = nest.arrays[array];
  std::string kind = BufferLayout::copyKindNames[layout.copyKind];
  std::optional<int64_t> size = elementSize(a.elementType);
  if (!size)
    return refuse("limit",
                  "a TMA " + kind +
                      " copy copies 16 bytes at a time, and the size "
                      "of '" +
                      a.elementType + "' is not known",
                  a.range, "stage '" + a.name + "' without " + kind);
  if (layout.vector != 1 && layout.vector != AccessBytes / *size)
    return refuse("usage",
                  "'" + a.name + "' cannot be staged with " + kind +
                      " and vector:" + std::to_string(layout.vector),
                  a.range,
                  "TMA copies 16 bytes at a time: vector:" +
                      std::to_string(AccessBytes / *size) + ", or none");
  layout.vector = AccessBytes / *size;
  return Error::success();
}

static Expected<Nest> apply(const Nest &nest, const StageArguments &arguments) {
  ASSIGN_OR_RETURN(unsigned array, findArrayByName(nest, arguments.array));
  std::optional<unsigned> loop;
  bool isLoop = any_of(loops(nest), [&](const Loop *l) {
    return nest.loopNames[l->id] == arguments.loop;
  });
  if (arguments.loop != "launch" || isLoop) {
    ASSIGN_OR_RETURN(unsigned found, findLoopByName(nest, arguments.loop));
    loop = found;
  }
  StageOptions options = arguments;
  if (options.layout.copyKind != BufferLayout::Threads)
    RETURN_IF_ERROR(setUnit(nest, array, options.layout));
  return stage(nest, array, loop, options);
}

static Expected<PassCall> bindStage(StepWords &words) {
  ASSIGN_OR_RETURN(StageArguments arguments, StageArguments::parse(words));
  words.set(arguments.words());
  return PassCall([arguments](const Nest &nest, PrimitiveDone) {
    return apply(nest, arguments);
  });
}

const Pass stagePass{
    "stage",
    "ARRAY,LOOP,shared (or registers)[,NAME][,order:0.2.1][,pitch:4]"
    "[,vector:4][,depth:2][,block:4][,linear:2][,swizzle:4][,async:1]"
    "[,unfolded (or unfolded:LOOP.LOOP)][,bulk (or tensor)], "
    "or ARRAY,launch,global (or constant)...",
    "Keep a tile of an array in a buffer", bindStage};

} // namespace convopt
