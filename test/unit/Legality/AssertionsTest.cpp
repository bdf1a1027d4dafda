//===- AssertionsTest.cpp - What follows from what is around it -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Legality/Assertions.h"
#include "../Program/Kernels.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace convopt::program;
using namespace llvm;

namespace {

const VariableRef n = scalar("n"), m = scalar("m"), s = scalar("s"),
                  i = scalar("i"), j = scalar("j"), q = constantScalar("q"),
                  changing = scalar("changing");

Expr operator<(const Expr &a, const Expr &b) { return less(a, b); }
Expr operator<=(const Expr &a, const Expr &b) {
  return Expr::binary(Op::LessEqual, a, b);
}
Expr operator&&(const Expr &a, const Expr &b) { return both(a, b); }
Expr operator||(const Expr &a, const Expr &b) { return either(a, b); }
Expr operator!(const Expr &a) { return Expr::unary(Op::Not, a); }
StmtRef given(Expr condition) { return assertion(std::move(condition), true); }
StmtRef leaveIf(Expr condition) {
  return when(std::move(condition), {leave()});
}
const Expr N = n, M = m, S = s, I = i, J = j, Q = q;

/// Whether the assertions of a kernel of 8 threads follow.
bool follow(Block body) {
  Error e = checkAssertions(kernel({n, m, s}, 8, std::move(body)));
  const bool isProved = !e;
  consumeError(std::move(e));
  return isProved;
}

/// Whether \p fact follows where all of \p around are given.
bool implies(std::vector<Expr> around, Expr fact) {
  Block body;
  for (Expr &e : around)
    body.push_back(given(std::move(e)));
  body.push_back(assertion(std::move(fact)));
  return follow(std::move(body));
}

} // namespace

TEST(Assertions, ThreadsAndBlocks) {
  EXPECT_TRUE(implies({}, thread() < 8));
  EXPECT_FALSE(implies({}, thread() < 7));
  EXPECT_TRUE(implies({}, Expr(0) <= blockOfGrid()));
  EXPECT_FALSE(implies({}, blockOfGrid() < 1000));
  EXPECT_TRUE(
      implies({8 * blockOfGrid() < N}, 8 * blockOfGrid() + thread() < N + 7));
  EXPECT_FALSE(
      implies({8 * blockOfGrid() < N}, 8 * blockOfGrid() + thread() < N + 6));
}

TEST(Assertions, Connectives) {
  EXPECT_TRUE(implies({N < 4 && M < 3}, N + M < 6));
  EXPECT_FALSE(implies({N < 4 || M < 3}, N < 4));
  EXPECT_TRUE(implies({!(N < 4 || M < 3)}, Expr(7) <= N + M));
  EXPECT_TRUE(implies({N < 4}, !(Expr(3) < N)));
  EXPECT_TRUE(implies({isEqual(N, M)}, N <= M && M <= N));
  EXPECT_FALSE(implies({N <= M}, isEqual(N, M)));
  EXPECT_TRUE(implies({N < M}, Expr::binary(Op::NotEqual, N, M)));
  EXPECT_TRUE(implies({N < 0}, N < 0 || M < 0));
  EXPECT_TRUE(implies({2 * N < 2 * M}, N + 1 <= M));
}

TEST(Assertions, Control) {
  const StmtRef fact = assertion(N < 4);
  EXPECT_TRUE(follow({when(N < 4, {fact})}));
  EXPECT_FALSE(follow({when(N < 4, {}, {fact})}));
  EXPECT_TRUE(follow({when(!(N < 4), {}, {fact})}));
  EXPECT_FALSE(follow({when(N < 4, {}), fact})); // it ended
  EXPECT_TRUE(follow({leaveIf(Expr(4) <= N), fact}));
  EXPECT_FALSE(follow({leaveIf(Expr(4) <= N && M < 3), fact}));
  EXPECT_TRUE(follow({leaveIf(Expr(4) <= N || M < 3), fact}));
  EXPECT_TRUE(follow({when(N < 4, {loop(i, 0, M, {fact})})}));
}

