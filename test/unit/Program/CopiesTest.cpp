//===- CopiesTest.cpp - Pipelined copies, without a compiler --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "convopt/Program/Check.h"
#include "interpreter/Interpreter.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace convopt::program;
using namespace llvm;

namespace {

const VariableRef in = pointer("in"), out = pointer("out"),
                  y = scalar("y", elementType()), n = scalar("n"),
                  i = scalar("i"), k = scalar("k");

constexpr int64_t Iterations = 5, Threads = 8;

/// Each thread stores the sum of a row of `in`'s boxes: its neighbour's copies.
Launch launchOf(bool hasBulk = false) {
  Launch l;
  for (int64_t k = 0; k != Iterations * Threads; ++k)
    l.arrays["in"].elements.push_back(uint64_t(100 + k));
  l.arrays["in"].isReadOnly = true;
  l.arrays["out"].elements.assign(Iterations * Threads, Uninitialised);
  l.hasBulk = hasBulk;
  return l;
}

/// What the checker says of what is read from shared memory; "" where that is
/// right.
std::string arrivalOf(const Kernel &k) {
  Error e = check(k);
  return e ? toString(std::move(e)) : "";
}

/// "" where the kernel is right: it moves each box by one.
std::string resultOf(const Kernel &k, Launch launch) {
  Expected<Outcome> outcome = run(k, std::move(launch));
  if (!outcome)
    return toString(outcome.takeError());
  for (int64_t n = 0; n != Iterations; ++n)
    for (int64_t t = 0; t != Threads; ++t)
      if (outcome->arrays["out"].elements[n * Threads + t] !=
          uint64_t(100 + n * Threads + (t + 1) % Threads))
        return "wrong";
  return "";
}

bool contains(const std::string &message, StringRef part) {
  EXPECT_TRUE(StringRef(message).contains(part)) << message;
  return true;
}

//===----------------------------------------------------------------------===//
// By threads
//===----------------------------------------------------------------------===//

/// What a pipeline of \p depth boxes may do wrong.
struct Pipeline {
  int64_t depth = 2, inFlight = 0; // what wait_prior leaves
  bool waits = true, meets = true, commits = true;
  int64_t ahead = 1;     // iterations that copies run ahead
  int64_t guarded = 0;   // too many
  int64_t otherRead = 0; // boxes that the reads are off

  Kernel kernel() const {
    const VariableRef x_s = array("x_s", Memory::Shared, {depth, Threads}, 16);
    const VariableRef step = scalar("step");
    Block fill{call(Callee::AsyncCopy,
                    {addressOf(at(x_s, {step % Expr(depth), thread()})),
                     addressOf(at(in, {step * Expr(Threads) + thread()})),
                     Expr::sizeOf(elementType())})};
    auto start = [&](Block &at, const Expr &iteration) {
      at.push_back(when(less(iteration + guarded, n),
                        {call(Callee::Local, {iteration}, "fill")}));
      if (commits)
        at.push_back(call(Callee::Commit));
    };
    Block body{declare(x_s), function("fill", step, fill)};
    for (int64_t k = 0; k != ahead; ++k)
      start(body, k);
    Block iteration;
    if (waits)
      iteration.push_back(call(Callee::WaitPrior, {inFlight}));
    if (meets)
      iteration.push_back(barrier());
    start(iteration, Expr(i) + ahead);
    iteration.push_back(assign(
        at(out, {i * Expr(Threads) + thread()}),
        at(x_s, {(Expr(i) + otherRead) % Expr(depth), (thread() + 1) % 8})));
    body.push_back(loop(i, 0, n, iteration));
    return convopt::program::kernel({in, out, n}, Threads, body);
  }
  std::string result() const {
    Launch l = launchOf();
    l.scalars["n"] = Iterations;
    return resultOf(kernel(), l);
  }
  std::string arrival() const { return arrivalOf(kernel()); }
};

const char UnderWay[] = "shared memory: assignment to 'out': it reads 'x_s', "
                        "to which a copy may be under way",
           NotThere[] = "shared memory: assignment to 'out': it reads a box of "
                        "'x_s' that need not be there";

} // namespace

