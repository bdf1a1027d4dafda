//===- HostLaunchesTest.cpp - Launches that a host compiler takes ---------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Frontend/Frontend.h"
#include "gtest/gtest.h"

using convopt::rewriteLaunchesForHost;

TEST(HostLaunches, runsAtOnceWithoutAStream) {
  for (const char *config :
       {"g, b", "g, b, 0", "g, b, 0, 0", "g, b, 0, nullptr"})
    EXPECT_NE(
        rewriteLaunchesForHost("f<<<" + std::string(config) + ">>>(x, n);")
            .find("::cuda_on_cpu::launch(dim3(g), dim3(b), 0, "),
        std::string::npos)
        << config;
}

TEST(HostLaunches, keepsNamesForLater) {
  EXPECT_EQ(rewriteLaunchesForHost("f<int><<<g, b, 0, s>>>(x, (int)n);"),
            "::cuda_on_cpu::launchLater(dim3(g), dim3(b), 0, s, [=] { "
            "f<int>(x, (int)n); });");
  EXPECT_EQ(rewriteLaunchesForHost("f<<<g, b, 0, s>>>();"),
            "::cuda_on_cpu::launchLater(dim3(g), dim3(b), 0, s, [=] { "
            "f(); });");
}

// What they mean may be another thing by then.
TEST(HostLaunches, keepsNoExpressions) {
  for (const char *arguments :
       {"data(x)", "x[0]", "*x", "&x", "x.y", "x + 1", "{x}", "x, \"text\""})
    EXPECT_EQ(rewriteLaunchesForHost("f<<<g, b, 0, s>>>(" +
                                     std::string(arguments) + ");"),
              "::cuda_on_cpu::launch(dim3(g), dim3(b), 0, s, [&] { f(" +
                  std::string(arguments) + "); });");
}

// Compilers and counts of branches name lines, those of macros as well.
TEST(HostLaunches, keepsLines) {
  EXPECT_EQ(rewriteLaunchesForHost("f<<<g,\n    b>>>(x,\n  n); // 3\n// 4"),
            "::cuda_on_cpu::launch(dim3(g), dim3(b), 0, 0, [&] { f(x,\n  n); "
            "})\\\n; // 3\n// 4");
  EXPECT_EQ(rewriteLaunchesForHost("extern __shared__\nfloat s[];\n// 3"),
            "CUDA_ON_CPU_DYNAMIC_SHARED(float, s);\\\n\n// 3");
}
