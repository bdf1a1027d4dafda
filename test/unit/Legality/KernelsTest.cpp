//===- KernelsTest.cpp - Kernels that compute a nest together -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Legality/CheckedNest.h"
#include "convopt/Nest/Text.h"
#include "convopt/Schedule/Pipeline.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace llvm;

namespace {

const StringRef Original = R"(nest f from "f.c"
param N: int
param K: int
array a: float[N][K] input
array b: float[N] input
array y: float[N] output
array sum: float local

for i in 0 .. N {
  local sum
  S0: sum = b[i]
  for k in 0 .. K {
    S1: sum += a[i][k]
  }
  S2: y[i] = sum
}
)";

/// The nest whose blocks share the sum; \p kind is of the loop over parts.
Expected<CheckedNest> wholeNest(StringRef kind) {
  Expected<Nest> nest = parseNest(Original);
  if (!nest)
    return nest.takeError();
  LegalityOptions options;
  options.associativeMath = true;
  Expected<Pipeline> p = Pipeline::create(std::move(*nest), options);
  if (!p)
    return p.takeError();
  for (const std::string &text :
       {std::string("strip-mine=k,64,k_b,k_i"), std::string("map=i,grid.x"),
        "map=k_b," + kind.str()}) {
    Expected<Step> step = parseStep(text);
    if (!step)
      return step.takeError();
    if (Error e = p->apply(*step))
      return std::move(e);
  }
  return p->checked();
}

const StringRef Parts = R"(
for i in 0 .. N grid.x {
  for k_b in 0 .. ceildiv(K, 64) grid.z {
    local sum
    S100: sum = -0.0f
    for k_i in 0 .. min(64, K - 64 * k_b) {
      S1[i, k = 64 * k_b + k_i]: sum += a[i][k]
    }
    S200: sum_parts[k_b][i] = sum
  }
}
)";
const StringRef Sums = R"(
for i in 0 .. N grid.x {
  local sum
  S0: sum = b[i]
  for part in 0 .. ceildiv(K, 64) {
    S100: sum += sum_parts[part][i]
  }
  S2: y[i] = sum
}
)";
const StringRef First = R"(
for i in 0 .. N grid.x {
  local sum
  S0: sum = b[i]
  S2: y[i] = sum
}
)";

/// \p text with \p now in place of \p was.
std::string changed(StringRef text, StringRef was, StringRef now) {
  const auto [before, after] = text.split(was);
  EXPECT_NE(before, text);
  return (before + now + after).str();
}

/// The kernel of parts, which it adds to what is stored.
std::string updates() {
  return changed(Parts, "S200: sum_parts[k_b][i] = sum", "S102: y[i] += sum");
}

/// \p nest, in the text of which statements beside those of the original have
/// numbers of their own, S100 for another S0.
void renumber(Nest &nest) {
  nest.body = rewriteEach<Statement>(
      nest.body, [&](const Statement *s) -> std::optional<Body> {
        if (s->id < 100)
          return std::nullopt;
        auto part = std::make_shared<Statement>(*s);
        part->id %= 100;
        part->iterators.resize(1); // i
        part->instance.resize(1);
        return Body{part};
      });
}

/// What is wrong with the bodies \p first and \p second of kernels; "" where
/// nothing is. Without parts the loop is atomic.
std::string faultOf(StringRef first, StringRef second, bool hasParts = true) {
  Expected<CheckedNest> whole =
      wholeNest(hasParts ? "grid.z" : "grid.z,atomic");
  if (!whole)
    return toString(whole.takeError());
  std::string text;
  raw_string_ostream os(text);
  print(whole->nest(), os);
  const StringRef header = StringRef(text).split("\nfor ").first;
  std::vector<Nest> kernels;
  for (StringRef body : {first, second}) {
    Expected<Nest> nest = parseNest(
        header.str() +
        (hasParts ? "array sum_parts: float[ceildiv(K, 64)][N] inout\n" : "") +
        body.str());
    if (!nest)
      return toString(nest.takeError());
    renumber(*nest);
    kernels.push_back(std::move(*nest));
  }
  auto checked = checkKernels(*whole, std::move(kernels));
  return checked ? "" : toString(checked.takeError());
}

