//===- Ceilings.cpp - What the device can do at most ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceKernels.h"
#include "Timing.h"
#include "convopt/Bench/Job.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::bench {

/// Long enough for a few milliseconds on any device.
static constexpr int FfmaRounds = 8192;
static constexpr int CeilingThreads = 256;

namespace {

class Ceilings {
public:
  Ceilings(const Job &job, Device &device) : job(job), device(device) {}

  /// What was found before an error stays in `environment`.
  Error run() {
    describe();
    RETURN_IF_ERROR(measureFfma());
    RETURN_IF_ERROR(measureCopy());
    environment.smClockAfter = device.clocks().now;
    environment.throttling = join(reasons, ", ");
    return Error::success();
  }
  Environment environment;

private:
  void describe() {
    const DeviceInfo &info = device.info();
    environment.device = info.name;
    environment.arch = info.arch;
    environment.driver = info.driver;
    environment.cuda = info.cuda;
    environment.nominalPeak = info.nominalPeak;
    environment.nominalBandwidth = info.nominalBandwidth;
    const Clocks clocks = device.clocks();
    environment.smClockBefore = clocks.now;
    environment.smClockMax = clocks.max;
  }

  /// Seconds that \p entry takes, in \p launch but for its block.
  Expected<double> measure(const char *label, const std::string &entry,
                           Launch launch) {
    KernelSource source;
    source.label = label;
    source.code = CeilingKernels;
    source.entry = entry;
    launch.block = source.block = {CeilingThreads, 1, 1};
    ASSIGN_OR_RETURN(LoadedKernel kernel, device.load(source));
    ASSIGN_OR_RETURN(Timing timing,
                     timeWork(
                         device, /*cold=*/false, job.seconds,
                         [&] { return device.launch(kernel, launch); },
                         reasons));
    return timing.median * 1e-3;
  }

  Error measureFfma();
  Error measureFfma(int rows, const Buffer &out);
  Error measureCopy();
  Error measureCopy(int vectors, const Buffer &from, const Buffer &to);

  const Job &job;
  Device &device;
  std::vector<std::string> reasons;
};

} // namespace

Error Ceilings::measureFfma() {
  ASSIGN_OR_RETURN(Buffer out, device.allocate("float", 4));
  for (int rows : {8, 12, 16})
    RETURN_IF_ERROR(measureFfma(rows, out));
  return Error::success();
}

Error Ceilings::measureFfma(int rows, const Buffer &out) {
  Launch launch;
  // Several whole waves, whatever the number of blocks a multiprocessor.
  launch.grid = {24 * std::max(1, device.info().multiprocessors), 1, 1};
  launch.arguments = {out.address};
  for (int j = 0; j != FfmaColumns; ++j)
    launch.arguments.push_back(
        bit_cast<uint32_t>((j % 2 ? -0.017f : 0.013f) * float(j + 1)));
  launch.arguments.push_back(bit_cast<uint32_t>(0.37f));
  launch.arguments.push_back(FfmaRounds);
  ASSIGN_OR_RETURN(double time,
                   measure("FFMA ceiling",
                           "convopt_ffma<" + std::to_string(rows) + ">",
                           launch));
  const double flops = 2.0 * rows * FfmaColumns * FfmaRounds *
                       double(CeilingThreads) * double(launch.grid[0]);
  environment.ffmaCeiling = std::max(environment.ffmaCeiling, flops / time);
  return Error::success();
}

Error Ceilings::measureCopy() {
  ASSIGN_OR_RETURN(int64_t free, device.freeBytes());
  const int64_t size = std::min<int64_t>(2ll << 30, free / 4);
  if (size < 4 * device.info().l2Bytes)
    return refuse("memory", "too little memory is free to measure the copy "
                            "bandwidth: " +
                                std::to_string(free) + " bytes");
  ASSIGN_OR_RETURN(Buffer from,
                   device.allocate("float", size / 4 / 4096 * 4096));
  ASSIGN_OR_RETURN(Buffer to, device.allocate("float", from.elements));
  RETURN_IF_ERROR(device.fill(from, Data::Random, 1));
  for (int vectors : {1, 2, 4, 8})
    RETURN_IF_ERROR(measureCopy(vectors, from, to));
  return Error::success();
}

Error Ceilings::measureCopy(int vectors, const Buffer &from, const Buffer &to) {
  const int64_t words = from.elements / 4; // of 16 bytes
  Launch launch;
  const int64_t each = int64_t(CeilingThreads) * vectors;
  launch.grid = {(words + each - 1) / each, 1, 1};
  launch.arguments = {from.address, to.address, uint64_t(words)};
  ASSIGN_OR_RETURN(double time,
                   measure("copy ceiling",
                           "convopt_copy<" + std::to_string(vectors) + ">",
                           launch));
  const double bytes = 2.0 * 16 * double(words);
  environment.copyBandwidth = std::max(environment.copyBandwidth, bytes / time);
  return Error::success();
}

Outcome runCeilings(const Job &job, Device &device) {
  Outcome outcome;
  outcome.row.kernel = job.label;
  Ceilings ceilings(job, device);
  outcome.row.status = Row::Status::Measured;
  if (Error e = ceilings.run()) {
    outcome.row.status = Row::Status::Failed;
    outcome.row.reason = messageOf(std::move(e));
  }
  outcome.environment = std::move(ceilings.environment);
  return outcome;
}

} // namespace convopt::bench
