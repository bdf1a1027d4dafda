//===- SplitChecks.cpp - Which sums blocks can share ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "SplitSums.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/SplitSum.h"
#include "convopt/Program/Atomics.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

/// What \p body writes: arrays, and buffers that it fills.
static std::set<unsigned> writtenIn(const Body &body) {
  std::set<unsigned> written;
  for (const Statement *s : collect<Statement>(body))
    written.insert(s->target.array);
  for (const Copy *c : collect<Copy>(body))
    if (!c->isStore)
      written.insert(c->buffer);
  return written;
}

/// What \p body reads: arrays, and buffers in their place.
static std::set<unsigned> readIn(const Body &body) {
  std::set<unsigned> read;
  for (const Statement *s : collect<Statement>(body))
    for (const Operand &o : readsOf(*s))
      read.insert(o.access.buffer.value_or(o.access.array));
  for (const Copy *c : collect<Copy>(body))
    read.insert(c->isStore ? c->buffer : c->from.value_or(c->buffer));
  return read;
}

AroundSplit aroundSplit(const Body &body, const Loop &loop) {
  const auto at =
      find_if(body, [&](const NodeRef &n) { return holdsLoop(n, loop.id); });
  if (at == body.end())
    return {body, nullptr, {}};
  return {Body(body.begin(), at), *at, Body(at + 1, body.end())};
}

const Statement *setterOf(const Body &body, unsigned sum) {
  std::vector<const Statement *> all;
  bool isOnce = true;
  walk(body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *s = dyn_cast<Statement>(&n);
    if (!s || s->target.array != sum)
      return;
    all.push_back(s);
    isOnce &= all_of(select<Loop>(enclosing), [&](const Loop *l) {
      return any_of(s->target.subscripts, [&](const IndexExpr &e) {
        return (e - IndexExpr::loop(l->id)).isConstant();
      });
    });
  });
  return isOnce && all.size() == 1 ? all.front() : nullptr;
}

const Operand *sumIn(const Statement &s, const Split &split) {
  const auto sum = find_if(s.operands, [&](const Operand &o) {
    return o.kind == Operand::Read && is_contained(split.sums, o.access.array);
  });
  return sum == s.operands.end() ? nullptr : &*sum;
}

/// Whether operand \p k is one that the others of \p e are added to or taken
/// from: `$0`, `$1 + $0`, `$0 - 2 * $1`.
static bool isAddend(const CExpr &e, unsigned k) {
  if (e.kind == CExpr::Operand)
    return e.hole() == k;
  return (e.isBinary({"+", "-"}) && isAddend(e.parts[0], k)) ||
         (e.isBinary({"+"}) && isAddend(e.parts[1], k));
}

/// The sum that \p s reads or sets after the split loop; none where it does
/// not.
static std::optional<unsigned> sumOf(const Statement &s, const Split &split) {
  if (is_contained(split.sums, s.target.array))
    return s.target.array;
  const Operand *sum = sumIn(s, split);
  return sum ? std::optional(sum->access.array) : std::nullopt;
}

/// Whether \p s stores a sum by \p op, or that and an addend, or adds one to
/// it: then a part of the sum, left out, may be added to what is stored.
static bool isStore(const Nest &nest, const Statement &s, const Split &split,
                    Statement::Op op) {
  const Operand *sum = sumIn(s, split);
  if (!sum)
    return s.op == op ||
           (s.op == Statement::Op::Sub && op == Statement::Op::Add);
  const CExpr rhs = rhsOf(nest, s);
  const auto sums = count_if(readsOf(s), [&](const Operand &o) {
    return is_contained(split.sums, o.access.array);
  });
  return !nest.arrays[s.target.array].isLocal() && !s.isReduction() &&
         sum->guard.empty() && sums == 1 &&
         (rhs.kind == CExpr::Operand ||
          (op == Statement::Op::Add && isAddend(rhs, sum - s.operands.data())));
}