TEST(AsyncCopies, PipelinesAreRight) {
  for (const Pipeline &p : {Pipeline(), Pipeline{3, 1, true, true, true, 2},
                            Pipeline{4, 2, true, true, true, 3},
                            // Waiting for more than is needed.
                            Pipeline{3, 0, true, true, true, 2}}) {
    EXPECT_EQ(p.result(), "");
    EXPECT_EQ(p.arrival(), "");
  }
}

TEST(AsyncCopies, AreWaitedFor) {
  Pipeline p;
  p.waits = false;
  contains(p.result(), "thread (0, 0, 0) of block (0, 0, 0) reads 'x_s[0][1]', "
                       "to which a copy is under way");
  EXPECT_EQ(p.arrival(), UnderWay);
  Pipeline late, uncommitted;
  late.inFlight = 1;
  uncommitted.commits = false;
  for (const Pipeline &p :
       {late, uncommitted, Pipeline{3, 2, true, true, true, 2}}) {
    contains(p.result(), "to which a copy is under way");
    EXPECT_EQ(p.arrival(), UnderWay);
  }
}

TEST(AsyncCopies, AreOfTheBoxThatIsRead) {
  Pipeline p;
  p.guarded = 1; // the last box is not copied
  EXPECT_NE(p.result(), "");
  EXPECT_EQ(p.arrival(), NotThere);
  p = {3, 0, true, true, true, 1};
  p.otherRead = 2; // the box before, or none
  EXPECT_NE(p.result(), "");
  EXPECT_EQ(p.arrival(), NotThere);
  p = {};
  p.otherRead = 1;
  EXPECT_EQ(p.arrival(), UnderWay);
}

TEST(AsyncCopies, BecomeVisibleByABarrier) {
  Pipeline p;
  p.meets = false;
  contains(p.result(), "reads 'x_s[0][1]', which thread (1, 0, 0) wrote since "
                       "the last barrier");
  EXPECT_EQ(p.arrival(), "shared memory: assignment to 'out': it reads 'x_s', "
                         "and no barrier comes after what wrote it");
}

TEST(AsyncCopies, DoNotFillBoxesThatAreRead) {
  // Two iterations ahead in two boxes.
  const Pipeline p{2, 0, true, true, true, 2};
  contains(p.result(), "reads 'x_s[0][1]', to which a copy is under way");
  EXPECT_EQ(p.arrival(), UnderWay);
}

TEST(AsyncCopies, LeaveTheirSourcesAlone) {
  const VariableRef x_s = array("x_s", Memory::Shared, {Threads}, 16);
  auto of = [&](bool waits) {
    Block body{declare(x_s),
               call(Callee::AsyncCopy, {addressOf(at(x_s, {thread()})),
                                        addressOf(at(out, {thread()})), 4}),
               call(Callee::Commit)};
    if (waits)
      body.push_back(call(Callee::WaitPrior, {0}));
    body.push_back(assign(at(out, {thread()}), 1));
    Expected<Outcome> outcome =
        run(kernel({in, out}, Threads, body), launchOf());
    return outcome ? "" : toString(outcome.takeError());
  };
  EXPECT_EQ(of(true), "");
  contains(of(false), "writes to 'out[0]', from which a copy is under way");
}

TEST(AsyncCopies, BringZerosFromNowhere) {
  const VariableRef x_s = array("x_s", Memory::Shared, {Threads}, 16);
  auto of = [&](const Expr &copies) {
    // Beyond the end of the array.
    Block body{declare(x_s),
               call(Callee::AsyncCopy,
                    {addressOf(at(x_s, {thread()})),
                     addressOf(at(in, {Expr(Iterations * Threads) + thread()})),
                     4, copies},
                    "or_zeros"),
               call(Callee::Commit), call(Callee::WaitPrior, {0}),
               assign(at(out, {thread()}), at(x_s, {thread()}))};
    Expected<Outcome> outcome =
        run(kernel({in, out}, Threads, body), launchOf());
    return outcome ? std::to_string(outcome->arrays["out"].elements[0])
                   : toString(outcome.takeError());
  };
  EXPECT_EQ(of(less(1, 0)), "0");
  contains(of(less(0, 1)), "of 'in', which has 40");
}

