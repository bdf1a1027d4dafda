//===- CudnnJob.cpp - Every algorithm of cuDNN ----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each way is verified and timed once; the fastest right one is measured.
///
//===----------------------------------------------------------------------===//

#include "ConvolutionLibrary.h"
#include "DeviceKernels.h"
#include "Timing.h"
#include "convopt/Bench/Job.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace convopt::bench {

namespace {

class CudnnJob {
public:
  CudnnJob(const Job &job, Device &device, ConvolutionLibrary &library)
      : job(job), device(device), layer(job.layer), library(library) {}

  Error run(Row &row, Environment &environment);

private:
  /// A way that computes the right thing, and what it needs.
  struct Candidate {
    size_t way = 0;
    size_t workspaceBytes = 0;
    double milliseconds = 0, worst = 0;
  };

  Error allocate();
  Error makeReference();
  Expected<uint64_t> hashInputs();
  Error tryAll();
  Expected<Candidate> tryWay(size_t way);
  Error growWorkspace(size_t bytes);
  Error launch(const Candidate &c) {
    return library.run(c.way, {input.address, filter.address, output.address,
                               workspace.address});
  }
  Expected<Comparison> verify(Candidate &c);
  Error time(Row &row, Environment &environment);
  Error verifyAgain(Row &row);
  std::string noteOn(const Row &row) const;

  const Job &job;
  Device &device;
  const LayerShape &layer;
  ConvolutionLibrary &library;
  Buffer input, filter, output, value, magnitude, workspace;
  std::optional<Candidate> best;
  std::vector<std::string> refused, wrong; // names, with what was wrong
  size_t left = 0;                         // ways that there was no time for
};

} // namespace

Error CudnnJob::allocate() {
  const LayerShape &l = layer;
  struct Wanted {
    Buffer *buffer;
    const char *type;
    int64_t elements;
  };
  const int64_t outputs = l.N * l.K * l.outH() * l.outW();
  const Wanted all[] = {{&input, "float", l.N * l.C * l.H * l.W},
                        {&filter, "float", l.K * (l.C / l.groups) * l.R * l.S},
                        {&output, "float", outputs},
                        {&value, "double", outputs},
                        {&magnitude, "double", outputs}};
  for (const Wanted &w : all) {
    ASSIGN_OR_RETURN(Buffer buffer, device.allocate(w.type, w.elements));
    *w.buffer = buffer;
  }
  RETURN_IF_ERROR(device.fill(input, Data::Random, 1));
  return device.fill(filter, Data::Random, 2);
}

Error CudnnJob::makeReference() {
  KernelSource source;
  source.label = "cuDNN reference";
  source.code = ReferenceConvolution;
  source.entry = "convopt_convolution";
  source.block = {256, 1, 1};
  ASSIGN_OR_RETURN(LoadedKernel kernel, device.load(source));
  const LayerShape &l = layer;
  Launch launch;
  launch.block = source.block;
  launch.grid = {(output.elements + 255) / 256, 1, 1};
  launch.arguments = {input.address, filter.address, value.address,
                      magnitude.address, uint64_t(output.elements)};
  for (int64_t n : {l.C / l.groups, l.K / l.groups, l.K, l.groups, l.H, l.W,
                    l.R, l.S, l.outH(), l.outW(), l.padH, l.padW, l.strideH,
                    l.strideW, l.dilationH, l.dilationW})
    launch.arguments.push_back(uint64_t(n));
  RETURN_IF_ERROR(device.launch(kernel, launch));
  return device.synchronize();
}

Expected<uint64_t> CudnnJob::hashInputs() {
  ASSIGN_OR_RETURN(uint64_t a, device.hash(input));
  ASSIGN_OR_RETURN(uint64_t b, device.hash(filter));
  return a * 0x100000001B3u + b;
}

/// A workspace only grows, so that all ways share it.
Error CudnnJob::growWorkspace(size_t bytes) {
  const int64_t elements = int64_t(bytes / 4) + 1;
  if (workspace.elements >= elements)
    return Error::success();
  ASSIGN_OR_RETURN(int64_t free, device.freeBytes());
  // The smaller one is freed first.
  if (elements * 4 > free + workspace.elements * 4)
    return refuse("cudnn", formatv("its workspace of {0} bytes does not fit, "
                                   "{1} are free",
                                   elements * 4, free)
                               .str());
  if (workspace.elements > 0)
    RETURN_IF_ERROR(device.release(workspace));
  workspace = {};
  ASSIGN_OR_RETURN(Buffer larger, device.allocate("float", elements));
  workspace = larger;
  return Error::success();
}

/// How much further from the definition a transform may come than a sum of
/// products: its constants magnify rounding (Lavin and Gray 2016).
static constexpr double TransformFactor = 16;

/// Runs \p c on poisoned outputs, with its time, and compares.
Expected<Comparison> CudnnJob::verify(Candidate &c) {
  RETURN_IF_ERROR(device.poison(output));
  ASSIGN_OR_RETURN(c.milliseconds,
                   device.time(/*cold=*/true, [&] { return launch(c); }));
  Tolerance tolerance;
  tolerance.depth = double(layer.C / layer.groups * layer.R * layer.S);
  if (!library.ways()[c.way].isDirect)
    tolerance.depth = TransformFactor * (tolerance.depth + 64);
  return device.compare(output, value, magnitude, tolerance);
}

/// Where the first run is shorter, a second tells the time: loading code is no
/// part of that.
static constexpr double LongMilliseconds = 200;

