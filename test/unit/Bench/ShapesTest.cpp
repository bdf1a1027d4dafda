//===- ShapesTest.cpp - Layers from files and options ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Shapes.h"
#include "LayerNests.h"

using namespace convopt;
using namespace convopt::bench;
using namespace convopt::test;

static const char *const Header = "name,set,N,C,H,W,K,R,S,pad_h,note\n";

static std::string refused(const std::string &rows) {
  auto all = parseShapes(Header + rows, "s.csv");
  if (!all)
    return refusalOf(std::move(all));
  EXPECT_FALSE(all->empty());
  return all->back().problem;
}

static bool has(const std::string &text, llvm::StringRef part) {
  return llvm::StringRef(text).contains(part);
}

TEST(ParseShapes, ReadsRowsInAnyOrderOfColumns) {
  auto rows = parseShapes("\xEF\xBB\xBFS,R,K,W,H,C,N,name\r\n"
                          "3,5,4,60,50,2,1,a\r\n\r\n"
                          "1,1,1,1,1,1,7,\"b, \"\"c\"\"\"",
                          "s.csv");
  ASSERT_TRUE(bool(rows)) << llvm::toString(rows.takeError());
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[0].str(), "N=1 C=2 H=50 W=60 K=4 R=5 S=3");
  EXPECT_EQ((*rows)[0].outH(), 46);
  EXPECT_EQ((*rows)[0].outW(), 58);
  EXPECT_EQ((*rows)[1].name, "b, \"c\"");
}

TEST(ParseShapes, RefusesBadRowsAtTheirLine) {
  const std::string good = "a,,1,1,9,9,1,3,3,0,\n";
  EXPECT_TRUE(has(refused(good + "b,,1,1,9\n"),
                  "s.csv, line 3: this row has 5 fields of 11; is the file"));
  EXPECT_TRUE(has(refused("b,,1,x,9,9,1,3,3,0,\n"),
                  "s.csv, line 2: 'x' for C is "
                  "no whole number"));
  EXPECT_TRUE(has(refused("b,,1,1.5,9,9,1,3,3,0,\n"), "'1.5' for C"));
  EXPECT_TRUE(has(refused("b,,1,3000000000,9,9,1,3,3,0,\n"), "an int holds"));
  EXPECT_TRUE(has(refused("b,,1,0,9,9,1,3,3,0,\n"), "C is 0, it is at least"));
  EXPECT_TRUE(has(refused("b,,1,-4,9,9,1,3,3,0,\n"), "C is -4"));
  EXPECT_TRUE(has(refused("b,,1,1,9,9,1,3,3,-1,\n"), "pad_h is -1"));
  EXPECT_TRUE(has(refused("b,,1,1,9,9,1,12,3,1,\n"),
                  "a filter over 12 rows leaves no output of 9 padded by 1"));
  EXPECT_TRUE(has(refused(good + good), "is the name of the row in line 2"));
  EXPECT_TRUE(has(refused(",,1,1,9,9,1,3,3,0,\n"), "has no name"));
  EXPECT_TRUE(has(refused("\"b,,1,1,9,9,1,3,3,0,\n"), "not closed"));
  EXPECT_TRUE(has(refused(""), "no rows"));
}

TEST(ParseShapes, RefusesBadColumns) {
  auto header = [](llvm::StringRef csv) {
    return refusalOf(parseShapes(csv, "s.csv"));
  };
  EXPECT_TRUE(has(header("name,N,C,H,W,K,R,S,Q\n"),
                  "s.csv:1:1: error: no column is called 'Q'"));
  EXPECT_TRUE(has(header("name,N,C,H,W,K,R\n"), "the column 'S' is missing"));
  EXPECT_TRUE(has(header("N,C,H,W,K,R,S\n"), "'name' is missing"));
  EXPECT_TRUE(has(header("name,N,N,C,H,W,K,R,S\n"), "'N' stands here twice"));
  EXPECT_TRUE(has(header("\n"), "no line of column names"));
}

