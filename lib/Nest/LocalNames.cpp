//===- LocalNames.cpp - Names of what a nest makes ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/LocalNames.h"
#include "convopt/Source/Lexemes.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace convopt {

StringSet<> usedNames(const Nest &nest) {
  StringSet<> used;
  auto addWords = [&](StringRef text) {
    for (const Lexeme &l : lexemes(text))
      if (l.kind == Lexeme::Word)
        used.insert(l.text);
  };
  for (const Param &p : nest.params)
    used.insert(p.name);
  for (const Array &a : nest.arrays) {
    used.insert(a.name);
    addWords(a.elementType);
  }
  for (const Argument &a : nest.function.arguments) {
    used.insert(a.name);
    addWords(a.type);
  }
  for (const Parameter &p : nest.function.parameters) {
    used.insert(p.name);
    addWords(p.type);
  }
  for (const std::string &t : nest.function.templateArgs)
    used.insert(t);
  for (const std::string &t : nest.function.gridText)
    addWords(t);
  for (const StatementPath &p : statements(nest)) {
    addWords(p.statement->text);
    addWords(p.statement->fused);
    for (const Operand &o : p.statement->operands)
      if (o.otherwise != AtBorder)
        addWords(o.otherwise);
  }
  return used;
}

std::string freshName(StringRef wish, StringSet<> &used) {
  std::string name = wish.str();
  for (unsigned n = 2; used.contains(name); ++n)
    name = (wish + Twine(wish.back() >= '0' && wish.back() <= '9' ? "_" : "") +
            Twine(n))
               .str();
  used.insert(name);
  return name;
}

Nest withFreshLocalNames(const Nest &nest, ArrayRef<std::string> reserved) {
  Nest result = nest;
  for (Array &a : result.arrays)
    if (a.isLocal())
      a.name.clear();
  StringSet<> used = usedNames(result);
  used.insert(nest.function.name);
  used.insert(reserved.begin(), reserved.end());
  for (size_t k = 0; k != nest.arrays.size(); ++k)
    if (nest.arrays[k].isLocal())
      result.arrays[k].name = freshName(nest.arrays[k].name, used);
  return result;
}

} // namespace convopt
