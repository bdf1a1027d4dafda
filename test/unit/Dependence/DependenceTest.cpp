//===- DependenceTest.cpp - The facts, directly ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Dependence/Dependence.h"
#include "convopt/Nest/Text.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace llvm;

namespace {

/// The value of \p e; ends the test program where there is none.
template <typename T> T orFail(Expected<T> e) {
  if (!e)
    report_fatal_error(e.takeError());
  return std::move(*e);
}

/// The analysis of a nest, as lines of text to compare.
class Analysed {
public:
  explicit Analysed(StringRef text)
      : nest(orFail(parseNest(text))),
        analysis(orFail(DependenceAnalysis::compute(nest))) {}

  /// "flow S0 S1 A (=,<) (0,1)", one a line, of the array \p array.
  std::string dependences(StringRef array) const {
    std::string text;
    for (const Dependence &d : analysis.dependences())
      if (nest.arrays[d.array].name == array)
        text += line(d) + "\n";
    return text;
  }

  /// "i:parallel j:reduction k:sequential".
  std::string facts() const {
    std::string text;
    for (const LoopFacts &f : analysis.loopFacts())
      text += (text.empty() ? "" : " ") + nest.loopNames[f.loop] + ":" +
              (f.parallel    ? "parallel"
               : f.reduction ? "reduction"
                             : "sequential");
    return text;
  }

  Nest nest;
  DependenceAnalysis analysis;

private:
  static std::string line(const Dependence &d) {
    static const char *kinds[] = {"flow", "anti", "output"};
    std::string text = std::string(kinds[unsigned(d.kind)]) + " S" +
                       std::to_string(d.source) + " S" +
                       std::to_string(d.sink) + " (";
    for (Direction x : d.direction)
      text += (text.back() == '(' ? "" : ",") + std::string(1, "=<>*"[int(x)]);
    text += ") (";
    for (std::optional<int64_t> x : d.distance)
      text += (text.back() == '(' ? "" : ",") + (x ? std::to_string(*x) : "?");
    return text + (d.reduction ? ") reduction" : ")");
  }
};

} // namespace

TEST(Dependence, ConvolutionWithScalarSum) {
  Analysed a(R"(nest conv from "conv.c"
param N: int
param O: int
param H: int
param W: int
param F: int
param OH: int = H - F + 1
param OW: int = W - F + 1
array inputs: float[N][H][W] input
array filters: float[N][O][F][F] input
array outputs: float[O][OH][OW] output
array sum: float local

for o in 0 .. O {
  for y in 0 .. OH {
    for x in 0 .. OW {
      local sum
      S0: sum = 0.0f
      for n in 0 .. N {
        for i in 0 .. F {
          for j in 0 .. F {
            S1: sum += inputs[n][y + i][x + j] * filters[n][o][i][j]
          }
        }
      }
      S2: outputs[o][y][x] = sum
    }
  }
}
)");
  EXPECT_EQ(a.facts(), "o:parallel y:parallel x:parallel n:reduction "
                       "i:reduction j:reduction");
  EXPECT_EQ(a.dependences("outputs"), "");
  EXPECT_EQ(a.dependences("inputs"), "");
  EXPECT_EQ(a.dependences("sum"),
            "flow S0 S1 (=,=,=) (0,0,0)\n"
            "flow S0 S2 (=,=,=) (0,0,0)\n"
            "flow S1 S1 (=,=,=,<,*,*) (0,0,0,?,?,?) reduction\n"
            "flow S1 S1 (=,=,=,=,<,*) (0,0,0,0,?,?) reduction\n"
            "flow S1 S1 (=,=,=,=,=,<) (0,0,0,0,0,?) reduction\n"
            "flow S1 S2 (=,=,=) (0,0,0)\n"
            "anti S1 S1 (=,=,=,<,*,*) (0,0,0,?,?,?) reduction\n"
            "anti S1 S1 (=,=,=,=,<,*) (0,0,0,0,?,?) reduction\n"
            "anti S1 S1 (=,=,=,=,=,<) (0,0,0,0,0,?) reduction\n"
            "output S0 S1 (=,=,=) (0,0,0)\n"
            "output S1 S1 (=,=,=,<,*,*) (0,0,0,?,?,?) reduction\n"
            "output S1 S1 (=,=,=,=,<,*) (0,0,0,0,?,?) reduction\n"
            "output S1 S1 (=,=,=,=,=,<) (0,0,0,0,0,?) reduction\n");
  EXPECT_TRUE(a.analysis.isParallel(0));
  EXPECT_FALSE(a.analysis.isParallel(3));
}

