//===- NewName.cpp - Names that passes are given --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NewName.h"
#include "convopt/Source/Lexemes.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

/// Names that emitted code could not declare.
static bool isReserved(StringRef name) {
  return isKeyword(name) ||
         is_contained({"threadIdx", "blockIdx", "blockDim", "gridDim"}, name);
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
