//===- RecomputeTest.cpp - Sums that are computed twice -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Recompute.h"
#include "Fixtures.h"

using namespace convopt;
using namespace llvm;

namespace {

/// A nest of one loop with \p body.
Nest nestOf(const std::string &body) {
  return parsed("nest f from \"f.c\"\n"
                "param N: int\n"
                "array x: float[N] input\n"
                "array w: float[8] input\n"
                "array y: float[N] output\n"
                "array a: float local\n"
                "array b: float local\n"
                "array v: float local\n"
                "for i in 0 .. N {\n" +
                body + "}\n");
}

/// Terms of \p local, the statement \p id, in a loop \p r.
std::string terms(unsigned id, const std::string &local, const std::string &r,
                  bool isPredicated = true) {
  const std::string read = "x[i - " + r + "]";
  return "for " + r + " in 0 .. 8 {\n  S" + std::to_string(id) + ": " + local +
         " += " +
         (isPredicated ? "predicated(i - " + r + " >= 0, " + read + ", 0.0f)"
                       : read) +
         " * w[" + r + "]\n}\n";
}

/// "0..3 a b, ...": the elements of the parts, with their sums; or why there
/// are none.
std::string partsOf(const Nest &nest) {
  auto parts = recomputedParts(nest, cast<Loop>(nest.body[0].get())->body);
  if (!parts)
    return messageOf(parts.takeError());
  std::string text;
  for (const Recomputed &p : *parts) {
    text += (text.empty() ? "" : ", ") + std::to_string(p.first) + ".." +
            std::to_string(p.last);
    for (unsigned sum : p.sums)
      text += " " + nest.arrays[sum].name;
  }
  return text;
}

} // namespace

TEST(Recompute, PredicatesAreOverCurrentLoops) {
  Nest nest = parsed("nest f from \"f.c\"\n"
                     "param N: int\n"
                     "array x: float[N] input\n"
                     "array y: float[N] output\n"
                     "array a: float local\n"
                     "for i_o in 0 .. ceildiv(N, 4) {\n"
                     "  for i_i in 0 .. min(4, N - 4 * i_o) {\n"
                     "    local a\n"
                     "    S0[i = 4 * i_o + i_i]: a += "
                     "predicated(i - 1 >= 0, x[i - 1], 0.0f) * "
                     "guarded(i - 2 >= 0, x[i - 2], 0.0f)\n"
                     "  }\n"
                     "}\n");
  const Statement &s = *statements(nest).front().statement;
  std::vector<Constraint> all = predicatesOf(s);
  ASSERT_EQ(all.size(), 1u); // what is only guarded is no predicate
  EXPECT_EQ(str(nest, all[0].expr), "4 * i_o + i_i - 1");
  EXPECT_EQ(predicatedSums(nest.body), std::vector<unsigned>{s.target.array});
}

TEST(Recompute, PartsBeginWhereSumsAreSet) {
  EXPECT_EQ(partsOf(nestOf("local v\nS0: v = 1\nlocal a\nS1: a = 0\n" +
                           terms(2, "a", "r") + "S3: y[i] = a + v\n")),
            "3..4 a");
  EXPECT_EQ(partsOf(nestOf("local a\nS0: a = 0\n" +
                           terms(1, "a", "r", /*isPredicated=*/false) +
                           "S2: y[i] = a\n")),
            "");
}

TEST(Recompute, PartsHaveWhatTheirSumsTake) {
  // v is added to beside a, and set before.
  const std::string both =
      "for r in 0 .. 8 {\n"
      "  S2: v += w[r]\n"
      "  S3: a += predicated(i - r >= 0, x[i - r], 0.0f) * w[r]\n"
      "}\n";
  EXPECT_EQ(partsOf(nestOf("local v\nS0: v = 0\nlocal a\nS1: a = 0\n" + both +
                           "S4: y[i] = a + v\n")),
            "1..4 a");
  // It was declared by another body.
  Nest outside = nestOf("local v\nS0: v = 0\nfor j in 0 .. 1 {\nlocal a\n"
                        "S1: a = 0\n" +
                        both + "}\nS4: y[i] = v\n");
  auto parts = recomputedParts(
      outside,
      cast<Loop>(cast<Loop>(outside.body[0].get())->body[2].get())->body);
  ASSERT_FALSE(bool(parts));
  EXPECT_TRUE(
      StringRef(messageOf(parts.takeError())).contains("S2 writes 'v' before"));
}

TEST(Recompute, PartsThatOverlapAreOne) {
  const std::string before = "local a\nlocal b\nlocal v\nS0: v = 0\n";
  EXPECT_EQ(
      partsOf(nestOf(before + "S1: a = 0\nS2: b = 0\n" + terms(3, "a", "r") +
                     terms(4, "b", "s") + "S5: y[i] = a + b + v\n")),
      "4..7 a b");
  // What is summed first may be declared last; what lies between is not added
  // twice.
  EXPECT_EQ(partsOf(nestOf(before + "S1: b = 0\n" + terms(2, "b", "r") +
                           terms(3, "v", "s", /*isPredicated=*/false) +
                           "S4: a = 0\n" + terms(5, "a", "t") +
                           "S6: y[i] = a + b + v\n")),
            "4..5 b, 7..8 a");
}

TEST(Recompute, EachPredicatedSumHasAPart) {
  Nest nest =
      nestOf("local a\nS0: a = 0\n" + terms(1, "a", "r") + "S2: y[i] = a\n");
  EXPECT_FALSE(checkRecomputed(nest));
  Nest inMemory = nestOf("S0: y[i] = 0\n" + terms(1, "y[i]", "r"));
  EXPECT_TRUE(StringRef(messageOf(checkRecomputed(inMemory)))
                  .contains("the predicated sum in 'y' is no local"));
}
