//===- Run.h - What a run of convopt-bench is made of -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_BENCH_RUN_H
#define CONVOPT_TOOLS_CONVOPT_BENCH_RUN_H

#include "Cases.h"
#include "convopt/Bench/Convolution.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/Peak.h"
#include <chrono>

namespace convopt {

/// A kernel as asked for, or why there is none.
struct Tried {
  std::string label;
  /// The first that takes a shape is measured with it; none where refused.
  std::vector<bench::Candidate> kernels;
  std::string refusal;
};

/// The work of runBench(): Prepare.cpp has what comes before measuring,
/// Bench.cpp the rest.
class Run {
public:
  Run(const Options &options, std::string ownPath)
      : options(options), ownPath(std::move(ownPath)) {}
  llvm::Expected<ExitStatus> run();

private:
  llvm::Error prepare();
  llvm::Error readNest();
  llvm::Error expandCandidates();
  std::vector<std::string> sizesOf(const Shape &shape) const;
  void prepareCandidates(const std::vector<std::string> &facts);
  bool hasSteps(llvm::ArrayRef<Step> steps) const;
  void compareWithFastest(const bench::Candidate &candidate);
  llvm::Error writeBest() const;
  void goWithoutDevice();
  void measureCeilings();
  void measure(const Case &c);
  void measure(const Tried &tried, const Case &c,
               const std::optional<bench::Fingerprint> &naive);
  std::optional<bench::Fingerprint> measureNaive(const Case &c);
  void measureCudnn(const Case &c);
  bench::Outcome runOne(bench::Job job, const Case &c);
  std::optional<bench::Fingerprint>
  addRow(const bench::Job &job, const Case &c,
         llvm::ArrayRef<bench::Candidate> variants);
  void addClocks(const bench::Outcome &outcome);
  void addRefused(const Case &c, const std::string &kernel, std::string why);
  void finishRow(bench::Row row, const Case &c, const std::string &emitted);
  void keep();
  void progress(const Case &c, const std::string &kernel);
  ExitStatus status() const;

  const Options &options;
  std::string ownPath;
  Gpu gpu;
  std::optional<Peak> peak;
  bench::Report report;
  std::optional<bench::Plan> plan;
  std::optional<bench::Convolution> convolution;
  std::vector<bench::CandidateRequest> requests;
  std::vector<Tried> candidates; // of -known-sizes, for the case at hand
  ExitStatus refused = ExitStatus::Done; // of the candidates
  std::vector<Case> cases;
  const bench::Candidate *fastest = nullptr; // of those with steps
  double fastestTime = 0;                    // ms
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  bool timing = true, hasCudnn = true;
  size_t finished = 0;    // cases
  size_t firstOfCase = 0; // row
};

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_BENCH_RUN_H
