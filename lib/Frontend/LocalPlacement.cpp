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

using namespace llvm;

namespace convopt {

static bool needsValue(const Statement &s, unsigned array) {
  return (s.isReduction() && s.target.array == array) || reads(s, array);
}

/// \p body with the local \p array called \p id.
static Body renamed(const Body &body, unsigned array, unsigned id) {
  return rewrite(body, [&](const NodeRef &n) -> std::optional<Body> {
    if (const auto *local = dyn_cast<Local>(n.get());
        local && local->array == array)
      return Body{std::make_shared<Local>(id, n->range)};
    const auto *s = dyn_cast<Statement>(n.get());
    if (!s || !touches(*s, array))
      return std::nullopt;
    return Body{mapAccesses(*s, [&](Access &a) {
      if (a.array == array)
        a.array = id;
    })};
  });
}

namespace {
class Placement {
public:
  explicit Placement(NestBuilder &b) : b(b), nest(b.nest) {}
  Body place(const Body &body);

private:
  std::optional<Body> sink(const Body &body, const NodeRef &local);
  std::optional<Body> sinkApart(const Body &body, const NodeRef &local,
                                ArrayRef<size_t> uses);
  unsigned addCopy(unsigned array);

  NestBuilder &b;
  Nest &nest;
};
} // namespace

/// Another local like \p array.
unsigned Placement::addCopy(unsigned array) {
  const unsigned id = nest.arrays.size();
  Array copy = nest.arrays[array];
  copy.name = b.freshArrayName(copy.name);
  nest.arrays.push_back(std::move(copy));
  b.sourceArrays.push_back(b.sourceArrays[array]);
  for (const Loop *l : loops(nest))
    if (b.setFirst.count({l->id, array}))
      b.setFirst.insert({l->id, id});
  return id;
}

/// \p body with \p local declared in each of those of its nodes that use it, as
/// loops do that follow one another: none has a value from the one before.
std::optional<Body> Placement::sinkApart(const Body &body, const NodeRef &local,
                                         ArrayRef<size_t> uses) {
  const unsigned array = cast<Local>(local.get())->array;
  Body result = body;
  for (size_t at : uses) {
    if (!bodyOf(*body[at]))
      return std::nullopt;
    const std::optional<Body> sunk = sink({body[at]}, local);
    if (!sunk || sunk->size() != 1)
      return std::nullopt;
    result[at] = sunk->front();
  }
  for (size_t at : uses.drop_front())
    result[at] = renamed({result[at]}, array, addCopy(array)).front();
  return result;
}

/// \p body with \p local declared in it, as deep as may be; none where the
/// first use is no plain assignment and no loop is in b.setFirst.
std::optional<Body> Placement::sink(const Body &body, const NodeRef &local) {
  unsigned array = cast<Local>(local.get())->array;
  std::vector<size_t> uses;
  for (auto [k, n] : enumerate(body))
    if (touches({n}, array))
      uses.push_back(k);
  if (uses.empty())
    return body;
  Body result = body;
  const NodeRef &first = body[uses[0]];
  if (const Body *inner = bodyOf(*first); inner && uses.size() == 1) {
    std::optional<Body> sunk = sink(*inner, local);
    const auto *l = dyn_cast<Loop>(first.get());
    if (!sunk && l && b.setFirst.count({l->id, array})) {
      sunk = *inner;
      sunk->insert(sunk->begin(), local);
    }
    if (!sunk)
      return std::nullopt;
    result[uses[0]] = withBody(*first, std::move(*sunk));
    return result;
  }
  const auto *s = dyn_cast<Statement>(first.get());
  if (!s)
    return sinkApart(body, local, uses);
  if (s->op != Statement::Op::Assign || s->target.array != array ||
      !s->target.subscripts.empty() || needsValue(*s, array))
    return std::nullopt;
  result.insert(result.begin() + uses[0], local);
  return result;
}

Body Placement::place(const Body &body) {
  Body result;
  for (const NodeRef &n : body)
    if (const Body *inner = bodyOf(*n))
      result.push_back(withBody(*n, place(*inner)));
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
        rest += s->target.array == array && b.initialisers.count(s->id);
    Body after(result.begin() + rest, result.end());
    if (std::optional<Body> sunk = sink(after, local)) {
      result.resize(k);
      append_range(result, *sunk);
    }
  }
  return result;
}

/// \p body where each iteration of a loop begins with `acc = 0`, if each ends
/// with that and the first finds the same.
static Body setAtStart(const NestBuilder &b, unsigned array) {
  const Body &body = b.nest.body;
  std::vector<StatementPath> uses;
  for (StatementPath &p : statements(b.nest))
    if (touches(*p.statement, array))
      uses.push_back(std::move(p));
  if (uses.size() < 3)
    return body;
  const StatementPath &first = uses.front(), &last = uses.back();
  const NodeRef loop =
      last.enclosing.empty() ? NodeRef() : last.enclosing.back();
  auto isConstant = [&](const Statement &s) {
    return s.op == Statement::Op::Assign && s.target.array == array &&
           s.target.subscripts.empty() && s.operands.empty();
  };
  if (!isa_and_nonnull<Loop>(loop.get()) || !isConstant(*first.statement) ||
      !isConstant(*last.statement) ||
      first.statement->text != last.statement->text ||
      b.unconverted.count(first.statement->id) !=
          b.unconverted.count(last.statement->id) ||
      first.enclosing.size() >= last.enclosing.size() ||
      !std::equal(first.enclosing.begin(), first.enclosing.end(),
                  last.enclosing.begin()) ||
      !all_of(drop_begin(uses), [&](const StatementPath &p) {
        return is_contained(p.enclosing, loop);
      }))
    return body;
  return rewrite(body, [&](const NodeRef &n) -> std::optional<Body> {
    if (n.get() == first.statement)
      return Body{};
    if (n != loop)
      return std::nullopt;
    Body all = cast<Loop>(n.get())->body;
    auto at = find_if(
        all, [&](const NodeRef &one) { return one.get() == last.statement; });
    std::rotate(all.begin(), at, std::next(at));
    return Body{withBody(*n, std::move(all))};
  });
}

void placeLocals(NestBuilder &b) {
  for (const auto &[id, array] : enumerate(b.nest.arrays))
    if (array.isLocal())
      b.nest.body = setAtStart(b, id);
  b.nest.body = Placement(b).place(b.nest.body);
}

} // namespace convopt
