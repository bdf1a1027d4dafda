//===- ProgramPlant.h - A place in a kernel ---------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_PROGRAMPLANT_H
#define CONVOPT_TEST_UNIT_RANDOM_PROGRAMPLANT_H

#include "convopt/Program/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

namespace convopt::test {

using namespace program; // what is planted is made of them
using llvm::function_ref;

/// A kernel of which one place is changed.
class ProgramPlant {
public:
  ProgramPlant(const Kernel &kernel, uint64_t where)
      : kernel(kernel), where(where) {}

  Kernel kernel;
  const uint64_t where;
  uint64_t places = 0; // that there are

  bool isHere() { return places++ == where; }

  /// \p change gives what stands for a \p T that is here.
  template <typename T>
  void replace(function_ref<std::optional<Block>(const T &)> change) {
    kernel.body = rewritten(kernel.body, [&](const Stmt &s) {
      const auto *t = llvm::dyn_cast<T>(&s);
      return t ? change(*t) : std::nullopt;
    });
  }
  /// Changes the first \p T for which \p isPlace holds and that is here.
  template <typename T>
  void edit(function_ref<bool(const T &)> isPlace, function_ref<void(T &)> to) {
    replace<T>([&](const T &t) -> std::optional<Block> {
      if (!isPlace(t) || !isHere())
        return std::nullopt;
      auto copy = std::make_shared<T>(t);
      to(*copy);
      return Block{copy};
    });
  }
  /// Puts \p s before all else.
  void begin(StmtRef s) {
    if (isHere())
      kernel.body.insert(kernel.body.begin(), std::move(s));
  }
  bool uses(const VariableRef &v) const {
    bool result = false;
    walkExprs(kernel.body, [&](const Expr &e) { result |= e.variable() == v; });
    return result;
  }

private:
  static Block
  rewritten(const Block &block,
            function_ref<std::optional<Block>(const Stmt &)> change) {
    Block result;
    for (const StmtRef &s : block)
      if (std::optional<Block> other = change(*s))
        llvm::append_range(result, *other);
      else
        result.push_back(rebuilt(s, change));
    return result;
  }
  static StmtRef
  rebuilt(const StmtRef &s,
          function_ref<std::optional<Block>(const Stmt &)> change) {
    auto with = [&](auto copy) -> StmtRef {
      copy->body = rewritten(copy->body, change);
      return copy;
    };
    if (const auto *f = llvm::dyn_cast<For>(s.get()))
      return with(std::make_shared<For>(*f));
    if (const auto *i = llvm::dyn_cast<If>(s.get())) {
      auto copy = std::make_shared<If>(*i);
      copy->otherwise = rewritten(copy->otherwise, change);
      return with(copy);
    }
    if (const auto *scope = llvm::dyn_cast<Scope>(s.get()))
      return with(std::make_shared<Scope>(*scope));
    if (const auto *f = llvm::dyn_cast<LocalFunction>(s.get()))
      return with(std::make_shared<LocalFunction>(*f));
    return s;
  }
};

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_PROGRAMPLANT_H
