//===- CheckTest.cpp - Rules that programs keep ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Program/Check.h"
#include "Kernels.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace convopt::program;
using namespace llvm;

namespace {

const VariableRef in = pointer("in"), out = pointer("out"), n = scalar("n"),
                  k = scalar("k"), m = scalar("m"),
                  isSmall = scalar("isSmall", Type::boolean()),
                  y = scalar("y", elementType()),
                  x_s = array("x_s", Memory::Shared, {4, 8}, 16);

/// The message about a kernel of 8 threads, or "".
std::string messageOf(Block body, int64_t threads = 8) {
  Error e = check(kernel({in, out, n, isSmall}, threads, std::move(body)));
  return e ? toString(std::move(e)) : "";
}

Expr one(const char *text = "1.0f") { return Expr::source(text); }
Expr vector(Expr element) {
  return Expr::access(vectorType(), std::move(element), 4, false);
}

} // namespace

TEST(Check, Scope) {
  EXPECT_EQ(messageOf({declare(k, 0), declare(m, k)}), "");
  EXPECT_EQ(messageOf({declare(m, k)}),
            "scope: declaration of 'm': 'k' is not declared here");
  EXPECT_EQ(messageOf({declare(k, 0), declare(k, 1)}),
            "scope: declaration of 'k': 'k' is declared twice");
  EXPECT_EQ(messageOf({declare(k, 0), declare(scalar("k"), 1)}),
            "scope: declaration of 'k': there are two 'k' in a block");
  EXPECT_EQ(messageOf({declare(k, 0), when(isSmall, {declare(k, 1)})}),
            "scope: declaration of 'k': 'k' is declared twice");
  EXPECT_EQ(messageOf({when(isSmall, {declare(k, 0)}, {declare(k, 1)})}), "");
  // Out of its block, and in the loop's own bounds.
  EXPECT_EQ(messageOf({loop(k, 0, n, {}), declare(m, k)}),
            "scope: declaration of 'm': 'k' is not declared here");
  EXPECT_EQ(messageOf({loop(k, k, n, {})}),
            "scope: loop over 'k': 'k' is not declared here");
  // Two of one name, one within the other: what the text says is the inner.
  const VariableRef inner = scalar("k");
  auto nested = [&](const VariableRef &used) {
    return messageOf({loop(k, 0, n, {loop(inner, 0, n, {declare(m, used)})})});
  };
  EXPECT_EQ(nested(inner), "");
  EXPECT_EQ(nested(k),
            "scope: declaration of 'm': 'k' means another variable here");
  EXPECT_EQ(messageOf({declare(array("g", Memory::Global, {4}))}),
            "scope: declaration of 'g': a kernel declares registers and shared "
            "memory");
}

TEST(Check, NamesStatementsByTheirSource) {
  auto d = std::make_shared<Declaration>(m, k);
  d->comment = "conv.c:12";
  EXPECT_EQ(messageOf({d}), "scope: declaration of 'm' (conv.c:12): 'k' is not "
                            "declared here");
}

