//===- BulkTest.cpp - Copies that no schedule asks for --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Emit/Emit.h"
#include "convopt/Nest/Text.h"
#include "convopt/Schedule/Pipeline.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace llvm;

/// The text of the kernel of a nest, or why there is none.
static std::string deviceOf(const std::string &text) {
  Expected<Nest> nest = parseNest(text);
  if (!nest)
    return toString(nest.takeError());
  Expected<Pipeline> pipeline = Pipeline::create(std::move(*nest));
  if (!pipeline)
    return toString(pipeline.takeError());
  Expected<CheckedNest> checked = pipeline->checked();
  if (!checked)
    return toString(checked.takeError());
  Expected<KernelText> kernel = emitKernel(*checked, *findGpu("sm_90"), {});
  return kernel ? kernel->device : toString(kernel.takeError());
}

/// A copy by TMA in units of \p vector elements of \p type.
static std::string emitted(const std::string &type, int vector) {
  std::string text = "nest f from \"f.cu\"\n"
                     "kernel\n"
                     "argument a \"const T *@\" array\n"
                     "argument b \"T *@\" array\n"
                     "array a: T[64] input\n"
                     "array b: T[64] output\n"
                     "array a_s: T[32] local buffer of a shared vector " +
                     std::to_string(vector) +
                     " bulk\n"
                     "for x_b in 0 .. 2 grid.x {\n"
                     "  for x_t in 0 .. 32 block.x {\n"
                     "    local a_s\n"
                     "    copy a_s = a[32 * x_b]\n"
                     "    barrier\n"
                     "    S0[x = 32 * x_b + x_t]: b[x] = a[x] in a_s\n"
                     "  }\n"
                     "}\n";
  for (size_t at; (at = text.find("T ")) != std::string::npos;)
    text.replace(at, 1, type);
  for (size_t at; (at = text.find("T[")) != std::string::npos;)
    text.replace(at, 1, type);
  return deviceOf(text);
}

TEST(Bulk, CopiesUnitsOf16Bytes) {
  auto holds = [](const std::string &text, const char *part) {
    return text.find(part) != std::string::npos;
  };
  std::string device = emitted("float", 4);
  EXPECT_TRUE(holds(device, "#ifndef CONVOPT_BULK")) << device;
  EXPECT_TRUE(holds(device, "32 * sizeof(float), &a_s_full[0])")) << device;
  EXPECT_TRUE(holds(emitted("double", 2), "32 * sizeof(double)"));
  EXPECT_TRUE(holds(emitted("float", 2), "2 elements 'float' are not that"));
  EXPECT_TRUE(holds(emitted("double", 4), "4 elements 'double' are not that"));
  EXPECT_TRUE(holds(emitted("half4", 4), "elements 'half4' may not be that"));
}

/// Which box, and which use of it, from the first iteration on that there is.
TEST(Bulk, CountsFromTheFirstIteration) {
  auto device = [](const char *lower) {
    return deviceOf(
        (Twine("nest f from \"f.cu\"\nkernel\n"
               "argument a \"const float *@\" array\n"
               "argument b \"float *@\" array\n"
               "array a: float[9][32] input\narray b: float[5][9][32] output\n"
               "array a_s: float[1][32] local buffer of a shared vector 4 "
               "depth 2 bulk\n"
               "for x_b in 0 .. 5 grid.x {\n  for t in 0 .. 32 block.x {\n"
               "    for n in ") +
         lower +
         " .. 9 {\n      local a_s\n      barrier\n"
         "      copy a_s = a[n][0]\n      barrier\n"
         "      S0[x_b, t, n]: b[x_b][n][t] = a[n][t] in a_s\n    }\n  }\n}\n")
            .str());
  };
  auto waits = [&](const char *lower, const char *arguments) {
    std::string text = device(lower);
    EXPECT_NE(text.find(arguments), std::string::npos) << text;
  };
  waits("0", "convopt_bulk_wait(&a_s_full[n % 2], n / 2 % 2)");
  waits("x_b",
        "convopt_bulk_wait(&a_s_full[(n - x_b) % 2], (n - x_b) / 2 % 2)");
  waits("max(2, x_b)", "convopt_bulk_wait(&a_s_full[(n - max(2, x_b)) % 2], "
                       "(n - max(2, x_b)) / 2 % 2)");
  waits("ceildiv(x_b, 2)",
        "(n - (x_b > 0 ? (x_b + 1) / 2 : x_b / 2)) / 2 % 2)");
}
