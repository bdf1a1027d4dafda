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

#include "Timing.h"
#include "convopt/Bench/Job.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace convopt::bench {

namespace {

/// Data of one array argument.
struct ArrayData {
  const ArraySpec &spec;
  Buffer data, value, magnitude; // the last two once there is a reference

  bool isOutput() const { return spec.role != Array::Input; }
};

class KernelJob {
public:
  KernelJob(const Job &job, Device &device) : job(job), device(device) {
    row.kernel = job.label;
    row.facts = job.facts;
  }

  Outcome run() {
    if (Error e = measure()) {
      row.status = Row::Status::Failed;
      row.reason = messageOf(std::move(e));
    }
    if (row.status != Row::Status::Measured)
      row.cold = row.warm = std::nullopt;
    Outcome outcome{row, environment, std::nullopt, unsigned(chosen)};
    if (row.status == Row::Status::Measured)
      outcome.fingerprint = found;
    return outcome;
  }

private:
  Error measure();
  Error checkMemory();
  Error allocate();
  Error loadVariants();
  Error chooseVariant();
  Error describe();
  Error launch(const KernelSpec &spec, const LoadedKernel &kernel);
  Error launchChosen() { return launch(job.variants[chosen], kernels[chosen]); }
  Error fillAll(Data data);
  Error resetOutputs(Data data);
  Expected<uint64_t> hash(bool outputs);
  Error makeReference(Data data);
  Error verify(Data data, const char *when);
  Error compare(Data data, const char *when);
  Error time();
  void checkRoofs();
  void wrong(std::string reason) {
    row.status = Row::Status::Wrong;
    row.reason = std::move(reason);
  }
  bool failed() const { return row.status == Row::Status::Wrong; }

  const Job &job;
  Device &device;
  Row row;
  Environment environment;
  std::vector<ArrayData> arrays;
  std::vector<LoadedKernel> kernels;
  std::optional<LoadedKernel> referenceKernel;
  std::optional<Data> referenceOf; // what the reference was computed from
  size_t chosen = 0;
  Fingerprint found;
  bool identical = true; // to naive, so far
  double worst = 0;
};

} // namespace

static int64_t sizeOf(StringRef type) { return type == "double" ? 8 : 4; }

/// A number that a kernel of any array never needs beside its data.
static constexpr int64_t Slack = 64 << 20;

Error KernelJob::checkMemory() {
  int64_t needed = Slack + 3 * device.info().l2Bytes;
  const bool referenceLikely = !job.naive;
  for (const ArraySpec &a : job.arrays) {
    needed += a.elements * sizeOf(a.type);
    if (referenceLikely && a.role != Array::Input)
      needed += a.elements * 16;
  }
  Expected<int64_t> free = device.freeBytes();
  if (!free)
    return free.takeError();
  if (needed <= *free)
    return Error::success();
  return refuse(
      "memory",
      formatv("needs {0} bytes of device memory, {1} are free", needed, *free)
          .str());
}

Error KernelJob::allocate() {
  for (const ArraySpec &a : job.arrays) {
    Expected<Buffer> buffer = device.allocate(a.type, a.elements);
    if (!buffer)
      return buffer.takeError();
    arrays.push_back({a, *buffer, {}, {}});
  }
  return Error::success();
}

Error KernelJob::loadVariants() {
  for (const KernelSpec &k : job.variants) {
    Expected<LoadedKernel> kernel = device.load(k.source);
    if (!kernel)
      return kernel.takeError();
    kernels.push_back(*kernel);
  }
  return Error::success();
}

Error KernelJob::launch(const KernelSpec &spec, const LoadedKernel &kernel) {
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
  return device.launch(kernel, launch);
}

/// One run of each; the fastest is verified and measured.
Error KernelJob::chooseVariant() {
  if (kernels.size() == 1)
    return Error::success();
  if (Error e = fillAll(Data::Random))
    return e;
  double best = 0;
  for (size_t k = 0; k != kernels.size(); ++k) {
    if (Error e = resetOutputs(Data::Random))
      return e;
    Expected<double> time = device.time(
        /*cold=*/true, [&] { return launch(job.variants[k], kernels[k]); });
    if (!time)
      return time.takeError();
    if (k != 0 && *time >= best)
      continue;
    best = *time;
    chosen = k;
  }
  return Error::success();
}

