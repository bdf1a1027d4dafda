//===- StagingPolicyTest.cpp - What the model assumes of a plan -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The model prices tiles from sizes alone; planStaging makes steps for a
/// mapped nest. Both are asked of the same tiles here, of nests of many forms,
/// and what the model assumes is compared with what the steps make.
///
//===----------------------------------------------------------------------===//

#include "../../../lib/Schedule/ModelledTile.h"
#include "../Random/Random.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Nest/Text.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Schedule/Request.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Stage.h"
#include "convopt/Transforms/Unroll.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace convopt;
using convopt::test::Random;

namespace {

/// A sum of products as it is written. Loops are "name extent"; the outer ones
/// give outputs.
struct Form {
  std::string name, type = "float";
  std::vector<std::string> arrays; // "in: [64][N]", the last the output
  std::vector<std::string> outer, inner;
  std::string target, in, w, guard = "";

  Nest nest() const;
  friend void PrintTo(const Form &f, std::ostream *os) { *os << f.name; }
};

} // namespace

Nest Form::nest() const {
  std::string text = "nest f from \"f.c\"\nparam N: int\nparam G: int\n";
  for (const std::string &a : arrays) {
    auto [array, extents] = llvm::StringRef(a).split(' ');
    text += "array " + array.str() + " " + type + extents.str() +
            (&a == &arrays.back() ? " output\n" : " input\n");
  }
  text += "array t: " + type + " local\n\n";
  auto open = [&](const std::vector<std::string> &loops) {
    for (llvm::StringRef l : loops)
      text += "for " + l.split(' ').first.str() + " in 0 .. " +
              l.split(' ').second.str() + " {\n";
  };
  open(outer);
  text += "local t\nS0: t = 0\n";
  open(inner);
  if (!guard.empty())
    text += "if " + guard + " {\n";
  text += "S1: t += " + in + " * " + w + "\n";
  for (size_t n = inner.size() + !guard.empty(); n != 0; --n)
    text += "}\n";
  text += "S2: " + target + " = t\n";
  for (size_t n = outer.size(); n != 0; --n)
    text += "}\n";
  llvm::Expected<Nest> nest = parseNest(text);
  EXPECT_TRUE(bool(nest)) << text;
  return llvm::cantFail(std::move(nest));
}

/// A layer of images with channels first, \p size squared before a filter of
/// \p f squared that moves by \p stride, with \p dilation.
static Form layer(const char *c, const char *k, const std::string &out, int f,
                  int stride = 1, int dilation = 1, int padding = 0,
                  const std::string &type = "float") {
  auto place = [&](const char *o, const char *r) {
    return llvm::formatv("{0} * {1} + {2} * {3} - {4}", stride, o, dilation, r,
                         padding)
        .str();
  };
  const std::string size = llvm::formatv("{0} * ({1}) + {2}", stride, out,
                                         dilation * (f - 1) + 1 - 2 * padding)
                               .str();
  const std::string width = std::to_string(f);
  Form form{
      llvm::formatv("{0} channels to {1} of {2}, {3}x{3}, stride {4}, "
                    "dilation {5}, padding {6}, {7}",
                    c, k, out, f, stride, dilation, padding, type),
      type,
      {"in: [" + std::string(c) + "][" + size + "][" + size + "]",
       "w: [" + std::string(k) + "][" + c + "][" + width + "][" + width + "]",
       "out: [" + std::string(k) + "][" + out + "][" + out + "]"},
      {"m " + std::string(k), "y " + out, "x " + out},
      {"c " + std::string(c), "p " + width, "q " + width},
      "out[m][y][x]",
      "in[c][" + place("y", "p") + "][" + place("x", "q") + "]",
      "w[m][c][p][q]"};
  if (padding)
    for (const char *at : {"y p", "x q"}) {
      auto [o, r] = llvm::StringRef(at).split(' ');
      const std::string p = place(o.str().c_str(), r.str().c_str());
      form.guard += (form.guard.empty() ? "" : " and ") + p + " >= 0 and " +
                    size + " - 1 - (" + p + ") >= 0";
    }
  return form;
}