TEST(Check, Types) {
  EXPECT_EQ(messageOf({when(isSmall, {})}), "");
  EXPECT_EQ(messageOf({when(n, {})}),
            "types: conditional: a condition is not boolean");
  EXPECT_EQ(messageOf({declare(m, Expr::select(n, 1, 2))}),
            "types: declaration of 'm': a condition is not boolean");
  EXPECT_EQ(messageOf({when(Expr::binary(Op::And, isSmall, n), {})}),
            "types: conditional: a condition is not boolean");
  EXPECT_EQ(messageOf({assign(at(out, {at(in, {0})}), one())}),
            "types: assignment to 'out': a subscript of 'out' is no integer");
  EXPECT_EQ(messageOf({loop(k, 0, one(), {})}),
            "types: loop over 'k': the bound of a loop is no integer");
  EXPECT_EQ(messageOf({declare(m, Expr::binary(Op::Add, at(in, {0}), 1))}),
            "types: declaration of 'm': what is computed with is no integer");
  EXPECT_EQ(messageOf({declare(m, Expr::sizeOf(elementType()) * 4)}), "");
  EXPECT_EQ(messageOf({declare(m, one())}),
            "types: declaration of 'm': the value is of another type");
  EXPECT_EQ(messageOf({assign(at(out, {0}), vector(at(in, {0})))}),
            "types: assignment to 'out': the value is of another type");
  EXPECT_EQ(messageOf({assign(vector(at(out, {0})), vector(at(in, {0})))}), "");
  EXPECT_EQ(messageOf({assign(vector(at(out, {0})), one())}),
            "types: assignment to 'out': the value is of another type");
  EXPECT_EQ(messageOf({assign(vector(at(out, {0})), vector(at(in, {0})),
                              Assignment::Update::Add)}),
            "types: assignment to 'out': a vector is not updated");
  EXPECT_EQ(messageOf({declare(m, addressOf(at(in, {0})))}),
            "types: declaration of 'm': an address is no value");
  EXPECT_EQ(messageOf({assign(Expr(4), 5)}),
            "types: assignment: the target is no variable");
}

TEST(Check, AtomicUpdates) {
  EXPECT_EQ(messageOf({updateAtomically(at(out, {0}), one())}), "");
  EXPECT_EQ(
      messageOf({declare(x_s), assign(at(x_s, {0, thread()}), one()), barrier(),
                 updateAtomically(at(x_s, {0, thread()}), one())},
                1),
      "");
  EXPECT_EQ(messageOf({declare(y), updateAtomically(y, one())}),
            "types: assignment to 'y': 'y' is the thread's own");
  for (auto update : {Assignment::Update::None, Assignment::Update::Mul,
                      Assignment::Update::Max}) // of a float
    EXPECT_EQ(messageOf({updateAtomically(at(out, {0}), one(), update)}),
              "types: assignment to 'out': CUDA has no such atomic operation");
}

TEST(Check, Subscripts) {
  EXPECT_EQ(messageOf({declare(x_s), declare(y, at(x_s, {1, 2}))}), "");
  EXPECT_EQ(messageOf({declare(x_s), declare(y, at(x_s, {1}))}),
            "subscripts: declaration of 'y': 'x_s' has 1 subscripts for 2 "
            "extents");
  EXPECT_EQ(messageOf({declare(y, at(in, {1, 2}))}),
            "subscripts: declaration of 'y': 'in' has 2 subscripts for 1 "
            "extents");
  EXPECT_EQ(messageOf({declare(y, in)}),
            "subscripts: declaration of 'y': 'in' is an array and no value");
  // A part of it, where a copy goes.
  EXPECT_EQ(messageOf({declare(x_s),
                       call(Callee::AsyncCopy, {addressOf(at(x_s, {1})),
                                                addressOf(at(in, {0})), 4})}),
            "");
  // Of zeros where it does not copy, by a function that has a name.
  auto chosen = [&](const Expr &copies, std::string name) {
    return messageOf({declare(x_s), call(Callee::AsyncCopy,
                                         {addressOf(at(x_s, {1})),
                                          addressOf(at(in, {0})), 4, copies},
                                         std::move(name))});
  };
  EXPECT_EQ(chosen(less(0, 1), "or_zeros"), "");
  EXPECT_NE(chosen(less(0, 1), ""), "");
  EXPECT_NE(chosen(1, "or_zeros"), "");
}

TEST(Check, Constants) {
  const VariableRef c = constantScalar("c");
  EXPECT_EQ(messageOf({declare(c, 1)}), "");
  EXPECT_EQ(messageOf({declare(c)}),
            "constants: declaration of 'c': a constant has no value");
  EXPECT_EQ(messageOf({declare(c, 1), assign(c, 2)}),
            "constants: assignment to 'c': 'c' is constant");
  EXPECT_EQ(messageOf({assign(n, 2)}),
            "constants: assignment to 'n': 'n' is constant");
  EXPECT_EQ(messageOf({assign(threadIndex(0), 2)}),
            "constants: assignment to 'threadIdx.x': 'threadIdx.x' is "
            "constant");
  EXPECT_EQ(messageOf({declare(x_s, one())}),
            "constants: declaration of 'x_s': an array has no value of its "
            "own");
  const VariableRef w = array("w", Memory::Constant, {4});
  Error e = check(kernel({w}, 8, {assign(at(w, {0}), one())}));
  EXPECT_EQ(toString(std::move(e)),
            "constants: assignment to 'w': 'w' is constant");
}

