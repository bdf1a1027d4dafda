//===- CarriedNumbers.cpp - Numbers that loops set for others -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedNumbers.h"
#include "Outline.h"

using namespace llvm;

namespace convopt {

CarriedNumbers::CarriedNumbers(const LoopVariables &v, StringRef text,
                               Declare declare) {
  for (const auto &[variable, use] : v.carried) {
    Number n{variable, use, "", "", ""};
    n.parameter =
        freshName(n.name() + (use.isRead ? "_result" : "_start"), text);
    n.declaration = declare(variable, (use.isRead ? "*" : "") + n.parameter);
    n.temporary = declare(variable, n.parameter);
    all.push_back(std::move(n));
  }
}

std::vector<std::string> CarriedNumbers::parameters() const {
  std::vector<std::string> result;
  for (const Number &n : all)
    result.push_back(n.declaration);
  return result;
}

std::vector<std::string> CarriedNumbers::arguments() const {
  std::vector<std::string> result;
  for (const Number &n : all)
    result.push_back(n.use.isRead ? "&" + n.parameter : n.name());
  return result;
}

std::string CarriedNumbers::startOf(const clang::VarDecl *v) const {
  for (const Number &n : all)
    if (n.variable == v && n.use.starts)
      return n.parameter + (n.use.isRead ? "[0]" : "");
  return "";
}

size_t CarriedNumbers::results() const {
  return count_if(all, [](const Number &n) { return n.use.isRead; });
}

std::string CarriedNumbers::storeResults() const {
  std::string text;
  for (const Number &n : all)
    if (n.use.isRead)
      text += "  " + n.parameter + "[0] = " + n.name() + ";\n";
  return text;
}

std::string CarriedNumbers::beforeCall(size_t indent) const {
  if (!results())
    return "";
  const std::string line = "\n" + std::string(indent + 2, ' ');
  std::string text = "{" + line;
  for (const Number &n : all)
    if (n.use.isRead)
      text += n.temporary + (n.use.starts ? " = " + n.name() : "") + ";" + line;
  return text;
}

std::string CarriedNumbers::afterCall(size_t indent) const {
  if (!results())
    return "";
  std::string text;
  for (const Number &n : all)
    if (n.use.isRead)
      text += "\n" + std::string(indent + 2, ' ') + n.name() + " = " +
              n.parameter + ";";
  return text + "\n" + std::string(indent, ' ') + "}";
}

} // namespace convopt
