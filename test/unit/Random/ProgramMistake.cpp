//===- ProgramMistake.cpp - Programs that break a rule --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramMistake.h"
#include "../Program/Kernels.h"
#include "ProgramPlant.h"

using namespace llvm;
using namespace convopt::program;

namespace convopt::test {

static Expr number() { return Expr::source("1.0f"); }
static Expr some() { return less(thread(), 1); }
static VariableRef parameter(const ProgramPlant &p, bool isArray) {
  return *find_if(p.kernel.parameters, [&](const VariableRef &v) {
    return v->isArray() == isArray;
  });
}

static bool calls(const ProgramPlant &p, Callee callee) {
  bool result = false;
  walkExprs(p.kernel.body, [&](const Expr &e) {
    result |= e.kind() == Expr::Call && e.function().callee == callee;
  });
  return result;
}

static bool any(const Stmt &) { return true; }
static bool isInteger(const Declaration &d) {
  return d.value && !d.variable->isArray() &&
         d.variable->type.kind == Type::Int;
}
static bool isVector(const Assignment &a) {
  return a.target.kind() == Expr::Access;
}
static bool isExchange(const Assignment &a) {
  return a.value.kind() == Expr::Call &&
         a.value.function().callee == Callee::Exchange;
}
static bool isElement(const Assignment &a) {
  return a.target.kind() == Expr::Element && !a.target.operands().empty();
}

//===----------------------------------------------------------------------===//
// Scope
//===----------------------------------------------------------------------===//

static void undeclared(ProgramPlant &p) {
  p.replace<Declaration>([&](const Declaration &d) {
    return p.uses(d.variable) && p.isHere() ? std::optional(Block{})
                                            : std::nullopt;
  });
}

/// It ends with the block that it is declared in.
static void outOfScope(ProgramPlant &p) {
  p.replace<Declaration>([&](const Declaration &d) -> std::optional<Block> {
    if (!p.uses(d.variable) || !p.isHere())
      return std::nullopt;
    auto scope = std::make_shared<Scope>();
    scope->body = {std::make_shared<Declaration>(d)};
    return Block{scope};
  });
}

static void twice(ProgramPlant &p) {
  p.replace<Declaration>([&](const Declaration &d) {
    return p.isHere()
               ? std::optional(Block(2, std::make_shared<Declaration>(d)))
               : std::nullopt;
  });
}

static void twoOfAName(ProgramPlant &p) {
  p.replace<Declaration>([&](const Declaration &d) -> std::optional<Block> {
    if (!p.isHere())
      return std::nullopt;
    auto other = std::make_shared<Declaration>(d);
    other->variable = std::make_shared<Variable>(*d.variable);
    return Block{std::make_shared<Declaration>(d), other};
  });
}

/// What means the loop's variable prints as another one.
static void namesake(ProgramPlant &p) {
  p.edit<For>(
      [](const For &f) {
        bool isUsed = false;
        walkExprs(f.body,
                  [&](const Expr &e) { isUsed |= e.variable() == f.variable; });
        return isUsed;
      },
      [](For &f) {
        f.body.insert(f.body.begin(), declare(scalar(f.variable->name), 0));
      });
}

static void ownBound(ProgramPlant &p) {
  p.edit<For>(any, [](For &f) { f.first = f.variable; });
}

static void global(ProgramPlant &p) {
  p.begin(declare(array("planted", Memory::Global, {4})));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static void condition(ProgramPlant &p) {
  p.edit<If>(any, [](If &i) { i.condition = 1; });
}

static void bound(ProgramPlant &p) {
  p.edit<For>(any, [](For &f) { f.end = number(); });
}

static void elementAsInteger(ProgramPlant &p) {
  p.edit<Declaration>(isInteger, [](Declaration &d) { d.value = number(); });
}

static void elementAsSubscript(ProgramPlant &p) {
  p.edit<Assignment>(isElement, [](Assignment &a) {
    std::vector<Expr> all = a.target.operands().vec();
    all.back() = number();
    a.target = Expr::element(a.target.variable(), std::move(all));
  });
}

static void elementAsVector(ProgramPlant &p) {
  p.edit<Assignment>(isVector, [](Assignment &a) { a.value = number(); });
}

static void vectorUpdated(ProgramPlant &p) {
  p.edit<Assignment>(isVector,
                     [](Assignment &a) { a.update = Assignment::Update::Add; });
}

static void addressAsValue(ProgramPlant &p) {
  const Expr address = addressOf(at(parameter(p, /*isArray=*/true), {0}));
  p.edit<Declaration>(isInteger, [&](Declaration &d) { d.value = address; });
}

static void noTarget(ProgramPlant &p) {
  p.edit<Assignment>(isElement, [](Assignment &a) { a.target = 4; });
}

static void noValue(ProgramPlant &p) {
  p.edit<Assignment>(any, [](Assignment &a) { a.value = {}; });
}

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

static void fewerSubscripts(ProgramPlant &p) {
  p.edit<Assignment>(
      [](const Assignment &a) {
        return isElement(a) && !a.target.variable()->isPointer;
      },
      [](Assignment &a) {
        a.target = Expr::element(a.target.variable(),
                                 a.target.operands().drop_back().vec());
      });
}

static void moreSubscripts(ProgramPlant &p) {
  p.edit<Assignment>(isElement, [](Assignment &a) {
    std::vector<Expr> all = a.target.operands().vec();
    all.insert(all.begin(), 0);
    a.target = Expr::element(a.target.variable(), std::move(all));
  });
}

static void arrayAsValue(ProgramPlant &p) {
  const VariableRef array = parameter(p, /*isArray=*/true);
  p.edit<Assignment>(isElement, [&](Assignment &a) { a.value = array; });
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static void constantAssigned(ProgramPlant &p) {
  p.replace<Declaration>([&](const Declaration &d) -> std::optional<Block> {
    if (!isInteger(d) || !d.variable->isConst || !p.isHere())
      return std::nullopt;
    return Block{std::make_shared<Declaration>(d),
                 assign(d.variable, 1, Assignment::Update::Add)};
  });
}

static void constantWithoutValue(ProgramPlant &p) {
  p.edit<Declaration>(
      [](const Declaration &d) {
        return d.variable->isConst && !d.variable->isArray() && d.value;
      },
      [](Declaration &d) { d.value = {}; });
}

static void arrayWithValue(ProgramPlant &p) {
  p.edit<Declaration>(
      [](const Declaration &d) { return d.variable->isArray(); },
      [](Declaration &d) { d.value = number(); });
}

/// Inputs are constant, and so are sizes.
static void parameterAssigned(ProgramPlant &p) {
  for (const VariableRef &v : p.kernel.parameters)
    if (!v->isArray() && v->type.kind == Type::Int)
      p.begin(assign(v, 1, Assignment::Update::Add));
    else if (v->isArray() && v->isConst)
      p.begin(assign(at(v, {0}), number()));
}

static void indexAssigned(ProgramPlant &p) {
  p.begin(assign(threadIndex(0), 1));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static void fewerArguments(ProgramPlant &p) {
  p.edit<CallStmt>([](const CallStmt &c) { return !c.call.operands().empty(); },
                   [](CallStmt &c) {
                     c.call = Expr::call(c.call.function(),
                                         c.call.operands().drop_back().vec());
                   });
}

static void moreArguments(ProgramPlant &p) {
  p.edit<CallStmt>(
      [](const CallStmt &c) {
        return c.call.function().callee != Callee::TensorCopy;
      },
      [](CallStmt &c) {
        std::vector<Expr> all = c.call.operands().vec();
        // A copy may have one more, of which it is to be a condition.
        if (c.call.function().callee == Callee::AsyncCopy)
          all.push_back(0);
        all.push_back(0);
        c.call = Expr::call(c.call.function(), std::move(all));
      });
}

static void valueUnused(ProgramPlant &p) { p.begin(call(Callee::Min, {1, 2})); }

static void statementAsValue(ProgramPlant &p) {
  p.edit<Declaration>(isInteger, [](Declaration &d) {
    d.value = Expr::call({Callee::Commit, ""}, {});
  });
}

static void tooFar(ProgramPlant &p) {
  p.edit<Assignment>(isExchange, [](Assignment &a) {
    a.value = exchange({a.value.operand(0), 32});
  });
}

static void noFunction(ProgramPlant &p) {
  p.begin(call(Callee::Local, {0}, "planted"));
}

static void returnInFunction(ProgramPlant &p) {
  p.edit<LocalFunction>(
      any, [](LocalFunction &f) { f.body.insert(f.body.begin(), leave()); });
}

static void functionInFunction(ProgramPlant &p) {
  p.edit<LocalFunction>(any, [](LocalFunction &f) {
    f.body.insert(f.body.begin(), function("planted", scalar("k"), {}));
  });
}

//===----------------------------------------------------------------------===//
// Uniform control
//===----------------------------------------------------------------------===//

template <Callee callee> static void ofSome(ProgramPlant &p) {
  p.replace<CallStmt>([&](const CallStmt &c) -> std::optional<Block> {
    if (p.kernel.block[0] == 1 || c.call.function().callee != callee ||
        !p.isHere())
      return std::nullopt;
    return Block{when(some(), {std::make_shared<CallStmt>(c)})};
  });
}

static void exchangeOfSome(ProgramPlant &p) {
  p.replace<Assignment>([&](const Assignment &a) -> std::optional<Block> {
    if (p.kernel.block[0] == 1 || !isExchange(a) || !p.isHere())
      return std::nullopt;
    return Block{when(some(), {std::make_shared<Assignment>(a)})};
  });
}

/// In as many iterations as a thread has an index.
static void oftener(ProgramPlant &p) {
  p.replace<CallStmt>([&](const CallStmt &c) -> std::optional<Block> {
    if (p.kernel.block[0] == 1 ||
        c.call.function().callee != Callee::SyncThreads || !p.isHere())
      return std::nullopt;
    return Block{
        loop(scalar("planted"), 0, thread(), {std::make_shared<CallStmt>(c)})};
  });
}

static void leftBefore(ProgramPlant &p) {
  if (calls(p, Callee::SyncThreads) && p.kernel.block[0] > 1)
    p.begin(when(some(), {leave()}));
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

static bool isCallOf(const StmtRef &s, Callee callee) {
  const auto *c = dyn_cast<CallStmt>(s.get());
  return c && c->call.function().callee == callee;
}

/// Of what the iterations of a loop do together.
template <Callee callee> static void missing(ProgramPlant &p) {
  // What one thread writes itself is there.
  if (callee == Callee::SyncThreads
          ? p.kernel.block == std::array<int64_t, 3>{1, 1, 1}
          : !calls(p, Callee::AsyncCopy))
    return;
  auto isIt = [](const StmtRef &s) { return isCallOf(s, callee); };
  p.edit<For>([&](const For &f) { return any_of(f.body, isIt); },
              [&](For &f) { f.body.erase(find_if(f.body, isIt)); });
}

static void groupTooMany(ProgramPlant &p) {
  if (!calls(p, Callee::AsyncCopy))
    return;
  p.edit<CallStmt>(
      [](const CallStmt &c) {
        return c.call.function().callee == Callee::WaitPrior;
      },
      [](CallStmt &c) {
        c.call = Expr::call(c.call.function(), {c.call.operand(0) + 1});
      });
}

/// Pipelined copies stop an iteration early.
static void boxTooFew(ProgramPlant &p) {
  p.edit<If>(
      [](const If &i) {
        return i.body.size() == 1 && isCallOf(i.body[0], Callee::Local);
      },
      [](If &i) {
        i.condition = less(i.condition.operand(0) + 1, i.condition.operand(1));
      });
}

/// The box after the one that is meant is copied, to its own place.
static void boxBeside(ProgramPlant &p) {
  p.edit<CallStmt>(
      [](const CallStmt &c) {
        return c.call.function().callee == Callee::Local;
      },
      [](CallStmt &c) {
        c.call = Expr::call(c.call.function(), {c.call.operand(0) + 1});
      });
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

ArrayRef<ProgramMistake> programMistakes() {
  static constexpr ProgramMistake all[] = {
      {"a variable is not declared", "scope", undeclared, Seen::Fault},
      {"a variable is out of scope", "scope", outOfScope, Seen::Nothing},
      {"a declaration stands twice", "scope", twice, Seen::Fault},
      {"two of a name", "scope", twoOfAName, Seen::Fault},
      {"a namesake within a loop", "scope", namesake, Seen::Nothing},
      {"a loop begins with its own variable", "scope", ownBound, Seen::Fault},
      {"an array of global memory", "scope", global, Seen::Fault},
      {"a condition is a number", "types", condition, Seen::Fault},
      {"a bound is an element", "types", bound, Seen::Fault},
      {"an integer is an element", "types", elementAsInteger, Seen::Fault},
      {"a subscript is an element", "types", elementAsSubscript, Seen::Fault},
      {"a vector is an element", "types", elementAsVector, Seen::Fault},
      {"a vector is updated", "types", vectorUpdated, Seen::Fault},
      {"a value is an address", "types", addressAsValue, Seen::Fault},
      {"a target is a number", "types", noTarget, Seen::Fault},
      {"a value is missing", "types", noValue, Seen::Fault},
      {"a subscript too few", "subscripts", fewerSubscripts, Seen::Fault},
      {"a subscript too many", "subscripts", moreSubscripts, Seen::Fault},
      {"a value is an array", "subscripts", arrayAsValue, Seen::Fault},
      {"a constant is assigned to", "constants", constantAssigned, Seen::Fault},
      {"a constant has no value", "constants", constantWithoutValue,
       Seen::Fault},
      {"an array has a value", "constants", arrayWithValue, Seen::Fault},
      {"a parameter is assigned to", "constants", parameterAssigned,
       Seen::Fault},
      {"a thread index is assigned to", "constants", indexAssigned,
       Seen::Fault},
      {"an argument too few", "calls", fewerArguments, Seen::Fault},
      {"an argument too many", "calls", moreArguments, Seen::Fault},
      {"a value that nobody uses", "calls", valueUnused, Seen::Fault},
      {"a value of what has none", "calls", statementAsValue, Seen::Fault},
      {"a call of no function", "calls", noFunction, Seen::Fault},
      {"an exchange with another warp", "calls", tooFar, Seen::Fault},
      {"a return in a function", "calls", returnInFunction, Seen::Fault},
      {"a function in a function", "calls", functionInFunction, Seen::Nothing},
      {"a barrier of some threads", "uniform control",
       ofSome<Callee::SyncThreads>, Seen::Fault},
      {"a commit of some threads", "uniform control", ofSome<Callee::Commit>,
       Seen::Fault},
      {"a wait of some threads", "uniform control", ofSome<Callee::WaitPrior>,
       Seen::Fault},
      {"an exchange of some threads", "uniform control", exchangeOfSome,
       Seen::Fault},
      {"a barrier in a loop of its own", "uniform control", oftener,
       Seen::Fault},
      {"a return of some before a barrier", "uniform control", leftBefore,
       Seen::Fault},
      {"a barrier is missing", "shared memory", missing<Callee::SyncThreads>,
       Seen::Fault},
      {"a commit is missing", "shared memory", missing<Callee::Commit>,
       Seen::Fault},
      {"a wait is missing", "shared memory", missing<Callee::WaitPrior>,
       Seen::Fault},
      {"a wait leaves a group too many", "shared memory", groupTooMany,
       Seen::Fault},
      {"a copy ahead too few", "shared memory", boxTooFew, Seen::Fault},
      {"a copy of the next box", "shared memory", boxBeside, Seen::Fault},
  };
  return all;
}

std::optional<Kernel> withMistake(const ProgramMistake &mistake,
                                  const Kernel &kernel, Random &random) {
  ProgramPlant all(kernel, UINT64_MAX);
  mistake.plant(all);
  if (all.places == 0)
    return std::nullopt;
  ProgramPlant one(kernel, random.pick(unsigned(all.places)));
  mistake.plant(one);
  return std::move(one.kernel);
}

} // namespace convopt::test
