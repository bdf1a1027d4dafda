//===- InterpreterTest.cpp - Kernels that run without a compiler ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "interpreter/Interpreter.h"
#include "Kernels.h"
#include "interpreter/Values.h"
#include "gtest/gtest.h"

using namespace convopt::program;
using namespace llvm;

namespace {

/// The message of the fault, or "".
std::string faultOf(const Kernel &k, Launch launch) {
  Expected<Outcome> outcome = run(k, std::move(launch));
  return outcome ? "" : toString(outcome.takeError());
}

#define EXPECT_FAULT(kernel, launch, text)                                     \
  do {                                                                         \
    std::string message = faultOf(kernel, launch);                             \
    EXPECT_NE(message.find(text), std::string::npos) << message;               \
  } while (false)

/// `in` holds 0, 1, ..., `out` nothing.
Launch launchOf(int64_t in, int64_t out, int64_t blocks = 1) {
  Launch l;
  l.grid = {blocks, 1, 1};
  for (int64_t k = 0; k != in; ++k)
    l.arrays["in"].elements.push_back(uint64_t(k));
  l.arrays["in"].isReadOnly = true;
  l.arrays["out"].elements.assign(out, Uninitialised);
  return l;
}

const VariableRef in = pointer("in"), out = pointer("out"),
                  x_s = array("x_s", Memory::Shared, {8}, 16),
                  x_r = array("x_r", Memory::Register, {4}, 16),
                  k = scalar("k"), y = scalar("y", elementType());

/// Of 8 threads, which have `in` and `out`.
Kernel ofEight(Block body) { return kernel({in, out}, 8, std::move(body)); }

uint64_t textValue(StringRef text, std::vector<uint64_t> operands,
                   bool isAlgebraic = false) {
  return TextValue(text, isAlgebraic)([&](unsigned k) { return operands[k]; });
}

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TEST(Values, NumbersAndSoleOperandsAreThemselves) {
  EXPECT_EQ(textValue("0.0f", {}), 0u);
  EXPECT_EQ(textValue("-0.0f", {}), 0u);
  EXPECT_EQ(textValue("3", {}), 3u);
  EXPECT_EQ(textValue("-3.0", {}), uint64_t(-3));
  EXPECT_EQ(textValue("$0", {7}), 7u);
  EXPECT_NE(textValue("1e-5f", {}), textValue("1e-6f", {}));
}

TEST(Values, OtherTextKnowsItsOperandsAndTheirOrder) {
  EXPECT_NE(textValue("$0 * $1", {2, 3}), textValue("$0 * $1", {3, 2}));
  EXPECT_NE(textValue("$0 * $1", {2, 3}), textValue("$0 + $1", {2, 3}));
  EXPECT_NE(textValue("f($0)", {2}), textValue("g($0)", {2}));
}

TEST(Values, AlgebraIsThatOfIntegers) {
  EXPECT_EQ(textValue("$0 * ($1 - 2) + -$0", {5, 7}, true), 20u);
  EXPECT_EQ(textValue("$0 * $1", {2, 3}, true),
            textValue("$1 * $0", {2, 3}, true));
  // What is no polynomial is known by its text.
  EXPECT_NE(textValue("f($0)", {2}, true), textValue("g($0)", {2}, true));
  EXPECT_NE(textValue("$0 * true", {2}, true),
            textValue("$0 * false", {2}, true));
}

//===----------------------------------------------------------------------===//
// What is right
//===----------------------------------------------------------------------===//

TEST(Interpreter, ComputesWhatTheTextsSay) {
  const VariableRef n = scalar("n"), sum = scalar("sum", elementType());
  Kernel kern = kernel(
      {in, out, n}, 4,
      {when(Expr::binary(Op::GreaterEqual, thread(), n), {leave()}),
       declare(sum, Expr::source("0.0f")),
       loop(k, 0, 3,
            {assign(sum, Expr::formula("$0 * $0", {at(in, {thread() + k})}),
                    Assignment::Update::Add)}),
       assign(at(out, {thread()}), sum)});
  Launch l = launchOf(6, 3);
  l.scalars["n"] = 3;
  Expected<Outcome> outcome = run(kern, l);
  ASSERT_TRUE(bool(outcome)) << toString(outcome.takeError());
  for (unsigned t = 0; t != 3; ++t) {
    uint64_t expected = 0;
    for (uint64_t k = 0; k != 3; ++k)
      expected = updated(Assignment::Update::Add, expected,
                         textValue("$0 * $0", {t + k}), false);
    EXPECT_EQ(outcome->arrays["out"].elements[t], expected);
  }
  l.isAlgebraic = true;
  outcome = run(kern, l);
  ASSERT_TRUE(bool(outcome)) << toString(outcome.takeError());
  EXPECT_EQ(outcome->arrays["out"].elements[2], 2u * 2 + 3 * 3 + 4 * 4);
}

/// Each thread writes one element, and reads that of its neighbour.
static Kernel exchange(bool waits) {
  Block body{declare(x_s), assign(at(x_s, {thread()}), at(in, {thread()}))};
  if (waits)
    body.push_back(barrier());
  body.push_back(assign(at(out, {thread()}), at(x_s, {(thread() + 1) % 8})));
  return ofEight(body);
}

TEST(Interpreter, BarriersOrderThreads) {
  Expected<Outcome> outcome = run(exchange(true), launchOf(8, 8));
  ASSERT_TRUE(bool(outcome)) << toString(outcome.takeError());
  EXPECT_EQ(outcome->arrays["out"].elements[2], 3u);
  EXPECT_FAULT(exchange(false), launchOf(8, 8),
               "assignment to 'out': thread (0, 0, 0) of block (0, 0, 0) reads "
               "'x_s[1]', which thread (1, 0, 0) wrote since the last barrier");
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

TEST(Interpreter, SubscriptsAreInBounds) {
  Kernel copy = ofEight({assign(at(out, {thread()}), at(in, {thread()}))});
  EXPECT_EQ(faultOf(copy, launchOf(8, 8)), "");
  EXPECT_FAULT(copy, launchOf(7, 8), "subscript 7 in dimension 0 of 'in'");
  EXPECT_FAULT(copy, launchOf(8, 7), "subscript 7 in dimension 0 of 'out'");
  const VariableRef a = array("a", Memory::Register, {2, 3});
  auto touch = [&](Expr row, Expr column) {
    return ofEight({declare(a), assign(at(a, {row, column}), 1)});
  };
  EXPECT_EQ(faultOf(touch(0, 2), launchOf(8, 8)), "");
  EXPECT_FAULT(touch(0, 3), launchOf(8, 8), "dimension 1 of 'a', which has 3");
  EXPECT_FAULT(touch(-1, 3), launchOf(8, 8), "subscript -1 in dimension 0");
  EXPECT_FAULT(ofEight({assign(at(out, {0, 1}), 1)}), launchOf(8, 8),
               "has too many subscripts for 'out'");
}

TEST(Interpreter, ElementsWithoutAValueAreNotStored) {
  auto body = [&](bool isWritten, const Expr &value, bool isUpdate = false) {
    Block b{declare(x_r), declare(y)};
    if (isWritten)
      b.push_back(assign(at(x_r, {1}), 5));
    b.push_back(assign(y, at(x_r, {1}))); // a copy
    if (isUpdate)
      b.push_back(assign(y, 1, Assignment::Update::Add));
    b.push_back(assign(at(out, {thread()}), value));
    return ofEight(b);
  };
  const Expr formula = Expr::formula("$0 + 1", {at(x_r, {1})});
  for (const Expr &value : {Expr(y), at(x_r, {1}), formula})
    for (bool isUpdate : {false, true}) {
      EXPECT_EQ(faultOf(body(true, value, isUpdate), launchOf(8, 8)), "");
      // The element, and not what it was copied to.
      EXPECT_FAULT(body(false, value, isUpdate), launchOf(8, 8),
                   "thread (0, 0, 0) of block (0, 0, 0) stores to 'out[0]' "
                   "what comes of 'x_r[1]', to which nothing was written");
    }
  // Nobody asks for what comes of it.
  EXPECT_EQ(faultOf(body(false, 5, true), launchOf(8, 8)), "");
}

TEST(Interpreter, IntegersWithoutAValueAreNotUsed) {
  const VariableRef m = scalar("m");
  EXPECT_FAULT(ofEight({declare(m), assign(at(out, {m}), 1)}), launchOf(8, 8),
               "uses 'm', to which nothing was written");
}

TEST(Interpreter, DeclarationsForget) {
  // An array of a loop's body is another one in each iteration.
  Kernel kern = ofEight(
      {loop(k, 0, 2,
            {declare(x_r), when(isEqual(k, 0), {assign(at(x_r, {0}), 1)}),
             assign(at(out, {thread()}), at(x_r, {0}))})});
  EXPECT_FAULT(kern, launchOf(8, 8), "what comes of 'x_r[0]'");
}

TEST(Interpreter, ConstantMemoryIsNotWritten) {
  EXPECT_FAULT(ofEight({assign(at(in, {thread()}), 1)}), launchOf(8, 8),
               "writes to 'in[0]', which is constant");
}

TEST(Interpreter, VectorsAreAligned) {
  auto body = [&](Expr first, unsigned alignment) {
    const VariableRef r = array("r", Memory::Register, {4}, alignment);
    return kernel({in, out}, 2,
                  {declare(r),
                   assign(Expr::access(vectorType(), at(r, {0}), 4, false),
                          Expr::access(vectorType(), at(in, {first}), 4, true)),
                   assign(at(out, {thread()}), at(r, {3}))});
  };
  Expected<Outcome> outcome = run(body(4 * thread(), 16), launchOf(8, 2));
  ASSERT_TRUE(bool(outcome)) << toString(outcome.takeError());
  EXPECT_EQ(outcome->arrays["out"].elements[1], 7u);
  EXPECT_FAULT(body(4 * thread() + 2, 16), launchOf(16, 2),
               "touches 16 bytes at 'in[2]', which is not aligned");
  EXPECT_FAULT(body(4 * thread(), 4), launchOf(8, 2), "at 'r[0]'");
  EXPECT_FAULT(body(4 * thread(), 16), launchOf(7, 2),
               "touches elements 4 to 7 of 'in', which has 7");
}

TEST(Interpreter, PlacesInSharedMemoryAreApart) {
  Variable r{"region", {Type::Element, "unsigned char"}, Memory::Shared};
  r.isPointer = true;
  r.alignment = 16;
  const VariableRef region = std::make_shared<Variable>(r);
  auto body = [&](int64_t place) {
    Variable a{"a", elementType(), Memory::Shared, {8}};
    Variable b = a;
    b.name = "b";
    a.place = {region};
    b.place = {region, place};
    const VariableRef first = std::make_shared<Variable>(a),
                      second = std::make_shared<Variable>(b);
    return ofEight({declare(region), declare(first), declare(second),
                    assign(at(first, {thread()}), 1),
                    assign(at(second, {thread()}), 2),
                    assign(at(out, {thread()}), at(first, {thread()}))});
  };
  Launch l = launchOf(8, 8);
  l.sharedBytes = 64;
  EXPECT_EQ(faultOf(body(32), l), "");
  EXPECT_FAULT(body(28), l, "in the memory of 'a'");
  EXPECT_FAULT(body(36), l, "ends at byte 68 of shared memory, which has 64");
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

TEST(Interpreter, IntegersStayInTheirTypes) {
  const VariableRef n = scalar("n"), m = scalar("m");
  auto of = [&](const Expr &e, int64_t value) {
    Launch l = launchOf(8, 8);
    l.scalars["n"] = value;
    // What depends on the thread is not folded.
    Kernel k = kernel({in, out, n}, 8,
                      {declare(m, Expr::select(less(thread(), 8), e, 0))});
    return faultOf(k, l);
  };
  EXPECT_EQ(of(n * Expr(n), 46340), "");
  EXPECT_EQ(of(n * Expr(n), 46341),
            "declaration of 'm': thread (0, 0, 0) of block (0, 0, 0) computes "
            "46341 * 46341, which overflows");
  const Expr wide = Expr::cast({Type::Wide, "long long"}, n);
  EXPECT_EQ(of(wide * 65536 / 65536, 46341), "");
  EXPECT_EQ(of(wide * 65536, 65536),
            "declaration of 'm': thread (0, 0, 0) of block (0, 0, 0) has "
            "4294967296 where an int is needed");
  EXPECT_NE(of(Expr(7) / n, 0).find("computes 7 / 0"), std::string::npos);
  EXPECT_NE(of(Expr(7) % n, 0).find("computes 7 % 0"), std::string::npos);
  EXPECT_EQ(of(Expr(7) % n, -2), "");
}

TEST(Interpreter, UnsignedNumbersWrapOnlyWhereItMakesNoDifference) {
  const VariableRef m = constantScalar("m");
  auto of = [&](Expr e) {
    return faultOf(ofEight({declare(m, e)}), launchOf(8, 8));
  };
  const Expr before = Expr(threadIndex(0)) - 3;
  EXPECT_EQ(of(before), "");
  EXPECT_EQ(of(before + 2), "");
  const char *needed = "thread (0, 0, 0) of block (0, 0, 0) has -3 where an "
                       "unsigned is needed";
  EXPECT_NE(of(before / 2).find(needed), std::string::npos);
  EXPECT_NE(of(less(before, 3)).find(needed), std::string::npos);
  EXPECT_NE(of(Expr::cast({Type::Wide, "long long"}, before)).find(needed),
            std::string::npos);
  EXPECT_EQ(of(less(Expr::cast(Type::integer(), before), 3)), "");
}

TEST(Interpreter, ConditionsShortCircuit) {
  const Expr inside = less(thread(), 7);
  EXPECT_EQ(
      faultOf(ofEight({when(
                  Expr::binary(Op::And, inside, less(at(x_r, {0}), 1)), {})}),
              launchOf(8, 8)),
      "conditional: 'x_r' is not declared, nor in the launch");
  Kernel guarded = ofEight(
      {assign(at(out, {thread()}),
              Expr::select(inside, at(in, {thread()}), Expr::source("0.0f")))});
  EXPECT_EQ(faultOf(guarded, launchOf(7, 8)), "");
  EXPECT_FAULT(guarded, launchOf(6, 8), "subscript 6");
}

TEST(Interpreter, AssertionsHold) {
  EXPECT_EQ(faultOf(ofEight({assertion(less(thread(), 8))}), launchOf(8, 8)),
            "");
  EXPECT_FAULT(ofEight({assertion(less(thread(), 7))}), launchOf(8, 8),
               "assertion: thread (7, 0, 0) of block (0, 0, 0) does not "
               "fulfil it");
  EXPECT_EQ(faultOf(ofEight({when(less(thread(), 7),
                                  {assertion(less(thread(), 7))})}),
                    launchOf(8, 8)),
            "");
}

//===----------------------------------------------------------------------===//
// Threads and blocks
//===----------------------------------------------------------------------===//

TEST(Interpreter, ThreadsDoNotWriteWhatOthersTouch) {
  const Expr half = thread() / 2;
  EXPECT_FAULT(ofEight({declare(x_s), assign(at(x_s, {half}), 1)}),
               launchOf(8, 8),
               "thread (1, 0, 0) of block (0, 0, 0) writes to 'x_s[0]', as "
               "thread (0, 0, 0) has since the last barrier");
  EXPECT_FAULT(ofEight({assign(at(out, {half}), 1)}), launchOf(8, 8),
               "writes to 'out[0]'");
  // Read by another, then written.
  auto reread = [](bool waits) {
    Block b{declare(x_s), declare(y), assign(at(x_s, {thread()}), 1), barrier(),
            assign(y, at(x_s, {(thread() + 1) % 8}))};
    if (waits)
      b.push_back(barrier());
    b.push_back(assign(at(x_s, {thread()}), 2));
    return ofEight(b);
  };
  EXPECT_EQ(faultOf(reread(true), launchOf(8, 8)), "");
  EXPECT_FAULT(reread(false), launchOf(8, 8),
               "writes to 'x_s[0]', which thread (7, 0, 0) read since");
}

TEST(Interpreter, BlocksAreNeverOrdered) {
  const Expr own = Expr(8) * blockOfGrid() + thread();
  EXPECT_EQ(faultOf(ofEight({assign(at(out, {own}), 1)}), launchOf(8, 16, 2)),
            "");
  EXPECT_FAULT(ofEight({assign(at(out, {thread()}), 1)}), launchOf(8, 16, 2),
               "block (1, 0, 0) writes to 'out[0]', which another block");
  Kernel reads =
      ofEight({when(isEqual(blockOfGrid(), 0), {assign(at(out, {thread()}), 1)},
                    {declare(y, at(out, {thread()}))})});
  EXPECT_FAULT(reads, launchOf(8, 16, 2), "which another block wrote");
  // Read by two, then written by the second.
  Launch l = launchOf(8, 16, 2);
  l.arrays["out"].elements.assign(16, 1);
  EXPECT_FAULT(ofEight({declare(y, at(out, {thread()})), barrier(),
                        when(isEqual(blockOfGrid(), 1),
                             {assign(at(out, {thread()}), 1)})}),
               l, "which another block touches");
}

TEST(Interpreter, AtomicUpdatesDoNotRace) {
  auto cleared = [](int64_t blocks) {
    Launch l = launchOf(8, 8, blocks);
    l.arrays["out"].elements.assign(8, 0);
    l.isAlgebraic = true;
    return l;
  };
  const StmtRef add = updateAtomically(at(out, {0}), at(in, {thread()})),
                read = declare(y, at(out, {0})),
                write = assign(at(out, {0}), 1);
  Expected<Outcome> outcome = run(ofEight({add}), cleared(3));
  ASSERT_TRUE(bool(outcome)) << toString(outcome.takeError());
  EXPECT_EQ(outcome->arrays["out"].elements[0], 3u * 28u); // 0 + ... + 7
  const Expr isFirst = isEqual(thread(), 0);
  // What is plain races with them, before and after.
  EXPECT_FAULT(ofEight({add, when(isFirst, {read})}), cleared(1),
               "reads 'out[0]', which others wrote since the last barrier");
  EXPECT_FAULT(ofEight({add, when(isFirst, {write})}), cleared(1),
               "writes to 'out[0]', as others have since the last barrier");
  EXPECT_FAULT(ofEight({when(isFirst, {write}), add}), cleared(1),
               "thread (1, 0, 0) of block (0, 0, 0) writes to 'out[0]', as "
               "thread (0, 0, 0) has since the last barrier");
  EXPECT_FAULT(ofEight({when(isFirst, {read}), add}), cleared(1),
               "writes to 'out[0]', which thread (0, 0, 0) read since");
  // A barrier orders threads of a block, and no blocks.
  const Block ordered{when(isFirst, {write}), barrier(), add, barrier(), read};
  EXPECT_EQ(faultOf(ofEight(ordered), cleared(1)), "");
  EXPECT_FAULT(ofEight({when(isFirst, {write}), barrier(), add}), cleared(2),
               "which another block touches");
  const Expr isSecond = isEqual(blockOfGrid(), 1);
  EXPECT_FAULT(ofEight({add, barrier(), when(isSecond, {read})}), cleared(2),
               "reads 'out[0]', which another block wrote");
  EXPECT_FAULT(
      ofEight({add, barrier(), when(both(isSecond, isFirst), {write})}),
      cleared(2), "which another block touches");
  EXPECT_FAULT(ofEight({when(isEqual(blockOfGrid(), 0), {read}, {add})}),
               cleared(2), "which another block touches");
}

TEST(Interpreter, AllThreadsMeetAtBarriers) {
  const Expr some = less(thread(), 3);
  EXPECT_FAULT(ofEight({when(some, {barrier()})}), launchOf(8, 8),
               "call of __syncthreads: thread (0, 0, 0) of block (0, 0, 0) "
               "waits for all threads of the block, and thread (3, 0, 0) does "
               "not get there");
  EXPECT_FAULT(ofEight({when(some, {leave()}), barrier()}), launchOf(8, 8),
               "thread (0, 0, 0) has returned");
  EXPECT_FAULT(ofEight({loop(k, 0, thread(), {barrier()})}), launchOf(8, 8),
               "does not get there");
  EXPECT_EQ(faultOf(ofEight({when(some, {leave()})}), launchOf(8, 8)), "");
}

TEST(Interpreter, AllThreadsMeetAtVotes) {
  const VariableRef any = scalar("any", Type::boolean());
  auto votes = [&](Expr own) { return declare(any, vote({std::move(own)})); };
  // Each thread hears of the last one.
  auto answers = [&](Expr own) {
    return ofEight(
        {votes(std::move(own)), when(any, {assign(at(out, {thread()}), 1)},
                                     {assign(at(out, {thread()}), 2)})});
  };
  for (auto [last, answer] : {std::pair(7, 1u), {8, 2u}}) {
    Expected<Outcome> outcome =
        run(answers(isEqual(thread(), last)), launchOf(8, 8));
    ASSERT_TRUE(bool(outcome)) << toString(outcome.takeError());
    EXPECT_EQ(outcome->arrays["out"].elements,
              std::vector<uint64_t>(8, answer));
  }
  // It is a barrier, too.
  auto exchanges = [&](StmtRef meets) {
    return ofEight({declare(x_s), assign(at(x_s, {thread()}), 1),
                    std::move(meets),
                    assign(at(out, {thread()}), at(x_s, {7 - thread()}))});
  };
  EXPECT_EQ(faultOf(exchanges(votes(less(thread(), 3))), launchOf(8, 8)), "");
  EXPECT_FAULT(exchanges(declare(any, less(thread(), 3))), launchOf(8, 8),
               "wrote since the last barrier");
  EXPECT_FAULT(ofEight({when(less(thread(), 3), {votes(less(thread(), 1))})}),
               launchOf(8, 8),
               "declaration of 'any': thread (0, 0, 0) of block (0, 0, 0) "
               "waits for all threads of the block, and thread (3, 0, 0) does "
               "not get there");
  EXPECT_FAULT(
      ofEight({when(less(thread(), 3), {leave()}), votes(less(thread(), 1))}),
      launchOf(8, 8), "thread (0, 0, 0) has returned");
}

TEST(Interpreter, LanesExchange) {
  using Update = Assignment::Update;
  // Each thread has the sum of those whose lanes differ in these bits.
  auto sums = [&](std::vector<unsigned> distances, int64_t threads) {
    Block body{declare(y, at(in, {thread()}))};
    for (unsigned d : distances)
      body.push_back(assign(y, exchange({y, d}), Update::Add));
    body.push_back(assign(at(out, {thread()}), y));
    return kernel({in, out}, threads, std::move(body));
  };
  Launch l = launchOf(64, 64);
  l.isAlgebraic = true;
  Expected<Outcome> outcome = run(sums({2, 8}, 64), l);
  ASSERT_TRUE(bool(outcome)) << toString(outcome.takeError());
  for (uint64_t t = 0; t != 64; ++t)
    EXPECT_EQ(outcome->arrays["out"].elements[t],
              t + (t ^ 2) + (t ^ 8) + (t ^ 10))
        << t;
  // All lanes of the warp, and of no other one.
  const StmtRef exchanged = assign(y, exchange({y, 1}));
  auto ofSome = [&](int64_t count) {
    return kernel({in, out}, 64,
                  {declare(y, at(in, {thread()})),
                   when(less(thread(), count), {exchanged})});
  };
  EXPECT_EQ(faultOf(ofSome(32), l), "");
  EXPECT_FAULT(ofSome(40), l,
               "assignment to 'y': thread (32, 0, 0) of block (0, 0, 0) waits "
               "for all lanes of the warp, and thread (40, 0, 0) does not get "
               "there");
  EXPECT_FAULT(kernel({in, out}, 64,
                      {declare(y, at(in, {thread()})),
                       when(isEqual(thread(), 3), {leave()}), exchanged}),
               l, "thread (3, 0, 0) has returned");
  EXPECT_FAULT(sums({1}, 48), l, "one of them has no thread");
  // What has no value has none elsewhere.
  const StmtRef odd = when(less(thread(), 40), {assign(y, at(in, {0}))});
  EXPECT_FAULT(kernel({in, out}, 64,
                      {declare(y), odd, assign(y, exchange({y, 8})),
                       assign(at(out, {thread()}), y)}),
               l, "stores to 'out[32]' what comes of 'y'");
}

TEST(Interpreter, LoopsEnd) {
  Launch l = launchOf(8, 8);
  EXPECT_FAULT(ofEight({loop(k, 0, 5, {}, 0)}), l, "steps from 0 by 0");
  l.limit = 1000;
  EXPECT_FAULT(ofEight({loop(k, 0, 1000, {assign(at(out, {thread()}), 1)})}), l,
               "longer than the limit");
}

TEST(Interpreter, SharedMemoryIsAnotherForEachBlock) {
  Kernel kern = ofEight(
      {declare(x_s),
       when(isEqual(blockOfGrid(), 0), {assign(at(x_s, {thread()}), 1)}),
       declare(y, at(x_s, {thread()})),
       assign(at(out, {Expr(8) * blockOfGrid() + thread()}), y)});
  EXPECT_EQ(faultOf(kern, launchOf(8, 16, 1)), "");
  EXPECT_FAULT(kern, launchOf(8, 16, 2), "what comes of 'x_s[0]'");
}
