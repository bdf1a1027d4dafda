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
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace convopt::program {

/// Numbers of boxes and groups that differ by more are any.
static constexpr int64_t Farthest = 16;

static bool isShared(const Variable &v) {
  return v.memory == Memory::Shared && v.type.kind != Type::Barrier;
}

template <typename T> static void addOnce(std::vector<T> &all, const T &one) {
  if (!is_contained(all, one))
    all.push_back(one);
}

Arrivals::Arrivals(const Kernel &kernel, const Uniformity &uniformity)
    : kernel(kernel), uniformity(uniformity) {
  std::vector<const Variable *> constants;
  walk(kernel.body, [&](const Stmt &s) {
    if (const auto *f = dyn_cast<LocalFunction>(&s))
      functions[f->name->name] = f;
    else if (const auto *a = dyn_cast<Assignment>(&s))
      changing.insert(a->target.variable().get());
    else if (const auto *d = dyn_cast<Declaration>(&s);
             d && d->isConstexpr && d->variable->type.kind == Type::Bool)
      constants.push_back(d->variable.get());
  });
  for (const auto &[name, f] : functions)
    walkExprs(f->body, [&](const Expr &e) {
      if (e.kind() == Expr::Element && isShared(*e.variable()) &&
          placeOf(e).count != 0)
        ahead.insert(e.variable().get());
    });
  for (uint64_t instance = 0; instance >> constants.size() == 0; ++instance) {
    for (auto [k, v] : enumerate(constants))
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

bool Arrivals::Place::mayBe(const Place &other) const {
  if (array != other.array || !box || !other.box || count != other.count)
    return array == other.array;
  const std::optional<int64_t> distance = (*box - *other.box).asNumber();
  return !distance || (count ? *distance % count : *distance) == 0;
}

Arrivals::Place Arrivals::placeOf(const Expr &e) const {
  Expr part = e;
  while (part.kind() != Expr::Use && part.kind() != Expr::Element)
    part = part.operand(0);
  Place p{part.variable().get()};
  if (part.operands().empty())
    return p;
  // Of a subscript that counts all elements, the slowest digit.
  const bool isFlat = part.operands().size() == 1;
  Expr first = part.operand(0);
  bool isDigit = true;
  while (isFlat && first.kind() == Expr::Binary &&
         (first.op() == Op::Add || first.op() == Op::Mul)) {
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
  const Sum box(isCounted ? first.operand(0) : first);
  p.box = argument ? box.with(*argument->first, argument->second) : box;
  auto changes = [&](const Variable &v) { return changing.contains(&v); };
  if (p.box && p.box->hasVariable(changes))
    p.box.reset();
  return p;
}

/// What is known to be above the number of the box.
std::optional<Sum> Arrivals::limitOf(const Place &p) const {
  for (const Limit &l : reverse(limits))
    if (p.box && *p.box == l.left)
      return l.right;
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

void Arrivals::read(const Place &p) {
  const std::string name = "'" + p.array->name + "'";
  for (const Pending &other : state.pending)
    if (other.kind != Pending::Read && other.place.mayBe(p))
      fail(other.kind == Pending::Copy
               ? "reads " + name + ", to which a copy may be under way"
               : "reads " + name +
                     ", and no barrier comes after what wrote it");
  auto isIt = [&](const Filled &f) {
    return f.place == p && (!f.end || any_of(limits, [&](const Limit &l) {
             const auto distance = (*p.box - l.left).asNumber();
             return l.right == *f.end && distance && *distance <= 0;
           }));
  };
  if (ahead.contains(p.array) && (!p.box || none_of(state.filled, isIt)))
    fail("reads a box of " + name + " that need not be there");
  if (kernel.block != std::array<int64_t, 3>{1, 1, 1})
    addOnce(state.pending, {Pending::Read, p});
}

void Arrivals::write(const Expr &to, Pending::Kind kind,
                     std::optional<Place> barrier) {
  const Place p = placeOf(to);
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
    addOnce(state.pending, {kind, p, limitOf(p), std::move(barrier)});
}

void Arrivals::meet() {
  erase_if(state.pending,
           [](const Pending &p) { return p.kind != Pending::Copy; });
}

/// The groups but the last ones have arrived, for the thread that waits.
void Arrivals::waitPrior(int64_t groups) {
  for (Pending &p : state.pending)
    if (p.kind == Pending::Copy && !p.barrier && p.groups > groups)
      p.kind = Pending::Write;
}

/// What an engine brings is there for whoever waits for it.
void Arrivals::waitBulk(const Place &barrier) {
  erase_if(state.pending, [&](const Pending &p) {
    return barrier.box && p.barrier && *p.barrier == barrier;
  });
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Arrivals::block(const Block &b) {
  const size_t before = limits.size();
  for (const StmtRef &s : b)
    statement(*s);
  limits.resize(before);
  for (const StmtRef &s : b)
    if (const auto *d = dyn_cast<Declaration>(s.get()))
      leave(d->variable, std::nullopt);
}

void Arrivals::statement(const Stmt &s) {
  if (!state.isReached)
    return;
  current = &s;
  if (const auto *d = dyn_cast<Declaration>(&s)) {
    reads(d->value);
    if (d->value && isVote(d->value))
      meet();
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
    return meet();
  case Callee::AsyncCopy:
    reads(c.call.operand(1));
    return write(c.call.operand(0), Pending::Copy);
  case Callee::Commit:
    for (Pending &p : state.pending)
      if (p.kind == Pending::Copy && p.groups <= Farthest)
        ++p.groups;
    return;
  case Callee::WaitPrior:
    if (c.call.operand(0).kind() == Expr::Number)
      waitPrior(c.call.operand(0).number());
    return;
  case Callee::BulkCopy:
    reads(c.call.operand(1));
    return write(c.call.operand(0), Pending::Copy, placeOf(c.call.operand(3)));
  case Callee::TensorCopy:
    return write(c.call.operand(0), Pending::Copy, placeOf(c.call.operand(2)));
  case Callee::BulkWait:
    return waitBulk(placeOf(c.call.operand(0)));
  default:
    return;
  }
}

void Arrivals::callLocal(const LocalFunction &f, const Expr &value) {
  const Stmt *caller = current;
  std::vector<Place> places;
  SaveAndRestore saved(written, &places);
  argument.emplace(f.parameter.get(), value);
  block(f.body);
  argument.reset();
  current = caller;
  for (const Place &p : places)
    if (p.box && p.count)
      addOnce(state.filled, {p, limitOf(p)});
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

/// What may be in either is in \p a, and what is in both. \p ofA holds in \p a
/// alone.
void Arrivals::join(State &a, const State &b, const Limit *ofA) const {
  if (!a.isReached || !b.isReached) {
    if (b.isReached)
      a = b;
    return;
  }
  for (const Pending &p : b.pending)
    addOnce(a.pending, p);
  erase_if(a.filled, [&](const Filled &f) {
    const bool isOnlyThere =
        ofA && f.end && *f.end == ofA->right && *f.place.box == ofA->left;
    return !isOnlyThere && !is_contained(b.filled, f);
  });
}

void Arrivals::branch(const If &i) {
  reads(i.condition);
  if (const std::optional<bool> value = known(i.condition))
    return block(*value ? i.body : i.otherwise);
  const State before = state;
  std::optional<Limit> limit;
  if (i.condition.kind() == Expr::Binary && i.condition.op() == Op::Less)
    limit = Limit{Sum(i.condition.operand(0)), Sum(i.condition.operand(1))};
  if (limit)
    limits.push_back(*limit);
  block(i.body);
  if (limit)
    limits.pop_back();
  State held = std::move(state);
  state = before;
  block(i.otherwise);
  join(held, state, limit ? &*limit : nullptr);
  state = std::move(held);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void Arrivals::rename(const VariableRef &v, const Sum &from) {
  auto one = [&](Place &p) {
    const auto distance =
        p.box && p.count ? (*p.box - from).asNumber() : std::nullopt;
    if (distance)
      (*p.box = Sum(Expr(v))) += *distance;
  };
  for (Pending &p : state.pending) {
    one(p.place);
    if (p.barrier)
      one(*p.barrier);
  }
  for (Filled &f : state.filled)
    one(f.place);
}

void Arrivals::leave(const VariableRef &v, const std::optional<Sum> &value) {
  auto isIt = [&](const Variable &other) { return &other == v.get(); };
  auto one = [&](std::optional<Sum> &s) {
    if (!s || !s->hasVariable(isIt))
      return;
    s = value ? s->with(*v, *value) : std::nullopt;
    const auto distance = s ? (*s - Sum(Expr(v))).asNumber() : std::nullopt;
    if (distance && std::abs(*distance) > Farthest)
      s.reset();
  };
  State after{state.isReached, {}, {}};
  for (Pending &p : state.pending) {
    one(p.place.box);
    one(p.end);
    if (p.barrier)
      one(p.barrier->box);
    addOnce(after.pending, p);
  }
  for (Filled &f : state.filled) {
    const bool hasEnd = f.end.has_value();
    one(f.place.box);
    one(f.end);
    if (f.place.box && hasEnd == f.end.has_value())
      addOnce(after.filled, f);
  }
  state = std::move(after);
}

void Arrivals::loop(const For &f) {
  for (const Expr &e : {f.first, f.end, f.step})
    reads(e);
  const Sum variable{Expr(f.variable)};
  bool hasBoxes = false; // that the loop counts
  walkExprs(f.body, [&](const Expr &e) {
    if (e.kind() == Expr::Element && isShared(*e.variable())) {
      const Place p = placeOf(e);
      hasBoxes |=
          p.count && p.box && p.box->hasVariable([&](const Variable &w) {
            return &w == f.variable.get();
          });
    }
  });
  if (hasBoxes)
    rename(f.variable, Sum(f.first));
  const Limit limit{variable, Sum(f.end)};
  for (bool hasChanged = true; hasChanged && !problem;) {
    const State head = state;
    limits.push_back(limit);
    block(f.body);
    limits.pop_back();
    leave(f.variable, f.step.kind() == Expr::Number
                          ? std::optional(variable - f.step.number())
                          : std::nullopt);
    State back = std::move(state);
    state = head;
    join(state, back);
    hasChanged = state.pending.size() != head.pending.size() ||
                 state.filled.size() != head.filled.size();
  }
  // The variable is not below the end.
  erase_if(state.pending, [&](const Pending &p) {
    const auto distance =
        p.place.box ? (*p.place.box - limit.left).asNumber() : std::nullopt;
    return p.end && *p.end == limit.right && distance && *distance >= 0;
  });
  leave(f.variable, std::nullopt);
}

} // namespace convopt::program
