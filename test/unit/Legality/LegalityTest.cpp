//===- LegalityTest.cpp - What is refused, what is not --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Legality/Legality.h"
#include "convopt/Nest/Text.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace llvm;

namespace {

/// The refusal of \p current as text, or "" where it is legal.
std::string check(StringRef original, StringRef current,
                  bool associativeMath = false) {
  Expected<Nest> before = parseNest(original);
  if (!before)
    return toString(before.takeError());
  Expected<Nest> after = parseNest(current);
  if (!after)
    return toString(after.takeError());
  Expected<DependenceAnalysis> analysis = DependenceAnalysis::compute(*before);
  if (!analysis)
    return toString(analysis.takeError());
  Error e = checkLegality(*analysis, *after, {associativeMath});
  return e ? toString(std::move(e)) : "";
}

void expectRefused(const std::string &refusal,
                   std::initializer_list<StringRef> parts) {
  for (StringRef part : parts)
    EXPECT_NE(refusal.find(part.str()), std::string::npos)
        << "expected: " << part.str() << "\nin: " << refusal;
}

/// A header and a body.
struct Family {
  std::string header, original;

  std::string with(StringRef body, StringRef addedHeader = "") const {
    return header + addedHeader.str() + "\n" + body.str();
  }
  std::string check(StringRef body, StringRef current,
                    bool associativeMath = false) const {
    return ::check(with(body), with(current), associativeMath);
  }
  std::string operator()(StringRef current,
                         bool associativeMath = false) const {
    return check(original, current, associativeMath);
  }
};

const Family sum2{R"(nest f from "f.c"
param N: int
array A: float[N][N] input
array s: float[N] output
loops y, i, j, z
)",
                  R"(for y in 0 .. N {
  S0: s[y] = 0.0f
  for i in 0 .. N {
    for j in 0 .. N {
      S1: s[y] += A[i][j]
    }
  }
}
)"};

const Family shifted{R"(nest f from "f.c"
param N: int
array A: float[N][N] inout
loops i, j, i_o, i_i, j_o, j_i
)",
                     R"(for i in 1 .. N {
  for j in 0 .. N - 1 {
    S0: A[i][j] = A[i - 1][j + 1]
  }
}
)"};

const Family copyTwice{R"(nest f from "f.c"
param N: int
array A: float[N] input
array B: float[N] output
array C: float[N] output
array t: float local
loops i, i_2, x
)",
                       R"(for i in 0 .. N {
  local t
  S0: t = A[i]
  S1: B[i] = t
}
)"};

} // namespace

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

TEST(Instances, TheNestItself) {
  EXPECT_EQ(sum2(sum2.original), "");
  EXPECT_EQ(shifted(shifted.original), "");
  EXPECT_EQ(copyTwice(copyTwice.original), "");
}

TEST(Instances, StripMine) {
  const char *header = R"(nest f from "f.c"
param N: int
array A: float[N] output
loops i, i_o, i_i

)";
  std::string original = std::string(header) + R"(for i in 0 .. N {
  S0: A[i] = 1.0f
}
)";
  auto mined = [&](StringRef outer, StringRef inner, StringRef value) {
    return check(original, std::string(header) + "for i_o in 0 .. " +
                               outer.str() + " {\n  for i_i in 0 .. " +
                               inner.str() + " {\n    S0[i = " + value.str() +
                               "]: A[i] = 1.0f\n  }\n}\n");
  };
  EXPECT_EQ(mined("ceildiv(N, 5)", "min(5, N - 5 * i_o)", "5 * i_o + i_i"), "");
  expectRefused(
      mined("ceildiv(N, 5)", "5", "5 * i_o + i_i"),
      {"S0[i=1] runs, and did not in the original nest", "[Instances]"});
  expectRefused(mined("ceildiv(N, 5)", "min(4, N - 5 * i_o)", "5 * i_o + i_i"),
                {"S0[i=4] does not run any more", "[Instances]"});
  expectRefused(mined("ceildiv(N, 5)", "min(6, N - 5 * i_o)", "5 * i_o + i_i"),
                {"S0[i=5] runs twice", "[Instances]"});
}

