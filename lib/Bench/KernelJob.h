//===- KernelJob.h - Verify, time, verify again -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_KERNELJOB_H
#define CONVOPT_LIB_BENCH_KERNELJOB_H

#include "convopt/Bench/Job.h"

namespace convopt::bench {

/// Bytes of an element of an argument array.
inline int64_t sizeOf(llvm::StringRef type) { return type == "double" ? 8 : 4; }

/// Data of one array argument.
struct ArrayData {
  const ArraySpec &spec;
  Buffer data, value, magnitude; // the last two once there is a reference

  bool isOutput() const { return spec.role != Array::Input; }
};

/// Measures one kernel: verify, time, verify again.
class KernelJob {
public:
  KernelJob(const Job &job, Device &device) : job(job), device(device) {
    row.kernel = job.label;
    row.facts = job.facts;
  }

  Outcome run() {
    if (llvm::Error e = measure()) {
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
  llvm::Error measure();
  llvm::Error checkMemory();
  llvm::Error allocate();
  llvm::Error loadVariants();
  llvm::Error chooseVariant();
  void describe();
  Launch launchOf(const KernelSpec &spec) const;
  Launch partialLaunch(const KernelSpec &spec) const;
  llvm::Error launch(const KernelSpec &spec, const LoadedKernel &kernel) {
    return device.launch(kernel, launchOf(spec));
  }
  llvm::Error launchChosen() {
    return launch(job.variants[chosen], kernels[chosen]);
  }
  llvm::Error fillAll(Data data);
  llvm::Error resetOutputs(Data data);
  llvm::Expected<uint64_t> hash(bool outputs);
  llvm::Error makeReference(Data data);
  llvm::Error verify(Data data, const char *when);
  llvm::Error compare(Data data, const char *when);
  llvm::Error time();
  double outputBytes() const;
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
  std::optional<uint64_t> filled; // hash of the inputs, as they were filled
  double lastRun = 0;             // seconds that the last verified run took
  Fingerprint found;
  bool identical = true; // to naive, so far
  double worst = 0;
};

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_KERNELJOB_H