void expectWrong(const std::string &found, StringRef what) {
  EXPECT_NE(found.find(what.str()), std::string::npos)
      << "expected: " << what.str() << "\nin: " << found;
}

} // namespace

TEST(Kernels, partsAreAddedUp) {
  EXPECT_EQ(faultOf(Parts, Sums), "");
  EXPECT_EQ(faultOf(First, updates(), /*hasParts=*/false), "");
}

TEST(Kernels, termsRunOnce) {
  expectWrong(faultOf(changed(Parts, "min(64, K", "min(63, K"), Sums),
              "does not run any more");
  expectWrong(faultOf(changed(Parts, "min(64, K - 64 * k_b)", "64"), Sums),
              "did not in the original nest");
  expectWrong(
      faultOf(Parts, changed(Sums, "  for part",
                             "  for k in 0 .. K {\n S1: sum += a[i][k]\n}\n"
                             "  for part")),
      "S1 runs in several kernels");
}

TEST(Kernels, eachPartIsAddedOnce) {
  expectWrong(faultOf(Parts, changed(Sums, "part in 0", "part in 1")),
              "reads other parts of 'sum_parts' than were written");
  expectWrong(faultOf(Parts, changed(Sums, "sum_parts[part][i]",
                                     "sum_parts[part][N - 1 - i]")),
              "reads other parts of 'sum_parts' than were written");
  expectWrong(faultOf(changed(Parts, "sum_parts[k_b]", "sum_parts[0]"), Sums),
              "S0 writes a part twice");
  expectWrong(faultOf(Parts, changed(Sums, "sum_parts[part]", "sum_parts[0]")),
              "S0 adds a part twice");
  expectWrong(faultOf(changed(Parts, "sum_parts[k_b]", "sum_parts[k_b + 1]"),
                      changed(Sums, "sum_parts[part]", "sum_parts[part + 1]")),
              "S0 touches a part outside of 'sum_parts'");
}

TEST(Kernels, partsAreAddedAsTermsAre) {
  expectWrong(faultOf(Parts, changed(Sums, "S100: sum +=", "S100: sum max=")),
              "S0 is neither of the original nest nor a part of a sum");
  expectWrong(faultOf(Sums, Parts), "S0 reads parts that are written later");
  expectWrong(
      faultOf(changed(Parts, "    S200: sum_parts[k_b][i] = sum\n", ""),
              changed(Sums, "    S100: sum += sum_parts[part][i]\n", "")),
      "reads other parts of 'sum_parts' than were written");
}

TEST(Kernels, partsHaveAllTerms) {
  expectWrong(
      faultOf(changed(changed(Parts, "    S200: sum_parts[k_b][i] = sum\n", ""),
                      "    for k_i",
                      "    S200: sum_parts[k_b][i] = sum\n"
                      "    for k_i"),
              Sums),
      "S0 leaves out terms of its part");
  expectWrong(faultOf(changed(Parts, "-0.0f", "1.0f"), Sums),
              "S0 is neither of the original nest nor a part of a sum");
}

TEST(Kernels, updatesAddToWhatIsStored) {
  expectWrong(faultOf(updates(), First, /*hasParts=*/false),
              "S2 adds to what is stored later");
  expectWrong(
      faultOf(changed(First, "  S2: y[i] = sum\n", ""), updates(), false),
      "does not run any more");
  expectWrong(faultOf(First,
                      changed(updates(), "    S102: y[i] += sum",
                              "    for z in 0 .. 2 {\nS102: y[i] += sum\n}"),
                      false),
              "S2 adds a part twice");
  expectWrong(faultOf(First, changed(updates(), "y[i]", "y[0]"), false),
              "S2 is neither of the original nest nor a part of a sum");
}
