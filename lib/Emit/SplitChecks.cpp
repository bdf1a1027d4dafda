//===- SplitChecks.cpp - Which sums blocks can share ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitChecks.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::emit {

/// What \p body writes: arrays, and buffers that it fills.
static std::set<unsigned> writtenIn(const Body &body) {
  std::set<unsigned> written;
  walk(body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const auto *s = dyn_cast<Statement>(&n))
      written.insert(s->target.array);
    if (const auto *c = dyn_cast<Copy>(&n); c && !c->isStore)
      written.insert(c->buffer);
  });
  return written;
}

/// What \p body reads: arrays, and buffers in their place.
static std::set<unsigned> readIn(const Body &body) {
  std::set<unsigned> read;
  walk(body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const auto *s = dyn_cast<Statement>(&n))
      for (const Operand &o : s->operands)
        if (o.kind == Operand::Read)
          read.insert(o.access.buffer.value_or(o.access.array));
    if (const auto *c = dyn_cast<Copy>(&n))
      read.insert(c->isStore ? c->buffer : c->from.value_or(c->buffer));
  });
  return read;
}

std::pair<Body, Body> aroundSplit(const Body &body, const Loop &loop) {
  const auto at =
      find_if(body, [&](const NodeRef &n) { return n.get() == &loop; });
  return {Body(body.begin(), at),
          at == body.end() ? Body() : Body(at + 1, body.end())};
}

const Statement *setterOf(const Body &body, unsigned sum) {
  std::vector<const Statement *> all;
  bool isOnce = true;
  walk(body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *s = dyn_cast<Statement>(&n);
    if (!s || s->target.array != sum)
      return;
    all.push_back(s);
    isOnce &= all_of(enclosing, [&](const NodeRef &around) {
      const auto *l = dyn_cast<Loop>(around.get());
      return !l || any_of(s->target.subscripts, [&](const IndexExpr &e) {
        return (e - IndexExpr::loop(l->id)).isConstant();
      });
    });
  });
  return isOnce && all.size() == 1 ? all.front() : nullptr;
}

Error checkSplit(const Nest &nest, const Mapping &m) {
  const Loop &loop = *m.split->loop;
  const std::string name = "loop '" + nest.loopNames[loop.id] + "'";
  auto refused = [&](const std::string &why, SourceRange range,
                     const std::string &remedy) {
    return refuse("Mapping", name + ", whose blocks share a sum, " + why, range,
                  remedy);
  };
  if (!m.hostLoops().empty())
    return refused("stands in a loop of launches", loop.range,
                   "leave out 'map=" + nest.loopNames[m.hostLoops()[0]->id] +
                       "," + str(m.hostLoops()[0]->kind).str() + "'");
  if (none_of(*m.thread, [&](const NodeRef &n) { return n.get() == &loop; }))
    return refused("stands within a loop or guard of a thread", loop.range,
                   "interchange it outwards");
  const auto [before, after] = aroundSplit(*m.thread, loop);
  for (unsigned sum : m.split->sums) {
    const Statement *setter = setterOf(before, sum);
    const bool isDeclared = any_of(before, [&](const NodeRef &n) {
      const auto *local = dyn_cast<Local>(n.get());
      return local && local->array == sum;
    });
    if (!setter || !isDeclared)
      return refused(
          "adds to '" + nest.arrays[sum].name +
              "', which is not set once, by one statement, before it",
          loop.range, "set it once, where it is declared");
  }
  // Both kernels run what comes before.
  Error result = Error::success();
  auto checkOnce = [&](const Body &body, const char *what) {
    walk(body, [&](const Node &n, const std::vector<NodeRef> &) {
      const auto *s = dyn_cast<Statement>(&n);
      const auto *c = dyn_cast<Copy>(&n);
      if (result || !((s && !nest.arrays[s->target.array].isLocal()) ||
                      (c && c->isStore)))
        return;
      consumeError(std::move(result));
      result = refused(what, n.range, "put that after the loop");
    });
  };
  checkOnce(before, "comes after a write to memory");
  if (!result)
    checkOnce(loop.body, "does more than add to it");
  if (result)
    return result;
  const std::set<unsigned> used = readIn(after);
  for (unsigned array : writtenIn(loop.body))
    if (!is_contained(m.split->sums, array) && used.count(array))
      return refused("leaves something in '" + nest.arrays[array].name +
                         "' besides",
                     loop.range, "compute or stage that after the loop");
  return Error::success();
}

} // namespace convopt::emit
