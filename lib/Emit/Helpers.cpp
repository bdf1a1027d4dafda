//===- Helpers.cpp - Functions that emitted files share -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "convopt/Nest/LocalNames.h"
#include "convopt/Transforms/MapLoop.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace convopt::emit {

/// By Helper.
static const StringRef texts[] = {
    "",
#include "floordiv.inc"
    ,
#include "vector.inc"
    ,
#include "vector_of.inc"
    ,
#include "copy_async.inc"
    ,
#include "copy_or_zeros.inc"
    ,
#include "across.inc"
    ,
#include "bulk.inc"
    ,   "",
#include "elements.inc"
    ,
#include "overlap.inc"
    ,
#include "constants.inc"
    ,
#include "streams.inc"
    ,
#include "fallback.inc"
    ,
#include "take.inc"
    ,
#include "copy.inc"
    ,
#include "copy_box.inc"
    ,
#include "pin.inc"
    ,
#include "encode.inc"
    ,
#include "symbol.inc"
    ,
#include "fetch.inc"
    ,
};

static const char tensorCopy[] =
#include "tensor_copy.inc"
    ;

/// \p text with each of \p words replaced by what stands beside it.
static std::string
filledIn(std::string text,
         ArrayRef<std::pair<const char *, std::string>> words) {
  for (const auto &[word, with] : words)
    for (size_t at; (at = text.find(word)) != std::string::npos;)
      text.replace(at, strlen(word), with);
  return text;
}

static bool isOfName(char c) { return isAlnum(c) || c == '_'; }

std::string helperText(Helper h, StringRef prefix,
                       ArrayRef<std::string> reserved) {
  StringSet<> used;
  used.insert_range(reserved);
  StringMap<std::string> own;
  std::string text;
  StringRef rest = texts[size_t(h)];
  while (!rest.empty()) {
    if (rest.consume_front("$")) {
      StringRef word = rest.take_while(isOfName);
      rest = rest.drop_front(word.size());
      std::string &name = own[word];
      if (name.empty())
        name = freshName(word, used);
      text += name;
      continue;
    }
    text += rest.take_while([](char c) { return c != '$'; });
    rest = rest.drop_while([](char c) { return c != '$'; });
  }
  return filledIn(text, {{"HELPER", prefix.str()},
                         {"MAX_STREAMS", std::to_string(MaxStreams)}});
}

/// TMA takes coordinates of the fastest dimension first.
std::string tensorCopyTexts(const std::set<unsigned> &ranks) {
  std::string text;
  for (unsigned rank : ranks) {
    std::vector<std::string> parameters, numbers, operands;
    for (unsigned k = 0; k != rank; ++k) {
      parameters.push_back("int c" + std::to_string(rank - 1 - k));
      numbers.push_back("%" + std::to_string(3 + k));
      operands.push_back("\"r\"(c" + std::to_string(k) + ")");
    }
    text += filledIn(tensorCopy, {{"RANK", std::to_string(rank)},
                                  {"PARAMETERS", join(parameters, ", ")},
                                  {"NUMBERS", join(numbers, ", ")},
                                  {"OPERANDS", join(operands, ", ")}});
  }
  return text;
}

} // namespace convopt::emit