/// What is wrong with \p s, which uses the \p sum after an atomic loop; empty
/// where nothing is.
static std::string atomicFault(const Nest &nest, const Statement &s,
                               unsigned sum, const Split &split,
                               const Gpu &gpu) {
  const Array &to = nest.arrays[s.target.array];
  const std::string &type = nest.arrays[sum].elementType;
  const Statement::Op op = operationOf(*split.loop, sum);
  // What is rounded once more is of no integer type.
  auto isAlike = [&](StringRef t) {
    return t == type || t == "int" ||
           (isFloating(type) && (isFloating(t) || isInteger(t)));
  };
  if (to.role == Array::InOut)
    return "is stored to '" + to.name + "', which the source also reads";
  if (!isStore(nest, s, split, op))
    return "is used for more than a store of it or of it and an addend";
  if (to.elementType != type)
    return "is stored as '" + to.elementType + "', which converts it";
  if (!all_of(typesOfWords(nest, s), isAlike) ||
      !all_of(s.operands,
              [&](const Operand &o) { return isAlike(typeOf(nest, o)); }))
    return "is stored with an addend that may convert it";
  if (s.target.buffer)
    return "is stored by a copy of '" + nest.arrays[*s.target.buffer].name +
           "'";
  const std::optional<Atomic> atomic = program::atomicOf(updateOf(op));
  const std::optional<unsigned> since =
      atomic ? capabilityOf(*atomic, type) : std::nullopt;
  unsigned own = 0;
  StringRef(gpu.name).drop_front(3).getAsInteger(10, own);
  if (!since)
    return "is of type '" + type + "', for which CUDA has no " +
           (atomic ? str(*atomic).str() : "atomic multiplication");
  if (*since > own)
    return "is of type '" + type + "', for which " + gpu.name + " has no " +
           str(*atomic).str() + " (sm_" + std::to_string(*since) + " has)";
  return "";
}

/// What an atomic loop asks of \p after, which comes after it.
static Error checkStores(const Nest &nest, const Body &after,
                         const Split &split, const Gpu &gpu) {
  for (const Statement *s : collect<Statement>(after)) {
    const std::optional<unsigned> sum = sumOf(*s, split);
    const std::string fault =
        sum ? atomicFault(nest, *s, *sum, split, gpu) : std::string();
    if (!fault.empty())
      return refuse("Mapping",
                    "loop '" + nest.loopNames[split.loop->id] +
                        "' cannot be atomic: '" + nest.arrays[*sum].name +
                        "' " + fault,
                    s->range,
                    "leave out ',atomic': parts are added up in their order "
                    "then");
  }
  return Error::success();
}

Error checkSplit(const Nest &nest, const Mapping &m, const Gpu &gpu) {
  const Loop &loop = *m.split->loop;
  const std::string name = "loop '" + nest.loopNames[loop.id] + "'";
  auto refused = [&](const std::string &why, SourceRange range,
                     const std::string &remedy) {
    return refuse("Mapping",
                  name + ", whose " +
                      (m.split->isOverBlocks() ? "blocks" : "threads") +
                      " share a sum, " + why,
                  range, remedy);
  };
  if (!m.hostLoops().empty())
    return refused("stands in a loop of launches", loop.range,
                   "leave out 'map=" + nest.loopNames[m.hostLoops()[0]->id] +
                       "," + str(m.hostLoops()[0]->kind).str() + "'");
  const auto [before, at, after] = aroundSplit(*m.thread, loop);
  if (m.split->isOverBlocks() && at.get() != &loop)
    return refused("stands within a loop or guard of a thread", loop.range,
                   "interchange it outwards");
  for (unsigned sum : m.split->sums) {
    const Statement *setter = setterOf(before, sum);
    const bool isDeclared =
        any_of(select<Local>(before),
               [&](const Local *local) { return local->array == sum; });
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
    checkOnce({at}, "does more than add to it");
  if (result)
    return result;
  const std::set<unsigned> used = readIn(after);
  for (unsigned array : writtenIn({at}))
    if (!is_contained(m.split->sums, array) && used.count(array))
      return refused("leaves something in '" + nest.arrays[array].name +
                         "' besides",
                     loop.range, "compute or stage that after the loop");
  return loop.isAtomic ? checkStores(nest, after, *m.split, gpu)
                       : Error::success();
}

} // namespace convopt::lower