TEST(Assertions, WhatIsNeverReached) {
  // Of numbers, of one variable, and of others than the assertion is about.
  EXPECT_TRUE(implies({Expr(0) < 0}, N < 5));
  EXPECT_TRUE(implies({N < M, M < N}, S < 5));
  EXPECT_TRUE(implies({2 * M < 1, Expr(0) < 2 * M}, S < 5));
  EXPECT_FALSE(implies({N <= M, M <= N}, S < 5));
  EXPECT_FALSE(implies({Expr(0) < 1}, N < 5));
  // What contradicts holds in its block alone.
  EXPECT_TRUE(follow({when(N < N, {assertion(S < 5)})}));
  EXPECT_FALSE(follow({when(N < N, {assertion(S < 5)}), assertion(S < 5)}));
}

TEST(Assertions, Values) {
  const VariableRef test =
      std::make_shared<Variable>(Variable{"test",
                                          Type::boolean(),
                                          Memory::Register,
                                          {},
                                          false,
                                          0,
                                          {},
                                          "",
                                          /*isConst=*/true});
  EXPECT_TRUE(follow({declare(test, N < 4), when(test, {assertion(N < 4)})}));
  EXPECT_TRUE(follow({declare(q, N + 1), given(Q < 5), assertion(N < 4)}));
  // What may change between two uses.
  EXPECT_FALSE(follow({declare(changing, N), given(Expr(changing) < 4),
                       assertion(Expr(changing) < 4)}));
  EXPECT_TRUE(follow({given(Expr(0) <= N), declare(q, N / 4),
                      assertion(4 * Q <= N && N < 4 * Q + 4)}));
  // Which rounds to zero.
  EXPECT_FALSE(follow({declare(q, N / 4), assertion(4 * Q <= N)}));
  EXPECT_TRUE(follow({declare(q, N / 4), assertion(N < 4 * Q + 4)}));
  const Expr floor = Expr::call({Callee::FloorDiv, "floordiv"}, {N, 4});
  EXPECT_TRUE(implies({}, 4 * floor <= N));
  EXPECT_FALSE(implies({floor <= N}, 4 * (N / 4) <= N));
  EXPECT_TRUE(implies({Expr(0) <= N, Expr(1) <= M}, N % M < M));
  EXPECT_FALSE(implies({Expr(0) <= N}, N % M < M));
  const Expr least = Expr::call({Callee::Min, ""}, {N, M});
  EXPECT_TRUE(implies({S < least}, S < N && S < M));
  EXPECT_FALSE(implies({N < 4}, M <= least));
}

TEST(Assertions, Loops) {
  auto in = [&](Expr fact, std::vector<Expr> around = {}, Expr step = 1) {
    Block body;
    for (Expr &e : around)
      body.push_back(given(std::move(e)));
    body.push_back(loop(i, 2, N, {loop(j, I, M, {assertion(fact)}, step)}));
    return follow(body);
  };
  EXPECT_TRUE(in(I < N));
  EXPECT_TRUE(in(Expr(2) <= J && J < M));
  EXPECT_FALSE(in(J < N));
  EXPECT_TRUE(in(Expr(2) <= J && J < M, {}, 4));
  EXPECT_TRUE(in(4 * J <= 4 * M - 4, {}, 4));
  EXPECT_FALSE(in(J + 4 < M, {}, 4));
}

TEST(Assertions, Products) {
  // A stride of any size, at the end at which the sum is least.
  auto of = [&](Expr first, Expr last, std::vector<Expr> around) {
    Block body{given(0 <= S)};
    for (Expr &e : around)
      body.push_back(given(std::move(e)));
    body.push_back(loop(i, 0, 4, {assertion(first <= I * S && I * S < last)}));
    return follow(body);
  };
  EXPECT_TRUE(of(0, N, {3 * S < N}));
  EXPECT_FALSE(of(0, N, {2 * S < N}));
  EXPECT_FALSE(of(1, N, {3 * S < N}));
  // Of any sign, at both.
  EXPECT_TRUE(follow({given(M < N), given(M + 3 * S < N),
                      loop(i, 0, 4, {assertion(M + I * S < N)})}));
  EXPECT_FALSE(follow(
      {given(M + 3 * S < N), loop(i, 0, 4, {assertion(M + I * S < N)})}));
  // The bound of a loop is in the product, too.
  EXPECT_TRUE(follow({given(0 <= S), given((M - 1) * S < N),
                      loop(i, 0, M, {assertion(I * S < N)})}));
}

TEST(Assertions, TheFirstThatDoesNotFollowIsNamed) {
  Error e = checkAssertions(
      kernel({n}, 8, {assertion(thread() < 8), assertion(N < 4)}));
  EXPECT_EQ(toString(std::move(e)),
            "assertions: n < 4 does not follow from what is around it");
}
