//===- Result.h - What a benchmark found ------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One row a kernel and shape, and what the whole run was measured against.
/// Measuring fills these in, reports print them; neither knows the other.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_BENCH_RESULT_H
#define CONVOPT_BENCH_RESULT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace convopt::bench {

/// What can be said of a kernel and a shape without running anything.
struct StaticFacts {
  double flops = 0;           // of the direct convolution: 2 a multiply-add
  double compulsoryBytes = 0; // each input read once, each output written once
  /// Not known of kernels that are not ours.
  std::optional<int64_t> threadsPerBlock;
  std::optional<int64_t> sharedBytes; // of a block, static and dynamic
  std::optional<int64_t> registers;   // of a thread; none where not compiled
  std::optional<int64_t> spillBytes;  // of a thread, stored by ptxas
  std::optional<double> occupancy;    // resident warps of those possible, 0..1
  std::optional<double> predicted;    // ms, by the model that chooses tiles

  /// Flops a byte of compulsory traffic (Williams et al. 2009).
  double intensity() const {
    return compulsoryBytes > 0 ? flops / compulsoryBytes : 0;
  }
};

/// Times of one kernel in one mode, in milliseconds.
struct Timing {
  double median = 0;
  /// Half the distance between the quartiles, of the median: 0.01 is 1 %. Of
  /// less than five samples: between the ends.
  double spread = 0;
  double minimum = 0;
  unsigned samples = 0;
  /// Why sampling ended: the spread was small, or time was up.
  enum class Stop : uint8_t { Stable, TimeLimit } stop = Stop::Stable;
  /// Lowest clock of the multiprocessors while it was sampled, in MHz, and why
  /// clocks were held down; none where the device does not say, or they were
  /// not.
  std::optional<int64_t> smClock = std::nullopt;
  std::optional<std::string> throttling = std::nullopt;
};

/// One line of the table.
struct Row {
  enum class Status : uint8_t {
    Measured,  // verified, timed
    Static,    // not run: no GPU, or not asked for
    Wrong,     // computed something else: no time is kept
    AboveRoof, // faster than the device can be: no time is kept
    Failed,    // refused, crashed, hung, out of memory: `reason`
  };

  std::string kernel; // "naive", "-tile=32,2,2 -reg=8,4", "cuDNN FP32"
  std::string shape;  // "thesis-r1", or the sizes
  std::string sizes;  // "N=1 C=64 H=4096 ..."
  Status status = Status::Static;
  std::string reason; // one line, where the status needs one
  std::string note;   // "implicit GEMM", "filter packed once, not counted"
  StaticFacts facts;
  std::optional<Timing> cold, warm; // L2 flushed before each sample, or not
  /// "included" where the launcher fills buffers before the kernel starts: the
  /// times hold that, too.
  std::optional<std::string> packing;
  /// How results compared: "bit-identical to naive", "within 3.1e-06".
  std::string verdict;
  std::string emitted; // the kernel's text, for the report; may be empty
};

/// What the figures are read against, measured in the same run.
struct Environment {
  std::string device;              // "NVIDIA H200"; empty: nothing was run
  std::string arch;                // "sm_90"
  std::string driver, cuda, cudnn; // versions; empty where there is none
  std::string date;                // ISO 8601
  std::string command;             // as typed
  double ffmaCeiling = 0;          // flop/s, measured
  double copyBandwidth = 0;        // bytes/s read plus written, measured
  double nominalPeak = 0;          // flop/s, of the device's clock and cores
  double nominalBandwidth = 0;     // bytes/s
  /// The device that the nominal figures are of, where nothing was run.
  std::optional<std::string> nominalDevice;
  int smClockBefore = 0, smClockAfter = 0, smClockMax = 0; // MHz
  std::string throttling; // reasons seen while timing; empty: none
  /// "5 of 12 rows", of a run that has not come to its end.
  std::optional<std::string> unfinished;
  /// "double", where that is not float: no ceiling is measured for it.
  std::optional<std::string> elementType;
};

/// A results file.
struct Report {
  Environment environment;
  std::string sourceName; // base name of the input
  std::string source;     // its text
  std::vector<Row> rows;  // in the order asked for
};

/// The time that \p facts take at least on the measured ceilings, in
/// milliseconds (the roofline of the thesis' 3.2); none without ceilings.
std::optional<double> rooflineMilliseconds(const StaticFacts &facts,
                                           const Environment &environment);

/// The bound of a shape: on the measured ceilings or, where there are none, on
/// the nominal figures of a device.
struct Roof {
  double milliseconds = 0;
  bool isArithmetic = false; // or else memory sets it
  bool isNominal = false;
};
std::optional<Roof> roofOf(const StaticFacts &facts,
                           const Environment &environment);

} // namespace convopt::bench

#endif // CONVOPT_BENCH_RESULT_H
