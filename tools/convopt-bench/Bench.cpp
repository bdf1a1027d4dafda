//===- Bench.cpp - One run of convopt-bench -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bench.h"
#include "Cases.h"
#include "Input.h"
#include "Render.h"
#include "convopt/Bench/Convolution.h"
#include "convopt/Bench/Process.h"
#include "convopt/Bench/Report.h"
#include "convopt/Support/OutputFile.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt {

using namespace bench;

namespace {

class Bench {
public:
  Bench(const Options &options, std::string ownPath)
      : options(options), ownPath(std::move(ownPath)) {}
  Expected<ExitStatus> run();

private:
  Error prepare();
  Error prepareCandidates();
  Error measureCeilings();
  Error measure(const Case &c);
  Error measureNaive(const Case &c, std::optional<Fingerprint> &naive);
  Error measureCudnn(const Case &c);
  Expected<Outcome> runOne(Job job, const Case &c);
  Error addRow(const Job &job, const Case &c, ArrayRef<Candidate> variants,
               std::optional<Fingerprint> *fingerprint = nullptr);
  void addRefused(const Case &c, const std::string &kernel, std::string why);
  void finishRow(Row row, const Case &c, const std::string &emitted);
  void progress(const Case &c, const std::string &kernel);
  Error write() const;
  ExitStatus status() const;

