//===- Step.cpp - One line of a schedule ----------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Step.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/MapLoop.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace convopt {

ArrayRef<StringRef> passNames() {
  static constexpr StringRef names[] = {
      "scalar-replace", "if-convert", "strip-mine", "interchange",
      "distribute",     "unroll",     "map",        "register-tile",
      "stage",          "min-blocks"};
  return names;
}

StringRef passName(Step::Kind kind) { return passNames()[unsigned(kind)]; }

/// What follows the `=`, for messages.
static StringRef usage(Step::Kind kind) {
  switch (kind) {
  case Step::Kind::ScalarReplace:
  case Step::Kind::IfConvert:
    return "ARRAY";
  case Step::Kind::StripMine:
    return "LOOP,FACTOR[,OUTER,INNER]";
  case Step::Kind::Interchange:
    return "LOOP,LOOP,...";
  case Step::Kind::Distribute:
  case Step::Kind::Unroll:
    return "LOOP";
  case Step::Kind::Map:
    return "LOOP,grid.x (or grid.y, grid.z, block.x, block.y, block.z, launch, "
           "stream:3, serial)";
  case Step::Kind::RegisterTile:
    return "LOOP[,FACTOR]";
  case Step::Kind::Stage:
    return "ARRAY,LOOP,shared (or registers)[,NAME][,order:0.2.1][,pitch:4]"
           "[,vector:4][,depth:2][,linear:2][,swizzle:4][,bulk (or tensor)], "
           "or ARRAY,launch,global (or constant)...[,block:4]";
  case Step::Kind::MinBlocks:
    return "BLOCKS";
  }
  llvm_unreachable("a Step::Kind");
}

/// By Buffer::Memory.
static ArrayRef<StringRef> memoryNames() {
  static constexpr StringRef names[] = {"registers", "shared", "global",
                                        "constant"};
  return names;
}

/// `,order:0.2.1,pitch:4`, what differs from the default.
static std::string str(const BufferLayout &l) {
  std::string text, order;
  for (unsigned d : l.order)
    order += (order.empty() ? "" : ".") + std::to_string(d);
  if (!order.empty())
    text += ",order:" + order;
  for (auto [key, value, ordinary] : BufferLayout::numbersOf(l))
    if (*value != ordinary)
      text += "," + std::string(key) + ":" + std::to_string(*value);
  if (l.engine != BufferLayout::Threads)
    text += "," + std::string(BufferLayout::engineNames[l.engine]);
  return text;
}

std::string Step::str() const {
  std::string text = passName(kind).str() + "=";
  if (kind == Kind::MinBlocks)
    return text + std::to_string(*factor);
  text += names.front();
  if (kind == Kind::Stage) {
    text += "," + names[1];
    text += "," + memoryNames()[memory].str();
    return text + (names.size() == 3 ? "," + names[2] : "") +
           convopt::str(layout);
  }
  if (factor)
    text += "," + std::to_string(*factor);
  for (const std::string &name : drop_begin(names))
    text += "," + name;
  if (kind == Kind::Map)
    text += "," + convopt::str(target).str() +
            (target == LoopKind::Stream ? ":" + std::to_string(streams) : "");
  return text;
}

std::string str(ArrayRef<Step> steps) {
  std::string text;
  for (const Step &s : steps)
    text += s.str() + "\n";
  return text;
}

static Error refuseArguments(Step::Kind kind, StringRef text) {
  return refuse("usage",
                "'" + text.str() + "' does not have the arguments of " +
                    passName(kind).str(),
                {}, "write " + (passName(kind) + "=" + usage(kind)).str());
}

static Expected<int64_t> parseFactor(StringRef text,
                                     StringRef remedy = "give a whole number") {
  int64_t value;
  if (text.getAsInteger(10, value))
    return refuse("usage", "'" + text.str() + "' is not a whole number", {},
                  remedy.str());
  return value;
}

/// Moves the number at \p index of the names into the factor.
static Error takeFactor(Step &step, size_t index) {
  Expected<int64_t> factor = parseFactor(step.names[index]);
  if (!factor)
    return factor.takeError();
  step.factor = *factor;
  step.names.erase(step.names.begin() + index);
  return Error::success();
}

/// One `key:value` of a staging.
static Error takeLayout(Step &step, StringRef word) {
  auto [key, value] = word.split(':');
  BufferLayout &l = step.layout;
  if (key == "order") {
    SmallVector<StringRef> dims;
    value.split(dims, '.');
    for (StringRef dim : dims) {
      Expected<int64_t> d = parseFactor(dim, "give dimensions, as in 0.2.1");
      if (!d)
        return d.takeError();
      if (*d < 0 || *d > UINT16_MAX)
        return refuse("usage", "there is no dimension " + dim.str(), {},
                      "count dimensions from 0");
      l.order.push_back(unsigned(*d));
    }
    return Error::success();
  }
  auto numbers = BufferLayout::numbersOf(l);
  auto target = find_if(numbers, [&](auto n) { return std::get<0>(n) == key; });
  if (target == numbers.end())
    return refuseArguments(step.kind, word);
  Expected<int64_t> number =
      parseFactor(value, "give a number, as in " + (key + ":4").str());
  if (!number)
    return number.takeError();
  *std::get<1>(*target) = *number;
  return Error::success();
}

