//===- ShapesTest.cpp - Sizes that a nest is verified with ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nests.h"
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
  EXPECT_TRUE(has(refusal("H=-3,W=4,N=1,O=1,F=1", nest), "negative"));
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
    std::vector<Shape> shapes = defaultShapes(nest);
    EXPECT_GE(shapes.size(), 4u);
    for (const Shape &s : shapes)
      EXPECT_EQ(refusal(text(s), nest), "accepted") << text(s);
  }
}

TEST(DefaultShapes, CoverTheCornersOfAConvolution) {
  std::vector<Shape> shapes = defaultShapes(figure3());
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
  std::vector<Shape> shapes = defaultShapes(nest);
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
  for (const Shape &shape : defaultShapes(guarded())) {
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
  EXPECT_TRUE(
      llvm::any_of(defaultShapes(figure3(), &kernel), [](const Shape &s) {
        return s.sizes.at("W") - s.sizes.at("F") + 1 > 100;
      }));
}

TEST(DefaultShapes, ANestOfConstantSizesHasOne) {
  Nest nest = templateKernel();
  nest.function = Function();
  nest.function.name = "blur";
  nest.params[0].definition = IndexExpr(1);
  nest.params[1].definition = IndexExpr(40);
  std::vector<Shape> shapes = defaultShapes(nest);
  ASSERT_EQ(shapes.size(), 1u);
  EXPECT_TRUE(shapes[0].sizes.empty());
}
