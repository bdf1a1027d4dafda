//===- NestTest.cpp - The tree of values ----------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixtures.h"

using namespace convopt;

namespace {

TEST(Nest, LoopNamesAreMadeUnique) {
  Nest nest = parsed(convolution);
  auto added = [&](const char *name) {
    return nest.loopNames[nest.addLoopName(name)];
  };
  EXPECT_EQ(added("z"), "z");
  EXPECT_EQ(added("y"), "y_2");
  EXPECT_EQ(added("y"), "y_3");
  EXPECT_EQ(added("y_2"), "y_4");
  EXPECT_EQ(added("sum"), "sum_2");
  EXPECT_EQ(added("H"), "H_2");
}

TEST(Nest, DefinitionsExpand) {
  Nest nest = parsed("nest f from \"f.c\"\nparam H: int\n"
                     "param A: int = H - 1\nparam B: int = 2 * A + H\n");
  EXPECT_EQ(str(nest, nest.expandDefinitions(IndexExpr::param(2) + 1)),
            "3 * H - 1");
}

TEST(Nest, WalksInProgramOrder) {
  Nest nest = parsed(convolution);
  std::string order;
  for (const Loop *l : loops(nest))
    order += nest.loopNames[l->id] + " ";
  EXPECT_EQ(order, "y_o x y_i c ");
  std::vector<StatementPath> paths = statements(nest);
  ASSERT_EQ(paths.size(), 3u);
  EXPECT_EQ(paths[0].enclosing.size(), 3u);
  EXPECT_EQ(paths[1].enclosing.size(), 5u); // four loops and the guard
}

TEST(Nest, RewriteSharesWhatStays) {
  Nest nest = parsed("nest f from \"f.c\"\narray a: float[4][4] output\n"
                     "for i in 0 .. 4 {\n}\n"
                     "for j in 0 .. 4 {\n  barrier\n}\n");
  Body same = rewrite(nest.body, [](const NodeRef &) { return std::nullopt; });
  EXPECT_EQ(same, nest.body);
  Body changed =
      rewrite(nest.body, [](const NodeRef &n) -> std::optional<Body> {
        if (llvm::isa<Barrier>(n.get()))
          return Body{};
        return std::nullopt;
      });
  EXPECT_EQ(changed[0], nest.body[0]);
  EXPECT_NE(changed[1], nest.body[1]);
  EXPECT_TRUE(llvm::cast<Loop>(changed[1].get())->body.empty());
}

TEST(Nest, SubstitutesCurrentLoopsOnly) {
  Nest nest = parsed(R"(nest f from "f.c"
array a: float[8] output
array s: float[4][8] local expanded 1
local s
for y in 0 .. 4 {
  for i in y .. y + 4 {
    if y - i >= 0 {
      S0: s[y][i] = index(y) + s[y][y]
    }
  }
}
)");
  const auto &y = *llvm::cast<Loop>(nest.body[1].get());
  nest.body = substituteLoops(nest, y.body, [](Var v) {
    return v == loopVar(0) ? std::optional<IndexExpr>(3) : std::nullopt;
  });
  PrintOptions o;
  o.bodyOnly = true;
  EXPECT_EQ(printed(nest, o), R"(for i in 3 .. 7 {
  if 3 - i >= 0 {
    S0[y = 3, i]: s[3][i] = index(y) + s[3][y]
  }
}
)");
}

TEST(Nest, ConstraintsOfALoop) {
  Nest nest = parsed("nest f from \"f.c\"\nparam H: int\n"
                     "for i in ceildiv(H, 3) .. min(H, ceildiv(H, 2)) {\n}\n");
  std::string text;
  for (const Constraint &c : loopConstraints(*loops(nest)[0]))
    text += str(nest, c) + "\n";
  EXPECT_EQ(text, "3 * i - H >= 0\nH - i - 1 >= 0\nH - 2 * i - 1 >= 0\n");
}

TEST(Rebase, TakesTheCurrentLoopsAsIterators) {
  Nest nest = parsed(R"(nest f from "f.c"
param H: int
array a: float[H] output
array b: float[H] input
array s: float[4] local expanded 1
thread y "threadIdx.x"
for y_o in 0 .. ceildiv(H, 4) {
  local s
  for y_i in 0 .. min(4, H - 4 * y_o) {
    S0[y = 4 * y_o + y_i]: s[y_i] = guarded(y - 1 >= 0, b[y - 1], 0) + index(y)
  }
  for y_i_2 in 0 .. min(4, H - 4 * y_o) {
    S0[y = 4 * y_o + y_i_2]: s[y_i_2] = guarded(y - 1 >= 0, b[y - 1], 0) + index(y)
  }
}
)");
  Nest based = rebase(nest);
  EXPECT_FALSE(checkWellFormed(based));
  EXPECT_TRUE(based.function.threadMaps.empty());
  std::vector<StatementPath> paths = statements(based);
  EXPECT_EQ(str(based, *paths[0].statement),
            "S0: s[y_i] = guarded(4 * y_o + y_i - 1 >= 0, "
            "b[4 * y_o + y_i - 1], 0) + index(4 * y_o + y_i)");
  EXPECT_EQ(paths[1].statement->id, 1u);
  EXPECT_EQ(paths[1].statement->iterators.size(), 2u);
  EXPECT_EQ(printed(parsed(printed(based))), printed(based));
}

} // namespace
