//===- Arrivals.cpp - What is read from shared memory is there ------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   fill(0);                      box 0 is filled, if 0 < N; a copy, 0 groups
//   commit;                                                          1 group
//   for n in 0 .. N {             box n is filled: 0 as n is 0, or as below
//     wait_prior(0);              ... no copy any more, but still written
//     barrier;                    ... nor written
//     if (n + 1 < N) fill(n + 1); box n + 1 is filled, if n + 1 < N
//     commit;
//     ... b[n % 2]                box n is filled, and read until a barrier
//   }                             n becomes n - 1: box n is filled, if n < N
//
// An abstract interpretation: of each place the accesses that may be pending,
// which only grow where ways join, and the boxes that are there whichever way
// was taken. Numbers of boxes are sums over variables of loops, so that the
// state at the head of a loop is the same in all its iterations.
//
//===----------------------------------------------------------------------===//

#include "Arrivals.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace convopt::program {

static bool isShared(const Variable &v) {
  return v.memory == Memory::Shared && v.type.kind != Type::Barrier;
}

Arrivals::Arrivals(const Kernel &kernel, const Uniformity &uniformity)
    : kernel(kernel), uniformity(uniformity) {
  std::vector<const Variable *> bools;
  walk(kernel.body, [&](const Stmt &s) {
    if (const auto *a = dyn_cast<Assignment>(&s))
      changing.insert(a->target.variable().get());
    else if (const auto *d = dyn_cast<Declaration>(&s);
             d && d->isConstexpr && d->variable->type.kind == Type::Bool)
      bools.push_back(d->variable.get());
    else if (const auto *f = dyn_cast<LocalFunction>(&s))
      walkExprs(f->body, [&](const Expr &e) {
        if (e.kind() == Expr::Element && isShared(*e.variable()) &&
            placeOf(e).count != 0)
          ahead.insert(e.variable().get());
      });
  });
  for (uint64_t instance = 0; instance >> bools.size() == 0; ++instance) {
    for (auto [k, v] : enumerate(bools))
      tests[v] = instance >> k & 1;
    state = {};
    block(kernel.body);
  }
}

