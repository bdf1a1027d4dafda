//===- AddedNames.cpp - Names that the source has already -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "convopt/Lower/SourceNames.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace convopt {

/// The words of \p code, of comments and literals, too.
static StringSet<> namesIn(StringRef code) {
  StringSet<> words;
  auto isPart = [](char c) { return isAlnum(c) || c == '_'; };
  while (!code.empty()) {
    StringRef word = code.take_while(isPart);
    code = code.drop_front(std::max<size_t>(1, word.size()));
    words.insert(word);
  }
  return words;
}

static Error refuseName(const DeclaredName &d, const Twine &why,
                        const Twine &remedy) {
  auto refusal = std::make_unique<Refusal>(ExitStatus::BadInput, "names",
                                           ("'" + d.name + "' " + why).str(),
                                           d.where, remedy.str());
  refusal->file = d.file;
  return Error(std::move(refusal));
}

Error checkAddedNames(const SourceNest &source, StringRef code,
                      StringRef suffix) {
  const std::string stem = source.nest.function.name + suffix.str();
  const StringSet<> words = namesIn(code);
  for (const DeclaredName &d : source.declared) {
    if (!words.contains(d.name))
      continue;
    StringRef rest = d.name;
    if (rest.consume_front(stem) && (rest.empty() || rest.starts_with("_")))
      return refuseName(d,
                        "is declared here, and would be again by what is added",
                        "give the added functions other names with -suffix=");
    if (!source.isC && d.file.empty() && isCudaName(d.name))
      return refuseName(d, "is a name of CUDA that the added code needs",
                        "rename it");
  }
  return Error::success();
}

} // namespace convopt