TEST(Check, Calls) {
  auto minimum = [](std::vector<Expr> arguments) {
    return Expr::call({Callee::Min, ""}, std::move(arguments));
  };
  EXPECT_EQ(messageOf({declare(m, minimum({n, 3}))}), "");
  EXPECT_EQ(
      messageOf({declare(m, Expr::call({Callee::FloorDiv, "floordiv"}, {n}))}),
      "calls: declaration of 'm': floordiv with 1 arguments");
  EXPECT_EQ(messageOf({call(Callee::Min, {n, 3})}),
            "calls: call of min for 'n': a value that nobody uses");
  EXPECT_EQ(messageOf({declare(m, Expr::call({Callee::Commit, ""}, {}))}),
            "calls: declaration of 'm': commit has no value");
  EXPECT_EQ(messageOf({call(Callee::WaitPrior)}),
            "calls: call of wait_prior: wait_prior with 0 arguments");
  EXPECT_EQ(messageOf({declare(m, vote({}))}),
            "calls: declaration of 'm': __syncthreads_or with 0 arguments");
  const Expr any = vote({less(thread(), 3)});
  const VariableRef b = scalar("b", Type::boolean());
  EXPECT_EQ(messageOf({declare(b, any)}), "");
  for (const Block &inside :
       std::initializer_list<Block>{{when(any, {})},
                                    {declare(b, Expr::unary(Op::Not, any))},
                                    {declare(b, 0), assign(b, any)}})
    EXPECT_NE(messageOf(inside).find("is no value of a declaration"),
              std::string::npos)
        << messageOf(inside);
  const StmtRef fill = function("fill", k, {}),
                start = call(Callee::Local, {0}, "fill");
  EXPECT_EQ(messageOf({fill, start}), "");
  EXPECT_EQ(messageOf({start, fill}),
            "calls: call of fill: 'fill' is no function here");
  EXPECT_EQ(messageOf({when(isSmall, {fill}), start}),
            "calls: call of fill: 'fill' is no function here");
  EXPECT_EQ(messageOf({function("fill", k, {leave()})}),
            "calls: return: a function of a thread returns at its end only");
}

//===----------------------------------------------------------------------===//
// Uniform control
//===----------------------------------------------------------------------===//

TEST(Check, UniformControl) {
  const std::string rule = "uniform control: call of __syncthreads: it ",
                    parted = rule + "is where threads may have parted",
                    after = rule + "comes after a return of some threads";
  const Expr some = less(thread(), 3);
  EXPECT_EQ(messageOf({barrier(), loop(k, 0, n, {barrier()}),
                       when(less(n, 3), {barrier()}),
                       when(less(blockOfGrid(), 3), {barrier()})}),
            "");
  EXPECT_EQ(messageOf({when(some, {barrier()})}), parted);
  EXPECT_EQ(messageOf({when(some, {}, {barrier()})}), parted);
  EXPECT_EQ(messageOf({loop(k, thread(), n, {barrier()})}), parted);
  EXPECT_EQ(messageOf({loop(k, 0, thread(), {barrier()})}), parted);
  EXPECT_EQ(messageOf({when(less(at(in, {0}), 3), {barrier()})}).substr(0, 5),
            "types"); // an element is no number
  // Derived, by values and by control.
  EXPECT_EQ(
      messageOf({declare(m, thread() + 1), when(less(m, 3), {barrier()})}),
      parted);
  EXPECT_EQ(messageOf({declare(m, 0), when(some, {assign(m, 1)}),
                       when(less(m, 1), {barrier()})}),
            parted);
  EXPECT_EQ(messageOf({declare(m, 0), loop(k, 0, n,
                                           {when(less(m, 1), {barrier()}),
                                            assign(m, thread())})}),
            parted);
  // Along a dimension without threads.
  EXPECT_EQ(messageOf({when(less(threadIndex(1), 3), {barrier()})}), "");
  EXPECT_EQ(messageOf({when(some, {barrier()})}, /*threads=*/1), "");
  // Returns.
  EXPECT_EQ(messageOf({when(some, {leave()})}), "");
  EXPECT_EQ(messageOf({when(some, {leave()}), barrier()}), after);
  EXPECT_EQ(messageOf({when(less(n, 3), {leave()}), barrier()}), "");
  EXPECT_EQ(messageOf({loop(k, 0, n, {barrier(), when(some, {leave()})})}),
            after);
}