TEST(Dependence, SumIntoTheOutputElement) {
  Analysed a(R"(nest conv from "conv.c"
param N: int
array a: float[N][N] input
array out: float[N] output

for y in 0 .. N {
  S0: out[y] = 0.0f
  for k in 0 .. N {
    S1: out[y] += a[y][k]
  }
}
)");
  EXPECT_EQ(a.facts(), "y:parallel k:reduction");
}

TEST(Dependence, ConstantDistance) {
  Analysed a(R"(nest f from "f.c"
param N: int
array A: float[N][N] inout

for i in 1 .. N {
  for j in 0 .. N - 1 {
    S0: A[i][j] = A[i - 1][j + 1]
  }
}
)");
  EXPECT_EQ(a.dependences("A"), "flow S0 S0 (<,>) (1,-1)\n");
  EXPECT_EQ(a.facts(), "i:sequential j:parallel");
}

TEST(Dependence, RangedDistance) {
  Analysed a(R"(nest f from "f.c"
array A: float[100] inout

for i in 0 .. 10 {
  for j in 0 .. 10 {
    S0: A[i + j] = 1.0f
  }
}
)");
  EXPECT_EQ(a.dependences("A"), "output S0 S0 (<,>) (?,?)\n");
  EXPECT_EQ(a.facts(), "i:sequential j:parallel");
}

TEST(Dependence, UnknownDistance) {
  Analysed a(R"(nest f from "f.c"
param s: int
array A: float[1000] inout

for i in 0 .. 10 {
  S0: A[s * i] = A[i]
}
)");
  // s * i may be any element: everything depends on everything before it.
  EXPECT_EQ(a.dependences("A"), "flow S0 S0 (<) (?)\n"
                                "anti S0 S0 (<) (?)\n"
                                "output S0 S0 (<) (?)\n");
  EXPECT_EQ(a.facts(), "i:sequential");
}

TEST(Dependence, AntiDependence) {
  Analysed a(R"(nest f from "f.c"
param N: int
array A: float[N] inout

for i in 0 .. N - 1 {
  S0: A[i] = A[i + 1]
}
)");
  EXPECT_EQ(a.dependences("A"), "anti S0 S0 (<) (1)\n");
}

TEST(Dependence, NoDependenceBetweenEvenAndOdd) {
  Analysed a(R"(nest f from "f.c"
param N: int
array A: float[N] inout

for i in 0 .. N {
  S0: A[2 * i] = A[2 * i + 1]
}
)");
  EXPECT_EQ(a.dependences("A"), "");
  EXPECT_EQ(a.facts(), "i:parallel");
}

TEST(Dependence, InPlaceStencil) {
  Analysed a(R"(nest f from "f.c"
param N: int
param T: int
array A: float[N] inout

for t in 0 .. T {
  for i in 1 .. N - 1 {
    S0: A[i] = A[i - 1] + A[i] + A[i + 1]
  }
}
)");
  EXPECT_EQ(a.facts(), "t:sequential i:sequential");
  EXPECT_EQ(a.dependences("A"), "flow S0 S0 (<,<) (?,1)\n"
                                "flow S0 S0 (=,<) (0,1)\n"
                                "flow S0 S0 (<,=) (?,0)\n"
                                "flow S0 S0 (<,>) (?,-1)\n"
                                "anti S0 S0 (<,>) (?,-1)\n"
                                "anti S0 S0 (<,=) (?,0)\n"
                                "anti S0 S0 (<,<) (?,1)\n"
                                "anti S0 S0 (=,<) (0,1)\n"
                                "output S0 S0 (<,=) (?,0)\n");
}

