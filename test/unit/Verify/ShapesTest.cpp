//===- ShapesTest.cpp - Sizes that a nest is verified with ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nests.h"
#include "convopt/Nest/Facts.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Verify/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace convopt;
using namespace convopt::test;

/// The message that \p text is refused with, remedy included.
static std::string refusal(llvm::StringRef text, const Nest &nest) {
  llvm::Expected<Shape> shape = parseShape(text, nest);
  if (shape)
    return "accepted";
  std::string message;
  llvm::raw_string_ostream os(message);
  EXPECT_EQ(report(shape.takeError(), os, ""), ExitStatus::BadInput);
  return os.str();
}

static bool has(const std::string &text, llvm::StringRef part) {
  return llvm::StringRef(text).contains(part);
}

TEST(ParseShape, TakesEverySizeInAnyOrder) {
  auto shape = parseShape("W=40, H=33,N=1,O=2,F=3", figure3());
  ASSERT_TRUE(bool(shape));
  EXPECT_EQ(shape->sizes.at("H"), 33);
  EXPECT_EQ(shape->sizes.at("W"), 40);
  EXPECT_EQ(shape->sizes.size(), 5u);
}

TEST(ParseShape, TakesTemplateArguments) {
  auto shape = parseShape("radius=2,n=9,T=double", templateKernel());
  ASSERT_TRUE(bool(shape));
  EXPECT_EQ(shape->sizes.at("radius"), 2);
  EXPECT_EQ(shape->types.at("T"), "double");
}

TEST(ParseShape, HasTypesOfInstancesWhereNoneAreGiven) {
  const Nest nest = templateKernel();
  TemplateInstance instance;
  for (const std::string &name : nest.function.templateArgs)
    instance.push_back(name == "T" ? "int" : "2");
  auto shape = parseShape("radius=2,n=9", nest, {instance});
  ASSERT_TRUE(bool(shape));
  EXPECT_EQ(templateArguments(nest, *shape), instance);
  shape = parseShape("radius=2,n=9", nest);
  ASSERT_TRUE(bool(shape));
  EXPECT_EQ(shape->types.at("T"), "float");
}

TEST(ParseShape, ZeroIsFineWhereNothingBecomesEmpty) {
  EXPECT_EQ(refusal("radius=0,n=9", templateKernel()), "accepted");
}

TEST(ParseShape, RefusesWhatIsNoSize) {
  const Nest nest = figure3();
  EXPECT_TRUE(has(refusal("H=x,W=4,N=1,O=1,F=1", nest), "no integer"));
  EXPECT_TRUE(has(refusal("H=4.5,W=4,N=1,O=1,F=1", nest), "no integer"));
  EXPECT_TRUE(has(refusal("H=,W=4,N=1,O=1,F=1", nest), "no integer"));
  EXPECT_TRUE(
      has(refusal("H=99999999999999999999,W=4,N=1,O=1,F=1", nest), "64 bits"));
  EXPECT_TRUE(has(refusal("H=3000000000,W=4,N=1,O=1,F=1", nest),
                  "which int does not hold"));
  EXPECT_TRUE(has(refusal("H=-3,W=4,N=1,O=1,F=1", nest), "H=-3"));
  EXPECT_TRUE(has(refusal("H", nest), "no NAME=VALUE"));
  EXPECT_TRUE(has(refusal("H=4,H=5,W=4,N=1,O=1,F=1", nest), "twice"));
}

TEST(ParseShape, RefusesUnknownAndMissingNames) {
  const Nest nest = figure3();
  std::string unknown = refusal("Q=4", nest);
  EXPECT_TRUE(has(unknown, "no size 'Q'"));
  EXPECT_TRUE(has(unknown, "-shape=N=...,O=...,H=...,W=...,F=..."));
  EXPECT_TRUE(has(refusal("", nest), "no value for 'N'"));
  EXPECT_TRUE(has(refusal("N=1,O=1,H=4,W=4", nest), "no value for 'F'"));
  EXPECT_TRUE(has(refusal("OH=4", nest), "follows from the other sizes"));
}

