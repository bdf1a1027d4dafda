//===- Check.cpp - Rules that programs keep -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Program/Check.h"
#include "Arrivals.h"
#include "Checker.h"
#include "Headline.h"
#include "convopt/Program/Atomics.h"

using namespace llvm;

namespace convopt::program {

void Checker::fail(StringRef rule, const Twine &what) {
  isBroken = true;
  if (!message.empty() || rule == without)
    return;
  message =
      (rule + ": " +
       (current ? headline(*current) : std::string("parameters")) + ": " + what)
          .str();
}

void Checker::onHost() {
  if (!isHost)
    fail("calls", "only a host does that");
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

const Variable *Checker::named(StringRef name) const {
  for (const auto &scope : reverse(scopes))
    if (auto it = scope.find(name); it != scope.end())
      return it->second.get();
  return nullptr;
}

void Checker::declare(const VariableRef &v) {
  // Again where it went out of scope is another one of the same name.
  if (named(v->name) == v.get())
    return fail("scope", "'" + v->name + "' is declared twice");
  if (!scopes.back().try_emplace(v->name, v).second)
    fail("scope", "there are two '" + v->name + "' in a block");
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Checker::block(const Block &b) {
  scopes.emplace_back();
  for (const StmtRef &s : b)
    statement(*s);
  scopes.pop_back();
}

void Checker::statement(const Stmt &s) {
  current = &s;
  switch (s.kind) {
  case Stmt::Kind::Declaration:
    return declaration(*cast<Declaration>(&s));
  case Stmt::Kind::Assignment:
    return assignment(*cast<Assignment>(&s));
  case Stmt::Kind::Call:
    return call(*cast<CallStmt>(&s));
  case Stmt::Kind::For:
    return loop(*cast<For>(&s));
  case Stmt::Kind::If:
    condition(cast<If>(&s)->condition);
    block(cast<If>(&s)->body);
    return block(cast<If>(&s)->otherwise);
  case Stmt::Kind::Scope:
    return scope(*cast<Scope>(&s));
  case Stmt::Kind::LocalFunction:
    return function(*cast<LocalFunction>(&s));
  case Stmt::Kind::Return:
    if (isInFunction)
      fail("calls", "a function of a thread returns at its end only");
    if (const Expr &value = cast<Return>(&s)->value) {
      onHost();
      expression(value);
    }
    return;
  case Stmt::Kind::Assertion:
    return condition(cast<Assertion>(&s)->condition);
  }
}

/// \p value is one of \p type.
static bool canHold(Type::Kind type, const Expr &value) {
  const Type::Kind kind = kindOf(value);
  if (value.kind() == Expr::List) // which is what is initialised
    return true;
  return type <= Type::Wide      ? kind <= Type::Wide
         : type == Type::Element ? kind <= Type::Element
                                 : kind == type;
}

void Checker::declaration(const Declaration &d) {
  const Variable &v = *d.variable;
  for (const Expr &e : v.extents)
    integer(e, "an extent");
  for (const Expr &e : v.place)
    expression(e, Place::Part);
  if (d.value)
    expression(d.value);
  declare(d.variable);
  if (v.memory != Memory::Register && v.memory != Memory::Shared)
    fail("scope", "a kernel declares registers and shared memory");
  if (v.isArray() ? bool(d.value) && d.value.kind() != Expr::List
                  : v.isConst && !d.value)
    fail("constants", v.isArray() ? "an array has no value of its own"
                                  : "a constant has no value");
  if (d.value && !canHold(v.type.kind, d.value))
    fail("types", "the value is of another type");
}

void Checker::written(const Expr &to) {
  const Variable *v = nullptr;
  to.walk([&](const Expr &part) {
    if (!v)
      v = part.variable().get();
  });
  if (v && (v->isConst || v->memory == Memory::Constant ||
            (!v->isArray() && parameters.contains(v)) || isThreadIndex(*v) ||
            isBlockIndex(*v)))
    fail("constants", "'" + v->name + "' is constant");
}

void Checker::assignment(const Assignment &a) {
  const bool isAccess = a.target.kind() == Expr::Access;
  if (!isAccess && a.target.kind() != Expr::Use &&
      a.target.kind() != Expr::Element && a.target.kind() != Expr::Beyond)
    return fail("types", "the target is no variable");
  expression(a.target);
  expression(a.value);
  if (!a.value)
    return;
  written(a.target);
  if (!canHold(a.target.type().kind, a.value))
    fail("types", "the value is of another type");
  if (isAccess && a.update != Assignment::Update::None)
    fail("types", "a vector is not updated");
  if (a.isAtomic)
    atomicUpdate(a);
}

void Checker::atomicUpdate(const Assignment &a) {
  const Variable *v = a.target.variable().get();
  const std::optional<Atomic> atomic = atomicOf(a.update);
  if (isHost)
    fail("calls", "only a kernel does that");
  else if (!atomic || !capabilityOf(*atomic, v ? v->type.name : ""))
    fail("types", "CUDA has no such atomic operation");
  else if (v->memory != Memory::Global && v->memory != Memory::Shared)
    fail("types", "'" + v->name + "' is the thread's own");
}

void Checker::loop(const For &f) {
  integer(f.first, "the first value of a loop");
  scopes.emplace_back();
  declare(f.variable);
  integer(f.end, "the bound of a loop");
  integer(f.step, "the step of a loop");
  if (f.goesOn) {
    onHost();
    condition(f.goesOn);
  }
  block(f.body);
  scopes.pop_back();
}

void Checker::scope(const Scope &s) {
  if (s.function.empty())
    return block(s.body);
  if (isInFunction)
    fail("calls", "a function of a thread calls another");
  std::vector<StringMap<VariableRef>> inside{scopes.front(), {}};
  const auto outside = parameters;
  for (const VariableRef &v : s.parameters) {
    expression(v, Place::Address);
    if (!v->isArray() && v->memory != Memory::Register)
      fail("scope", "'" + v->name + "' is passed by value");
    inside.back().try_emplace(v->name, v);
    parameters.insert(v.get());
  }
  std::swap(scopes, inside);
  block(s.body);
  std::swap(scopes, inside);
  parameters = outside;
}

void Checker::function(const LocalFunction &f) {
  if (isInFunction)
    fail("calls", "a function of a thread within another");
  isInFunction = true;
  scopes.emplace_back();
  declare(f.parameter);
  block(f.body);
  scopes.pop_back();
  isInFunction = false;
  current = &f;
  declare(f.name);
}

void Checker::call(const CallStmt &c) {
  const bool isDropped = c.call.kind() == Expr::Cast; // `(void)f()`
  const Expr &call = isDropped ? c.call.operand(0) : c.call;
  if (call.kind() == Expr::Call && (call.function().callee == Callee::Named ||
                                    call.function().callee == Callee::Launch))
    return hostCall(call);
  if (call.kind() != Expr::Call || hasValue(call.function().callee))
    return fail("calls", "a value that nobody uses");
  const CalledFunction &f = c.call.function();
  const ArrayRef<Expr> arguments = c.call.operands();
  if (!hasItsArguments(c.call))
    return fail("calls",
                nameOf(f) + " with " + Twine(arguments.size()) + " arguments");
  const bool isChoice = f.callee == Callee::AsyncCopy && arguments.size() == 4;
  for (const Expr &o : arguments.drop_back(isChoice))
    expression(o, Place::Address);
  if (isChoice)
    condition(arguments.back());
  switch (f.callee) {
  case Callee::Local: {
    const Variable *v = named(f.name);
    if (!v || v->type.kind != Type::Function)
      fail("calls", "'" + f.name + "' is no function here");
    return;
  }
  case Callee::AsyncCopy:
  case Callee::BulkCopy:
  case Callee::TensorCopy:
    return written(c.call.operand(0));
  default:
    return;
  }
}

Error Checker::run(const Kernel &kernel) {
  scopes.emplace_back();
  for (ArrayRef<VariableRef> all : {kernel.parameters, kernel.scalars})
    for (const VariableRef &v : all) {
      declare(v);
      parameters.insert(v.get());
    }
  block(kernel.body);
  // What follows goes by what the other rules say.
  auto ask = [&](StringRef rule, const auto &answer) {
    std::tie(current, std::ignore) = answer;
    if (current)
      fail(rule, "it " + answer.second);
  };
  if (isBroken)
    return result();
  const Uniformity uniformity(kernel);
  ask("uniform control", uniformity.divergent());
  if (!isBroken)
    ask("shared memory", Arrivals(kernel, uniformity).missing());
  return result();
}

Error Checker::run(const FunctionDefinition &function) {
  scopes.emplace_back();
  isHost = true;
  for (const auto &[variable, text] : function.parameters)
    declare(variable);
  block(function.body);
  return result();
}

Error Checker::result() const {
  if (message.empty())
    return Error::success();
  return createStringError(inconvertibleErrorCode(), message);
}

Error check(const Kernel &kernel, StringRef without) {
  return Checker(without).run(kernel);
}
Error check(const FunctionDefinition &function) {
  return function.threads ? check(function.kernel())
                          : Checker("").run(function);
}

} // namespace convopt::program
