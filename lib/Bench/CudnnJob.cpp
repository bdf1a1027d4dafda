//===- CudnnJob.cpp - Every algorithm of cuDNN ----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each algorithm is verified and run once; the fastest right one is timed.
///
//===----------------------------------------------------------------------===//

#include "Cudnn.h"
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
  CudnnJob(const Job &job, Device &device, const CudnnConvolution &library)
      : job(job), device(device), layer(job.layer), library(library) {}

  Error run(Row &row, Environment &environment);

private:
  /// An algorithm that computes the right thing, and what it needs.
  struct Candidate {
    int algorithm = 0;
    size_t workspaceBytes = 0;
    double milliseconds = 0, worst = 0;
  };

  Error allocate();
  Error makeReference();
  Expected<Candidate> tryAlgorithm(int algorithm);
  Expected<Buffer> workspaceFor(size_t bytes);
  Error launch(const Candidate &c) {
    return library.run(c.algorithm, input.address, filter.address,
                       workspace.address, c.workspaceBytes, output.address);
  }
  Expected<Comparison> verify(const Candidate &c);
  Error time(const Candidate &c, Row &row, Environment &environment);

  const Job &job;
  Device &device;
  const LayerShape &layer;
  const CudnnConvolution &library;
  Buffer input, filter, output, value, magnitude, workspace;
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
    Expected<Buffer> buffer = device.allocate(w.type, w.elements);
    if (!buffer)
      return buffer.takeError();
    *w.buffer = *buffer;
  }
  if (Error e = device.fill(input, Data::Random, 1))
    return e;
  return device.fill(filter, Data::Random, 2);
}

Error CudnnJob::makeReference() {
  KernelSource source;
  source.label = "cuDNN reference";
  source.code = ReferenceConvolution;
  source.entry = "convopt_convolution";
  source.block = {256, 1, 1};
  Expected<LoadedKernel> kernel = device.load(source);
  if (!kernel)
    return kernel.takeError();
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
  if (Error e = device.launch(*kernel, launch))
    return e;
  return device.synchronize();
}

Expected<Buffer> CudnnJob::workspaceFor(size_t bytes) {
  const int64_t elements = int64_t(bytes / 4) + 1;
  if (workspace.elements >= elements)
    return workspace;
  Expected<int64_t> free = device.freeBytes();
  if (!free)
    return free.takeError();
  if (elements * 4 > *free)
    return refuse("memory", "its workspace does not fit");
  return device.allocate("float", elements);
}

/// How much further from the definition a transform may come than a sum of
/// products: its constants magnify rounding (Lavin and Gray 2016).
static constexpr double TransformFactor = 16;

Expected<Comparison> CudnnJob::verify(const Candidate &c) {
  if (Error e = device.poison(output))
    return std::move(e);
  if (Error e = launch(c))
    return std::move(e);
  if (Error e = device.synchronize())
    return std::move(e);
  Tolerance tolerance;
  tolerance.depth = double(layer.C / layer.groups * layer.R * layer.S);
  if (!cudnnAlgorithm(c.algorithm).isDirect)
    tolerance.depth = TransformFactor * (tolerance.depth + 64);
  return device.compare(output, value, magnitude, tolerance);
}

Expected<CudnnJob::Candidate> CudnnJob::tryAlgorithm(int algorithm) {
  Candidate c;
  c.algorithm = algorithm;
  Expected<size_t> bytes = library.workspace(algorithm);
  if (!bytes)
    return bytes.takeError();
  c.workspaceBytes = *bytes;
  Expected<Buffer> buffer = workspaceFor(*bytes);
  if (!buffer)
    return buffer.takeError();
  workspace = *buffer;
  Expected<Comparison> found = verify(c);
  if (!found)
    return found.takeError();
  if (found->wrong)
    return refuse("cudnn", formatv("{0} wrong results", found->wrong).str());
  c.worst = found->worst;
  Expected<double> time = device.time(/*cold=*/true, [&] { return launch(c); });
  if (!time)
    return time.takeError();
  c.milliseconds = *time;
  return c;
}

Error CudnnJob::time(const Candidate &c, Row &row, Environment &environment) {
  std::vector<std::string> reasons;
  for (bool cold : {true, false}) {
    if (!(cold ? job.cold : job.warm))
      continue;
    Expected<Timing> timing =
        timeWork(device, cold, job.seconds, [&] { return launch(c); }, reasons);
    if (!timing)
      return timing.takeError();
    (cold ? row.cold : row.warm) = *timing;
  }
  environment.throttling = join(reasons, ", ");
  Expected<Comparison> after = verify(c);
  if (!after)
    return after.takeError();
  row.status = Row::Status::Measured;
  row.verdict = formatv("within {0:e1} of double", c.worst).str();
  if (after->wrong) {
    row.status = Row::Status::Wrong;
    row.reason = formatv("{0} elements are wrong after timing", after->wrong);
  }
  return Error::success();
}

Error CudnnJob::run(Row &row, Environment &environment) {
  if (Error e = allocate())
    return e;
  if (Error e = makeReference())
    return e;
  std::optional<Candidate> best;
  std::vector<std::string> refused;
  for (int k = 0; k != CUDNN_CONVOLUTION_FWD_ALGO_COUNT; ++k) {
    Expected<Candidate> c = tryAlgorithm(k);
    if (!c)
      refused.push_back(std::string(cudnnAlgorithm(k).name) + ": " +
                        messageOf(c.takeError()));
    else if (!best || c->milliseconds < best->milliseconds)
      best = *c;
  }
  if (!best)
    return refuse("cudnn", "no algorithm works (" + join(refused, "; ") + ")");
  const CudnnAlgorithm algorithm = cudnnAlgorithm(best->algorithm);
  row.note = algorithm.name;
  if (best->workspaceBytes)
    row.note +=
        formatv(", workspace {0:f1} MB", double(best->workspaceBytes) * 1e-6)
            .str();
  if (Error e = time(*best, row, environment))
    return e;
  const std::optional<Timing> &timing = row.cold ? row.cold : row.warm;
  const double rate = job.facts.flops / (timing->median * 1e-3);
  if (!algorithm.isDirect && job.ffmaCeiling > 0 && rate > job.ffmaCeiling)
    row.note += ", a transform: less arithmetic than the direct convolution";
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
  Expected<CudnnConvolution> library =
      CudnnConvolution::create(job.layer, job.cudnn);
  if (!library)
    return fail(library.takeError());
  outcome.environment.cudnn = library->version();
  if (Error e = CudnnJob(job, device, *library).run(row, outcome.environment))
    return fail(std::move(e));
  return outcome;
}

} // namespace convopt::bench
