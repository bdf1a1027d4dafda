//===- Run.h - What the parts of the tool do --------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_BENCH_RUN_H
#define CONVOPT_TOOLS_CONVOPT_BENCH_RUN_H

#include "Options.h"
#include "convopt/Bench/Convolution.h"
#include "convopt/Bench/Report.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/Peak.h"
#include <chrono>

namespace convopt {

//===----------------------------------------------------------------------===//
// Before measuring (Input.cpp, Folders.cpp, Cases.cpp, Outputs.cpp)
//===----------------------------------------------------------------------===//

struct Input {
  Nest nest;
  std::string name, text; // base name and text of what the user gave
};

/// Reads the .nest that \p options name, or has `convopt`, from beside this
/// program (at \p ownPath) or from the path, read the source. Refuses (status
/// Missing) a source where there is no convopt.
llvm::Expected<Input> readInput(const Options &options,
                                const std::string &ownPath);

/// \p requests, with a folder as `-schedule=` replaced by its .sched files in
/// the order of their names. A file whose first line begins `# FOLDER/SOURCE:`
/// is taken where the nest comes from a file of that name, \p sourceName, and
/// one that does not say so is always taken. Labels get as much of the path as
/// tells them apart. Refuses (rule "usage") a folder with no file that fits,
/// and the same candidate twice.
llvm::Expected<std::vector<bench::CandidateRequest>>
expandFolders(llvm::ArrayRef<bench::CandidateRequest> requests,
              llvm::StringRef sourceName);

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

/// Refuses, before anything is measured, outputs that cannot be written, that
/// are one of the files that \p options read, or that are given twice.
llvm::Error checkOutputs(const Options &options);

/// Writes \p report to each of \p paths that it can; the error is of those that
/// it cannot.
llvm::Error writeOutputs(const bench::Report &report,
                         llvm::ArrayRef<std::string> paths);

//===----------------------------------------------------------------------===//
// Results files (Render.cpp)
//===----------------------------------------------------------------------===//

/// Columns of a terminal; many where the output goes to a file.
unsigned outputColumns();

/// `-render=`: the table of a results file, and its other forms as outputs
/// ask; or, of a folder, the benchmarks page (readSections).
llvm::Error runRender(const Options &options);

//===----------------------------------------------------------------------===//
// Measuring (Prepare.cpp, Bench.cpp)
//===----------------------------------------------------------------------===//

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

/// Measures everything, writes the results and gives the exit status. An error
/// is one before anything was measured, or of writing.
llvm::Expected<ExitStatus> runBench(const Options &options,
                                    const std::string &ownPath);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_BENCH_RUN_H
