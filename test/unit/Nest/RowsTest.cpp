//===- RowsTest.cpp - Contiguous runs of a copy ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Rows.h"
#include "convopt/Nest/Text.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace llvm;

namespace {

/// Boxes \p box of `in`, of type float[N]\p extents, from \p base on.
Nest copying(const std::string &extents, const std::string &box,
             const std::string &base, const std::string &layout) {
  Expected<Nest> nest = parseNest("nest f from \"f.c\"\n"
                                  "param N: int\nparam W: int\n"
                                  "array in: float[N]" +
                                  extents +
                                  " input\n"
                                  "array in_s: float" +
                                  box + " local buffer of in shared " + layout +
                                  "\n"
                                  "for n in 0 .. N grid.x {\n"
                                  "  for t in 0 .. 4 block.x {\n"
                                  "    local in_s\n"
                                  "    copy in_s = in" +
                                  base + "\n  }\n}\n");
  if (!nest)
    ADD_FAILURE() << toString(nest.takeError());
  return cantFail(std::move(nest));
}

/// "2: 2236, W % 4": the first dimension of a row, its elements, and what has
/// to be multiples; or why there are none.
std::string rows(const Nest &nest) {
  std::string text;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *c = dyn_cast<Copy>(&n);
    if (!c)
      return;
    Expected<CopyRows> rows = rowsOf(nest, *c);
    if (!rows) {
      text = toString(rows.takeError());
      return;
    }
    text = std::to_string(rows->first) + ": " + str(nest, rows->length);
    for (const IndexExpr &e : rows->multiples)
      text += ", " + str(nest, e);
  });
  return text;
}

TEST(Rows, EndWhereTheArrayDoes) {
  // The only row of an array has no next one, whatever pads it in the buffer.
  EXPECT_NE(
      rows(copying("[1][6]", "[1][1][6]", "[0][0][0]", "pitch 4 vector 4")),
      "2: 6");
  EXPECT_EQ(
      rows(copying("[1][8]", "[1][1][8]", "[0][0][0]", "pitch 4 vector 4")),
      "2: 8");
}

TEST(Rows, JoinWhereTheArrayIsCoveredInFull) {
  // Some rows of two channels are two runs; all rows are one, and those of
  // neighbouring images, too.
  EXPECT_EQ(rows(copying("[3][86][86]", "[1][2][26][86]", "[n][0][20][0]",
                         "vector 4 bulk")),
            "2: 2236");
  EXPECT_EQ(rows(copying("[2][86][86]", "[1][2][86][86]", "[n][0][0][0]",
                         "vector 4 bulk")),
            "1: 14792");
  EXPECT_EQ(
      rows(copying("[8][86]", "[2][8][86]", "[2 * n][0][0]", "vector 4 bulk")),
      "0: 1376");
  EXPECT_EQ(rows(copying("[8][88]", "[1][8][84]", "[n][0][0]", //
                         "vector 4 bulk")),
            "2: 84");
}

TEST(Rows, LeaveSizesToTheLaunch) {
  EXPECT_EQ(rows(copying("[86][W]", "[1][26][W]", "[n][20][0]", //
                         "vector 4 bulk")),
            "1: 26 * W, 2 * W");
  EXPECT_EQ(
      rows(copying("[W][86]", "[1][26][86]", "[n][20][0]", "vector 4 bulk")),
      "1: 2236, 2 * W");
  EXPECT_EQ(
      rows(copying("[86][W]", "[1][26][40]", "[n][20][0]", "vector 4 bulk")),
      "2: 40, W");
}

