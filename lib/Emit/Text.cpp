//===- Text.cpp - Pieces of C that kernel, host and driver share ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"
#include "convopt/Print/Cuda.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::emit {

std::string ceilText(const Bound &b, const Names &names, bool nonNegative) {
  return cudaText(ceilOf(b, names, nonNegative));
}
std::string upperText(const Loop &l, const Names &names) {
  return cudaText(upperOf(l, names));
}
std::string lowerText(const Loop &l, const Names &names) {
  return cudaText(lowerOf(l, names));
}
std::string extentText(const Loop &l, const Names &names) {
  return cudaText(extentOf(l, names));
}

std::string accessText(const Nest &nest, const Access &a, const Names &names) {
  return nest.arrays[a.array].name + "[" + cudaText(offsetOf(nest, a, names)) +
         "]";
}

bool usesWord(StringRef text, StringRef word) {
  auto isPart = [](char c) { return isAlnum(c) || c == '_'; };
  for (size_t at = text.find(word); at != StringRef::npos;
       at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    // `threadIdx.x` is no use of `x`.
    if ((at == 0 || (!isPart(text[at - 1]) && text[at - 1] != '.')) &&
        (end == text.size() || !isPart(text[end])))
      return true;
  }
  return false;
}

std::string forComment(StringRef text) {
  std::string clean;
  for (char c : text)
    clean += isPrint(c) && c != '\\' ? c : '?';
  return clean;
}

} // namespace convopt::emit