  const Options &options;
  std::string ownPath;
  Gpu gpu;
  Report report;
  std::optional<Plan> plan;
  std::optional<Convolution> convolution;
  /// A candidate, or the refusal of its schedule.
  std::vector<std::pair<std::string, Expected<Candidate>>> candidates;
  std::vector<Case> cases;
  bool timing = true;
  unsigned done = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Before measuring
//===----------------------------------------------------------------------===//

static std::string now() {
  const auto seconds = std::chrono::time_point_cast<std::chrono::seconds>(
      std::chrono::system_clock::now());
  return formatv("{0:%Y-%m-%dT%H:%M:%SZ}",
                 sys::UtcTime<std::chrono::seconds>(seconds.time_since_epoch()))
      .str();
}

Error Bench::prepare() {
  for (const std::string &output : options.outputs)
    if (Error e = checkOutputPath(output, options.input))
      return e;
  Expected<Gpu> found = findGpu(options.arch);
  if (!found)
    return found.takeError();
  gpu = *found;
  Expected<Input> input = readInput(options, ownPath);
  if (!input)
    return input.takeError();
  report.sourceName = input->name;
  report.source = input->text;
  report.environment.command = options.command;
  report.environment.date = now();
  report.environment.arch = options.arch;
  Expected<DependenceAnalysis> dependences =
      DependenceAnalysis::compute(input->nest);
  if (!dependences)
    return dependences.takeError();
  Expected<Convolution> recognised = findConvolution(input->nest, *dependences);
  if (recognised)
    convolution = *recognised;
  else // such a nest is measured all the same, by its own sizes
    consumeError(recognised.takeError());
  Expected<Plan> made = Plan::create(std::move(input->nest), gpu,
                                     options.associativeMath, options.suffix);
  if (!made)
    return made.takeError();
  plan = std::move(*made);
  for (const CandidateRequest &request : options.candidates)
    candidates.emplace_back(request.label, plan->candidate(request));
  Expected<std::vector<Case>> collected = collectCases(
      options, plan->nest(), convolution ? &*convolution : nullptr);
  if (!collected)
    return collected.takeError();
  cases = std::move(*collected);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

void Bench::progress(const Case &c, const std::string &kernel) {
  ++done;
  if (!sys::Process::StandardErrIsDisplayed())
    return;
  const size_t kernels =
      candidates.size() + options.naive + (options.useCudnn && timing);
  errs() << formatv("\r\x1b[K[{0}/{1}] {2}: {3}", done, kernels * cases.size(),
                    c.name, kernel);
}

static void addReason(std::string &all, const std::string &reason) {
  if (reason.empty() || StringRef(all).contains(reason))
    return;
  all += (all.empty() ? "" : ", ") + reason;
}

Error Bench::measureCeilings() {
  if (options.isStatic) {
    timing = false;
    return Error::success();
  }
  Job job;
  job.kind = Job::Ceilings;
  job.label = "ceilings";
  job.seconds = 1;
  job.simulate = options.simulate;
  Expected<Outcome> outcome = runInProcess(job, ownPath, options.timeout);
  if (!outcome)
    return outcome.takeError();
  if (outcome->row.status == Row::Status::Failed) {
    timing = !outcome->missing;
    errs() << "convopt-bench: "
           << (timing ? "warning: the ceilings were not measured: "
                      : "nothing is timed: ")
           << outcome->row.reason << '\n';
    return Error::success();
  }
  Environment measured = outcome->environment;
  measured.command = report.environment.command;
  measured.date = report.environment.date;
  report.environment = std::move(measured);
  return Error::success();
}

Expected<Outcome> Bench::runOne(Job job, const Case &c) {
  progress(c, job.label);
  job.cold = options.cold;
  job.warm = options.warm;
  job.seconds = options.seconds;
  job.ffmaCeiling = report.environment.ffmaCeiling;
  job.copyBandwidth = report.environment.copyBandwidth;
  job.simulate = options.simulate;
  if (!timing) {
    job.kind = Job::Compile;
    job.arch = options.arch;
  }
  return runInProcess(job, ownPath, options.timeout);
}

void Bench::finishRow(Row row, const Case &c, const std::string &emitted) {
  row.shape = c.name;
  row.sizes = c.sizes;
  row.emitted = emitted;
  report.rows.push_back(std::move(row));
}

void Bench::addRefused(const Case &c, const std::string &kernel,
                       std::string why) {
  Row row;
  row.kernel = kernel;
  row.status = Row::Status::Failed;
  row.reason = std::move(why);
  finishRow(std::move(row), c, "");
}

/// Runs \p job, one of whose \p variants counts, and adds its row. \p
/// fingerprint, if not null, gets what a right kernel computed.
Error Bench::addRow(const Job &job, const Case &c, ArrayRef<Candidate> variants,
                    std::optional<Fingerprint> *fingerprint) {
  Expected<Outcome> outcome = runOne(job, c);
  if (!outcome)
    return outcome.takeError();
  Row row = outcome->row;
  row.kernel = job.label;
  // Without a compiler there is still what was counted.
  if (!timing && outcome->missing) {
    row.facts = job.facts;
    row.status = Row::Status::Static;
    row.reason.clear();
  }
  addReason(report.environment.throttling, outcome->environment.throttling);
  if (outcome->environment.smClockAfter)
    report.environment.smClockAfter = outcome->environment.smClockAfter;
  if (fingerprint)
    *fingerprint = outcome->fingerprint;
  finishRow(std::move(row), c, variants[outcome->variant].text.device);
  return Error::success();
}

Error Bench::measureNaive(const Case &c, std::optional<Fingerprint> &naive) {
  if (!options.naive)
    return Error::success();
  Expected<Job> job = plan->naiveJob(*c.shape);
  if (!job) {
    addRefused(c, NaiveKernel.str(), messageOf(job.takeError()));
    return Error::success();
  }
  return addRow(*job, c, plan->naive(), &naive);
}

Error Bench::measureCudnn(const Case &c) {
  if (!options.useCudnn || !timing || !c.layer || !options.simulate.empty())
    return Error::success();
  Job job;
  job.kind = Job::Cudnn;
  job.label = CudnnKernel.str();
  job.layer = *c.layer;
  job.cudnn = options.cudnn;
  Expected<Job> counted = plan->naiveJob(*c.shape);
  if (counted)
    job.facts = counted->facts;
  else
    consumeError(counted.takeError());
  Expected<Outcome> outcome = runOne(job, c);
  if (!outcome)
    return outcome.takeError();
  if (outcome->missing) {
    if (c.name == cases.front().name)
      errs() << "convopt-bench: no comparison with cuDNN: "
             << outcome->row.reason << '\n';
    return Error::success();
  }
  if (!outcome->environment.cudnn.empty())
    report.environment.cudnn = outcome->environment.cudnn;
  addReason(report.environment.throttling, outcome->environment.throttling);
  Row row = outcome->row;
  row.kernel = job.label;
  finishRow(std::move(row), c, "");
  return Error::success();
}

Error Bench::measure(const Case &c) {
  if (!c.shape) {
    addRefused(c, "all", c.refusal);
    return Error::success();
  }
  std::optional<Fingerprint> naive;
  if (Error e = measureNaive(c, naive))
    return e;
  for (auto &[label, candidate] : candidates) {
    if (!candidate)
      continue;
    Expected<Job> job = plan->job(*candidate, *c.shape, options.compiler);
    if (!job) {
      addRefused(c, label, messageOf(job.takeError()));
      continue;
    }
    job->naive = naive;
    if (Error e = addRow(*job, c, *candidate))
      return e;
  }
  return measureCudnn(c);
}

//===----------------------------------------------------------------------===//
// After measuring
//===----------------------------------------------------------------------===//

Error Bench::write() const {
  for (const std::string &path : options.outputs)
    if (Error e = writeReport(report, path))
      return e;
  return Error::success();
}

ExitStatus Bench::status() const {
  auto has = [&](Row::Status wanted) {
    return any_of(report.rows,
                  [&](const Row &r) { return r.status == wanted; });
  };
  if (has(Row::Status::Wrong) || has(Row::Status::AboveRoof))
    return ExitStatus::VerificationFailed;
  if (!timing && options.timeDemanded)
    return ExitStatus::Missing;
  return has(Row::Status::Failed) ? ExitStatus::BadInput : ExitStatus::Done;
}

Expected<ExitStatus> Bench::run() {
  if (Error e = prepare())
    return std::move(e);
  ExitStatus refused = ExitStatus::Done;
  for (auto &[label, candidate] : candidates) {
    if (candidate)
      continue;
    errs() << "convopt-bench: " << label << " is refused:\n";
    refused = convopt::report(candidate.takeError(), errs(), options.input);
  }
  if (Error e = measureCeilings())
    return std::move(e);
  for (const Case &c : cases)
    if (Error e = measure(c))
      return std::move(e);
  if (sys::Process::StandardErrIsDisplayed())
    errs() << "\r\x1b[K";
  printTable(report, outs(), outputColumns());
  if (Error e = write())
    return std::move(e);
  ExitStatus worst = status();
  return worst == ExitStatus::Done ? refused : worst;
}

Expected<ExitStatus> runBench(const Options &options,
                              const std::string &ownPath) {
  return Bench(options, ownPath).run();
}

} // namespace convopt
