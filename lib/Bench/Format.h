//===- Format.h - Figures as text -------------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What every form of a report shares: how figures are written, which rows
/// belong together, and the columns of a table.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_FORMAT_H
#define CONVOPT_LIB_BENCH_FORMAT_H

#include "convopt/Bench/Report.h"

namespace convopt::bench {

/// \p value with about \p digits digits that mean something: "0.0123", "4.56",
/// "1234".
std::string digits(double value, int digits = 3);

/// "" where there is none.
std::string count(std::optional<int64_t> n);

/// Rows of one shape, in the order in which shapes first appear.
struct ShapeGroup {
  std::string shape, sizes;
  StaticFacts facts; // of the first row that has any
  std::vector<const Row *> rows;
};
std::vector<ShapeGroup> byShape(const Report &report);

/// "thesis-r1: N=1 C=64 ...".
std::string titleOf(const ShapeGroup &group);
/// "301 Gflop, 2.15 GB, 140 flop/B; at least 4.62 ms (arithmetic)".
std::string workOf(const ShapeGroup &group, const Environment &environment);

/// A column of a table.
struct Column {
  llvm::StringRef title;
  unsigned rank; // 0 stays in every table, the highest is dropped first
  bool text;     // left-aligned
  std::string (*cell)(const Row &, const Figures &); // "" where there is none
  bool resource = false; // what a kernel asks for, not what it reached
};
/// The kernel, then the columns that some row of \p report has something in.
std::vector<Column> columnsFor(const Report &report);

/// One line each: why a row has no figures, and what else is to be known of
/// it, after "KERNEL (SHAPE, ...): ".
std::vector<std::string> remarksOn(const Report &report);

/// What the figures are read against, in lines.
std::vector<std::string> environmentLines(const Report &report);

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_FORMAT_H
