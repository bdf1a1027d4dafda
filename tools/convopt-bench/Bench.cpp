//===- Bench.cpp - One run of convopt-bench -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "convopt/Bench/Facts.h"
#include "convopt/Bench/Job.h"
#include "convopt/Bench/Report.h"
#include "convopt/Support/Files.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/Peak.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace convopt {

using namespace bench;

void Run::progress(const Case &c, const std::string &kernel) {
  if (!sys::Process::StandardErrIsDisplayed())
    return;
  const size_t kernels = candidates.size() + options.naive +
                         (options.useCudnn && hasCudnn && timing);
  const size_t row = finished * kernels + (report.rows.size() - firstOfCase);
  const std::string line = formatv("[{0}/{1}] {2}: {3}", row + 1,
                                   kernels * cases.size(), c.name, kernel)
                               .str();
  // A longer one would wrap, and could not be erased.
  const size_t columns = sys::Process::StandardErrColumns();
  errs() << "\r\x1b[K"
         << StringRef(line).take_front(columns > 1 ? columns - 1 : 79);
}

static void addReason(std::string &all, const std::string &reason) {
  if (reason.empty() || StringRef(all).contains(reason))
    return;
  all += (all.empty() ? "" : ", ") + reason;
}

/// Nothing is timed: bounds are those of the nominal figures.
void Run::goWithoutDevice() {
  timing = false;
  report.environment.nominalDevice = peak->name.str();
  report.environment.nominalPeak = peak->flopsPerSecond();
  report.environment.nominalBandwidth = peak->bytesPerSecond;
}

void Run::measureCeilings() {
  if (options.isStatic)
    return goWithoutDevice();
  Job job;
  job.kind = Job::Ceilings;
  job.label = "ceilings";
  job.seconds = 1;
  job.simulate = options.simulate;
  const Outcome outcome = runInProcess(job, ownPath, options.timeout);
  if (outcome.missing) {
    errs() << "convopt-bench: nothing is timed: " << outcome.row.reason << '\n';
    return goWithoutDevice();
  }
  Environment measured = outcome.environment;
  if (!measured.arch.empty() && measured.arch != options.arch)
    errs() << "convopt-bench: the device is " << measured.arch
           << ", schedules are checked and tiles chosen for " << options.arch
           << ": give -arch=" << measured.arch << '\n';
  measured.elementType = report.environment.elementType;
  measured.command = report.environment.command;
  measured.date = report.environment.date;
  if (measured.arch.empty())
    measured.arch = report.environment.arch;
  report.environment = std::move(measured);
  if (outcome.row.status == Row::Status::Failed)
    addRefused({"all", "", std::nullopt, std::nullopt, ""}, "ceilings",
               outcome.row.reason);
}

Outcome Run::runOne(Job job, const Case &c) {
  progress(c, job.label);
  const std::chrono::duration<double> spent = Clock::now() - start;
  if (options.within > 0 && spent.count() > options.within) {
    Outcome late;
    late.row.status = Row::Status::Failed;
    late.row.facts = job.facts;
    late.row.reason = "not started: the time of -within was up; measure it in "
                      "a run of its own";
    return late;
  }
  job.cold = options.cold;
  job.warm = options.warm;
  job.seconds = options.seconds;
  const Environment &e = report.environment;
  job.ffmaCeiling = e.ffmaCeiling > 0 ? e.ffmaCeiling : e.nominalPeak;
  job.copyBandwidth =
      e.copyBandwidth > 0 ? e.copyBandwidth : e.nominalBandwidth;
  job.simulate = options.simulate;
  if (!timing) {
    job.kind = Job::Compile;
    job.arch = options.arch;
  }
  return runInProcess(job, ownPath, options.timeout);
}

void Run::finishRow(Row row, const Case &c, const std::string &emitted) {
  row.shape = c.name;
  row.sizes = c.sizes;
  row.emitted = emitted;
  report.rows.push_back(std::move(row));
  keep();
}

/// A run that is ended from outside keeps the rows that it has.
void Run::keep() {
  report.environment.unfinished =
      formatv("{0} of {1} shapes", finished, cases.size()).str();
  // Whether it can be written is said at the end.
  consumeError(writeOutputs(report, options.outputs));
  report.environment.unfinished.reset();
}

void Run::addRefused(const Case &c, const std::string &kernel,
                     std::string why) {
  Row row;
  row.kernel = kernel;
  row.status = Row::Status::Failed;
  row.reason = std::move(why);
  finishRow(std::move(row), c, "");
}

/// What the device did while a kernel ran.
void Run::addClocks(const Outcome &outcome) {
  addReason(report.environment.throttling, outcome.environment.throttling);
  if (outcome.environment.smClockAfter)
    report.environment.smClockAfter = outcome.environment.smClockAfter;
}