TEST(Rows, SayHowThreadsCopyWhatTmaCannot) {
  auto refusal = [](const std::string &extents, const std::string &box,
                    const std::string &base) {
    return rows(copying(extents, box, base, "vector 4 bulk"));
  };
  std::string odd = refusal("[87][86]", "[1][26][86]", "[n][20][0]");
  EXPECT_NE(odd.find("a TMA bulk copy cannot fill 'in_s' by 4 elements"),
            std::string::npos)
      << odd;
  EXPECT_NE(odd.find("with vector:2"), std::string::npos) << odd;
  std::string single = refusal("[85][85]", "[1][26][85]", "[n][20][0]");
  EXPECT_NE(single.find("without a vector"), std::string::npos) << single;
  std::string begin = refusal("[40][86]", "[1][26][86]", "[n][1][0]");
  EXPECT_NE(begin.find("with vector:2"), std::string::npos) << begin;
}

/// The runs of a box from a buffer in global memory: the dimensions gone
/// through and the elements of a run.
std::string runs(const std::string &extents, const std::string &global,
                 const std::string &box, const std::string &base,
                 const std::string &layout) {
  Nest nest = cantFail(parseNest(
      "nest f from \"f.c\"\nparam N: int\nparam W: int\n"
      "array in: float" +
      extents +
      " input\n"
      "array in_g: float" +
      extents + " local buffer of in global " + global + "\narray in_s: float" +
      box + " local buffer of in shared " + layout +
      " vector 4 bulk\nlocal in_g\ncopy in_g = in[0][0][0]\n"
      "for n in 0 .. N grid.x {\n  for t in 0 .. 4 block.x {\n"
      "    local in_s\n    copy in_s = in" +
      base + " in in_g\n  }\n}\n"));
  std::string text;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *c = dyn_cast<Copy>(&n);
    if (!c || !c->from)
      return;
    Expected<CopyRuns> runs = runsBetween(nest, *c);
    if (!runs) {
      text = toString(runs.takeError());
      return;
    }
    for (unsigned d : runs->dims)
      text += std::to_string(d) + ", ";
    text += str(nest, runs->length);
  });
  return text;
}

TEST(Runs, GrowWhileTheBoxHasAllOfTheSource) {
  EXPECT_EQ(runs("[N][7][8]", "", "[2][7][8]", "[2 * n][0][0]", ""), "112");
  EXPECT_EQ(runs("[N][7][8]", "", "[2][3][8]", "[2 * n][4][0]", ""), "0, 24");
  EXPECT_EQ(runs("[N][7][8]", "", "[1][3][4]", "[n][4][4]", ""), "1, 4");
  // With the room after rows that have all.
  EXPECT_EQ(runs("[N][7][7]", "pitch 8", "[1][7][7]", "[n][0][0]", "pitch 8"),
            "56");
  EXPECT_EQ(runs("[N][7][7]", "pitch 8", "[1][7][7]", "[n][0][0]", "pitch 12"),
            "1, 8");
  // Another order of what lies outside of runs.
  EXPECT_EQ(runs("[N][8][8]", "", "[2][8][8]", "[n][0][0]", "order(1, 0, 2)"),
            "1, 0, 8");
  // In the order of both, of sizes that the launch knows.
  EXPECT_EQ(runs("[W][7][7]", "order(1, 2, 0) pitch 4", "[8][7][7]",
                 "[8 * n][0][0]", "order(1, 2, 0) pitch 4"),
            "1, 2, 8");
  EXPECT_EQ(runs("[4][7][W]", "order(1, 2, 0) pitch 4", "[4][7][W]",
                 "[0][0][0]", "order(1, 2, 0) pitch 4"),
            "28 * W");
}

TEST(Runs, AreRefusedWhereNoneIsLeft) {
  auto has = [](const std::string &text, const char *part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(runs("[N][8][8]", "", "[1][8][8]", "[n][0][0]", "order(0, 2, 1)"),
      "8 and 1 elements apart");
  has(runs("[N][8][8]", "", "[1][8][4]", "[n][0][2]", ""), "begin at element");
  has(runs("[N][8][7]", "", "[1][4][4]", "[n][0][0]", ""), "elements apart");
}

} // namespace
