//===- Signature.cpp - How the host declares functions --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Lower/Signature.h"

using namespace llvm;

namespace convopt {

std::string declare(StringRef type, StringRef name) {
  auto [before, after] = type.split('@');
  return (before + (type.contains('@') ? "" : " ") + name + after).str();
}

/// As C++ and C declare \p a alike.
static std::string hostParameter(const Nest &nest, const Argument &a) {
  if (a.role != Argument::ArrayArg)
    return declare(a.type, a.name);
  const Array &array = nest.arrays[a.index];
  return (array.role == Array::Input ? "const " : "") + array.elementType +
         " *" + a.name;
}

std::vector<std::string> hostParameters(const Nest &nest) {
  std::vector<std::string> all;
  for (const Argument &a : nest.function.arguments)
    all.push_back(hostParameter(nest, a));
  return all;
}

std::string originalName(const Nest &nest, const LowerOptions &options) {
  return nest.function.name +
         (options.isLocal ? options.suffix + "_original" : "");
}

std::string hostName(const Function &f, bool isC, StringRef suffix) {
  return (f.name + suffix + (isC && f.hasParts() ? "_flat" : "")).str();
}

} // namespace convopt