static std::vector<Form> forms() {
  std::vector<Form> all{
      layer("64", "64", "4094", 3),
      layer("64", "64", "N", 3),
      layer("64", "64", "N", 5),
      layer("3", "64", "224", 7, 2),
      layer("64", "64", "56", 1),
      layer("32", "32", "112", 3, 1, 2),
      layer("16", "32", "200", 3, 2, 2),
      layer("64", "128", "56", 3, 1, 1, 1),
      layer("64", "128", "56", 3, 2, 1, 1),
      layer("16", "4", "33", 5),
      layer("1", "8", "510", 11),
      layer("32", "32", "62", 3, 1, 1, 0, "double"),
      layer("32", "32", "128", 3, 1, 1, 0, "__half"),
      layer("32", "32", "126", 3, 1, 1, 0, "unsigned char"),
      {"batch",
       "float",
       {"in: [10000][4][40][40]", "w: [16][4][7][7]",
        "out: [10000][16][34][34]"},
       {"b 10000", "m 16", "y 34", "x 34"},
       {"c 4", "p 7", "q 7"},
       "out[b][m][y][x]",
       "in[b][c][y + p][x + q]",
       "w[m][c][p][q]"},
      {"channels last",
       "float",
       {"in: [32][58][58][64]", "w: [3][3][64][128]", "out: [32][56][56][128]"},
       {"b 32", "y 56", "x 56", "m 128"},
       {"p 3", "q 3", "c 64"},
       "out[b][y][x][m]",
       "in[b][y + p][x + q][c]",
       "w[p][q][c][m]"},
      {"depthwise",
       "float",
       {"in: [64][114][114]", "w: [64][3][3]", "out: [64][112][112]"},
       {"m 64", "y 112", "x 112"},
       {"p 3", "q 3"},
       "out[m][y][x]",
       "in[m][y + p][x + q]",
       "w[m][p][q]"},
      {"groups",
       "float",
       {"in: [8][16][58][58]", "w: [8][32][16][3][3]", "out: [8][32][56][56]"},
       {"g 8", "m 32", "y 56", "x 56"},
       {"c 16", "p 3", "q 3"},
       "out[g][m][y][x]",
       "in[g][c][y + p][x + q]",
       "w[g][m][c][p][q]"},
      {"one dimension",
       "float",
       {"in: [65566]", "w: [31]", "out: [65536]"},
       {"x 65536"},
       {"q 31"},
       "out[x]",
       "in[x + q]",
       "w[q]"},
      {"one dimension, a long filter",
       "float",
       {"in: [66035]", "w: [500]", "out: [65536]"},
       {"x 65536"},
       {"q 500"},
       "out[x]",
       "in[x + q]",
       "w[q]"},
      {"one dimension, channels",
       "float",
       {"in: [64][8004]", "w: [64][64][5]", "out: [64][8000]"},
       {"m 64", "x 8000"},
       {"c 64", "q 5"},
       "out[m][x]",
       "in[c][x + q]",
       "w[m][c][q]"},
      {"product",
       "float",
       {"a: [1024][1024]", "b: [1024][1024]", "c: [1024][1024]"},
       {"m 1024", "x 1024"},
       {"k 1024"},
       "c[m][x]",
       "a[m][k]",
       "b[k][x]"},
      {"product of a transposed matrix",
       "float",
       {"a: [512][N]", "b: [512][N]", "c: [N][N]"},
       {"m N", "x N"},
       {"k 512"},
       "c[m][x]",
       "a[k][m]",
       "b[k][x]"},
      {"matrix by vector",
       "float",
       {"a: [4096][4096]", "v: [4096]", "c: [4096]"},
       {"x 4096"},
       {"k 4096"},
       "c[x]",
       "a[x][k]",
       "v[k]"},
      {"stride as argument",
       "float",
       {"in: [64][G * 56 + 3][G * 56 + 3]", "w: [64][64][3][3]",
        "out: [64][56][56]"},
       {"m 64", "y 56", "x 56"},
       {"c 64", "p 3", "q 3"},
       "out[m][y][x]",
       "in[c][G * y + p][G * x + q]",
       "w[m][c][p][q]"},
  };
  return all;
}