void Arrivals::fail(const Twine &what) {
  if (problem)
    return;
  problem = current;
  why = what.str();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

SharedPlace Arrivals::placeOf(const Expr &e) const {
  Expr part = e;
  while (part.kind() != Expr::Use && part.kind() != Expr::Element)
    part = part.operand(0);
  SharedPlace p{part.variable().get()};
  if (part.operands().empty())
    return p;
  // Of a subscript that counts all elements, the slowest digit.
  const bool isFlat = part.operands().size() == 1;
  Expr first = part.operand(0);
  bool isDigit = true;
  while (isFlat && first.kind() == Expr::Binary &&
         (first.op() == Op::Add || first.op() == Op::Sub ||
          first.op() == Op::Mul)) {
    isDigit = first.op() == Op::Mul;
    first = first.operand(0);
  }
  const bool isCounted = isDigit && first.kind() == Expr::Binary &&
                         first.op() == Op::Rem &&
                         first.operand(1).kind() == Expr::Number;
  const bool isBarrier = p.array->type.kind == Type::Barrier;
  if (uniformity.varies(first) || (!isCounted && !isBarrier))
    return p;
  p.count = isCounted ? first.operand(1).number() : 0;
  p.box = valueOf(isCounted ? first.operand(0) : first);
  return p;
}

/// None where it is not known to stay the same.
std::optional<Sum> Arrivals::valueOf(const Expr &e) const {
  std::optional<Sum> sum = Sum(e, constants);
  if (argument)
    sum = argument->second ? sum->with(*argument->first, *argument->second)
                           : std::nullopt;
  auto changes = [&](const Variable &v) { return changing.contains(&v); };
  return sum && !sum->hasVariable(changes) ? sum : std::nullopt;
}

void Arrivals::define(const Variable &v, const std::optional<Sum> &value) {
  if (value)
    constants[&v] = *value;
  else
    constants.erase(&v);
}

/// What is known to be above the number of the box, where the function that
/// copies it is called under a limit of its argument.
std::optional<Sum> Arrivals::endOf(const SharedPlace &p) const {
  for (const Limit &l : reverse(limits))
    if (p.box && argument && argument->second == l.left)
      return Sum(*p.box - l.left) += l.right;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void Arrivals::reads(const Expr &e) {
  if (!e || e.kind() == Expr::Extent)
    return;
  if ((e.kind() == Expr::Use || e.kind() == Expr::Element) &&
      isShared(*e.variable()))
    read(placeOf(e));
  for (const Expr &o : e.operands())
    reads(o);
}

void Arrivals::read(const SharedPlace &p) {
  const std::string name = "'" + p.array->name + "'";
  for (const Pending &other : state.pending)
    if (other.kind != Pending::Read && other.place.mayBe(p))
      fail(other.kind == Pending::Copy
               ? "reads " + name + ", to which a copy may be under way"
               : "reads " + name +
                     ", and no barrier comes after what wrote it");
  auto isIt = [&](const Filled &f) {
    return f.place == p && (!f.end || any_of(limits, [&](const Limit &l) {
             return l.implies({*p.box, *f.end});
           }));
  };
  if (ahead.contains(p.array) && (!p.box || none_of(state.filled, isIt)))
    fail("reads a box of " + name + " that need not be there");
  if (kernel.block != std::array<int64_t, 3>{1, 1, 1})
    addOnce(state.pending, {Pending::Read, p});
}

void Arrivals::write(const Expr &to, Pending::Kind kind,
                     std::optional<SharedPlace> barrier) {
  const SharedPlace p = placeOf(to);
  if (!isShared(*p.array))
    return;
  for (const Pending &other : state.pending)
    if (other.kind == Pending::Read && other.place.mayBe(p))
      fail("writes '" + p.array->name +
           "', and no barrier comes after what read it");
  erase_if(state.filled, [&](const Filled &f) { return f.place.mayBe(p); });
  if (written)
    addOnce(*written, p);
  if (kind == Pending::Copy || kernel.block != std::array<int64_t, 3>{1, 1, 1})
    addOnce(state.pending, {kind, p, endOf(p), std::move(barrier)});
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Arrivals::block(const Block &b) {
  for (const StmtRef &s : b)
    statement(*s);
  for (const StmtRef &s : b)
    if (const auto *d = dyn_cast<Declaration>(s.get()))
      state.leave(d->variable, std::nullopt);
}

void Arrivals::statement(const Stmt &s) {
  if (!state.isReached)
    return;
  current = &s;
  if (const auto *d = dyn_cast<Declaration>(&s)) {
    reads(d->value);
    if (d->value && isVote(d->value))
      state.meet();
    else if (d->value && d->variable->type.kind == Type::Int)
      define(*d->variable, valueOf(d->value));
  } else if (const auto *a = dyn_cast<Assignment>(&s)) {
    reads(a->value);
    for (const Expr &o : a->target.operands())
      if (a->target.kind() == Expr::Element)
        reads(o);
    if (a->update != Assignment::Update::None)
      reads(a->target);
    write(a->target, Pending::Write);
  } else if (const auto *c = dyn_cast<CallStmt>(&s)) {
    call(*c);
  } else if (const auto *f = dyn_cast<For>(&s)) {
    loop(*f);
  } else if (const auto *i = dyn_cast<If>(&s)) {
    branch(*i);
  } else if (const auto *scope = dyn_cast<Scope>(&s)) {
    block(scope->body);
  } else if (const auto *f = dyn_cast<LocalFunction>(&s)) {
    functions[f->name->name] = f;
  } else if (isa<Return>(&s)) {
    state.isReached = false;
  }
}

void Arrivals::call(const CallStmt &c) {
  const CalledFunction &f = c.call.function();
  switch (f.callee) {
  case Callee::Local:
    return callLocal(*functions.at(f.name), c.call.operand(0));
  case Callee::SyncThreads:
    return state.meet();
  case Callee::AsyncCopy:
    reads(c.call.operand(1));
    return write(c.call.operand(0), Pending::Copy);
  case Callee::Commit:
    return state.commit();
  case Callee::WaitPrior:
    if (c.call.operand(0).kind() == Expr::Number)
      state.waitPrior(c.call.operand(0).number());
    return;
  case Callee::BulkCopy:
    reads(c.call.operand(1));
    return write(c.call.operand(0), Pending::Copy, placeOf(c.call.operand(3)));
  case Callee::TensorCopy:
    return write(c.call.operand(0), Pending::Copy, placeOf(c.call.operand(2)));
  case Callee::BulkWait:
    return state.waitBulk(placeOf(c.call.operand(0)));
  default:
    return;
  }
}

void Arrivals::callLocal(const LocalFunction &f, const Expr &value) {
  const Stmt *caller = current;
  std::vector<SharedPlace> places;
  SaveAndRestore saved(written, &places);
  argument.emplace(f.parameter.get(), valueOf(value));
  block(f.body);
  for (const SharedPlace &p : places)
    if (p.box && p.count)
      addOnce(state.filled, {p, endOf(p)});
  argument.reset();
  current = caller;
}

std::optional<bool> Arrivals::known(const Expr &e) const {
  if (e.kind() == Expr::Unary && e.op() == Op::Not) {
    const std::optional<bool> value = known(e.operand(0));
    return value ? std::optional(!*value) : std::nullopt;
  }
  const auto test =
      e.kind() == Expr::Use ? tests.find(e.variable().get()) : tests.end();
  return test == tests.end() ? std::nullopt : std::optional(test->second);
}

std::optional<Limit> Arrivals::limitOf(const Expr &left,
                                       const Expr &right) const {
  const std::optional<Sum> a = valueOf(left), b = valueOf(right);
  return a && b ? std::optional(Limit{*a, *b}) : std::nullopt;
}

void Arrivals::branch(const If &i) {
  reads(i.condition);
  if (const std::optional<bool> value = known(i.condition))
    return block(*value ? i.body : i.otherwise);
  const SharedState before = state;
  std::optional<Limit> limit;
  if (i.condition.kind() == Expr::Binary && i.condition.op() == Op::Less)
    limit = limitOf(i.condition.operand(0), i.condition.operand(1));
  if (limit)
    limits.push_back(*limit);
  block(i.body);
  if (limit)
    limits.pop_back();
  SharedState held = std::move(state);
  state = before;
  block(i.otherwise);
  held.join(state, limit ? &*limit : nullptr);
  state = std::move(held);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void Arrivals::count(const For &f, const Sum &first) {
  SmallPtrSet<const Variable *, 4> counted;
  walkExprs(f.body, [&](const Expr &e) {
    if (e.kind() != Expr::Element || e.variable()->memory != Memory::Shared)
      return;
    const SharedPlace p = placeOf(e);
    if (p.count && p.box && p.box->hasVariable([&](const Variable &v) {
          return &v == f.variable.get();
        }))
      counted.insert(p.array);
  });
  auto one = [&](SharedPlace &p) {
    if (counted.contains(p.array) && p.count && p.box)
      p.box = Sum(*p.box - first) += Sum(Expr(f.variable));
  };
  for (Pending &p : state.pending) {
    one(p.place);
    if (p.barrier)
      one(*p.barrier);
  }
  for (Filled &f : state.filled)
    one(f.place);
}

void Arrivals::loop(const For &f) {
  for (const Expr &e : {f.first, f.end, f.step})
    reads(e);
  const Sum variable{Expr(f.variable)};
  if (const std::optional<Sum> first = valueOf(f.first))
    count(f, *first);
  const std::optional<Limit> limit = limitOf(f.variable, f.end);
  for (bool hasChanged = true; hasChanged && !problem;) {
    const SharedState head = state;
    if (limit)
      limits.push_back(*limit);
    block(f.body);
    if (limit)
      limits.pop_back();
    state.leave(f.variable, f.step.kind() == Expr::Number
                                ? std::optional(variable - f.step.number())
                                : std::nullopt);
    SharedState back = std::move(state);
    state = head;
    state.join(back);
    hasChanged = state.pending.size() != head.pending.size() ||
                 state.filled.size() != head.filled.size();
  }
  // The variable is not below the end.
  erase_if(state.pending, [&](const Pending &p) {
    return limit && p.end && p.place.box &&
           Limit{*p.place.box, *p.end}.implies(*limit);
  });
  state.leave(f.variable, std::nullopt);
}

} // namespace convopt::program
