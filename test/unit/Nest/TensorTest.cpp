//===- TensorTest.cpp - Boxes of a TMA tensor copy ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Tensor.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Nest/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace llvm;

/// "8 132; W": the box of \p in of \p type and \p extents, and what must be
/// multiples; or what is wrong.
static std::string box(const std::string &extents, const std::string &held,
                       const std::string &base, const std::string &layout) {
  Expected<Nest> nest = parseNest(
      "nest f from \"f.c\"\nargument W \"int @\" param\n"
      "argument H \"int @\" param\nparam W: int\nparam H: int\n"
      "array in: float" +
      extents + " input\narray in_s: float" + held +
      " local buffer of in shared " + layout +
      "\nfor n in 0 .. 4 grid.x {\n  for t in 0 .. 32 block.x {\n"
      "    for m in 0 .. 2 {\n      local in_s\n      copy in_s = in" +
      base + "\n    }\n  }\n}\n");
  if (!nest)
    return toString(nest.takeError());
  std::string text;
  walk(nest->body, [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *c = dyn_cast<Copy>(&n);
    if (!c)
      return;
    Expected<TensorBox> found = tensorBoxOf(*nest, *c);
    if (!found) {
      text = toString(found.takeError());
      return;
    }
    std::vector<std::string> parts;
    for (int64_t e : found->extents)
      parts.push_back(std::to_string(e));
    text = join(parts, " ");
    for (const IndexExpr &e : found->multiples)
      text += "; " + str(*nest, e);
  });
  return text;
}

static bool says(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(Tensor, TakesBoxesThatPassTheArraysEnds) {
  EXPECT_EQ(
      box("[H][W]", "[8][132]", "[7 * n - 2][12 * m - 8]", "vector 4 tensor"),
      "8 132; W");
  EXPECT_EQ(box("[H][W]", "[8][4]", "[0][4 * n - H]", "vector 4 tensor"),
            "8 4; W; -H");
  EXPECT_EQ(box("[H][64]", "[8][4]", "[0][4 * n + 4 * floordiv(0 - H, 4)]",
                "vector 4 tensor"),
            "8 4");
  EXPECT_EQ(box("[H][4 * W]", "[8][4]", "[n][0]", "vector 4 tensor"), "8 4");
  EXPECT_EQ(box("[H][2 * W]", "[8][4]", "[n][0]", "vector 4 tensor"),
            "8 4; 2 * W");
  EXPECT_EQ(box("[W]", "[256]", "[4 * n - 4]", "vector 4 tensor"), "256");
}

TEST(Tensor, RefusesWhatTmaCannotBring) {
  EXPECT_TRUE(says(box("[H][85]", "[1][4]", "[n][0]", "vector 4 tensor"),
                   "rows of 'in' have 85 elements, no multiple of 16 bytes"));
  EXPECT_TRUE(says(box("[H][W]", "[1][4]", "[0][n]", "vector 4 tensor"),
                   "it would begin at element n of a row, no multiple of 16"));
  EXPECT_TRUE(says(box("[W]", "[4]", "[8 * n - 2]", "vector 4 tensor"),
                   "it would begin at element 8 * n - 2 of a row"));
  EXPECT_TRUE(says(box("[H][W]", "[1][6]", "[n][0]", "vector 4 tensor"),
                   "rows of 6 elements are no multiple of 16 bytes"));
  EXPECT_TRUE(says(box("[H][W]", "[1][260]", "[n][0]", "vector 4 tensor"),
                   "its box has 260 elements in dimension 1"));
  EXPECT_TRUE(says(box("[H][W]", "[H][4]", "[0][0]", "vector 4 tensor"),
                   "its box has H elements in dimension 0"));
  EXPECT_TRUE(says(box("[2][2][2][2][2][W]", "[1][1][1][1][1][4]",
                       "[0][0][0][0][0][0]", "vector 4 tensor"),
                   "'in' has 6 dimensions"));
}

/// Elements of a buffer of boxes that begin at multiples of 128 bytes.
TEST(Tensor, LeavesRoomBetweenBoxes) {
  auto elements = [](const char *extents, const char *layout) -> int64_t {
    Expected<Nest> nest =
        parseNest((Twine("nest f from \"f.c\"\narray in: float[8][64] input\n"
                         "array in_s: float") +
                   extents + " local buffer of in shared " + layout + "\n")
                      .str());
    if (!nest) {
      ADD_FAILURE() << toString(nest.takeError());
      return 0;
    }
    return *constantElements(*nest, nest->arrays[1]);
  };
  EXPECT_EQ(elements("[3][12]", "vector 4 tensor"), 36);
  EXPECT_EQ(elements("[3][12]", "vector 4 depth 2 tensor"), 2 * 64);
  EXPECT_EQ(elements("[4][16]", "vector 4 depth 3 tensor"), 3 * 64);
  EXPECT_EQ(elements("[3][12]", "vector 2 depth 2 tensor"), 2 * 48);
  EXPECT_EQ(elements("[3][12]", "vector 4 depth 2 bulk"), 2 * 36);
}

TEST(Tensor, KnowsZeros) {
  Nest nest;
  nest.function.typeParams = {"T"};
  for (const char *zero :
       {"0", "0.0f", "0.", "0u", "0.0", "(float)(0)", "T(0)"})
    EXPECT_TRUE(isZeroText(nest, zero)) << zero;
  for (const char *other :
       {"", "-0.0f", "1", "0.5f", "1e0", "zero", ".", "f(0)"})
    EXPECT_FALSE(isZeroText(nest, other)) << other;
}