TEST(Check, UniformControlOfVotes) {
  const Expr some = less(thread(), 3);
  const VariableRef any = scalar("any", Type::boolean());
  const StmtRef asked = declare(any, vote({some}));
  const std::string rule = "uniform control: declaration of 'any': it ",
                    parted = rule + "is where threads may have parted";
  // All hear the same, and may meet again where it is true.
  EXPECT_EQ(messageOf({asked, when(any, {barrier()})}), "");
  EXPECT_EQ(messageOf({declare(any, some), when(any, {barrier()})}),
            "uniform control: call of __syncthreads: it is where threads may "
            "have parted");
  EXPECT_EQ(messageOf({when(some, {asked})}), parted);
  EXPECT_EQ(messageOf({loop(k, 0, thread(), {asked})}), parted);
  EXPECT_EQ(messageOf({when(some, {leave()}), asked}),
            rule + "comes after a return of some threads");
  // A vote is a condition.
  EXPECT_EQ(messageOf({declare(any, vote({n}))}).substr(0, 5), "types");
}

TEST(Check, Exchanges) {
  using Update = Assignment::Update;
  const VariableRef sums = array("sums", Memory::Register, {4});
  auto message = [&](Block body, int64_t threads = 64) {
    Block all{declare(y, one()), declare(sums)};
    append_range(all, body);
    return messageOf(all, threads);
  };
  auto adds = [&](std::vector<Expr> arguments) {
    return assign(y, exchange(std::move(arguments)), Update::Add);
  };
  EXPECT_EQ(message({adds({y, 1}), adds({y, 31})}), "");
  EXPECT_EQ(message({loop(k, 0, 4,
                          {assign(at(sums, {k}), exchange({at(sums, {k}), 2}),
                                  Update::Max)})}),
            "");
  // In full warps, and of nothing but the value of an assignment.
  const std::string rule = "uniform control: assignment to 'y': it ",
                    calls = "calls: assignment to 'y': __shfl_xor_sync ";
  const Expr some = less(thread(), 32);
  EXPECT_EQ(message({adds({y, 1})}, 48),
            rule + "is where a warp has lanes without a thread");
  EXPECT_EQ(message({when(some, {adds({y, 1})})}),
            rule + "is where threads may have parted");
  EXPECT_EQ(message({when(some, {leave()}), adds({y, 1})}),
            rule + "comes after a return of some threads");
  EXPECT_EQ(message({adds({y})}), calls + "with 1 arguments");
  for (Expr distance : {Expr(0), Expr(32), Expr(n)})
    EXPECT_EQ(message({adds({y, distance})}),
              calls + "at a distance that is none of lanes");
  EXPECT_EQ(message({assign(y, Expr::formula("$0 + 1", {exchange({y, 1})}))}),
            calls + "is no value of an assignment");
  EXPECT_NE(message({declare(scalar("z", elementType()), exchange({y, 1}))})
                .find("is no value of an assignment"),
            std::string::npos);
  EXPECT_EQ(message({assign(vector(at(out, {0})),
                            exchange({vector(at(in, {0})), 1}))})
                .substr(0, 5),
            "types");
  // It orders nothing in shared memory.
  const VariableRef row = array("row", Memory::Shared, {64});
  EXPECT_EQ(
      message({declare(row), assign(at(row, {thread()}), one()), adds({y, 1}),
               assign(at(out, {thread()}), at(row, {63 - thread()}))})
          .substr(0, 13),
      "shared memory");
}

