//===- FactsTest.cpp - Sizes of which something is known ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Facts.h"
#include "Fixtures.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {
namespace {

const char *rows = R"(
nest rows from "rows.c"
argument in "const float *@" array
argument out "float *@" array
argument W "int @" param
argument K "int @" param
argument pad "int @" param
param W: int
param K: int
param pad: int
param F: int = 2 * K + 1
param OW: int = W + 2 * pad - F + 1
array in: float[W] input
array out: float[OW] output
loops x, j
assume W - K >= 0 "the filter fits"

for x in 0 .. OW {
  for j in 0 .. F {
    if pad - x - j <= 0 and W + pad - x - j > 0 {
      S0[x, j]: out[x] += in[x + j - pad]
    }
  }
}
)";

Nest parsed() { return cantFail(parseNest(rows)); }

Expected<SpecialNest> special(ArrayRef<StringRef> texts) {
  Nest nest = parsed();
  std::vector<Assumption> facts;
  for (StringRef text : texts) {
    Expected<Assumption> fact = parseFact(nest, text);
    if (!fact)
      return fact.takeError();
    facts.push_back(*fact);
  }
  return specialise(nest, facts);
}

std::string refusal(ArrayRef<StringRef> texts) {
  Expected<SpecialNest> s = special(texts);
  return s ? "" : toString(s.takeError());
}

/// The loops' upper bounds.
std::vector<std::string> bounds(const Nest &nest) {
  std::vector<std::string> all;
  for (const Loop *l : loops(nest))
    all.push_back(str(nest, l->upper.front().expr));
  return all;
}

TEST(Facts, Substitutes) {
  SpecialNest s = cantFail(special({"K=3", "pad==0"}));
  EXPECT_EQ(bounds(s.nest), (std::vector<std::string>{"OW", "7"}));
  EXPECT_EQ(str(s.nest, *s.nest.params[4].definition), "W - 6");
  EXPECT_EQ(s.facts.size(), 2u);
  EXPECT_EQ(s.nest.assumptions.size(), 1u);
  EXPECT_EQ(str(s.nest, s.nest.assumptions[0].fact), "W - 3 >= 0");
  EXPECT_FALSE(bool(checkWellFormed(s.nest)));
}

TEST(Facts, SolvesWhatIsDefined) {
  SpecialNest s = cantFail(special({"F=7", "W=K+pad"}));
  EXPECT_EQ(bounds(s.nest).back(), "7");
  EXPECT_FALSE(s.nest.params[1].definition) << "arguments stay";
}

TEST(Facts, OthersBecomeAssumptions) {
  SpecialNest s = cantFail(special({"W%4=0", "K>=2", "pad < 3"}));
  EXPECT_EQ(bounds(s.nest), bounds(parsed()));
  EXPECT_EQ(s.nest.assumptions.size(), 4u);
}

TEST(Facts, LeavesOutWhatIsSure) {
  SpecialNest s = cantFail(special({"K=3", "F=7", "K>=1"}));
  EXPECT_EQ(s.facts.size(), 1u);
}

TEST(Facts, Refuses) {
  EXPECT_NE(refusal({"K=3", "K=4"}).find("contradicts"), std::string::npos);
  EXPECT_NE(refusal({"F=6"}).find("contradicts"), std::string::npos);
  EXPECT_NE(refusal({"K<=3", "K>=5"}).find("contradicts"), std::string::npos);
  EXPECT_NE(refusal({"W=3", "K=4"}).find("the filter fits"), std::string::npos);
  EXPECT_NE(refusal({"Q=1"}).find("W, K, pad, F, OW"), std::string::npos);
  EXPECT_NE(refusal({"W*K=8"}).find("not affine"), std::string::npos);
  EXPECT_NE(refusal({"K=3 4"}).find("something follows"), std::string::npos);
  EXPECT_NE(refusal({"K=99999999999"}).find("no int"), std::string::npos);
}

TEST(Facts, Names) {
  EXPECT_EQ(identifierOf("K=7"), "K7");
  EXPECT_EQ(identifierOf("C >= 4"), "Cge4");
  EXPECT_EQ(identifierOf("W%4=0"), "Wmod4eq0");
}

} // namespace
} // namespace convopt