Error KernelJob::describe() {
  const LoadedKernel &k = kernels[chosen];
  const KernelSpec &spec = job.variants[chosen];
  row.note = spec.note;
  row.facts.registers = k.registers;
  row.facts.spillBytes = k.spillBytes;
  row.facts.occupancy = k.occupancy;
  row.facts.threadsPerBlock =
      spec.source.block[0] * spec.source.block[1] * spec.source.block[2];
  if (k.staticSharedBytes)
    row.facts.sharedBytes =
        *k.staticSharedBytes + spec.source.dynamicSharedBytes;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Data and results
//===----------------------------------------------------------------------===//

/// Arrays get different data, and the same in every process.
static uint64_t seedOf(size_t array, Data data) {
  return (uint64_t(array) + 1) * 0x100000001B3u + (data == Data::Random);
}

Error KernelJob::fillAll(Data data) {
  for (auto [k, a] : enumerate(arrays))
    if (!a.isOutput())
      if (Error e = device.fill(a.data, data, seedOf(k, data)))
        return e;
  return Error::success();
}

Error KernelJob::resetOutputs(Data data) {
  for (auto [k, a] : enumerate(arrays)) {
    if (a.spec.role == Array::Output)
      if (Error e = device.poison(a.data))
        return e;
    if (a.spec.role == Array::InOut)
      if (Error e = device.fill(a.data, data, seedOf(k, data)))
        return e;
  }
  return Error::success();
}

Expected<uint64_t> KernelJob::hash(bool outputs) {
  uint64_t all = 0;
  for (const ArrayData &a : arrays) {
    if (a.isOutput() != outputs)
      continue;
    Expected<uint64_t> one = device.hash(a.data);
    if (!one)
      return one.takeError();
    all = all * 0x100000001B3u + *one;
  }
  return all;
}

Error KernelJob::makeReference(Data data) {
  if (referenceOf == data)
    return Error::success();
  if (!job.reference)
    return refuse("reference", "there is no reference to compare with");
  if (!referenceKernel) {
    Expected<LoadedKernel> kernel = device.load(job.reference->source);
    if (!kernel)
      return kernel.takeError();
    referenceKernel = *kernel;
  }
  for (auto [k, a] : enumerate(arrays)) {
    if (!a.isOutput())
      continue;
    for (Buffer *b : {&a.value, &a.magnitude}) {
      if (b->address == 0) {
        Expected<Buffer> buffer = device.allocate("double", a.spec.elements);
        if (!buffer)
          return buffer.takeError();
        *b = *buffer;
      }
      if (Error e = device.poison(*b))
        return e;
    }
    if (a.spec.role == Array::InOut) {
      // The result under test stays where it is: its start is made again.
      Expected<Buffer> start = device.allocate(a.spec.type, a.spec.elements);
      if (!start)
        return start.takeError();
      if (Error e = device.fill(*start, data, seedOf(k, data)))
        return e;
      if (Error e = device.widen(*start, a.value, a.magnitude))
        return e;
    }
  }
  if (Error e = launch(*job.reference, *referenceKernel))
    return e;
  if (Error e = device.synchronize())
    return e;
  referenceOf = data;
  return Error::success();
}

static const char *nameOf(Data data) {
  return data == Data::Integers ? "integer data" : "random data";
}

Error KernelJob::compare(Data data, const char *when) {
  if (Error e = makeReference(data))
    return e;
  Tolerance tolerance = job.tolerance;
  tolerance.exact &= data == Data::Integers;
  for (const ArrayData &a : arrays) {
    if (!a.isOutput())
      continue;
    Expected<Comparison> c =
        device.compare(a.data, a.value, a.magnitude, tolerance);
    if (!c)
      return c.takeError();
    if (c->wrong) {
      wrong(formatv("{0} of {1} elements of '{2}' are wrong {3} on {4}; "
                    "element {5} is {6}, not {7}",
                    c->wrong, a.spec.elements, a.spec.name, when, nameOf(data),
                    c->first, c->actual, c->expected)
                .str());
      return Error::success();
    }
    worst = std::max(worst, c->worst);
  }
  return Error::success();
}

/// Runs on poisoned outputs and compares: with the naive kernel, whose results
/// were compared before, or with the reference.
Error KernelJob::verify(Data data, const char *when) {
  Expected<uint64_t> inputs = hash(/*outputs=*/false);
  if (!inputs)
    return inputs.takeError();
  if (Error e = resetOutputs(data))
    return e;
  if (Error e = launchChosen())
    return e;
  if (Error e = device.synchronize())
    return e;
  Expected<uint64_t> after = hash(/*outputs=*/false);
  if (!after)
    return after.takeError();
  if (*after != *inputs) {
    wrong(formatv("changes its inputs {0} on {1}", when, nameOf(data)).str());
    return Error::success();
  }
  Expected<uint64_t> outputs = hash(/*outputs=*/true);
  if (!outputs)
    return outputs.takeError();
  const bool isInteger = data == Data::Integers;
  uint64_t &mine = isInteger ? found.integers : found.random;
  mine = *outputs;
  if (job.naive &&
      *outputs == (isInteger ? job.naive->integers : job.naive->random))
    return Error::success();
  identical = false;
  return compare(data, when);
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

Error KernelJob::time() {
  const Clocks before = device.clocks();
  environment.smClockBefore = before.now;
  environment.smClockMax = before.max;
  std::vector<std::string> reasons;
  for (bool cold : {true, false}) {
    if (!(cold ? job.cold : job.warm))
      continue;
    Expected<Timing> timing = timeWork(
        device, cold, job.seconds, [&] { return launchChosen(); }, reasons);
    if (!timing)
      return timing.takeError();
    (cold ? row.cold : row.warm) = *timing;
  }
  environment.smClockAfter = device.clocks().now;
  environment.throttling = join(reasons, ", ");
  return Error::success();
}

/// How far above a measured ceiling a figure may come by chance.
static constexpr double RoofTolerance = 1.03;

void KernelJob::checkRoofs() {
  auto above = [&](const Timing &t, double work, double roof,
                   const char *unit) {
    const double rate = work / (t.median * 1e-3);
    if (roof <= 0 || rate <= roof * RoofTolerance)
      return;
    row.status = Row::Status::AboveRoof;
    row.reason = formatv("{0:f2} {1} is above the measured ceiling of {2:f2}",
                         rate * 1e-12, unit, roof * 1e-12)
                     .str();
  };
  for (const auto &timing : {row.cold, row.warm})
    if (timing)
      above(*timing, job.facts.flops, job.ffmaCeiling, "TFLOP/s");
  // What is written may still be in the cache when the kernel ends.
  double outputs = 0;
  for (const ArrayData &a : arrays)
    if (a.isOutput())
      outputs += double(a.spec.elements) * sizeOf(a.spec.type);
  if (row.cold && row.status != Row::Status::AboveRoof)
    above(*row.cold,
          job.facts.compulsoryBytes -
              std::min(outputs, double(device.info().l2Bytes)),
          job.copyBandwidth, "TB/s");
}

Error KernelJob::measure() {
  using Stage = Error (KernelJob::*)();
  for (Stage stage :
       {&KernelJob::checkMemory, &KernelJob::allocate, &KernelJob::loadVariants,
        &KernelJob::chooseVariant, &KernelJob::describe})
    if (Error e = (this->*stage)())
      return e;
  for (Data data : {Data::Integers, Data::Random}) {
    if (Error e = fillAll(data))
      return e;
    if (Error e = verify(data, "before timing"))
      return e;
    if (failed())
      return Error::success();
  }
  if (Error e = time())
    return e;
  const uint64_t before = found.random;
  if (Error e = verify(Data::Random, "after timing"))
    return e;
  if (failed())
    return Error::success();
  row.status = Row::Status::Measured;
  row.verdict = identical ? "bit-identical to naive"
                          : formatv("within {0:e1} of double", worst).str();
  if (job.naive && !identical)
    row.verdict += ", not bit-identical to naive";
  if (found.random != before)
    row.verdict += ", differs from run to run";
  checkRoofs();
  return Error::success();
}

Outcome runKernelJob(const Job &job, Device &device) {
  return KernelJob(job, device).run();
}

} // namespace convopt::bench
