//===- ConvolutionTest.cpp - Layers and the sizes of nests ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Convolution.h"
#include "LayerNests.h"

using namespace convopt;
using namespace convopt::bench;
using namespace convopt::test;
using Sizes = std::map<std::string, int64_t>;

static llvm::Expected<Convolution> find(const Nest &nest) {
  return findConvolution(nest,
                         llvm::cantFail(DependenceAnalysis::compute(nest)));
}

static llvm::Expected<Shape> boundTo(llvm::StringRef text,
                                     llvm::StringRef layer) {
  const Nest nest = nestOf(text);
  const Convolution c = llvm::cantFail(find(nest));
  return bindLayer(nest, c, llvm::cantFail(parseLayer(layer)));
}

/// The sizes that \p layer gives the nest \p text; also that the nest with
/// those sizes is that layer again.
static Sizes sizesFor(llvm::StringRef text, llvm::StringRef layer) {
  const Nest nest = nestOf(text);
  const Convolution c = llvm::cantFail(find(nest));
  const LayerShape wanted = llvm::cantFail(parseLayer(layer));
  llvm::Expected<Shape> shape = bindLayer(nest, c, wanted);
  if (!shape) {
    ADD_FAILURE() << llvm::toString(shape.takeError());
    return {};
  }
  llvm::Expected<LayerShape> back = layerOf(nest, c, *shape);
  if (back)
    EXPECT_EQ(back->str(), wanted.str());
  else
    ADD_FAILURE() << llvm::toString(back.takeError());
  return shape->sizes;
}

static std::string refused(llvm::StringRef text, llvm::StringRef layer) {
  return refusalOf(boundTo(text, layer));
}

TEST(BindLayer, TellsLoopsByWhatTheyDo) {
  EXPECT_EQ(sizesFor(Figure3, "C=64,H=40,W=50,K=32,R=3,S=3"),
            (Sizes{{"N", 64}, {"O", 32}, {"H", 40}, {"W", 50}, {"F", 3}}));
  EXPECT_EQ(sizesFor(Course7, "N=9,C=4,H=40,W=41,K=16,R=7,S=7"),
            (Sizes{{"B", 9}, {"C", 4}, {"H", 40}, {"W", 41}, {"M", 16}}));
}

TEST(BindLayer, SolvesForTemplateParametersAndOutputSizes) {
  EXPECT_EQ(sizesFor(Square, "C=8,H=66,W=66,K=4,R=5,S=5"),
            (Sizes{{"nIn", 8},
                   {"nOut", 4},
                   {"radius", 2},
                   {"widthIn", 66},
                   {"widthOut", 62}}));
  auto shape = boundTo(Square, "C=8,H=66,W=66,K=4,R=5,S=5");
  ASSERT_TRUE(bool(shape));
  EXPECT_EQ(shape->types.at("ElTp"), "float");
}

TEST(BindLayer, TakesStrideAndPaddingFromTheSubscripts) {
  EXPECT_EQ(sizesFor(Padded, "C=3,H=224,W=220,K=64,R=7,S=7,pad_h=3,pad_w=3,"
                             "stride_h=2,stride_w=2"),
            (Sizes{{"C", 3},
                   {"H", 224},
                   {"K", 7},
                   {"M", 64},
                   {"W", 220},
                   {"pad", 3},
                   {"stride", 2}}));
}

TEST(BindLayer, TakesDilationMirroringAndBoundsBelowZero) {
  EXPECT_EQ(sizesFor(Dilated, "N=2,C=1,H=20,W=31,K=1,R=5,S=3,pad_h=2,"
                              "stride_w=2,dil_w=4"),
            (Sizes{{"N", 2},
                   {"H", 20},
                   {"Ho", 20},
                   {"R", 2},
                   {"S", 3},
                   {"W", 31},
                   {"Wo", 12},
                   {"dil", 4},
                   {"stride", 2}}));
}

TEST(BindLayer, TakesGroups) {
  EXPECT_EQ(sizesFor(Depthwise,
                     "N=3,C=32,H=9,W=8,K=32,R=3,S=3,pad_h=1,pad_w=1,groups=32"),
            (Sizes{{"N", 3}, {"C", 32}, {"H", 9}, {"W", 8}}));
}

