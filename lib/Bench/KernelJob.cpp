//===- KernelJob.cpp - Verify, time, verify again -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The order of things: allocate, load, choose the fastest of the variants,
/// verify on integers and on random data, time, verify again. A time is kept
/// only where everything agreed.
///
//===----------------------------------------------------------------------===//

#include "KernelJob.h"
#include "Timing.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace convopt::bench {

/// A number that a kernel of any array never needs beside its data.
static constexpr int64_t Slack = 64 << 20;

Error KernelJob::checkMemory() {
  int64_t needed = Slack + 3 * device.info().l2Bytes, verifying = 0;
  const bool referenceLikely = !job.naive;
  for (const ArraySpec &a : job.arrays) {
    needed += a.elements * sizeOf(a.type);
    if (referenceLikely && a.role != Array::Input)
      verifying += a.elements * 16;
  }
  needed += verifying;
  ASSIGN_OR_RETURN(int64_t free, device.freeBytes());
  if (needed <= free)
    return Error::success();
  return refuse(
      "memory",
      formatv("needs {0} bytes of device memory, {1} of them to verify the "
              "results; {2} are free",
              needed, verifying, free)
          .str(),
      {}, "choose a smaller shape");
}

Error KernelJob::allocate() {
  for (const ArraySpec &a : job.arrays) {
    ASSIGN_OR_RETURN(Buffer buffer, device.allocate(a.type, a.elements));
    arrays.push_back({a, buffer, {}, {}});
  }
  return Error::success();
}

Error KernelJob::loadVariants() {
  for (const KernelSpec &k : job.variants) {
    ASSIGN_OR_RETURN(LoadedKernel kernel, device.load(k.source));
    kernels.push_back(kernel);
  }
  return Error::success();
}

Launch KernelJob::launchOf(const KernelSpec &spec) const {
  Launch launch{
      spec.grid, spec.source.block, spec.source.dynamicSharedBytes, {}};
  for (const ArgumentSpec &a : spec.arguments)
    switch (a.kind) {
    case ArgumentSpec::Number:
      launch.arguments.push_back(a.bits);
      break;
    case ArgumentSpec::Data:
      launch.arguments.push_back(arrays[a.index].data.address);
      break;
    case ArgumentSpec::Value:
      launch.arguments.push_back(arrays[a.index].value.address);
      break;
    case ArgumentSpec::Magnitude:
      launch.arguments.push_back(arrays[a.index].magnitude.address);
      break;
    }
  return launch;
}

/// Blocks that a choice between variants needs, for each multiprocessor.
static constexpr int64_t EnoughBlocks = 512;

/// The launch of \p spec, with its grid cut to as few blocks as tell how fast
/// the kernel is.
Launch KernelJob::partialLaunch(const KernelSpec &spec) const {
  Launch launch = launchOf(spec);
  const int64_t enough =
      EnoughBlocks * std::max(1, device.info().multiprocessors);
  for (unsigned d : {2, 1, 0}) {
    int64_t &along = launch.grid[d];
    const int64_t others =
        launch.grid[0] * launch.grid[1] * launch.grid[2] / along;
    along = std::min(along, std::max<int64_t>(1, enough / others));
  }
  return launch;
}

static double threadsOf(const Launch &launch) {
  double threads = 1;
  for (unsigned d : {0, 1, 2})
    threads *= double(launch.grid[d] * launch.block[d]);
  return threads;
}

/// Two runs of each, the first of which warms up; the fastest a thread is
/// verified and measured.
Error KernelJob::chooseVariant() {
  if (kernels.size() == 1)
    return Error::success();
  RETURN_IF_ERROR(fillAll(Data::Random));
  RETURN_IF_ERROR(resetOutputs(Data::Random));
  double best = 0;
  for (size_t k = 0; k != kernels.size(); ++k) {
    const Launch launch = partialLaunch(job.variants[k]);
    for (bool counts : {false, true}) {
      ASSIGN_OR_RETURN(double time,
                       device.time(
                           /*cold=*/true,
                           [&] { return device.launch(kernels[k], launch); }));
      const double each = time / threadsOf(launch);
      if (!counts || (k != 0 && each >= best))
        continue;
      best = each;
      chosen = k;
    }
  }
  return Error::success();
}

/// What the kernel asks of the device.
void KernelJob::describe() {
  const LoadedKernel &k = kernels[chosen];
  row.note = job.variants[chosen].note;
  if (job.variants[chosen].packs)
    row.packing = "included";
  row.facts.registers = k.registers;
  row.facts.spillBytes = k.spillBytes;
  row.facts.occupancy = k.occupancy;
  if (k.threadsPerBlock)
    row.facts.threadsPerBlock = k.threadsPerBlock;
  if (k.staticSharedBytes && k.dynamicSharedBytes)
    row.facts.sharedBytes = *k.staticSharedBytes + *k.dynamicSharedBytes;
}

Error KernelJob::time() {
  const Clocks before = device.clocks();
  environment.smClockBefore = before.now;
  environment.smClockMax = before.max;
  std::vector<std::string> reasons;
  for (bool cold : {true, false}) {
    if (!(cold ? job.cold : job.warm))
      continue;
    ASSIGN_OR_RETURN((cold ? row.cold : row.warm),
                     timeWork(
                         device, cold, job.seconds,
                         [&] { return launchChosen(); }, reasons, lastRun));
  }
  environment.smClockAfter = device.clocks().now;
  environment.throttling = join(reasons, ", ");
  return Error::success();
}

double KernelJob::outputBytes() const {
  double bytes = 0;
  for (const ArrayData &a : arrays)
    if (a.isOutput())
      bytes += double(a.spec.elements) * sizeOf(a.spec.type);
  return bytes;
}

Error KernelJob::measure() {
  using Stage = Error (KernelJob::*)();
  for (Stage stage : {&KernelJob::checkMemory, &KernelJob::allocate,
                      &KernelJob::loadVariants, &KernelJob::chooseVariant})
    RETURN_IF_ERROR((this->*stage)());
  describe();
  for (Data data : {Data::Integers, Data::Random}) {
    RETURN_IF_ERROR(fillAll(data));
    RETURN_IF_ERROR(verify(data, "before timing"));
    // The kernel has run by now: recording its launch loads nothing.
    if (data == Data::Integers) {
      device.inspect(kernels[chosen], launchOf(job.variants[chosen]));
      describe();
    }
    if (failed())
      return Error::success();
  }
  RETURN_IF_ERROR(time());
  const uint64_t before = found.random;
  RETURN_IF_ERROR(verify(Data::Random, "after timing"));
  if (failed())
    return Error::success();
  row.status = Row::Status::Measured;
  row.verdict = identical ? "bit-identical to naive"
                          : formatv("within {0:e1} of double", worst).str();
  if (job.naive && !identical)
    row.verdict += ", not bit-identical to naive";
  if (found.random != before)
    row.verdict += ", differs from run to run";
  checkRoofs(row, job, /*isTransform=*/false, outputBytes(),
             double(device.info().l2Bytes));
  return Error::success();
}

Outcome runKernelJob(const Job &job, Device &device) {
  return KernelJob(job, device).run();
}

} // namespace convopt::bench