namespace {

/// What a plan makes of an array.
struct Made {
  Buffer::Memory memory = Buffer::Global;
  std::optional<unsigned> vectorDim;
  bool isPacked = false;
  int64_t elements = 0; // of shared memory, of a stage
};

/// A tile of a nest that the device can run, as the model has it and as steps
/// make it.
struct Case {
  const SumShape &shape;
  TileCounts tile;
  const ModelledTile &model;
  Nest planned;
  std::string text;

  /// Loops that staging unrolls.
  std::set<std::string> unrolled;

  Made made(unsigned array) const;
};

class StagingPolicyTest : public testing::TestWithParam<Form> {
protected:
  void forTiles(llvm::function_ref<void(const Case &)> check);
};

} // namespace

Made Case::made(unsigned array) const {
  Made made;
  for (const Array &a : planned.arrays) {
    if (!a.buffer || a.buffer->of != array)
      continue;
    const BufferLayout &layout = a.buffer->layout;
    if (a.buffer->memory == Buffer::Shared ||
        a.buffer->memory == Buffer::Constant)
      made.memory = a.buffer->memory;
    if (a.buffer->memory == Buffer::Shared)
      made.elements = constantElements(planned, a).value() / layout.depth;
    made.isPacked |= a.buffer->memory == Buffer::Global;
    if (a.buffer->memory == Buffer::Registers && layout.vector > 1)
      made.vectorDim =
          layout.order.empty() ? a.extents.size() - 1 : layout.order.back();
  }
  return made;
}

/// Of the sizes that a search tries.
static TileCounts randomTile(Random &random, const SumShape &shape) {
  static const std::vector<int64_t> outputs[] = {
      {1, 2, 3, 4, 8, 12, 16}, {1, 2, 3, 4}, {1, 2, 3, 4, 6, 8, 12}};
  static constexpr int64_t most[] = {128, 64, 16};
  TileCounts t;
  for (unsigned r = 0; r != RoleCount; ++r) {
    if (!shape.ids[r])
      continue;
    t.outputs[r] = std::min<int64_t>(random.oneOf(outputs[r]),
                                     llvm::alignTo(shape.extents[r], 4));
    const int64_t needed = llvm::divideCeil(shape.extents[r], t.outputs[r]);
    t.threads[r] = random.chance(30) ? 1
                   : random.chance(25)
                       ? llvm::divideCeil(needed, random.between(1, 4))
                       : int64_t(1) << random.pick(6);
    t.threads[r] = std::min({t.threads[r], needed, most[r]});
  }
  if (shape.takesParts)
    t.iterations =
        std::min(int64_t(1) << random.pick(5), shape.extents[RoleCount]);
  if (random.chance(40))
    t.constantBytes = ScheduleRequest().constantBytes;
  return t;
}

void StagingPolicyTest::forTiles(llvm::function_ref<void(const Case &)> check) {
  static constexpr int Tiles = 12, MostTries = 3000;
  const Gpu gpu = llvm::cantFail(findGpu("sm_90"));
  const Nest nest = GetParam().nest();
  Pipeline pipeline = llvm::cantFail(Pipeline::create(nest));
  const Roles roles = llvm::cantFail(findRoles(nest, pipeline.dependences()));
  const std::optional<SumShape> shape = SumShape::of(nest, roles);
  ASSERT_TRUE(shape);
  Random random(1);
  int found = 0;
  for (int tries = 0; tries != MostTries && found != Tiles; ++tries) {
    const TileCounts t = randomTile(random, *shape);
    const int64_t threads = t.threads[0] * t.threads[1] * t.threads[2];
    const ModelledTile model(*shape, gpu, t, /*hasConflicts=*/false);
    if (threads < 32 || threads > 512 || !model.cost())
      continue;
    TileSpec tiles;
    for (unsigned r = 0; r != RoleCount; ++r)
      if (shape->ids[r])
        tiles[*shape->ids[r]] = {t.threads[r], t.outputs[r]};
    const StagingSpec staging{t.iterations, 2, true, t.constantBytes};
    Remarks remarks;
    llvm::Expected<std::vector<Step>> steps = expandShorthand(
        nest, roles, {tiles, staging, Boundary::Recompute}, gpu, remarks);
    if (!steps) { // more registers than the device has, as it counts them
      llvm::handleAllErrors(steps.takeError(), [](const Refusal &r) {
        EXPECT_EQ(r.rule, "limit") << r.message;
      });
      continue;
    }
    Nest planned = nest;
    std::set<std::string> unrolled, later;
    for (const Step &s : *steps) {
      planned = llvm::cantFail(s.apply(planned));
      if (s.is(unrollPass))
        later.insert(s.words[0]);
      else if (s.is(stagePass))
        unrolled.insert(later.begin(), later.end());
    }
    const std::string text =
        llvm::formatv(
            "{0}: threads {1}, outputs {2}, {3} iterations, {4} "
            "bytes of constants",
            GetParam().name,
            llvm::make_range(std::begin(t.threads), std::end(t.threads)),
            llvm::make_range(std::begin(t.outputs), std::end(t.outputs)),
            t.iterations, t.constantBytes)
            .str();
    check({*shape, t, model, std::move(planned), text, std::move(unrolled)});
    ++found;
  }
  EXPECT_EQ(found, Tiles);
}