TEST(Dependence, ScalarIsPrivateToItsDeclaration) {
  const char *header = R"(nest f from "f.c"
param N: int
array A: float[N] inout
array t: float local

)";
  Analysed inside(std::string(header) + R"(for i in 0 .. N {
  local t
  S0: t = A[i]
  S1: A[i] = t
}
)");
  EXPECT_EQ(inside.facts(), "i:parallel");
  Analysed outside(std::string(header) + R"(local t
for i in 0 .. N {
  S0: t = A[i]
  S1: A[i] = t
}
)");
  EXPECT_EQ(outside.facts(), "i:sequential");
}

TEST(Dependence, GuardedReadReadsOnlyWhereItHolds) {
  Analysed a(R"(nest f from "f.c"
param N: int
array A: float[2 * N] inout

for i in 0 .. N {
  S0: A[i] = guarded(i - N >= 0, A[i + 1], 0.0f)
}
)");
  EXPECT_EQ(a.dependences("A"), "");
}

TEST(Dependence, AssumptionsCount) {
  const char *body = R"(
for i in 0 .. N {
  S0: A[i] = A[i + d]
}
)";
  const char *header = R"(nest f from "f.c"
param N: int
param d: int
array A: float[2 * N] inout
)";
  EXPECT_EQ(Analysed(std::string(header) + body).facts(), "i:sequential");
  EXPECT_EQ(Analysed(std::string(header) +
                     "assume d - N >= 0 \"d is at least N\"\n" + body)
                .facts(),
            "i:parallel");
}

TEST(Dependence, ProductsAndQuotientsOfSizes) {
  // One output element a thread of a grid that packs two loops.
  Analysed a(R"(nest f from "f.c"
param H: int
param W: int
param G: int = floordiv(W, 16)
array out: float[H * W] output

for h in 0 .. H {
  for w in 0 .. W {
    S0: out[H * W + h] = 1.0f
  }
}
)");
  EXPECT_EQ(a.facts(), "h:parallel w:sequential");
  Analysed b(R"(nest f from "f.c"
param W: int
array out: float[W] output

for w in 0 .. W {
  S0: out[16 * floordiv(w, 16) + w % 16] = 1.0f
}
)");
  EXPECT_EQ(b.facts(), "w:parallel");
}

TEST(Dependence, DifferentOperatorsAreNoReduction) {
  Analysed a(R"(nest f from "f.c"
param N: int
array A: float[N] inout

for i in 0 .. N {
  S0: A[0] += 1.0f
  S1: A[0] *= 2.0f
}
)");
  EXPECT_EQ(a.facts(), "i:sequential");
}

TEST(Dependence, ReadOfTheAccumulatorIsNoReduction) {
  Analysed a(R"(nest f from "f.c"
param N: int
array s: float[1] inout

for i in 0 .. N {
  S0: s[0] += 2 * s[0]
}
)");
  EXPECT_EQ(a.facts(), "i:sequential");
}

TEST(Dependence, RefusesATransformedNest) {
  Nest nest = orFail(parseNest(R"(nest f from "f.c"
array A: float[64] output

for i_o in 0 .. 4 {
  for i_i in 0 .. 16 {
    S0[i = 16 * i_o + i_i]: A[i] = 1.0f
  }
}
)"));
  Expected<DependenceAnalysis> a = DependenceAnalysis::compute(nest);
  ASSERT_FALSE(bool(a));
  EXPECT_NE(toString(a.takeError()).find("[analysis]"), std::string::npos);
}

TEST(Dependence, PrintIsDeterministic) {
  const char *text = R"(nest f from "f.c"
param N: int
array A: float[N][N] inout

for i in 1 .. N {
  for j in 0 .. N {
    S0: A[i][j] = A[i - 1][j] + 1.0f
  }
}
)";
  std::string first, second;
  {
    raw_string_ostream os(first);
    Analysed(text).analysis.print(os);
  }
  {
    raw_string_ostream os(second);
    Analysed(text).analysis.print(os);
  }
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, R"(for i in 1 .. N {                     // sequential
  for j in 0 .. N {                   // parallel
    S0: A[i][j] = A[i - 1][j] + 1.0f  // [<,=]
  }
}

dependences:
  flow   S0 -> S0 on A: direction (<,=), distance (1,0)

direction matrix:
  i j
  < =   S0 -> S0 on A
)");
}
