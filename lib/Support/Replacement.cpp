//===- Replacement.cpp - Edits of a text ----------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Support/Replacement.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

std::string edited(StringRef text, std::vector<Replacement> edits) {
  llvm::stable_sort(edits, [](const Replacement &a, const Replacement &b) {
    return a.begin < b.begin;
  });
  std::string result;
  size_t done = 0;
  for (const Replacement &edit : edits) {
    result += text.slice(done, edit.begin);
    result += edit.text;
    done = edit.end;
  }
  return result + text.substr(done).str();
}

} // namespace convopt
