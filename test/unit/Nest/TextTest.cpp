//===- TextTest.cpp - Printing and parsing of .nest text ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixtures.h"
#include "RandomExpr.h"

using namespace convopt;

namespace {

TEST(Text, PrintsTheSameBytesAgain) {
  std::string once = printed(parsed(convolution));
  EXPECT_EQ(once, llvm::StringRef(convolution).ltrim().str());
  EXPECT_EQ(printed(parsed(once)), once);
}

TEST(Text, ParsesToAnEqualNest) {
  Nest nest = parsed(convolution);
  Nest again = parsed(printed(nest));
  EXPECT_EQ(nest.loopNames, again.loopNames);
  EXPECT_EQ(nest.function.name, "conv");
  EXPECT_EQ(nest.sourceFile, "conv \"1\".cu");
  EXPECT_EQ(nest.function.arguments[3].index, 1u);
  EXPECT_EQ(nest.function.threadMaps[0].loop, 2u);
  std::vector<StatementPath> a = statements(nest), b = statements(again);
  ASSERT_EQ(a.size(), 3u);
  for (unsigned i = 0; i != 3; ++i) {
    EXPECT_EQ(a[i].statement->target, b[i].statement->target);
    EXPECT_EQ(a[i].statement->operands, b[i].statement->operands);
    EXPECT_EQ(a[i].statement->text, b[i].statement->text);
    EXPECT_EQ(a[i].statement->instance, b[i].statement->instance);
    // Without one in the source, the place is that in the text.
    EXPECT_EQ(a[i].statement->range.isValid(), b[i].statement->range.isValid());
    if (a[i].statement->range.isValid())
      EXPECT_EQ(a[i].statement->range, b[i].statement->range);
  }
  EXPECT_EQ(a[1].statement->text, "alpha * $0 * $1 + $2");
  EXPECT_EQ(a[2].statement->text, "\"in`$$\"[0] + s.in - sum($0)");
}

TEST(Text, LeavesOutWhatIsNotAsked) {
  Nest nest = parsed(convolution);
  PrintOptions o;
  o.locations = false;
  EXPECT_EQ(printed(nest, o).find('@'), printed(nest, o).find("@\" array"));
  o.bodyOnly = true;
  EXPECT_EQ(printed(nest, o).find("for y_o"), 0u);
}

TEST(Text, LoopsLineOnlyWhereOrderDiffers) {
  Nest nest = parsed("nest f from \"f.c\"\nfor a in 0 .. 4 {\n}\n");
  EXPECT_EQ(printed(nest).find("loops"), std::string::npos);
  nest.addLoopName("b");
  EXPECT_NE(printed(nest).find("loops a, b\n"), std::string::npos);
  EXPECT_EQ(parsed(printed(nest)).loopNames, nest.loopNames);
}

TEST(Text, Statement) {
  Nest nest = parsed(convolution);
  const Statement &s = *statements(nest)[1].statement;
  EXPECT_EQ(str(nest, s.target), "sum");
  EXPECT_EQ(str(nest, s.operands[0].access), "in[0][2 * y + c][x % 4]");
  EXPECT_EQ(str(nest, s.operands[1].guard[0]), "x - c >= 0");
  EXPECT_EQ(str(nest, s), "S1: sum += " + rhsText(nest, s));
}

TEST(Text, EveryComparison) {
  Nest nest = parsed("nest f from \"f.c\"\nparam N: int\n"
                     "assume N < 4 \"\"\nassume N <= 4 \"\"\n"
                     "assume N > 4 \"\"\nassume N >= 4 \"\"\n"
                     "assume N == 4 \"\"\n");
  std::string text;
  for (const Assumption &a : nest.assumptions)
    text += str(nest, a.fact) + "\n";
  EXPECT_EQ(text, "3 - N >= 0\n4 - N >= 0\nN - 5 >= 0\nN - 4 >= 0\n"
                  "N - 4 == 0\n");
}

TEST(Text, CarriageReturnsAreBlanks) {
  Nest nest = parsed("nest f from \"f.c\"\r\narray a: float inout\r\n"
                     "S0: a = a + 1 \r\n");
  EXPECT_EQ(statements(nest)[0].statement->text, "$0 + 1");
}

TEST(Text, LargeExpressionsAreRefused) {
  std::string head = "nest f from \"f.c\"\nparam N: int\nparam M: int = ";
  auto repeated = [](const char *s, int n) {
    std::string text;
    while (n-- > 0)
      text += s;
    return text;
  };
  EXPECT_NE(refusal(head + repeated("(", 100000)).find("too deeply"),
            std::string::npos);
  EXPECT_NE(refusal(head + "N" + repeated(" * (N + 1)", 600)).find("too large"),
            std::string::npos);
  std::string nested = "N";
  for (int i = 60; i > 3; --i)
    nested = "(" + nested + " % " + std::to_string(i) + ")";
  EXPECT_NE(refusal(head + nested).find("too large"), std::string::npos);
  EXPECT_NE(refusal("nest f from \"f.c\"\n" + repeated("if 0 == 0 {\n", 100000))
                .find("too deep"),
            std::string::npos);
}

TEST(Text, ExpressionsKeepTheirCanonicalForm) {
  Nest nest = parsed(R"(nest f from "f.c"
param H: int
param K: int
param S: int
array a: float[H] output
for x in 0 .. 4 {
  for y in 0 .. 4 {
    for z in 0 .. 4 {
    }
  }
}
)");
  RandomExpr random(11);
  for (int i = 0; i != 1000; ++i) {
    IndexExpr e = random.make(4).first;
    std::string text = printed(nest);
    size_t at = text.find("    }");
    text.insert(at, "S0: a[0] = index(" + str(nest, e) + ")\n");
    Nest again = parsed(text);
    ASSERT_EQ(statements(again).size(), 1u) << text;
    EXPECT_EQ(statements(again)[0].statement->operands[0].index, e) << text;
  }
}

/// Damaged text is refused or parses; what parses prints and parses again.
TEST(Text, SurvivesDamage) {
  std::mt19937 random(7);
  const std::string good = convolution;
  const llvm::StringRef alphabet = "{}[]()<>=+-*/%.,:;\"'`$@#\\ \nxyS019_";
  unsigned accepted = 0;
  for (int i = 0; i != 4000; ++i) {
    std::string text = good;
    if (i % 4 == 0)
      text.resize(random() % text.size());
    for (unsigned n = 1 + random() % 3; n > 0 && !text.empty(); --n) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = char(random());
        break;
      case 1:
        text[at] = alphabet[random() % alphabet.size()];
        break;
      case 2:
        text.erase(at, 1 + random() % 8);
        break;
      default:
        text.insert(at, text.substr(random() % text.size(), random() % 20));
      }
    }
    llvm::Expected<Nest> nest = parseNest(text);
    if (!nest) {
      llvm::consumeError(nest.takeError());
      continue;
    }
    ++accepted;
    std::string once = printed(*nest);
    EXPECT_EQ(printed(parsed(once)), once) << text;
  }
  EXPECT_GT(accepted, 100u);
}

} // namespace
