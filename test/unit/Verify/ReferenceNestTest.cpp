//===- ReferenceNestTest.cpp - The nest in double, with error bounds ------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Verify/ReferenceNest.h"
#include "../Nest/Fixtures.h"

using namespace convopt;

namespace {

Nest bodyNest(const std::string &statements,
              const std::string &type = "float") {
  return parsed("nest f from \"f.c\"\n"
                "argument in \"const " +
                type + " *@\" array\nargument out \"" + type +
                " *@\" array\nargument N \"int @\" param\nparam N: int\n"
                "array in: " +
                type + "[N][7] input\narray out: " + type +
                "[N] output\narray sum: " + type +
                " local\n\nfor i in 0 .. N {\n  local sum\n" + statements +
                "}\n");
}

const char *const Sum = "  S0: sum = 0.5f\n"
                        "  for j in 0 .. 7 {\n"
                        "    S1: sum -= in[i][j] * 2.0f\n"
                        "  }\n"
                        "  S2: out[i] = fmaxf(sum, 0.0f)\n";

TEST(ReferenceNest, ValuesAndMagnitudesInDouble) {
  llvm::Expected<Nest> wide = referenceNest(bodyNest(Sum));
  ASSERT_TRUE(bool(wide)) << messageOf(wide.takeError());
  std::string text = printed(*wide);
  for (const char *line :
       {"array out: double[N] output", "array out_magnitude: double[N] output",
        "array sum_magnitude: double local", "local sum_magnitude",
        "argument out_magnitude \"double *@\" array",
        "sum -= (double)in[i][j] * double(2.0f)\n",
        "sum_magnitude += fabs((double)in[i][j]) * double(2.0f)\n",
        "out[i] = fmax((double)sum, double(0.0f))\n", "out_magnitude[i] = fmax("})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

TEST(ReferenceNest, DepthIsTheLengthOfTheSum) {
  EXPECT_EQ(sumDepth(bodyNest(Sum), {1000}), 9);
  EXPECT_TRUE(isExactOnIntegers(bodyNest("  S0: out[i] = in[i][0]\n")));
  EXPECT_FALSE(isExactOnIntegers(bodyNest(Sum)));
}

TEST(ReferenceNest, RefusesWhatHasNoBound) {
  auto refusal = [](const Nest &nest) {
    llvm::Expected<Nest> wide = referenceNest(nest);
    return wide ? std::string() : messageOf(wide.takeError());
  };
  EXPECT_NE(refusal(bodyNest("  S0: out[i] max= in[i][0]\n"))
                .find("a maximum or minimum over a loop"),
            std::string::npos);
  EXPECT_NE(refusal(bodyNest("  S0: out[i] = in[i][0]\n", "int"))
                .find("is an array of int"),
            std::string::npos);
}

} // namespace
