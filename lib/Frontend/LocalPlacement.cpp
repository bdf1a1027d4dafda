//===- LocalPlacement.cpp - Variables declared outside their loop ---------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   float sum;                    for y
//   for y                           for x
//     for x              ->           local sum
//       sum = 0                       sum = 0
//       for i: sum += ...             for i: sum += ...
//
// Each execution of a declaration makes a new variable, so that the loops
// around it carry nothing through it.
//
//===----------------------------------------------------------------------===//

#include "Resolve.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

static bool needsValue(const Statement &s, unsigned array) {
  return (s.isReduction() && s.target.array == array) || reads(s, array);
}

static bool mentions(const NodeRef &n, unsigned array) {
  return any_of(collect<Statement>({n}),
                [&](const Statement *s) { return touches(*s, array); });
}

using SetFirst = std::set<std::pair<unsigned, unsigned>>;

/// \p body with \p local declared in it, as deep as may be; none where the
/// first use is no plain assignment and no loop is in \p setFirst.
static std::optional<Body> sink(const Body &body, const NodeRef &local,
                                const SetFirst &setFirst) {
  unsigned array = cast<Local>(local.get())->array;
  std::vector<size_t> uses;
  for (auto [k, n] : enumerate(body))
    if (mentions(n, array))
      uses.push_back(k);
  if (uses.empty())
    return body;
  Body result = body;
  const NodeRef &first = body[uses[0]];
  if (const Body *inner = bodyOf(*first); inner && uses.size() == 1) {
    std::optional<Body> sunk = sink(*inner, local, setFirst);
    const auto *l = dyn_cast<Loop>(first.get());
    if (!sunk && l && setFirst.count({l->id, array})) {
      sunk = *inner;
      sunk->insert(sunk->begin(), local);
    }
    if (!sunk)
      return std::nullopt;
    result[uses[0]] = withBody(*first, std::move(*sunk));
    return result;
  }
  const auto *s = dyn_cast<Statement>(first.get());
  if (!s || s->op != Statement::Op::Assign || s->target.array != array ||
      !s->target.subscripts.empty() || needsValue(*s, array))
    return std::nullopt;
  result.insert(result.begin() + uses[0], local);
  return result;
}

static Body place(const Body &body, const std::set<unsigned> &initialisers,
                  const SetFirst &setFirst) {
  Body result;
  for (const NodeRef &n : body)
    if (const Body *inner = bodyOf(*n))
      result.push_back(withBody(*n, place(*inner, initialisers, setFirst)));
    else
      result.push_back(n);
  for (size_t k = result.size(); k-- > 0;) {
    if (!isa<Local>(result[k].get()))
      continue;
    NodeRef local = result[k];
    unsigned array = cast<Local>(local.get())->array;
    size_t rest = k + 1;
    if (rest != result.size())
      if (const auto *s = dyn_cast<Statement>(result[rest].get()))
        rest += s->target.array == array && initialisers.count(s->id);
    Body after(result.begin() + rest, result.end());
    if (std::optional<Body> sunk = sink(after, local, setFirst)) {
      result.resize(k);
      append_range(result, *sunk);
    }
  }
  return result;
}

void placeLocals(Nest &nest, const std::set<unsigned> &initialisers,
                 const SetFirst &setFirst) {
  nest.body = place(nest.body, initialisers, setFirst);
}

} // namespace convopt
