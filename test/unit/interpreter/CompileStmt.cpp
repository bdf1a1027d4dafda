//===- CompileStmt.cpp - Statements made ready to run ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprValues.h"

using namespace llvm;

namespace convopt::program {

namespace {

struct Repeat {
  const For &source;
  Machine &m;
  Slot &slot;
  ValueRef first, end, step;
  Sequence body;

  void operator()(Lanes lanes) {
    const Word *begin = first->eval(lanes);
    for (Lane t : lanes)
      slot.values[t] = begin[t];
    std::vector<Lane> live(lanes.begin(), lanes.end());
    while (!m.hasFailed) {
      const Word *bound = end->eval(live);
      size_t count = 0;
      for (Lane t : live)
        if (slot.values[t] < bound[t])
          live[count++] = t;
      live.resize(count);
      if (m.hasFailed || live.empty())
        return;
      const unsigned returned = m.returned;
      m.operations += live.size();
      body.run(live);
      m.statement = &source;
      if (m.hasFailed)
        return;
      if (m.returned != returned)
        erase_if(live, [&](Lane t) { return m.hasReturned[t]; });
      if (live.empty())
        return;
      if (m.operations > m.launch.limit)
        return m.fault(live[0], "runs for longer than the limit");
      const Word *by = step->eval(live);
      for (Lane t : live) {
        const Word next = slot.values[t] + by[t];
        if (by[t] < 1 || next != int32_t(next))
          return m.fault(t, "steps from " + Twine(slot.values[t]) + " by " +
                                Twine(by[t]));
        slot.values[t] = next;
      }
    }
  }
};

} // namespace

void Compiler::block(const Block &b, Sequence &to) {
  for (const StmtRef &s : b) {
    if (!message.empty())
      return;
    Operation op = statement(*s);
    if (!op)
      return;
    to.add(*s, std::move(op));
  }
}

Operation Compiler::within(const Block &b) {
  Sequence body(m);
  block(b, body);
  return [body = std::move(body)](Lanes lanes) mutable { body.run(lanes); };
}

Operation Compiler::statement(const Stmt &s) {
  current = &s;
  switch (s.kind) {
  case Stmt::Kind::Declaration:
    return declaration(*cast<Declaration>(&s));
  case Stmt::Kind::Assignment:
    return assignment(*cast<Assignment>(&s));
  case Stmt::Kind::Call:
    return call(cast<CallStmt>(&s)->call);
  case Stmt::Kind::For:
    return loop(*cast<For>(&s));
  case Stmt::Kind::If:
    return conditional(*cast<If>(&s));
  case Stmt::Kind::Scope: {
    const auto *scope = cast<Scope>(&s);
    if (scope->function.empty())
      return within(scope->body);
    const auto outside = bindings; // a function's variables are its own
    Operation op = within(scope->body);
    bindings = outside;
    return op;
  }
  case Stmt::Kind::LocalFunction:
    return localFunction(*cast<LocalFunction>(&s));
  case Stmt::Kind::Return:
    if (isInFunction)
      return fail("a return from a function of a thread");
    return [this](Lanes lanes) { m.leave(lanes); };
  case Stmt::Kind::Assertion:
    return assertion(*cast<Assertion>(&s));
  }
  return nullptr;
}

Operation Compiler::assertion(const Assertion &a) {
  ValueRef condition = converted(integer(a.condition), Type::Bool);
  if (!condition)
    return nullptr;
  return [&m = m, condition = std::move(condition)](Lanes lanes) {
    const Word *holds = condition->eval(lanes);
    for (Lane t : lanes)
      if (!holds[t])
        m.fault(t, "does not fulfil it");
  };
}

Operation Compiler::conditional(const If &i) {
  ValueRef condition = converted(integer(i.condition), Type::Bool);
  if (!condition)
    return nullptr;
  if (condition->isConstant) // what does not run need not make sense
    return within(condition->eval(Lane(0))[0] ? i.body : i.otherwise);
  Sequence body(m), otherwise(m);
  block(i.body, body);
  block(i.otherwise, otherwise);
  return [condition = std::move(condition), body = std::move(body),
          otherwise = std::move(otherwise), yes = std::vector<Lane>(),
          no = std::vector<Lane>()](Lanes lanes) mutable {
    const Word *is = condition->eval(lanes);
    yes.clear();
    no.clear();
    for (Lane t : lanes)
      (is[t] ? yes : no).push_back(t);
    if (!yes.empty())
      body.run(yes);
    if (!no.empty())
      otherwise.run(no);
  };
}

Operation Compiler::loop(const For &f) {
  const Type::Kind type = f.variable->type.kind;
  ValueRef first = converted(integer(f.first), type);
  Slot &slot = slots.emplace_back();
  slot.values.resize(m.threads);
  bindings[f.variable.get()] = {};
  bindings[f.variable.get()].slot = &slot;
  // Compared as C does.
  ValueRef end = integer(f.end), step = integer(f.step);
  if (!first || !end || !step)
    return nullptr;
  if (end->type == Type::Unsigned) { // both are
    first = inRange(m, std::move(first), false, Type::Unsigned);
    end = inRange(m, std::move(end), false, Type::Unsigned);
  }
  Sequence body(m);
  block(f.body, body);
  return Repeat{f,
                m,
                slot,
                std::move(first),
                std::move(end),
                std::move(step),
                std::move(body)};
}

Operation Compiler::localFunction(const LocalFunction &f) {
  Slot &slot = slots.emplace_back();
  slot.values.resize(m.threads);
  bindings[f.parameter.get()] = {};
  bindings[f.parameter.get()].slot = &slot;
  Sequence &body = bodies.emplace_back(m);
  isInFunction = true;
  block(f.body, body);
  isInFunction = false;
  functions[f.name->name] = {&slot, f.parameter->type.kind, &body};
  return Nothing;
}

} // namespace convopt::program
