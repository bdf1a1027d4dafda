//===- Rebase.cpp - A transformed nest taken as an original ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   S1[o, y = 16 * y_o + y_i]: a[o][y] = b[y]
//
// becomes
//
//   S0: a[o][16 * y_o + y_i] = b[16 * y_o + y_i]
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Text.h"

using namespace llvm;

namespace convopt {
namespace {

class Rebase {
public:
  explicit Rebase(Nest &nest) : nest(nest) {}

  Body body(const Body &old);

private:
  NodeRef statement(const Statement &old);
  void access(Access &a, const Statement &old);

  Nest &nest;
  std::vector<unsigned> enclosing;
  std::set<unsigned> unfolded; // buffers whose coordinates are rebased
  unsigned nextId = 0;
};

} // namespace

/// Leading expanded subscripts are over current loops already.
void Rebase::access(Access &a, const Statement &old) {
  unsigned expanded = nest.arrays[a.array].expandedDims;
  for (IndexExpr &e : drop_begin(a.subscripts, expanded))
    e = overCurrentLoops(old, e);
  if (!a.buffer || !nest.arrays[*a.buffer].buffer->unfolding ||
      unfolded.count(*a.buffer))
    return;
  // Those of what the buffer is filled from are the same.
  const Unfolding before = *nest.arrays[*a.buffer].buffer->unfolding;
  for (auto [k, array] : enumerate(nest.arrays))
    if (array.buffer && array.buffer->unfolding == before &&
        unfolded.insert(k).second)
      for (IndexExpr &e : array.buffer->unfolding->coordinates)
        e = overCurrentLoops(old, e);
}

NodeRef Rebase::statement(const Statement &old) {
  auto s = std::make_shared<Statement>(nextId++, old.range);
  s->op = old.op;
  s->fused = old.fused;
  s->target = old.target;
  s->text = old.text;
  s->operands = old.operands;
  access(s->target, old);
  for (Operand &o : s->operands) {
    if (o.kind == Operand::Read)
      access(o.access, old);
    o.index = overCurrentLoops(old, o.index);
    for (auto *conditions : {&o.guard, o.readBefore ? &*o.readBefore : nullptr})
      if (conditions)
        for (Constraint &c : *conditions)
          c.expr = overCurrentLoops(old, c.expr);
  }
  s->iterators = enclosing;
  for (unsigned id : enclosing)
    s->instance.push_back(IndexExpr::loop(id));
  return s;
}

Body Rebase::body(const Body &old) {
  Body result;
  for (const NodeRef &node : old) {
    if (const auto *s = dyn_cast<Statement>(node.get())) {
      result.push_back(statement(*s));
    } else if (const auto *l = dyn_cast<Loop>(node.get())) {
      enclosing.push_back(l->id);
      result.push_back(withBody(*l, body(l->body)));
      enclosing.pop_back();
    } else if (const auto *g = dyn_cast<Guard>(node.get())) {
      result.push_back(withBody(*g, body(g->body)));
    } else {
      result.push_back(node);
    }
  }
  return result;
}

Nest rebase(const Nest &nest) {
  Nest result = nest;
  result.body = Rebase(result).body(nest.body);
  for (Array &a : result.arrays)
    a.expandedDims = 0;
  std::vector<const Loop *> current = loops(result);
  erase_if(result.function.threadMaps, [&](const ThreadMap &t) {
    return none_of(current, [&](const Loop *l) { return l->id == t.loop; });
  });
  return result;
}

} // namespace convopt