// Each array comes from the memory that the model takes it to come from, and by
// vectors along the dimension that it counts them for.
TEST_P(StagingPolicyTest, ArraysComeAsTheModelHasThem) {
  forTiles([](const Case &c) {
    for (auto [r, plan] : llvm::zip(c.shape.reads, c.model.readPlans())) {
      const std::string what = c.planned.arrays[r.array].name + " of " + c.text;
      const Made made = c.made(r.array);
      EXPECT_EQ(plan.memory, made.memory) << what;
      EXPECT_EQ(plan.isPacked, made.isPacked) << what;
      // Beside constants, windows are read in place by the compiler's vectors.
      // Of filters of one column, a thread that has a block's row of outputs
      // takes it for one of the filter; no search tries it.
      if (c.tile.constantBytes == 0 && c.shape.extents[c.shape.column()] != 1) {
        EXPECT_EQ(plan.vectorDim, made.vectorDim) << what;
      }
    }
  });
}

// A stage has the elements that the model counts. It does not count that rows
// are whole vectors of copies and longer for the banks of shared memory, by a
// quarter at most: short rows may double. Buffers leave out what a dilated
// filter steps over in a block of one output, which the model counts.
TEST_P(StagingPolicyTest, StagesHaveTheElementsThatTheModelCounts) {
  forTiles([](const Case &c) {
    for (auto [r, plan] : llvm::zip(c.shape.reads, c.model.readPlans())) {
      if (plan.memory != Buffer::Shared)
        continue;
      const std::string what = c.planned.arrays[r.array].name + " of " + c.text;
      const int64_t elements = c.made(r.array).elements;
      EXPECT_LE(elements, 2 * plan.elements) << what;
      if (GetParam().name.find("dilation 2") == std::string::npos) {
        EXPECT_GE(elements, plan.elements) << what;
      }
    }
  });
}

// The loops of the sum that the model takes to be unrolled are. What the rule
// of nests that are not staged unrolls after that, it does not count, nor some
// iterations of a part.
TEST_P(StagingPolicyTest, LoopsAreUnrolledAsTheModelHasThem) {
  forTiles([](const Case &c) {
    for (unsigned l = RoleCount; l != c.shape.loops(); ++l) {
      const bool isOutermost = l == RoleCount;
      if ((isOutermost ? c.model.iterations() : c.shape.extents[l]) == 1)
        continue;
      const std::string name = llvm::StringRef(GetParam().inner[l - RoleCount])
                                   .split(' ')
                                   .first.str();
      EXPECT_EQ(c.unrolled.count(name) || c.unrolled.count(name + "_i"),
                l >= c.model.firstUnrolled())
          << name << " of " << c.text;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Forms, StagingPolicyTest, testing::ValuesIn(forms()),
                         [](const testing::TestParamInfo<Form> &form) {
                           std::string name = form.param.name;
                           llvm::erase_if(
                               name, [](char c) { return !llvm::isAlnum(c); });
                           return name;
                         });