TEST(AsyncCopies, HaveTheSizesOfDevices) {
  const VariableRef x_s = array("x_s", Memory::Shared, {Threads}, 16);
  auto of = [&](int64_t bytes, int64_t first, std::string helper = "") {
    Block body{declare(x_s),
               when(isEqual(thread(), 0), {call(Callee::AsyncCopy,
                                                {addressOf(at(x_s, {first})),
                                                 addressOf(at(in, {4})), bytes},
                                                std::move(helper))})};
    Expected<Outcome> outcome =
        run(kernel({in, out}, Threads, body), launchOf());
    return outcome ? "" : toString(outcome.takeError());
  };
  EXPECT_EQ(of(16, 4), "");
  contains(of(16, 2), "which is not aligned");
  contains(of(12, 0), "devices have copies of 4, 8 and 16");
  EXPECT_EQ(of(12, 0, "ahead"), "");
}

//===----------------------------------------------------------------------===//
// By the engine
//===----------------------------------------------------------------------===//

namespace {

/// What copies of an engine to \p depth boxes may do wrong.
struct BulkPipeline {
  int64_t depth = 2, ahead = 1, bytes = 4 * Threads;
  bool isTensor = false;
  bool initialises = true, meetsAfterInit = true, arrives = true, waits = true;
  bool waitsByOne = false; // the first thread alone
  bool meets = true;       // before the next copy
  int64_t parity = 0;      // too much

  Kernel kernel() const {
    const VariableRef x_s = array("x_s", Memory::Shared, {depth, 32}, 128);
    const VariableRef full = barriers("full", depth), step = scalar("step");
    VariableRef map = scalar("map", {Type::Element, "CUtensorMap"});
    auto stage = [&](const Expr &k) { return k % Expr(depth); };
    const Expr first = isEqual(thread(), 0);
    const Expr barrierOf = addressOf(at(full, {stage(step)}));
    Block fill;
    if (isTensor)
      fill = {
          call(Callee::TensorCopy, {addressOf(at(x_s, {stage(step)})), bytes,
                                    barrierOf, addressOf(map), step, 0})};
    else
      fill = {call(Callee::BulkCopy, {addressOf(at(x_s, {stage(step), 0})),
                                      addressOf(at(in, {step * Expr(Threads)})),
                                      bytes, barrierOf})};
    if (arrives)
      fill.push_back(call(Callee::BulkArrive, {barrierOf}));
    Block body{declare(x_s), declare(full)};
    if (initialises)
      body.push_back(when(
          first,
          {loop(k, 0, depth,
                {call(Callee::BulkInit, {addressOf(at(full, {Expr(k)}))})})}));
    if (meetsAfterInit)
      body.push_back(barrier());
    body.push_back(function("fill", step, {when(first, fill)}));
    auto start = [&](Block &to, const Expr &iteration) {
      to.push_back(
          when(less(iteration, n), {call(Callee::Local, {iteration}, "fill")}));
    };
    for (int64_t k = 0; k != ahead; ++k)
      start(body, k);
    Block iteration;
    if (meets)
      iteration.push_back(barrier());
    start(iteration, Expr(i) + ahead);
    StmtRef wait = call(Callee::BulkWait, {addressOf(at(full, {stage(i)})),
                                           (i / Expr(depth) + parity) % 2});
    if (waitsByOne)
      wait = when(first, {wait});
    if (waits)
      iteration.push_back(wait);
    iteration.push_back(assign(at(out, {i * Expr(Threads) + thread()}),
                               at(x_s, {stage(i), (thread() + 1) % Threads})));
    body.push_back(loop(i, 0, n, iteration));
    if (!waits) // nothing is under way at the end
      body.push_back(call(Callee::BulkWait, {addressOf(at(full, {0})), 0}));
    std::vector<VariableRef> parameters{in, out, n};
    if (isTensor)
      parameters.push_back(map);
    return convopt::program::kernel(parameters, Threads, body);
  }
  std::string result() const {
    Launch l = launchOf(/*hasBulk=*/true);
    l.scalars["n"] = Iterations;
    if (isTensor)
      l.tensorMaps["map"] = {"in", {Iterations, Threads}, {1, Threads}};
    return resultOf(kernel(), l);
  }
  std::string arrival() const { return arrivalOf(kernel()); }
};

} // namespace