TEST(Instances, ASeparatedTail) {
  const char *header = R"(nest f from "f.c"
param N: int
array A: float[N] output
loops i, i_2
assume N >= 0 "there are elements"

)";
  std::string original =
      std::string(header) + "for i in 0 .. N {\n  S0: A[i] = 1.0f\n}\n";
  auto split = [&](StringRef end, StringRef begin) {
    return check(original, std::string(header) + "for i in 0 .. " + end.str() +
                               " {\n  S0: A[i] = 1.0f\n}\nfor i_2 in " +
                               begin.str() +
                               " .. N {\n  S0[i = i_2]: A[i] = 1.0f\n}\n");
  };
  EXPECT_EQ(split("4 * floordiv(N, 4)", "4 * floordiv(N, 4)"), "");
  expectRefused(split("4 * floordiv(N, 4)", "4 * floordiv(N, 4) + 1"),
                {"does not run any more"});
  expectRefused(split("N", "max(0, N - 1)"), {"runs twice"});
}

TEST(Instances, AChangedStatement) {
  expectRefused(copyTwice(R"(for i in 0 .. N {
  local t
  S0: t = A[i]
  S1: C[i] = t
}
)"),
                {"S1 is not a statement of the original nest", "[Instances]"});
}

TEST(Instances, ABoundThatIslCannotHold) {
  const Family f{R"(nest f from "f.c"
param N: int
param s: int
array A: float[N][N] output
loops i, j, i_o, i_i, j_o, j_i
)",
                 R"(for i in 0 .. N {
  for j in 0 .. s * i {
    S0: A[i][j] = 1.0f
  }
}
)"};
  EXPECT_EQ(f(f.original), "");
  // Mining i leaves the bound of j what it was.
  EXPECT_EQ(f(R"(for i_o in 0 .. ceildiv(N, 4) {
  for i_i in 0 .. min(4, N - 4 * i_o) {
    for j in 0 .. 4 * s * i_o + s * i_i {
      S0[i = 4 * i_o + i_i, j]: A[i][j] = 1.0f
    }
  }
}
)"),
            "");
  expectRefused(f(R"(for i in 0 .. N {
  for j in 0 .. s * i + 1 {
    S0: A[i][j] = 1.0f
  }
}
)"),
                {"[analysis]"});
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

TEST(Order, ReductionInterchange) {
  const char *swapped = R"(for y in 0 .. N {
  S0: s[y] = 0.0f
  for j in 0 .. N {
    for i in 0 .. N {
      S1: s[y] += A[i][j]
    }
  }
}
)";
  std::string swappedText = StringRef(swapped).str();
  size_t at = swappedText.find("S1:");
  swappedText.replace(at, 3, "S1[y, i, j]:");
  expectRefused(sum2(swappedText),
                {"S1[y=0, i=0, j=1] must run before S1[y=0, i=1, j=0]",
                 "[Order]", "flow dependence from s[y] in S1 to s[y] in S1",
                 "direction (=,<,*)", "with N = 2", "-fassociative-math"});
  EXPECT_EQ(sum2(swappedText, true), "");
}

TEST(Order, AssociativeMathKeepsTheInitialValueFirst) {
  expectRefused(sum2(R"(for y in 0 .. N {
  for i in 0 .. N {
    for j in 0 .. N {
      S1: s[y] += A[i][j]
    }
  }
  S0[y]: s[y] = 0.0f
}
)",
                     true),
                {"S0[y=0] must run before S1[y=0, i=0, j=0]", "[Order]",
                 "keep S0 before S1"});
}

TEST(Order, BackwardInterchange) {
  expectRefused(shifted(R"(for j in 0 .. N - 1 {
  for i in 1 .. N {
    S0[i, j]: A[i][j] = A[i - 1][j + 1]
  }
}
)"),
                {"S0[i=1, j=1] must run before S0[i=2, j=0]", "[Order]",
                 "direction (<,>)", "keep loop 'i' outside of loop 'j'"});
}

TEST(Order, TilingAnInPlaceStencil) {
  expectRefused(shifted(R"(for i_o in 0 .. ceildiv(N - 1, 4) {
  for j_o in 0 .. ceildiv(N - 1, 4) {
    for i_i in 0 .. min(4, N - 1 - 4 * i_o) {
      for j_i in 0 .. min(4, N - 1 - 4 * j_o) {
        S0[i = 4 * i_o + i_i + 1, j = 4 * j_o + j_i]: A[i][j] = A[i - 1][j + 1]
      }
    }
  }
}
)"),
                {"[Order]", "keep loop 'i' outside of loop 'j_o'"});
}

TEST(Order, StripMiningAloneKeepsOrder) {
  EXPECT_EQ(shifted(R"(for i in 1 .. N {
  for j_o in 0 .. ceildiv(N - 1, 4) {
    for j_i in 0 .. min(4, N - 1 - 4 * j_o) {
      S0[i, j = 4 * j_o + j_i]: A[i][j] = A[i - 1][j + 1]
    }
  }
}
)"),
            "");
}

