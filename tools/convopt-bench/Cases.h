//===- Cases.h - Shapes to measure with -------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_BENCH_CASES_H
#define CONVOPT_TOOLS_CONVOPT_BENCH_CASES_H

#include "Options.h"
#include "convopt/Bench/Convolution.h"

namespace convopt {

/// Sizes to measure with, or why there are none.
struct Case {
  std::string name, sizes;
  std::optional<Shape> shape;
  std::optional<bench::LayerShape> layer;
  std::string refusal;
};

/// Every shape that \p options ask for, or the one of a nest of constant
/// sizes. \p convolution is null where \p nest is none. Refuses unreadable
/// files and unknown names; sizes that do not fit the nest are a refused Case.
llvm::Expected<std::vector<Case>>
collectCases(const Options &options, const Nest &nest,
             const bench::Convolution *convolution);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_BENCH_CASES_H
