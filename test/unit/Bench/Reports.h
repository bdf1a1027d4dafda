//===- Reports.h - Reports that the tests of Bench share --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_BENCH_REPORTS_H
#define CONVOPT_TEST_UNIT_BENCH_REPORTS_H

#include "convopt/Bench/Report.h"

namespace convopt::test {

inline bench::Row makeRow(std::string kernel, std::string shape,
                          double milliseconds) {
  bench::Row row;
  row.kernel = std::move(kernel);
  row.shape = std::move(shape);
  row.sizes = "N=1 C=64 H=4096";
  row.status = bench::Row::Status::Measured;
  row.facts.flops = 600e9;
  row.facts.compulsoryBytes = 2e9;
  row.facts.threadsPerBlock = 128;
  row.facts.registers = 96;
  row.facts.spillBytes = 0;
  row.facts.occupancy = 0.5;
  row.cold = bench::Timing{milliseconds, 0.004, milliseconds * 0.99, 25};
  row.warm = bench::Timing{milliseconds * 0.9, 0.002, milliseconds * 0.89, 25};
  row.verdict = "bit-identical to naive";
  return row;
}

/// Two shapes; every status, and text that each format has to escape.
inline bench::Report sampleReport() {
  using bench::Row;
  bench::Report report;
  report.environment.device = "NVIDIA H200";
  report.environment.arch = "sm_90";
  report.environment.driver = "580.159";
  report.environment.cuda = "13.0";
  report.environment.cudnn = "9.19";
  report.environment.date = "2026-11-21T12:00:00Z";
  report.environment.command = "convopt-bench conv.cu -shape='a,b' \"x\"";
  report.environment.ffmaCeiling = 65e12;
  report.environment.copyBandwidth = 4.2e12;
  report.environment.nominalPeak = 66.9e12;
  report.environment.nominalBandwidth = 4.8e12;
  report.environment.smClockBefore = 1980;
  report.environment.smClockAfter = 1965;
  report.environment.smClockMax = 1980;
  report.sourceName = "conv.cu";
  report.source = "void conv() { /* <&> \"x\" | 5 */ }\n";
  report.rows = {makeRow("naive", "a", 100),
                 makeRow("-tile=32,2,2 -reg=8,4", "a", 20),
                 makeRow("cuDNN FP32", "a", 16), makeRow("naive", "b|2", 50),
                 makeRow("-tile=32,2,2 -reg=8,4", "b|2", 10)};
  report.rows[1].emitted = "if (a < b && c > 0)\n  x = \"]]>\";\n";
  report.rows[1].packing = "included";
  report.rows[1].cold->smClock = 1410;
  report.rows[1].cold->throttling = "power cap";
  report.rows[1].cold->stop = bench::Timing::Stop::TimeLimit;
  report.rows[1].cold->spread = 0.063;
  report.rows[2].note = "implicit GEMM";
  report.rows[2].facts.registers.reset();
  report.rows[4].status = Row::Status::Wrong;
  report.rows[4].reason = "2 of 9 outputs differ, <first> at 3";
  for (auto [status, reason] :
       {std::pair(Row::Status::Failed, "out of memory: 9 GB of 8, \"sorry\""),
        {Row::Status::AboveRoof, "70 TFLOP/s of at most 65"},
        {Row::Status::Static, ""}}) {
    report.rows.push_back(makeRow("-tile=64,8,2", "b|2", 1));
    report.rows.back().status = status;
    report.rows.back().reason = reason;
  }
  return report;
}

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_BENCH_REPORTS_H
