//===- Outline.cpp - Rare branches as functions of their own --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Program/Outline.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace convopt::program {

namespace {
using Variables = SmallPtrSet<const Variable *, 16>;

/// The variable whose value or elements \p a changes.
const Variable *assignedBy(const Assignment &a) {
  const Variable *first = nullptr;
  a.target.walk([&](const Expr &e) {
    if (!first)
      first = e.variable().get();
  });
  return first;
}

class Outliner {
public:
  Outliner(const Kernel &kernel, const std::string &function,
           const std::string &templateArguments,
           ArrayRef<VariableRef> everywhere)
      : kernel(kernel), function(function),
        templateArguments(templateArguments) {
    for (const VariableRef &v : everywhere)
      isEverywhere.insert(v.get());
    for (const StmtRef &s : kernel.body)
      if (const auto *d = dyn_cast<Declaration>(s.get()); d && d->isConstexpr)
        constants[d->variable.get()] = s;
  }

  bool run(Block &block) {
    for (size_t k = 0; k != block.size(); ++k)
      if (outline(block, k) || within(block[k]))
        return true;
    return false;
  }

private:
  bool within(StmtRef &s) {
    auto inBody = [&](auto copy) {
      const bool found = run(copy->body);
      if (found)
        s = copy;
      return found;
    };
    if (const auto *f = dyn_cast<For>(s.get()))
      return inBody(std::make_shared<For>(*f));
    if (const auto *scope = dyn_cast<Scope>(s.get()))
      return inBody(std::make_shared<Scope>(*scope));
    const auto *i = dyn_cast<If>(s.get());
    return i && inBody(std::make_shared<If>(*i));
  }

  bool outline(Block &block, size_t k) {
    const auto *rare = dyn_cast<If>(block[k].get());
    if (!rare || rare->renewed.empty() || !rare->otherwise.empty())
      return false;
    const auto next = block.begin() + k + 1;
    auto apart = std::make_shared<Scope>();
    Variables usedBefore;
    for (const StmtRef &s : reverse(ArrayRef(block).take_front(k))) {
      const auto *d = dyn_cast<Declaration>(s.get());
      if (d && (is_contained(rare->renewed, d->variable) ||
                (!d->value && d->variable->memory == Memory::Register &&
                 !usedBefore.contains(d->variable.get()))))
        apart->body.insert(apart->body.begin(), s);
      walkExprs({s},
                [&](const Expr &e) { usedBefore.insert(e.variable().get()); });
    }
    append_range(apart->body, rare->body);
    apart->body.insert(apart->body.end(), next, block.end());
    const Block rest(next, block.end());
    if (!isPlain(rest) || !takes(*apart))
      return false;
    apart->function = function;
    apart->templateArguments = templateArguments;
    auto both = std::make_shared<If>(*rare);
    both->body = {apart};
    both->otherwise = rest;
    both->renewed.clear();
    block.resize(k);
    block.push_back(both);
    return true;
  }

  /// Whether some threads may run \p rest in one place and others in another.
  static bool isPlain(const Block &rest) {
    bool isPlain = true;
    walk(rest, [&](const Stmt &s) {
      isPlain &= !isa<CallStmt, LocalFunction, Return>(&s);
    });
    return isPlain;
  }

  /// Finds the parameters of \p apart; false if no function can take them.
  bool takes(Scope &apart) const {
    auto isOfKernel = [&](const VariableRef &v) {
      return is_contained(kernel.parameters, v);
    };
    Variables own, changed;
    std::vector<VariableRef> used;
    walk(apart.body, [&](const Stmt &s) {
      if (const auto *d = dyn_cast<Declaration>(&s)) {
        own.insert(d->variable.get());
      } else if (const auto *f = dyn_cast<For>(&s)) {
        own.insert(f->variable.get());
      } else if (const auto *f = dyn_cast<LocalFunction>(&s)) {
        own.insert(f->name.get());
        own.insert(f->parameter.get());
      } else if (const auto *a = dyn_cast<Assignment>(&s)) {
        changed.insert(assignedBy(*a));
      }
    });
    walkExprs(apart.body, [&](const Expr &e) {
      if (e.variable() && !is_contained(used, e.variable()))
        used.push_back(e.variable());
    });
    erase_if(apart.body, [&](const StmtRef &s) {
      const auto *d = dyn_cast<Declaration>(s.get());
      return d && !d->value && !is_contained(used, d->variable);
    });
    stable_sort(used, [&](const VariableRef &a, const VariableRef &b) {
      return find(kernel.parameters, a) < find(kernel.parameters, b);
    });
    Block known;
    bool isKnown = true;
    for (const VariableRef &v : used) {
      if (auto c = constants.find(v.get()); c != constants.end())
        known.push_back(c->second);
      if (own.contains(v.get()) || constants.contains(v.get()) ||
          isEverywhere.contains(v.get()) || v->memory == Memory::Constant ||
          isThreadIndex(*v) || isBlockIndex(*v))
        continue;
      const bool isValue = !v->isArray() && v->memory == Memory::Register &&
                           v->type.kind != Type::Function &&
                           v->type.kind != Type::Handle;
      const bool isMemory = v->memory == Memory::Shared && v->isArray() &&
                            v->box.empty() && v->type.kind != Type::Barrier &&
                            isSized(*v);
      if (isOfKernel(v) ? v->type.kind == Type::Handle
                        : !isMemory && (!isValue || changed.contains(v.get())))
        return false;
      apart.parameters.push_back(v);
    }
    append_range(apart.parameters, kernel.scalars);
    walkExprs(known, [&](const Expr &e) {
      isKnown &= !e.variable() || isEverywhere.contains(e.variable().get());
    });
    apart.body.insert(apart.body.begin(), known.begin(), known.end());
    return isKnown;
  }

  /// Whether the extents of \p v are known everywhere.
  bool isSized(const Variable &v) const {
    bool isSized = true;
    for (const Expr &e : v.extents)
      e.walk([&](const Expr &part) {
        isSized &=
            !part.variable() || isEverywhere.contains(part.variable().get());
      });
    return isSized;
  }

  const Kernel &kernel;
  const std::string &function, &templateArguments;
  Variables isEverywhere;
  DenseMap<const Variable *, StmtRef> constants; // of the kernel's instance
};
} // namespace

void outlineRare(Kernel &kernel, const std::string &function,
                 const std::string &templateArguments,
                 ArrayRef<VariableRef> everywhere) {
  Outliner(kernel, function, templateArguments, everywhere).run(kernel.body);
}

std::vector<const Scope *> outlinedIn(const Block &block) {
  std::vector<const Scope *> all;
  walk(block, [&](const Stmt &s) {
    if (const auto *scope = dyn_cast<Scope>(&s);
        scope && !scope->function.empty())
      all.push_back(scope);
  });
  return all;
}

} // namespace convopt::program