TEST(ParseShape, RefusesEmptyArraysAndBrokenAssumptions) {
  const Nest nest = figure3();
  EXPECT_TRUE(has(refusal("N=0,O=1,H=4,W=4,F=1", nest), "of 'inputs' is 0"));
  std::string broken = refusal("N=1,O=1,H=4,W=4,F=5", nest);
  EXPECT_TRUE(has(broken, "does not satisfy"));
  EXPECT_TRUE(has(broken, "rows exist"));
}

TEST(ParseShape, RefusesTextThatIsNoType) {
  EXPECT_TRUE(has(refusal("radius=1,n=4,T=int;", templateKernel()),
                  "no name of a type"));
}

//===----------------------------------------------------------------------===//
// Default shapes
//===----------------------------------------------------------------------===//

static std::vector<Shape>
shapesOf(const Nest &nest, llvm::ArrayRef<LaunchedKernel> kernels = {}) {
  return defaultShapes(nest, kernels, llvm::cantFail(findGpu("sm_90")));
}

static std::string text(const Shape &s) {
  std::string result;
  for (const auto &[name, value] : s.sizes)
    result += name + "=" + std::to_string(value) + ",";
  for (const auto &[name, value] : s.types)
    result += name + "=" + value + ",";
  result.pop_back();
  return result;
}

static int64_t outputRows(const Shape &s) {
  return s.sizes.at("H") - s.sizes.at("F") + 1;
}

TEST(DefaultShapes, EachIsOneThatAUserCouldGive) {
  for (const Nest &nest : {figure3(), templateKernel()}) {
    std::vector<Shape> shapes = shapesOf(nest);
    EXPECT_GE(shapes.size(), 4u);
    for (const Shape &s : shapes)
      EXPECT_EQ(refusal(text(s), nest), "accepted") << text(s);
  }
}

TEST(DefaultShapes, CoverTheCornersOfAConvolution) {
  std::vector<Shape> shapes = shapesOf(figure3());
  auto some = [&](llvm::function_ref<bool(const Shape &)> f) {
    return llvm::any_of(shapes, f);
  };
  auto size = [](const Shape &s, const char *name) { return s.sizes.at(name); };
  EXPECT_TRUE(some([&](const Shape &s) {
    return outputRows(s) == 1 && size(s, "W") == size(s, "F");
  })) << "a filter as large as the image";
  EXPECT_TRUE(some([&](const Shape &s) {
    return size(s, "O") == 1 && size(s, "N") == 1;
  })) << "one output channel";
  EXPECT_TRUE(some([&](const Shape &s) {
    return outputRows(s) == 16 && size(s, "W") - size(s, "F") + 1 == 64;
  })) << "whole tiles";
  EXPECT_TRUE(some([&](const Shape &s) { return size(s, "F") % 2 == 0; }))
      << "an even filter";
  EXPECT_TRUE(some([&](const Shape &s) {
    return size(s, "H") != size(s, "W");
  })) << "rows and columns differ";
}

TEST(DefaultShapes, FindSizesThroughStridesAndPadding) {
  // OH = (H + 2 * pad - F) / stride + 1.
  Nest nest = figure3();
  const unsigned pad = nest.params.size(), stride = pad + 1;
  nest.params.push_back({"pad", "int", false, std::nullopt});
  nest.params.push_back({"stride", "int", false, std::nullopt});
  IndexExpr rows =
      IndexExpr::floorDiv(p(2) + IndexExpr(2) * p(pad) - p(4), p(stride)) +
      IndexExpr(1);
  nest.body = rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
    const auto *loop = llvm::dyn_cast<Loop>(n.get());
    if (!loop || loop->id != 1)
      return std::nullopt;
    return Body{makeLoop(1, rows, loop->body)};
  });
  std::vector<Shape> shapes = shapesOf(nest);
  std::set<int64_t> pads, strides;
  for (const Shape &s : shapes) {
    pads.insert(s.sizes.at("pad"));
    strides.insert(s.sizes.at("stride"));
  }
  EXPECT_TRUE(pads.count(0) && pads.count(1) && *pads.rbegin() > 1);
  EXPECT_TRUE(strides.count(1) && strides.count(2) && *strides.begin() == 1);
}