static Error takeStaging(Step &step, StringRef text) {
  std::vector<std::string> words;
  words.swap(step.names);
  std::set<StringRef> given;
  for (const std::string &word : words) {
    StringRef key = StringRef(word).split(':').first;
    auto engine = find(drop_begin(BufferLayout::engineNames), word);
    const bool isEngine =
        engine != BufferLayout::engineNames.end() && step.names.size() >= 3;
    if (key.size() == word.size() && !isEngine) {
      step.names.push_back(word);
      continue;
    }
    if (!given.insert(key).second)
      return refuse("usage",
                    "'" + text.str() + "' gives " + key.str() + " twice");
    if (!isEngine) {
      if (Error e = takeLayout(step, word))
        return e;
      continue;
    }
    if (step.layout.engine != BufferLayout::Threads)
      return refuse("usage", "'" + text.str() + "' names two copy engines", {},
                    "give one");
    step.layout.engine =
        BufferLayout::Engine(engine - BufferLayout::engineNames.begin());
  }
  if (step.names.size() != 3 && step.names.size() != 4)
    return refuseArguments(step.kind, text);
  auto memory = find(memoryNames(), step.names[2]);
  if (memory == memoryNames().end())
    return refuseArguments(step.kind, text);
  step.memory = Buffer::Memory(memory - memoryNames().begin());
  step.names.erase(step.names.begin() + 2);
  return Error::success();
}

/// `block.x`, or `stream:3`.
static Error takeTarget(Step &step, StringRef text) {
  if (step.names.size() != 2)
    return refuseArguments(step.kind, text);
  auto [word, number] = StringRef(step.names[1]).split(':');
  std::optional<LoopKind> target = parseLoopKind(word);
  bool counts = word.size() != step.names[1].size();
  if (!target || (counts && *target != LoopKind::Stream))
    return refuseArguments(step.kind, text);
  step.target = *target;
  if (*target == LoopKind::Stream)
    step.streams = DefaultStreams;
  if (counts) {
    Expected<int64_t> streams =
        parseFactor(number, "give a number, as in stream:3");
    if (!streams)
      return streams.takeError();
    // Whether a loop may have so many is for the pass to say.
    step.streams = unsigned(std::clamp<int64_t>(*streams, 0, UINT16_MAX));
  }
  step.names.pop_back();
  return Error::success();
}

/// Puts \p step's words, all in `names` so far, where they belong.
static Error takeArguments(Step &step, StringRef text) {
  size_t count = step.names.size();
  switch (step.kind) {
  case Step::Kind::StripMine:
    if (count != 2 && count != 4)
      return refuseArguments(step.kind, text);
    return takeFactor(step, 1);
  case Step::Kind::RegisterTile:
    if (count > 2)
      return refuseArguments(step.kind, text);
    return count == 2 ? takeFactor(step, 1) : Error::success();
  case Step::Kind::Map:
    return takeTarget(step, text);
  case Step::Kind::MinBlocks:
    if (count != 1)
      return refuseArguments(step.kind, text);
    return takeFactor(step, 0);
  case Step::Kind::Interchange:
    return Error::success();
  case Step::Kind::Stage:
    return takeStaging(step, text);
  case Step::Kind::ScalarReplace:
  case Step::Kind::IfConvert:
  case Step::Kind::Distribute:
  case Step::Kind::Unroll:
    return count == 1 ? Error::success() : refuseArguments(step.kind, text);
  }
  llvm_unreachable("a Step::Kind");
}

Expected<Step> parseStep(StringRef text) {
  auto [pass, arguments] = text.trim().split('=');
  auto known = find(passNames(), pass.trim());
  if (known == passNames().end())
    return refuse("usage", "there is no pass '" + pass.trim().str() + "'", {},
                  "the passes are " + join(passNames(), ", "));
  Step step{Step::Kind(known - passNames().begin()), {}, {}};
  SmallVector<StringRef> words;
  arguments.split(words, ',');
  for (StringRef word : words) {
    if (word.trim().empty())
      return refuseArguments(step.kind, text.trim());
    step.names.push_back(word.trim().str());
  }
  if (Error e = takeArguments(step, text.trim()))
    return std::move(e);
  return step;
}

Expected<std::vector<Step>> parseSchedule(StringRef text, StringRef file) {
  std::vector<Step> steps;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (size_t i = 0; i != lines.size(); ++i) {
    StringRef line = lines[i].split('#').first.trim();
    if (line.empty())
      continue;
    Expected<Step> step = parseStep(line);
    if (!step)
      return handleErrors(step.takeError(),
                          [&](std::unique_ptr<Refusal> r) -> Error {
                            r->file = file.str();
                            r->where.line = i + 1;
                            r->where.column = 1;
                            return Error(std::move(r));
                          });
    step->file = file.str();
    step->line = i + 1;
    steps.push_back(std::move(*step));
  }
  return steps;
}

} // namespace convopt