TEST(Check, UniformControlOfCopies) {
  const Expr some = less(thread(), 3);
  EXPECT_EQ(messageOf({call(Callee::Commit), call(Callee::WaitPrior, {0})}),
            "");
  EXPECT_EQ(messageOf({when(some, {call(Callee::Commit)})}),
            "uniform control: call of commit: it is where threads may have "
            "parted");
  EXPECT_EQ(messageOf({when(some, {call(Callee::WaitPrior, {0})})}),
            "uniform control: call of wait_prior: it is where threads may have "
            "parted");
}

TEST(Check, UniformControlOfFunctions) {
  const Expr some = less(thread(), 3);
  const StmtRef meet = function("meet", k, {barrier()}),
                meetSometimes =
                    function("meet", k, {when(less(k, 3), {barrier()})});
  auto calls = [](Expr argument) {
    return call(Callee::Local, {std::move(argument)}, "meet");
  };
  const std::string parted = "uniform control: call of __syncthreads: it is "
                             "where threads may have parted";
  EXPECT_EQ(messageOf({meet, calls(thread())}), "");
  EXPECT_EQ(messageOf({meet, when(some, {calls(0)})}), parted);
  EXPECT_EQ(messageOf({meetSometimes, calls(n)}), "");
  EXPECT_EQ(messageOf({meetSometimes, calls(thread())}), parted);
}

//===----------------------------------------------------------------------===//
// Shared memory; pipelined copies are in CopiesTest.cpp
//===----------------------------------------------------------------------===//

TEST(Check, ScopeOfOutlined) {
  const VariableRef count = array("count", Memory::Shared, {});
  auto outlined = [&](std::vector<VariableRef> parameters, Block body) {
    auto s = std::make_shared<Scope>();
    s->function = "apart";
    s->parameters = std::move(parameters);
    s->body = std::move(body);
    return messageOf({declare(k, 0), declare(count), s});
  };
  EXPECT_EQ(outlined({k}, {declare(m, Expr(k) + n)}), "");
  EXPECT_EQ(outlined({k}, {declare(y), assign(y, one())}), "");
  EXPECT_EQ(outlined({}, {declare(m, k)}),
            "scope: declaration of 'm': 'k' is not declared here");
  EXPECT_EQ(outlined({m}, {}),
            "scope: call of 'apart': 'm' is not declared here");
  EXPECT_EQ(outlined({k}, {assign(k, 1)}),
            "constants: assignment to 'k': 'k' is constant");
  EXPECT_EQ(outlined({count}, {}),
            "scope: call of 'apart': 'count' is passed by value");
}

TEST(Check, SharedMemory) {
  const StmtRef write = assign(at(x_s, {0, thread()}), one()),
                read = declare(y, at(x_s, {0, 0}));
  const std::string early = "shared memory: declaration of 'y': it reads "
                            "'x_s', and no barrier comes after what wrote it";
  EXPECT_EQ(messageOf({declare(x_s), write, barrier(), read}), "");
  EXPECT_EQ(messageOf({declare(x_s), write, read}), early);
  EXPECT_EQ(messageOf({declare(x_s), write, when(isSmall, {barrier()}), read}),
            early);
  EXPECT_EQ(messageOf({declare(x_s), write, read}, /*threads=*/1), "");
  // What the next iteration writes.
  EXPECT_EQ(
      messageOf({declare(x_s), loop(k, 0, n, {write, barrier(), read})}),
      "shared memory: assignment to 'x_s': it writes 'x_s', and no barrier "
      "comes after what read it");
  EXPECT_EQ(messageOf({declare(x_s),
                       loop(k, 0, n, {write, barrier(), read, barrier()})}),
            "");
  // A vote is a barrier; a thread that is gone reads nothing.
  const VariableRef any = scalar("any", Type::boolean());
  EXPECT_EQ(messageOf({declare(x_s), write,
                       declare(any, vote({less(thread(), 3)})), read}),
            "");
  EXPECT_EQ(messageOf({declare(x_s), when(isSmall, {write, leave()}), read}),
            "");
}