/// Runs \p job, one of whose \p variants counts, and adds its row. Gives what
/// a right kernel computed.
std::optional<Fingerprint> Run::addRow(const Job &job, const Case &c,
                                       ArrayRef<Candidate> variants) {
  const Outcome outcome = runOne(job, c);
  Row row = outcome.row;
  row.kernel = job.label;
  row.facts.predicted = job.facts.predicted;
  // Without a compiler there is still what was counted.
  if (!timing && outcome.missing) {
    row.facts = job.facts;
    row.status = Row::Status::Static;
    row.reason.clear();
  }
  addClocks(outcome);
  finishRow(std::move(row), c, variants[outcome.variant].text.device);
  return outcome.fingerprint;
}

std::optional<Fingerprint> Run::measureNaive(const Case &c) {
  if (!options.naive)
    return std::nullopt;
  Expected<Job> job = plan->naiveJob(*c.shape);
  if (job)
    return addRow(*job, c, plan->naive());
  addRefused(c, NaiveKernel.str(), messageOf(job.takeError()));
  return std::nullopt;
}

void Run::measureCudnn(const Case &c) {
  if (!options.useCudnn || !hasCudnn || !timing || !c.layer)
    return;
  Job job;
  job.kind = Job::Cudnn;
  job.label = CudnnKernel.str();
  job.layer = *c.layer;
  job.cudnn = options.cudnn;
  // The work is the nest's; what a block takes is cuDNN's own affair.
  job.facts = expectedToOptional(countWork(plan->nest(), *c.shape))
                  .value_or(std::move(job.facts));
  Outcome outcome = runOne(job, c);
  if (outcome.row.status == Row::Status::Failed && !outcome.missing) {
    // Nothing that the graph interface does takes the older one's result.
    job.withGraph = false;
    Outcome older = runOne(job, c);
    if (older.row.status != Row::Status::Failed) {
      older.row.note += "; graph interface: " + outcome.row.reason;
      outcome = std::move(older);
    }
  }
  if (outcome.missing) {
    errs() << "convopt-bench: no comparison with cuDNN: " << outcome.row.reason
           << '\n';
    hasCudnn = false;
    return;
  }
  if (!outcome.environment.cudnn.empty())
    report.environment.cudnn = outcome.environment.cudnn;
  addClocks(outcome);
  Row row = outcome.row;
  row.kernel = job.label;
  finishRow(std::move(row), c, "");
}

/// Keeps \p candidate, whose row is the last, if none before was faster.
void Run::compareWithFastest(const Candidate &candidate) {
  const Row &row = report.rows.back();
  const std::optional<Timing> &timing = row.cold ? row.cold : row.warm;
  if (row.status != Row::Status::Measured || !timing || !candidate.file.empty())
    return;
  if (fastest && timing->median >= fastestTime)
    return;
  fastest = &candidate;
  fastestTime = timing->median;
}

Error Run::writeBest() const {
  if (options.best.empty())
    return Error::success();
  if (!fastest)
    return refuse("results", "no candidate was timed: '" + options.best +
                                 "' is not written");
  return writeOutput(options.best,
                     formatv("# {0}: {1}, {2:f4} ms on {3}\n{4}",
                             plan->nest().sourceFile, fastest->label,
                             fastestTime, report.environment.device,
                             str(fastest->steps))
                         .str());
}

void Run::measure(const Case &c) {
  if (!c.shape)
    return addRefused(c, "all", c.refusal);
  if (options.knownSizes)
    prepareCandidates(sizesOf(*c.shape));
  const std::optional<Fingerprint> naive = measureNaive(c);
  for (const Tried &tried : candidates)
    measure(tried, c, naive);
  measureCudnn(c);
}

void Run::measure(const Tried &tried, const Case &c,
                  const std::optional<Fingerprint> &naive) {
  std::string refusal = tried.refusal;
  for (const Candidate &kernel : tried.kernels) {
    Expected<Job> job = plan->job(kernel, *c.shape, options.compiler);
    if (!job) {
      refusal = messageOf(job.takeError());
      continue;
    }
    job->naive = naive;
    addRow(*job, c, kernel);
    return compareWithFastest(kernel);
  }
  addRefused(c, tried.label, refusal);
}

//===----------------------------------------------------------------------===//
// After measuring
//===----------------------------------------------------------------------===//

ExitStatus Run::status() const {
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

Expected<ExitStatus> Run::run() {
  RETURN_IF_ERROR(prepare());
  measureCeilings();
  for (const Case &c : cases) {
    firstOfCase = report.rows.size();
    measure(c);
    ++finished;
    if (cases.size() > 1 && !sys::Process::StandardErrIsDisplayed())
      errs() << formatv("[{0}/{1}] {2}\n", finished, cases.size(), c.name);
  }
  Error written =
      joinErrors(writeOutputs(report, options.outputs), writeBest());
  if (sys::Process::StandardErrIsDisplayed())
    errs() << "\r\x1b[K";
  printTable(report, outs(), outputColumns());
  if (written)
    return std::move(written);
  const ExitStatus worst = status();
  // A schedule that is refused is a failed row, too: its own status says more.
  return worst == ExitStatus::Done || (worst == ExitStatus::BadInput &&
                                       refused == ExitStatus::Illegal)
             ? refused
             : worst;
}

Expected<ExitStatus> runBench(const Options &options,
                              const std::string &ownPath) {
  return Run(options, ownPath).run();
}

} // namespace convopt