TEST(Order, DistributionAcrossABackwardDependence) {
  const Family f{R"(nest f from "f.c"
param N: int
array A: float[N] inout
array B: float[N] inout
loops i, i_2
)",
                 R"(for i in 1 .. N {
  S0: A[i] = B[i - 1]
  S1: B[i] = A[i]
}
)"};
  expectRefused(f(R"(for i in 1 .. N {
  S0: A[i] = B[i - 1]
}
for i_2 in 1 .. N {
  S1[i = i_2]: B[i] = A[i]
}
)"),
                {"S1[i=1] must run before S0[i=2]", "[Order]",
                 "keep S1 and S0 together in loop 'i'"});
}

TEST(Order, DistributionWhereDependencesGoForward) {
  const Family f{R"(nest f from "f.c"
param N: int
array A: float[N] inout
array B: float[N] inout
loops i, i_2
)",
                 R"(for i in 1 .. N {
  S0: A[i] = 1.0f
  S1: B[i] = A[i - 1]
}
)"};
  EXPECT_EQ(f(R"(for i in 1 .. N {
  S0: A[i] = 1.0f
}
for i_2 in 1 .. N {
  S1[i = i_2]: B[i] = A[i - 1]
}
)"),
            "");
}

TEST(Order, UnknownSubscriptsRefuse) {
  const Family f{R"(nest f from "f.c"
param N: int
param s: int
array A: float[N] inout
loops i, i_2
)",
                 R"(for i in 0 .. N {
  S0: A[s * i] = 1.0f
}
)"};
  expectRefused(f(R"(for i_2 in 0 .. N {
  S0[i = N - 1 - i_2]: A[s * i] = 1.0f
}
)"),
                {"S0[i=0] must run before S0[i=1]", "[Order]", "output"});
}

//===----------------------------------------------------------------------===//
// Mapping
//===----------------------------------------------------------------------===//

TEST(Mapping, ParallelLoops) {
  EXPECT_EQ(sum2(R"(for y in 0 .. N grid.x {
  S0: s[y] = 0.0f
  for i in 0 .. N {
    for j in 0 .. N {
      S1: s[y] += A[i][j]
    }
  }
}
)"),
            "");
  EXPECT_EQ(sum2(R"(for y in 0 .. N block.x {
  S0: s[y] = 0.0f
  for i in 0 .. N {
    for j in 0 .. N {
      S1: s[y] += A[i][j]
    }
  }
}
)"),
            "");
}

TEST(Mapping, AReductionLoop) {
  std::string threads = sum2.original;
  threads.replace(threads.find("0 .. N {\n    for j"), 8, "0 .. N block.x {");
  expectRefused(sum2(threads, true),
                {"loop 'i' cannot be mapped to block.x", "[Mapping]",
                 "map a parallel loop (y) instead"});
  std::string grid = sum2.original;
  grid.replace(grid.find("0 .. N {\n    for j"), 8, "0 .. N grid.x {");
  expectRefused(sum2(grid, true),
                {"loop 'i' cannot be mapped to grid.x", "[Mapping]"});
  std::string vector = sum2.original;
  vector.replace(vector.find("0 .. N {\n      S1"), 8, "0 .. N vector {");
  expectRefused(sum2(vector, true),
                {"loop 'j' cannot be mapped to vector", "[Mapping]"});
}

namespace {

const Family phases{R"(nest f from "f.c"
param N: int
array A: float[64] inout
array B: float[64] output
loops k, i, j, i_2
)",
                    R"(for k in 0 .. N {
  for i in 0 .. 64 {
    S0: A[i] = 1.0f
  }
  for j in 0 .. 64 {
    S1: B[j] = A[63 - j]
  }
}
)"};

std::string threads(StringRef between, StringRef after) {
  return "for k in 0 .. N {\n  for i in 0 .. 64 block.x {\n    S0: A[i] = "
         "1.0f\n  }\n" +
         between.str() +
         "  for j in 0 .. 64 block.x {\n    S1: B[j] = A[63 - j]\n  }\n" +
         after.str() + "}\n";
}

} // namespace

TEST(Mapping, BarriersBetweenThreads) {
  EXPECT_EQ(phases(threads("  barrier\n", "  barrier\n")), "");
  expectRefused(phases(threads("", "  barrier\n")),
                {"[Mapping]", "S0[k=0, i=0] must run before S1[k=0, j=63]"});
  // The next iteration of k overwrites what other threads still read.
  expectRefused(phases(threads("  barrier\n", "")),
                {"[Mapping]", "S1[k=0, j="});
}