TEST(BindLayer, TakesFiltersOfOneElement) {
  // Without loops of the filter, with both, with one, and with loops that
  // nothing is read by.
  const std::string rows = "for p in 0 .. 1 {\n";
  const std::string columns = "for q in 0 .. 1 {\n";
  for (const std::string &text :
       {pointwise("", "", "", "", ""),
        pointwise(rows + columns, "}\n}\n", "", "", ""),
        pointwise(rows + columns, "}\n}\n", " + p", " + q", "[p][q]"),
        pointwise(columns, "}\n", "", " + q", "[0][q]")})
    EXPECT_EQ(
        sizesFor(text, "N=2,C=8,H=9,W=7,K=16,R=1,S=1,stride_h=2,stride_w=2"),
        (Sizes{
            {"N", 2}, {"C", 8}, {"K", 16}, {"H", 9}, {"W", 7}, {"stride", 2}}))
        << text;
}

TEST(BindLayer, SaysWhatContradictsTheLayer) {
  auto has = [](const std::string &text, llvm::StringRef part) {
    return llvm::StringRef(text).contains(part)
               ? testing::AssertionSuccess()
               : testing::AssertionFailure() << text;
  };
  EXPECT_TRUE(has(refused(Figure3, "C=1,H=30,W=30,K=1,R=5,S=20"),
                  "filter is the same along rows and columns (F), the layer "
                  "has 5 x 20"));
  EXPECT_TRUE(has(refused(Square, "C=1,H=30,W=31,K=1,R=3,S=3"),
                  "image is the same along rows and columns (widthIn), the "
                  "layer has 30 x 31"));
  EXPECT_TRUE(has(refused(Figure3, "N=10000,C=1,H=30,W=30,K=1,R=5,S=5"),
                  "the nest has no loop over the batch, the layer has N = "
                  "10000"));
  EXPECT_TRUE(has(refused(Course7, "C=1,H=30,W=30,K=1,R=5,S=5"),
                  "the nest fixes its filter rows at 7, the layer has R = 5"));
  EXPECT_TRUE(has(refused(Figure3, "C=1,H=30,W=30,K=1,R=5,S=5,pad_h=5,pad_w=5"),
                  "the nest reads no padding, the layer has pad_h = 5"));
  EXPECT_TRUE(has(refused(Square, "C=1,H=30,W=30,K=1,R=4,S=4"),
                  "no size makes the nest's filter rows (2 * radius + 1) come "
                  "to the layer's R = 4"));
  EXPECT_TRUE(has(refused(Figure3, "C=1,H=30,W=30,K=1,R=3,S=3,stride_h=2"),
                  "the nest fixes its stride along rows at 1, the layer has "
                  "stride_h = 2"));
  EXPECT_TRUE(
      has(refused(Depthwise, "C=8,H=9,W=8,K=16,R=3,S=3,pad_h=1,pad_w=1"),
          "the nest has no loop over the output channels, the layer has K = "
          "16"));
  std::string fixed = Course7;
  for (llvm::StringRef size : {"[H - 6]", "[H]", ".. H - 6"}) {
    const size_t at = fixed.find(size.str());
    fixed.replace(at, size.size(),
                  size == "[H]"         ? "[40]"
                  : size.front() == '[' ? "[34]"
                                        : ".. 34");
  }
  EXPECT_TRUE(has(refused(fixed, "C=1,H=80,W=40,K=1,R=7,S=7"),
                  "the nest fixes its image rows at 40, the layer has H = 80"));
  EXPECT_TRUE(has(refused(Dilated, "C=1,H=20,W=31,K=1,R=5,S=3,pad_h=1"),
                  "the nest's padding along rows come to R = 2, the "
                  "layer has pad_h = 1"));
}

TEST(BindLayer, RefusesSizesThatTheNestDoesNotTake) {
  std::string nest = Figure3;
  nest.insert(nest.find("for o"), "assume 100 - H >= 0 \"small images\"\n");
  EXPECT_NE(refused(nest, "C=1,H=101,W=101,K=1,R=3,S=3").find("small images"),
            std::string::npos);
}