/// `if (0 <= x * s + i - pad < n) sum += in[...] * w[i]`, for x < m.
static Nest guarded() {
  enum { m, n, K, s, pad };
  Nest nest;
  for (const char *name : {"m", "n", "K", "s", "pad"})
    nest.params.push_back({name, "int", false, std::nullopt});
  nest.arrays = {{"in", "float", Array::Input, {p(n)}, {}, 0, {}},
                 {"w", "float", Array::Input, {p(K)}, {}, 0, {}},
                 {"out", "float", Array::InOut, {p(m)}, {}, 0, {}}};
  nest.loopNames = {"x", "i"};
  const IndexExpr at = l(0) * p(s) + l(1) - p(pad);
  auto guard = std::make_shared<Guard>();
  guard->conditions = {{Constraint::NonNegative, at},
                       {Constraint::NonNegative, p(n) - IndexExpr(1) - at}};
  guard->body = {makeStatement(0, Statement::Op::Add, {2, {l(0)}}, "$0 * $1",
                               {{0, {at}}, {1, {l(1)}}}, {0, 1})};
  nest.body = {makeLoop(0, p(m), {makeLoop(1, p(K), {guard})})};
  return nest;
}

TEST(DefaultShapes, GuardsHoldForSomePointsAndFailForOthers) {
  bool before = false, after = false, some = false, strided = false;
  for (const Shape &shape : shapesOf(guarded())) {
    auto size = [&](const char *name) { return shape.sizes.at(name); };
    int64_t held = 0;
    for (int64_t x = 0; x < size("m"); ++x)
      for (int64_t i = 0; i < size("K"); ++i) {
        const int64_t at = x * size("s") + i - size("pad");
        before |= at < 0;
        after |= at >= size("n");
        held += at >= 0 && at < size("n");
      }
    some |= held > 0 && held < size("m") * size("K");
    strided |= held > 0 && size("s") > 1;
    EXPECT_GE(size("n") + size("pad"), size("K"))
        << "a filter of which no image has the last element: " << text(shape);
  }
  EXPECT_TRUE(before && after && some && strided);
}

TEST(DefaultShapes, HaveMoreThanOneBlock) {
  // What a kernel of tiles of 100 columns is.
  Nest kernel = figure3();
  kernel.body =
      rewrite(kernel.body, [](const NodeRef &n) -> std::optional<Body> {
        const auto *loop = llvm::dyn_cast<Loop>(n.get());
        if (!loop || loop->id != 2)
          return std::nullopt;
        auto blocks = makeLoop(2, loop->upper[0].expr, loop->body);
        blocks->upper[0].divisor = 100;
        blocks->kind = LoopKind::GridX;
        return Body{blocks};
      });
  const std::vector<Shape> shapes =
      shapesOf(figure3(), LaunchedKernel{"conv", kernel, {}});
  auto some = [&](llvm::function_ref<bool(int64_t)> f) {
    return llvm::any_of(shapes, [&](const Shape &s) {
      return f(s.sizes.at("W") - s.sizes.at("F") + 1);
    });
  };
  EXPECT_TRUE(some([](int64_t columns) { return columns % 100 == 1; }));
  EXPECT_TRUE(some([](int64_t columns) {
    return columns % 100 == 0 && columns > 100;
  })) << "blocks that are all full, of which no next hides the last column";
}

