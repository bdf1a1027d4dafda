//===- Report.h - Results as text -------------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A Report as a table for a terminal, JSON, CSV, Markdown and HTML. Figures
/// that follow from others are derived here and stored nowhere, and a row that
/// was not measured has none.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_BENCH_REPORT_H
#define CONVOPT_BENCH_REPORT_H

#include "convopt/Bench/Result.h"
#include "llvm/Support/Error.h"

namespace convopt::bench {

/// The kernel names that ratios are taken to: rows called so, of the same
/// shape as the row in question.
constexpr llvm::StringLiteral NaiveKernel = "naive";
constexpr llvm::StringLiteral CudnnKernel = "cuDNN FP32";

/// What follows from a row, speeds if it is measured; each none if what it
/// needs is missing. Speeds are those of the cold mode, or of the warm one if
/// only that was measured.
struct Figures {
  std::string limiter; // of the occupancy; empty if that is full or not known
  std::optional<double> milliseconds;
  std::optional<double> flopsPerSecond; // of the direct convolution
  std::optional<double> bytesPerSecond; // of compulsory traffic
  std::optional<double> ofCeiling;      // flops of the FFMA ceiling, 0..1
  std::optional<double> ofCopy;         // bytes of the copy bandwidth, 0..1
  std::optional<double> ofRoofline;     // least possible time of the time, 0..1
  std::optional<double> overNaive;      // naive's time of this one's
  std::optional<double> overCudnn;      // cuDNN's time of this one's
};

/// The figures of \p row, one of those of \p report.
Figures figuresOf(const Row &row, const Report &report);

/// "measured", "not run", "wrong", "above roof", "failed".
llvm::StringRef str(Row::Status status);

/// A table no wider than \p columns (80 at least): columns that matter less
/// are left out where it is narrow, and rows without figures follow below with
/// their reasons. Ends with what the figures are read against.
void printTable(const Report &report, llvm::raw_ostream &os, unsigned columns);

/// The report as JSON, everything of it: readReport gives it back.
std::string toJson(const Report &report);
/// Refuses (rule "results"), by \p file and place, what is no results file.
llvm::Expected<Report> readReport(llvm::StringRef json, llvm::StringRef file);

/// A line of names and a line a row (RFC 4180), units in the names.
std::string toCsv(const Report &report);
/// A table in Markdown, then what it was measured on.
std::string toMarkdown(const Report &report);
/// A page that needs nothing else: roofline, bars by shape, resources, and the
/// source beside each emitted kernel.
std::string toHtml(const Report &report);

/// Refuses (rule "usage") a \p path whose extension says no format: .json,
/// .csv, .md or .html.
llvm::Error checkReportPath(llvm::StringRef path);
/// Writes \p report to \p path, by its extension.
llvm::Error writeReport(const Report &report, llvm::StringRef path);

/// A section of docs/benchmarks.md: a results file, what a person found in it,
/// or both.
struct Section {
  std::string name; // of the files, without extension: a date and a few words
  std::optional<Report> report;
  std::string findings; // Markdown; its first line may be the heading
};
/// What \p folder holds: NAME.json and NAME.md make one section, names that
/// sort last (the newest) come first. Refuses (rule "results") a folder that
/// cannot be read or has neither, and what readReport refuses.
llvm::Expected<std::vector<Section>> readSections(llvm::StringRef folder);
/// The text of docs/benchmarks.md.
std::string renderBenchmarks(llvm::ArrayRef<Section> sections);

} // namespace convopt::bench

#endif // CONVOPT_BENCH_REPORT_H