TEST(Mapping, ABarrierThatThreadsReachUnequallyOften) {
  auto nest = [&](StringRef bound, StringRef kind, StringRef barrier) {
    return (R"(nest f from "f.c"
array A: float[64] inout
array B: float[64] output

for i in 0 .. 64)" +
            kind + " {\n  for z in 0 .. " + bound +
            " {\n    S0: A[i] = 1.0f\n" + barrier + "  }\n}\nfor j in 0 .. 64" +
            kind + " {\n  S1: B[j] = A[63 - j]\n}\n")
        .str();
  };
  auto mapped = [&](StringRef bound) {
    return check(nest(bound, "", ""), nest(bound, " block.x", "    barrier\n"));
  };
  EXPECT_EQ(mapped("4"), "");
  expectRefused(mapped("i"), {"S0[i=1, z=0] must run before S1[j=62]"});
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

TEST(Storage, DistributionNeedsExpansion) {
  std::string plain = R"(local t
for i in 0 .. N {
  S0: t = A[i]
}
for i_2 in 0 .. N {
  S1[i = i_2]: B[i] = t
}
)";
  expectRefused(copyTwice(plain),
                {"overwrites what", "'t'", "[Storage]", "expand 't'"});
}

TEST(Storage, ASharedDeclarationIsFineWhileNothingComesBetween) {
  EXPECT_EQ(copyTwice(R"(local t
for i in 0 .. N {
  S0: t = A[i]
  S1: B[i] = t
}
)"),
            "");
}

TEST(Storage, ExpandedScalar) {
  std::string original = R"(nest f from "f.c"
array A: float[8] input
array B: float[8] output
array t: float local
loops i, i_2

for i in 0 .. 8 {
  local t
  S0: t = A[i]
  S1: B[i] = t
}
)";
  auto expanded = [&](StringRef extent, StringRef read) {
    return check(original, R"(nest f from "f.c"
array A: float[8] input
array B: float[8] output
array t: float[)" + extent.str() +
                               R"(] local expanded 1
loops i, i_2

local t
for i in 0 .. 8 {
  S0: t[i] = A[i]
}
for i_2 in 0 .. 8 {
  S1[i = i_2]: B[i] = t[)" + read.str() +
                               R"(]
}
)");
  };
  EXPECT_EQ(expanded("8", "i_2"), "");
  expectRefused(expanded("8", "7 - i_2"),
                {"would not find in 't' what S0[i=0] left there", "[Storage]"});
  expectRefused(expanded("7", "i_2"),
                {"S0[i=7] uses t[i] outside of its extent 7", "[Storage]"});
}

TEST(Storage, ADeclarationTooFarInside) {
  const Family f{R"(nest f from "f.c"
param N: int
array A: float[N] input
array B: float[N] output
array t: float local
)",
                 R"(local t
for i in 0 .. N {
  S0: t += A[i]
  S1: B[i] = t
}
)"};
  expectRefused(f(R"(for i in 0 .. N {
  local t
  S0: t += A[i]
  S1: B[i] = t
}
)"),
                {"S0[i=1] would not find in 't' what S0[i=0] left there",
                 "[Storage]", "flow dependence from t in S0 to t in S0",
                 "direction (<)"});
}

TEST(Staging, WhatNeedNotBeThere) {
  const std::string header = R"(nest f from "f.c"
param N: int
param D: int
array r: float[N] input
array y: float[N] output
array s: float local
)";
  const std::string original = header + R"(
for x in 0 .. N - D {
  local s
  S0: s = 0.0f
  for d in 0 .. D {
    S1: s += r[x + d]
  }
  S2: y[x] = s
})";
  auto staged = [&](StringRef fact) {
    return header + "array r_s: float[D + 31] local buffer of r shared\n" +
           "loops x, d, x_b, x_t\n" + fact.str() + R"(
for x_b in 0 .. ceildiv(N - D, 32) grid.x {
  for x_t in 0 .. min(32, N - D - 32 * x_b) block.x {
    local r_s
    copy r_s = r[32 * x_b]
    barrier
    local s
    S0[x = 32 * x_b + x_t]: s = 0.0f
    for d in 0 .. D {
      S1[x = 32 * x_b + x_t, d]: s += r[x + d] in r_s
    }
    S2[x = 32 * x_b + x_t]: y[x] = s
  }
})";
  };
  expectRefused(check(original, staged("")),
                {"'r' is copied also for sizes for which nothing of it is read",
                 "[Storage]"});
  EXPECT_EQ(check(original, staged("assume D - 1 >= 0 \"some\"")), "");
}