Expected<CudnnJob::Candidate> CudnnJob::tryWay(size_t way) {
  Candidate c;
  c.way = way;
  ASSIGN_OR_RETURN(size_t bytes, library.prepare(way));
  c.workspaceBytes = bytes;
  RETURN_IF_ERROR(growWorkspace(bytes));
  ASSIGN_OR_RETURN(Comparison found, verify(c));
  c.worst = found.worst;
  if (found.wrong) {
    wrong.push_back(library.ways()[way].name);
    return refuse("cudnn", formatv("{0} wrong results", found.wrong).str());
  }
  if (c.milliseconds >= LongMilliseconds)
    return c;
  ASSIGN_OR_RETURN(c.milliseconds,
                   device.time(/*cold=*/true, [&] { return launch(c); }));
  return c;
}

/// Seconds of trying ways out: so many, or so many times those of sampling.
static constexpr double LeastSeconds = 15, SecondsFactor = 10;

Error CudnnJob::tryAll() {
  ASSIGN_OR_RETURN(uint64_t before, hashInputs());
  const double end =
      device.seconds() + std::max(LeastSeconds, SecondsFactor * job.seconds);
  const ArrayRef<Way> ways = library.ways();
  for (size_t k = 0; k != ways.size(); ++k) {
    if (best && device.seconds() > end) {
      left = ways.size() - k;
      break;
    }
    Expected<Candidate> c = tryWay(k);
    if (!c)
      refused.push_back(ways[k].name + ": " + messageOf(c.takeError()));
    else if (!best || c->milliseconds < best->milliseconds)
      best = *c;
  }
  if (best)
    RETURN_IF_ERROR(growWorkspace(best->workspaceBytes));
  ASSIGN_OR_RETURN(uint64_t after, hashInputs());
  if (after != before)
    return refuse("cudnn", "an algorithm changed its inputs");
  if (!best)
    return refuse("cudnn", "no algorithm works (" + join(refused, "; ") + ")");
  return Error::success();
}

Error CudnnJob::time(Row &row, Environment &environment) {
  std::vector<std::string> reasons;
  for (bool cold : {true, false}) {
    if (!(cold ? job.cold : job.warm))
      continue;
    ASSIGN_OR_RETURN(
        (cold ? row.cold : row.warm),
        timeWork(
            device, cold, job.seconds, [&] { return launch(*best); }, reasons));
  }
  environment.throttling = join(reasons, ", ");
  return Error::success();
}

Error CudnnJob::verifyAgain(Row &row) {
  ASSIGN_OR_RETURN(Comparison after, verify(*best));
  if (after.wrong) {
    row.status = Row::Status::Wrong;
    row.reason = formatv("{0} elements are wrong after timing", after.wrong);
    return Error::success();
  }
  row.status = Row::Status::Measured;
  row.verdict = formatv("within {0:e1} of double", best->worst).str();
  const bool isTransform = !library.ways()[best->way].isDirect;
  checkRoofs(row, job, isTransform, double(output.elements) * sizeof(float),
             double(device.info().l2Bytes));
  return Error::success();
}

/// Which way won, of how many, and what became of the others.
std::string CudnnJob::noteOn(const Row &row) const {
  const Way &way = library.ways()[best->way];
  std::string note = way.name;
  if (best->workspaceBytes)
    note +=
        formatv(", workspace {0:f1} MB", double(best->workspaceBytes) * 1e-6)
            .str();
  const std::optional<Timing> &timing = row.cold ? row.cold : row.warm;
  const double rate = timing ? job.facts.flops / (timing->median * 1e-3) : 0;
  if (!way.isDirect && job.ffmaCeiling > 0 && rate > job.ffmaCeiling)
    note += ", a transform: less arithmetic than the direct convolution";
  const size_t tried = library.ways().size() - left;
  note += formatv("; best of {0} that work, of {1} tried",
                  tried - refused.size(), tried)
              .str();
  if (left)
    note += formatv(", {0} more not for want of time", left).str();
  if (!wrong.empty())
    note += "; wrong: " + join(wrong, ", ");
  if (const std::string trouble = library.trouble(); !trouble.empty())
    note += "; graph interface: " + trouble;
  return note;
}

Error CudnnJob::run(Row &row, Environment &environment) {
  RETURN_IF_ERROR(allocate());
  RETURN_IF_ERROR(makeReference());
  RETURN_IF_ERROR(tryAll());
  RETURN_IF_ERROR(time(row, environment));
  RETURN_IF_ERROR(verifyAgain(row));
  row.note = noteOn(row);
  return Error::success();
}

Outcome runCudnn(const Job &job, Device &device) {
  Outcome outcome;
  Row &row = outcome.row;
  row.kernel = job.label;
  row.facts = job.facts;
  auto fail = [&](Error e) {
    e = handleErrors(std::move(e), [&](std::unique_ptr<Refusal> r) -> Error {
      outcome.missing = r->status == ExitStatus::Missing;
      return Error(std::move(r));
    });
    row.status = Row::Status::Failed;
    row.reason = messageOf(std::move(e));
    row.cold = row.warm = std::nullopt;
    return outcome;
  };
  auto library =
      job.simulate.empty()
          ? openCudnn(job.layer, job.cudnn, job.withGraph)
          : openSimulatedLibrary(job.simulate, device, job.withGraph);
  if (!library)
    return fail(library.takeError());
  outcome.environment.cudnn = (*library)->version();
  if (Error e = CudnnJob(job, device, **library).run(row, outcome.environment))
    return fail(std::move(e));
  if (row.status != Row::Status::Measured)
    row.cold = row.warm = std::nullopt;
  return outcome;
}

} // namespace convopt::bench