TEST(BulkCopies, PipelinesAreRight) {
  BulkPipeline deep;
  deep.depth = 3;
  deep.ahead = 2;
  BulkPipeline ofTensors = deep;
  ofTensors.isTensor = true;
  for (const BulkPipeline &p : {BulkPipeline(), deep, ofTensors}) {
    EXPECT_EQ(p.result(), "");
    EXPECT_EQ(p.arrival(), "");
  }
}

TEST(BulkCopies, AreWaitedFor) {
  BulkPipeline p;
  p.waits = false;
  contains(p.result(), "reads 'x_s[0][1]', to which a copy is under way");
  EXPECT_EQ(p.arrival(), UnderWay);
  p = {};
  p.waitsByOne = true;
  contains(p.result(), "thread (1, 0, 0) of block (0, 0, 0) reads 'x_s[0][2]', "
                       "and has not waited for the copy engine");
  EXPECT_EQ(p.arrival(), UnderWay);
  p = {};
  p.parity = 1; // the phase before
  contains(p.result(), "to which a copy is under way");
}

TEST(BulkCopies, EndPhases) {
  BulkPipeline p;
  p.arrives = false;
  contains(p.result(), "waits for ever: no thread has arrived in the phase of "
                       "'full[0]'");
  p = {};
  p.ahead = 2; // both boxes are full
  contains(p.result(), "starts a bulk copy in a phase of 'full[0]' that is to "
                       "end");
}

TEST(BulkCopies, BarriersAreInitialised) {
  BulkPipeline p;
  p.initialises = false;
  contains(p.result(), "uses the mbarrier 'full[0]', which no thread has");
  p = {};
  p.meetsAfterInit = p.meets = false;
  contains(p.result(), "initialised since the last barrier");
}

TEST(BulkCopies, DoNotFillBoxesThatAreRead) {
  BulkPipeline p;
  p.meets = false;
  contains(p.result(), "read since the last barrier");
  EXPECT_EQ(p.arrival(), "shared memory: call of bulk_copy for 'x_s': "
                         "it writes 'x_s', and no barrier comes after what "
                         "read it");
}

TEST(BulkCopies, AreOfUnits) {
  BulkPipeline p;
  p.bytes = 20;
  contains(p.result(), "copy 20 bytes, and it copies multiples of 16");
  p.isTensor = true;
  contains(p.result(), "expects 20 bytes of a box of 8 elements");
}

TEST(BulkCopies, OfTensorsHaveZerosOutside) {
  const VariableRef x_s = array("x_s", Memory::Shared, {2, Threads}, 128),
                    full = barriers("full", 1),
                    map = scalar("map", {Type::Element, "CUtensorMap"});
  const Expr one = addressOf(at(full, {0})), first = isEqual(thread(), 0);
  Kernel kern =
      kernel({in, out, map}, Threads,
             {declare(x_s), declare(full),
              when(first, {call(Callee::BulkInit, {one})}), barrier(),
              when(first, {call(Callee::TensorCopy, {addressOf(x_s), 64, one,
                                                     addressOf(map), -1, 4}),
                           call(Callee::BulkArrive, {one})}),
              call(Callee::BulkWait, {one, 0}),
              assign(at(out, {thread()}), at(x_s, {0, thread()})),
              assign(at(out, {thread() + Threads}), at(x_s, {1, thread()}))});
  Launch l = launchOf(/*hasBulk=*/true);
  l.tensorMaps["map"] = {"in", {Iterations, Threads}, {2, Threads}};
  Expected<Outcome> outcome = run(kern, l);
  ASSERT_TRUE(bool(outcome)) << toString(outcome.takeError());
  const std::vector<uint64_t> &result = outcome->arrays["out"].elements;
  for (int64_t t = 0; t != Threads; ++t) {
    EXPECT_EQ(result[t], 0u);
    EXPECT_EQ(result[Threads + t], t < 4 ? uint64_t(104 + t) : 0u);
  }
}

TEST(BulkCopies, NeedAnEngine) {
  Launch l = launchOf(/*hasBulk=*/false);
  l.scalars["n"] = Iterations;
  contains(resultOf(BulkPipeline().kernel(), l),
           "the device has no copy engine");
}