TEST(ParseShapes, KeepsTheGoodRowsBesideABadOne) {
  auto rows = llvm::cantFail(parseShapes(std::string(Header) +
                                             "a,x,1,0,9,9,1,3,3,0,\n"
                                             "b,x,1,1,9,9,1,3,3,0,\n"
                                             "b,y,1,1,9,9,1,3,3,0,\nc\n",
                                         "s.csv"));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].name, "a");
  EXPECT_FALSE(rows[0].problem.empty());
  EXPECT_EQ(rows[1].problem, "");
  EXPECT_EQ(rows[2].name, "b, line 4");
  EXPECT_FALSE(rows[0].isCut);
  EXPECT_TRUE(rows[3].isCut);
  // It may be of the set, but it is not the row called so.
  auto count = [&](std::vector<std::string> wanted) {
    return selectShapes(rows, wanted).size();
  };
  EXPECT_EQ(count({"b"}), 1u);
  EXPECT_EQ(count({"y"}), 2u);
  EXPECT_EQ(count({"c"}), 1u);
}

TEST(ParseShapes, RefusesGroupsThatDoNotDivide) {
  auto rows = llvm::cantFail(parseShapes("name,N,C,H,W,K,R,S,groups\n"
                                         "a,1,8,9,9,9,3,3,8\n",
                                         "s.csv"));
  EXPECT_TRUE(
      has(rows.front().problem, "8 groups do not divide C = 8 and K = 9"));
}

TEST(ReadShapes, RefusesWhatCannotBeRead) {
  EXPECT_TRUE(has(refusalOf(readShapes("/nonexistent/s.csv")),
                  "cannot read the shapes in '/nonexistent/s.csv': No such"));
}

TEST(SelectShapes, TakesNamesAndSets) {
  auto rows = llvm::cantFail(parseShapes(
      std::string(Header) + "a,x,1,1,9,9,1,3,3,0,\nb,y,1,1,9,9,1,3,3,0,\n"
                            "c,x,1,1,9,9,1,3,3,0,\nd,,1,1,9,9,1,3,3,0,\n",
      "s.csv"));
  auto names = [&](std::vector<std::string> wanted) {
    std::string all;
    for (const LayerShape &s : selectShapes(rows, wanted))
      all += s.name;
    return all;
  };
  EXPECT_EQ(names({"c", "b"}), "bc");
  EXPECT_EQ(names({"x", "a", "d"}), "acd");
  EXPECT_EQ(names({"q", "a"}), "aq");
  const std::string unknown = selectShapes(rows, {"a", "q"}).back().problem;
  EXPECT_TRUE(has(unknown, "no shape and no set is called 'q'"));
  EXPECT_TRUE(has(unknown, "there are a, b, c, d; sets: x, y"));
  EXPECT_TRUE(has(selectShapes(rows, {""}).back().problem, "is called ''"));
}

TEST(ParseLayer, TakesSizesByName) {
  auto layer = parseLayer("C=3, H=8,W=9,K=4,R=3,S=2,pad_h=1,stride_w=2");
  ASSERT_TRUE(bool(layer));
  EXPECT_EQ(layer->str(), "N=1 C=3 H=8 W=9 K=4 R=3 S=2 pad_h=1 stride_w=2");
}

TEST(ParseLayer, RefusesWhatIsNoLayer) {
  auto text = [](llvm::StringRef t) { return refusalOf(parseLayer(t)); };
  EXPECT_TRUE(has(text("C=3,H=8,W=9,K=4,R=3"), "the layer has no S"));
  EXPECT_TRUE(has(text("C=3,H=8,W=9,K=4,R=3,S=0"), "S is 0"));
  EXPECT_TRUE(has(text("C=3,C=3,H=8,W=9,K=4,R=3,S=3"), "gives 'C' twice"));
  EXPECT_TRUE(has(text("C=3,H=8,W=9,K=4,R=3,S"), "'S' is no size of a layer"));
  EXPECT_TRUE(has(text("C=3,H=8,W=9,K=4,R=30,S=1"), "leaves no output"));
}