TEST(BindLayer, RefusesParametersThatNoSizeDecides) {
  std::string nest = Figure3;
  nest.insert(nest.find("param OH"), "param spare: int\n");
  EXPECT_NE(refused(nest, "C=1,H=30,W=30,K=1,R=3,S=3")
                .find("does not decide the nest's 'spare'"),
            std::string::npos);
}

TEST(BindLayer, AnImageMayHaveRowsThatAreNeverRead) {
  // A flat pointer's outermost extent is the least that holds every read.
  std::string nest = Padded;
  auto replace = [&](llvm::StringRef from, llvm::StringRef to) {
    nest.replace(nest.find(from.str()), from.size(), to.str());
  };
  replace("param Ho: int = floordiv(H + 2 * pad - K, stride) + 1",
          "param Ho: int");
  replace("param pad: int", "param pad: int = 0");
  replace("param H: int\n", "");
  replace("[C][H][W]", "[C][stride * (Ho - 1) + K][W]");
  replace("H + pad - h * stride - p - 1 >= 0 and ", "");
  auto shape = boundTo(nest, "C=3,H=8,W=8,K=4,R=3,S=3,stride_h=2,stride_w=2");
  ASSERT_TRUE(bool(shape)) << llvm::toString(shape.takeError());
  EXPECT_EQ(shape->sizes.at("Ho"), 3);
}

TEST(FindConvolution, RefusesWhatIsNoLayer) {
  auto refusedNest = [](std::string text, llvm::StringRef from,
                        llvm::StringRef to) {
    text.replace(text.find(from.str()), from.size(), to.str());
    return refusalOf(find(nestOf(text)));
  };
  EXPECT_NE(refusedNest(Figure3, "* filters", "* inputs[n][y][x] * filters")
                .find("'inputs' is read at several places"),
            std::string::npos);
  EXPECT_NE(refusedNest(Figure3, "inputs[n][y + i]", "inputs[n][y + i + j]")
                .find("loops 'i' and 'j' share a subscript"),
            std::string::npos);
  EXPECT_NE(refusedNest(Figure3, "inputs[n][y + i]", "inputs[n][y + i + n]")
                .find("'y + n + i' is no stride times an output"),
            std::string::npos);
  EXPECT_NE(refusedNest(Figure3, "inputs[n][y + i]", "inputs[0][y + i]")
                .find("loop 'n' does not move in the input"),
            std::string::npos);
  EXPECT_NE(refusedNest(Figure3, "filters[n][o][i][j]", "filters[n][y][i][j]")
                .find("'filters' changes over the image"),
            std::string::npos);
}

TEST(ParseShapeOption, TakesTheNestsNamesOrTheLayers) {
  const Nest nest = nestOf(Figure3);
  const Convolution c = llvm::cantFail(find(nest));
  auto own = parseShapeOption("N=2,O=3,H=9,W=11,F=3", nest, &c);
  ASSERT_TRUE(bool(own));
  ASSERT_TRUE(own->layer.has_value());
  EXPECT_EQ(own->layer->str(), "N=1 C=2 H=9 W=11 K=3 R=3 S=3");
  auto layer = parseShapeOption("C=2,H=9,W=11,K=3,R=3,S=3", nest, &c);
  ASSERT_TRUE(bool(layer));
  EXPECT_EQ(layer->sizes.sizes, own->sizes.sizes);
  EXPECT_NE(
      refusalOf(parseShapeOption("C=2,H=9,W=11,K=3,R=3,S=3", nest, nullptr))
          .find("no convolution"),
      std::string::npos);
  EXPECT_NE(
      refusalOf(parseShapeOption("C=2,Q=9", nest, &c)).find("no size 'C'"),
      std::string::npos);
  EXPECT_NE(refusalOf(parseShapeOption("N=2,O=3,H=9,W=11", nest, &c))
                .find("no value for 'F'"),
            std::string::npos);
}

TEST(ParseShapeOption, SizesThatMakeNoLayerAreSizes) {
  const Nest nest = nestOf(Square);
  const Convolution c = llvm::cantFail(find(nest));
  // Fewer outputs than there could be.
  auto bound = parseShapeOption(
      "radius=1,widthIn=20,widthOut=10,nIn=1,nOut=1,ElTp=float", nest, &c);
  ASSERT_TRUE(bool(bound));
  EXPECT_FALSE(bound->layer.has_value());
}