TEST(DefaultShapes, StridesInGuardsAreSmall) {
  // The gradient of a strided filter: the guard asks for stride * OW.
  const Nest nest = llvm::cantFail(parseNest(R"(nest gradient from "g.c"
argument dout "const float *@" array
argument din "float *@" array
argument W "int @" param
argument s "int @" param
argument pad "int @" param
param W: int
param s: int
param pad: int
param OW: int = floordiv(W + 2 * pad - 3, s) + 1
array dout: float[OW] input
array din: float[W] output
array sum: float local
assume s - 1 >= 0 "the divisor is positive"
assume W + 2 * pad - 3 >= 0 "what is divided is not negative"

for x in 0 .. W {
  local sum
  S0: sum = 0.0f
  for j in 0 .. 3 {
    if x + pad - j >= 0 and -((x + pad - j) % s) == 0 and j + s * OW - x - pad - 1 >= 0 {
      S1: sum += dout[floordiv(x + pad - j, s)]
    }
  }
  S2: din[x] = sum
}
)"));
  std::set<int64_t> strides;
  for (const Shape &shape : shapesOf(nest))
    strides.insert(shape.sizes.at("s"));
  EXPECT_TRUE(strides.count(1) && strides.count(2));
  EXPECT_LE(*strides.rbegin(), 4);
}

TEST(DefaultShapes, FactsOfWhatIsTouchedFailByTheLeast) {
  // The window's last element meets the image where R < W alone.
  const Nest nest = llvm::cantFail(parseNest(R"(nest spread from "s.c"
argument in "const float *@" array
argument w "const float *@" array
argument out "float *@" array
argument W "int @" param
argument R "int @" param
param W: int
param R: int
array in: float[W] input
array w: float[2 * R + 1] input
array out: float[W] output
array sum: float local
assume R >= 0 "'R' is not negative"
assume W - R - 1 >= 0 of w "no guard keeps 'w' from being used to its end"

for x in 0 .. W {
  local sum
  S0: sum = 0.0f
  for j in -R .. R + 1 {
    if x + j >= 0 and W - x - j - 1 >= 0 {
      S1: sum += in[x + j] * w[j + R]
    }
  }
  S2: out[x] = sum
}
)"));
  EXPECT_TRUE(llvm::any_of(
      shapesOf(nest, LaunchedKernel{"spread", nest, {}}),
      [](const Shape &s) { return s.sizes.at("W") == s.sizes.at("R"); }));
}

/// Sums of C rows under a filter of K, with \p body.
static Nest rows(const char *arrays, const char *body) {
  return llvm::cantFail(parseNest(std::string(R"(nest rows from "rows.c"
argument in "const float *@" array
argument w "const float *@" array
argument out "float *@" array
argument C "int @" param
argument W "int @" param
argument K "int @" param
param C: int
param W: int
param K: int
)") + arrays + body));
}

static const char AnyWidth[] = R"(array in: float[C][W] input
array w: float[C][K] input
array out: float[W - K + 1] output
array sum: float local
)";

/// Blocks of 32 for any filter.
static Nest generalRows() {
  return rows(AnyWidth, R"(loops x, c, j, x_b, x_t

for x_b in 0 .. ceildiv(W - K + 1, 32) grid.x {
  for x_t in 0 .. min(32, W - K - 32 * x_b + 1) block.x {
    local sum
    S0[x = 32 * x_b + x_t]: sum = 0.0f
    for c in 0 .. C {
      for j in 0 .. K {
        S1[x = 32 * x_b + x_t, c, j]: sum += in[c][x + j] * w[c][j]
      }
    }
    S2[x = 32 * x_b + x_t]: out[x] = sum
  }
}
)");
}

/// Blocks of 64 for filters of 3, channels by four, two copies at once.
static Nest stagedRows() {
  return rows(R"(array in: float[C][W] input
array w: float[C][3] input
array out: float[W - 2] output
array sum: float local
array in_s: float[4][66] local buffer of in shared pitch 4 vector 4 depth 2
)",
              R"(loops x, c, j, x_b, x_t, c_o, c_s

for x_b in 0 .. ceildiv(W - 2, 64) grid.x {
  for x_t in 0 .. min(64, W - 64 * x_b - 2) block.x {
    local sum
    S0[x = 64 * x_b + x_t]: sum = 0.0f
    for c_o in 0 .. ceildiv(C, 4) {
      local in_s
      barrier
      copy in_s = in[4 * c_o][64 * x_b]
      barrier
      for c_s in 0 .. min(4, C - 4 * c_o) {
        for j in 0 .. 3 {
          S1[x = 64 * x_b + x_t, c = 4 * c_o + c_s, j]: sum += in[c][x + j] in in_s * w[c][j]
        }
      }
    }
    S2[x = 64 * x_b + x_t]: out[x] = sum
  }
}
)");
}

TEST(DefaultShapes, ExerciseEachKernel) {
  const Nest source = rows(AnyWidth, R"(
for x in 0 .. W - K + 1 {
  local sum
  S0: sum = 0.0f
  for c in 0 .. C {
    for j in 0 .. K {
      S1: sum += in[c][x + j] * w[c][j]
    }
  }
  S2: out[x] = sum
}
)");
  const Nest general = generalRows(), staged = stagedRows();
  const Assumption is3 = llvm::cantFail(parseFact(source, "K=3"));
  const LaunchedKernel kernels[] = {{"K3", staged, {is3}},
                                    {"any", general, {}}};
  EXPECT_EQ(kernelsToRun(kernels).size(), 2u);
  std::vector<Shape> shapes = shapesOf(source, kernels);
  for (bool aligned : {false, true}) {
    auto some = [&](llvm::function_ref<bool(int64_t, int64_t)> f) {
      return llvm::any_of(shapes, [&](const Shape &s) {
        const int64_t W = s.sizes.at("W");
        return s.sizes.at("K") == 3 && (W % 4 == 0) == aligned &&
               f(s.sizes.at("C"), W);
      });
    };
    EXPECT_TRUE(some([](int64_t C, int64_t) { return C > 8; }))
        << "a third copy has the place of the first, aligned: " << aligned;
    EXPECT_TRUE(some([](int64_t, int64_t W) { return W - 2 > 64; }))
        << "a second block, aligned: " << aligned;
  }
  // Which is run for sizes of the other, too.
  EXPECT_TRUE(llvm::any_of(shapes, [](const Shape &s) {
    return s.sizes.at("W") - s.sizes.at("K") + 1 > 32;
  })) << "two blocks of the general kernel";
}

TEST(DefaultShapes, LeaveNothingToAKernelWhereAnotherTakesAll) {
  const Nest general = generalRows(), staged = stagedRows();
  const LaunchedKernel kernels[] = {{"v1", staged, {}}, {"any", general, {}}};
  EXPECT_EQ(kernelsToRun(kernels), std::vector<std::string>{"v1"});
}

TEST(DefaultShapes, RangesAreNotEmpty) {
  const Nest nest = llvm::cantFail(parseNest(R"(nest region from "r.c"
argument in "const float *@" array
argument out "float *@" array
argument x0 "int @" param
argument x1 "int @" param
param x0: int
param x1: int
array in: float[x1] input
array out: float[x1] inout
assume x0 >= 0 "no subscript is negative"

for x in x0 .. x1 {
  S0: out[x] = in[x]
}
)"));
  int64_t longest = 0;
  for (const Shape &s : shapesOf(nest)) {
    EXPECT_GT(s.sizes.at("x1"), s.sizes.at("x0")) << text(s);
    longest = std::max(longest, s.sizes.at("x1") - s.sizes.at("x0"));
  }
  EXPECT_GT(longest, 16);
}

TEST(DefaultShapes, GroupsAreSeveral) {
  const Nest nest = llvm::cantFail(parseNest(R"(nest groups from "g.c"
argument in "const float *@" array
argument out "float *@" array
argument M "int @" param
argument G "int @" param
param M: int
param G: int
array in: float[G] input
array out: float[G][floordiv(M, G)] output
assume G - 1 >= 0 "the divisor is positive"
assume -(M % G) >= 0 "'m' is split into whole parts"

for g in 0 .. G {
  for m in 0 .. floordiv(M, G) {
    S0: out[g][m] = in[g]
  }
}
)"));
  EXPECT_TRUE(llvm::any_of(shapesOf(nest), [](const Shape &s) {
    const int64_t groups = s.sizes.at("G");
    return groups > 1 && s.sizes.at("M") / groups > 1;
  }));
}

TEST(DefaultShapes, ANestOfConstantSizesHasOne) {
  Nest nest = templateKernel();
  nest.function = Function();
  nest.function.name = "blur";
  nest.params[0].definition = IndexExpr(1);
  nest.params[1].definition = IndexExpr(40);
  std::vector<Shape> shapes = shapesOf(nest);
  ASSERT_EQ(shapes.size(), 1u);
  EXPECT_TRUE(shapes[0].sizes.empty());
}
