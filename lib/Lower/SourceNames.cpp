//===- SourceNames.cpp - Names that the source may not use ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Lower/SourceNames.h"
#include "convopt/Source/Lexemes.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

/// Whether \p name is one that CUDA has in every kernel, or of its grid.
static bool isNameOfLaunch(StringRef name) {
  return is_contained({"blockDim", "blockIdx", "dim3", "gridDim", "threadIdx"},
                      name);
}

bool isCudaName(StringRef name) {
  return isNameOfLaunch(name) ||
         (name.consume_front("cuda") && !name.empty() && isUpper(name.front()));
}

Error checkLanguage(const Nest &nest) {
  auto check = [&](const std::string &name, SourceRange where) -> Error {
    if (!isKeyword(name))
      return Error::success();
    return refuse("structure", "'" + name + "' is a keyword of CUDA C++",
                  where.isKnown() ? where : nest.function.range, "rename it");
  };
  for (const Param &p : nest.params)
    if (Error e = check(p.name, p.range))
      return e;
  for (const Loop *l : loops(nest))
    if (Error e = check(nest.loopNames[l->id], l->range))
      return e;
  for (const std::string &loop : nest.loopNames)
    if (Error e = check(loop, {}))
      return e;
  for (const Array &a : nest.arrays) {
    if (Error e = check(a.name, a.range))
      return e;
    if (a.elementType == "long double")
      return refuse("structure",
                    "'" + a.name + "' is long double, which " +
                        "device code does not have",
                    a.range, "use double");
  }
  return check(nest.function.name, nest.function.range);
}

/// The names that the added functions have from the source, but for arrays that
/// are made in the nest.
static std::vector<StringRef> givenNames(const Nest &nest) {
  std::vector<StringRef> names;
  for (const Argument &a : nest.function.arguments)
    names.push_back(a.name);
  for (const Parameter &p : nest.function.parameters)
    names.push_back(p.name);
  for (const Param &p : nest.params)
    names.push_back(p.name);
  for (const std::string &t : nest.function.templateArgs)
    names.push_back(t);
  for (const Array &a : nest.arrays)
    names.push_back(a.name);
  return names;
}

static Error refuseName(const Nest &nest, StringRef name, StringRef why) {
  return refuse("structure", ("'" + name + "' is " + why).str(),
                nest.function.range, "rename the parameter or variable");
}

Error checkHostNames(const Nest &nest) {
  static const char *const ofC[] = {"EXIT_FAILURE", "INT_MAX", "SIZE_MAX",
                                    "size_t", "stderr"};
  for (StringRef name : givenNames(nest))
    if (isNameOfLaunch(name) || is_contained(ofC, name))
      return refuseName(nest, name,
                        "a name of CUDA or C that the emitted code needs");
  for (const Argument &a : nest.function.arguments)
    if (a.name == nest.function.name)
      return refuseName(
          nest, a.name,
          "the function's own name, which the emitted code calls");
  return Error::success();
}

Error checkUsedNames(const Nest &nest, const StringSet<> &used) {
  for (StringRef name : givenNames(nest)) {
    if (!used.contains(name))
      continue;
    return refuseName(nest, name,
                      isCudaName(name)
                          ? "a name of CUDA or C that the emitted code needs"
                          : "a function that the emitted code calls");
  }
  return Error::success();
}

} // namespace convopt