TEST(Check, SharedMemoryOfInstances) {
  // Ways of one instance of the kernel are taken together.
  const VariableRef bulk = scalar("bulk", Type::boolean());
  auto constant = std::make_shared<Declaration>(
      bulk, Expr::call({Callee::HasBulk, ""}, {}));
  constant->isConstexpr = true;
  const StmtRef write = assign(at(x_s, {0, thread()}), one()),
                read = declare(y, at(x_s, {0, 0}));
  EXPECT_EQ(messageOf({declare(x_s), constant, when(bulk, {write}),
                       when(bulk, {barrier()}), read}),
            "");
  EXPECT_NE(messageOf({declare(x_s), constant, when(bulk, {write}),
                       when(Expr::unary(Op::Not, bulk), {barrier()}), read}),
            "");
}

namespace {

Expr host(const char *name, std::vector<Expr> arguments, Type type = {}) {
  return Expr::call({Callee::Named, name}, std::move(arguments), type);
}
const Type errorType{Type::Handle, "cudaError_t"};
const VariableRef error = scalar("error", errorType);
const Expr success = Expr::source("cudaSuccess", errorType);

std::string messageOfHost(Block body) {
  Error e = check(FunctionDefinition{
      "void f", {{n, "int n"}, {isSmall, ""}}, std::move(body)});
  return e ? toString(std::move(e)) : "";
}

} // namespace

TEST(Check, HostCode) {
  auto leave = [](Expr value) -> StmtRef {
    return std::make_shared<Return>(std::move(value));
  };
  const Expr synchronise = host("cudaDeviceSynchronize", {}, errorType);
  const Expr fails = Expr::binary(Op::NotEqual, Expr(error), success);
  EXPECT_EQ(messageOfHost({declare(error, synchronise),
                           when(fails, {leave(Expr(error))}),
                           std::make_shared<CallStmt>(host("f", {n}))}),
            "");
  // What a template or the file declares is seen and has no text.
  EXPECT_EQ(messageOfHost({when(isSmall, {})}), "");
  EXPECT_EQ(messageOfHost({leave(Expr(error))}),
            "scope: return: 'error' is not declared here");
  EXPECT_EQ(messageOfHost({declare(m, host("n", {}))}),
            "scope: declaration of 'm': 'n' is a variable here");
  EXPECT_EQ(messageOfHost({declare(m, synchronise)}),
            "types: declaration of 'm': the value is of another type");
  EXPECT_EQ(messageOfHost({declare(error, 1)}),
            "types: declaration of 'error': the value is of another type");
  EXPECT_EQ(messageOfHost({when(synchronise, {})}),
            "types: conditional: a condition is not boolean");
  EXPECT_EQ(messageOfHost({declare(m, Expr::binary(Op::Mul, success, n))}),
            "types: declaration of 'm': what is computed with is no integer");
  EXPECT_EQ(messageOfHost({declare(error, host("g", {k}, errorType))}),
            "scope: declaration of 'error': 'k' is not declared here");
  auto l = std::make_shared<For>(k, 0, n);
  l->goesOn = n;
  EXPECT_EQ(messageOfHost({l}),
            "types: loop over 'k': a condition is not boolean");
}

TEST(Check, KernelsDoNothingOfTheHosts) {
  EXPECT_EQ(messageOf({declare(m, host("f", {}))}),
            "calls: declaration of 'm': only a host does that");
  EXPECT_EQ(messageOf({std::make_shared<CallStmt>(
                Expr::call({Callee::Launch, ""}, {n, n, n, n, n}))}),
            "calls: call of launch for 'n': only a host does that");
  EXPECT_EQ(messageOf({std::make_shared<Return>(Expr(n))}),
            "calls: return: only a host does that");
  auto l = std::make_shared<For>(k, 0, n);
  l->goesOn = isSmall;
  EXPECT_EQ(messageOf({l}), "calls: loop over 'k': only a host does that");
}
