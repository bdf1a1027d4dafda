//===- NewName.cpp - Names that passes are given --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NewName.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

/// Names that emitted code could not declare.
static bool isReserved(StringRef name) {
  static constexpr StringRef words[] = {
      "alignas",  "alignof",  "and",       "asm",       "auto",     "bool",
      "break",    "case",     "catch",     "char",      "class",    "const",
      "continue", "decltype", "default",   "delete",    "do",       "double",
      "else",     "enum",     "explicit",  "export",    "extern",   "false",
      "float",    "for",      "friend",    "goto",      "if",       "inline",
      "int",      "long",     "mutable",   "namespace", "new",      "noexcept",
      "not",      "nullptr",  "operator",  "or",        "private",  "protected",
      "public",   "register", "restrict",  "return",    "short",    "signed",
      "sizeof",   "static",   "struct",    "switch",    "template", "this",
      "throw",    "true",     "try",       "typedef",   "typeid",   "typename",
      "union",    "unsigned", "using",     "virtual",   "void",     "volatile",
      "while",    "xor",      "threadIdx", "blockIdx",  "blockDim", "gridDim"};
  return is_contained(words, name);
}

Error checkNewName(const Nest &nest, StringRef name, StringRef thing,
                   SourceRange where) {
  bool isIdentifier =
      (isAlpha(name.front()) || name.front() == '_') &&
      all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
  if (!isIdentifier)
    return refuse("usage",
                  "'" + name.str() + "' is no name for a " + thing.str(), where,
                  "use letters, digits and '_'");
  if (isReserved(name))
    return refuse("usage",
                  "'" + name.str() + "' means something else in CUDA C++",
                  where, "choose another name for the new " + thing.str());
  if (nest.hasName(name))
    return refuse("usage", "the name '" + name.str() + "' is taken", where,
                  "choose another name for the new " + thing.str());
  return Error::success();
}

} // namespace convopt
