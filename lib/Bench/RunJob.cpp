//===- RunJob.cpp - The device for a job ----------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaLibraries.h"
#include "convopt/Bench/Job.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/Occupancy.h"

using namespace llvm;

namespace convopt::bench {

static Outcome failure(const Job &job, Error e) {
  Outcome outcome;
  outcome.row.kernel = job.label;
  outcome.row.status = Row::Status::Failed;
  e = handleErrors(std::move(e), [&](std::unique_ptr<Refusal> r) -> Error {
    outcome.missing = r->status == ExitStatus::Missing;
    return Error(std::move(r));
  });
  outcome.row.reason = messageOf(std::move(e));
  return outcome;
}

/// What ptxas says of \p source.
static Expected<PtxasInfo> compile(const KernelSource &source, StringRef arch) {
  if (source.compiler == Compiler::Nvcc) {
    ASSIGN_OR_RETURN(HostLibrary library, buildWithNvcc(source, arch));
    return library.info;
  }
  ASSIGN_OR_RETURN(CompiledProgram program,
                   compileProgram(source.code, {source.entry}, arch));
  return program.info[program.names.front()];
}

Outcome runCompile(const Job &job) {
  Expected<PtxasInfo> info = compile(job.variants.front().source, job.arch);
  if (!info)
    return failure(job, info.takeError());
  Outcome outcome;
  outcome.row.kernel = job.label;
  outcome.row.note = job.variants.front().note;
  if (job.variants.front().packs)
    outcome.row.packing = "included";
  StaticFacts &facts = outcome.row.facts = job.facts;
  facts.registers = info->registers;
  facts.spillBytes = info->spillBytes;
  if (info->sharedBytes)
    facts.sharedBytes =
        *info->sharedBytes + job.variants.front().source.dynamicSharedBytes;
  if (facts.registers && facts.threadsPerBlock && facts.sharedBytes) {
    Expected<Gpu> gpu = findGpu(job.arch);
    if (!gpu)
      return failure(job, gpu.takeError());
    facts.occupancy = occupancyOf(
        *gpu, {*facts.threadsPerBlock, *facts.registers, *facts.sharedBytes});
  }
  return outcome;
}

Outcome runJob(const Job &job) {
  if (job.kind == Job::Compile)
    return runCompile(job);
  Expected<std::unique_ptr<Device>> device =
      job.simulate.empty() ? openCudaDevice()
                           : openSimulatedDevice(job.simulate);
  if (!device)
    return failure(job, device.takeError());
  switch (job.kind) {
  case Job::Ceilings:
    return runCeilings(job, **device);
  case Job::Kernel:
    return runKernelJob(job, **device);
  case Job::Cudnn:
    return runCudnn(job, **device);
  case Job::Compile:
    break;
  }
  llvm_unreachable("compiling needs no device");
}

} // namespace convopt::bench
