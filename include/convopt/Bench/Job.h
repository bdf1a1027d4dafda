//===- Job.h - What one process measures ------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each kernel and shape is measured by a process of its own, so that a crash,
/// a hang or a failed allocation is a row and the rest goes on. A Job is all
/// that the process has to know, an Outcome all that it finds; both travel as
/// JSON.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_BENCH_JOB_H
#define CONVOPT_BENCH_JOB_H

#include "convopt/Bench/Device.h"
#include "convopt/Bench/Result.h"
#include "convopt/Bench/Shapes.h"
#include "convopt/Nest/Nest.h"

namespace convopt::bench {

/// An argument array: its elements, and what the nest does with it.
struct ArraySpec {
  std::string name, type;
  int64_t elements = 0;
  Array::Role role = Array::Input;
};

/// One argument of a kernel.
struct ArgumentSpec {
  enum Kind : uint8_t {
    Number,    // `bits`
    Data,      // array `index`
    Value,     // of the reference: the values of array `index`
    Magnitude, // of the reference: their magnitudes
  } kind = Number;
  unsigned index = 0;
  uint64_t bits = 0;
};

/// A kernel, how to launch it, and what is said of it where it is chosen.
struct KernelSpec {
  KernelSource source;
  std::array<int64_t, 3> grid{1, 1, 1};
  std::vector<ArgumentSpec> arguments;
  std::string note;
  bool packs = false; // its launcher allocates and fills buffers
};

/// Hashes of what a kernel computed from each kind of data.
struct Fingerprint {
  uint64_t integers = 0, random = 0;

  friend bool operator==(const Fingerprint &a, const Fingerprint &b) {
    return a.integers == b.integers && a.random == b.random;
  }
};

struct Job {
  enum Kind : uint8_t { Ceilings, Kernel, Cudnn, Compile } kind = Kernel;
  std::string label;
  std::vector<ArraySpec> arrays;
  std::vector<KernelSpec> variants;    // the fastest counts
  std::optional<KernelSpec> reference; // in double
  Tolerance tolerance;
  /// What the naive kernel computed, once it was found right.
  std::optional<Fingerprint> naive;
  bool cold = true, warm = true;
  double seconds = 3; // of sampling in each mode
  StaticFacts facts;
  double ffmaCeiling = 0, copyBandwidth = 0; // 0: not measured
  LayerShape layer;                          // Cudnn
  std::string cudnn;                         // where to look for it
  bool withGraph = true;                     // Cudnn: its graph interface, too
  std::string simulate; // script of the simulated device, or none
  std::string arch;     // Compile
};

struct Outcome {
  Row row;                 // status, timing, resources, verdict, note
  Environment environment; // device, versions, clocks; Ceilings: those too
  std::optional<Fingerprint> fingerprint;
  unsigned variant = 0; // which of the job's kernels counted
  bool missing = false; // no device, compiler or library: nothing was tried
};

std::string toJson(const Job &job);
llvm::Expected<Job> readJob(llvm::StringRef json);
std::string toJson(const Outcome &outcome);
llvm::Expected<Outcome> readOutcome(llvm::StringRef json);

/// What \p e says and what can be done about it, on one line and without place
/// or rule: a row's reason.
std::string messageOf(llvm::Error e);

/// Does \p job on \p device. What goes wrong with the kernel is a status of
/// the row; an error is one of the device or the tool.
Outcome runKernelJob(const Job &job, Device &device);
/// Measures the ceilings.
Outcome runCeilings(const Job &job, Device &device);
/// Measures every algorithm of cuDNN for the layer.
Outcome runCudnn(const Job &job, Device &device);
/// Compiles without a device, for registers and spills.
Outcome runCompile(const Job &job);

/// Opens the device that \p job names and does it.
Outcome runJob(const Job &job);

/// Runs `PROGRAM -run-job=FILE -outcome=FILE` for at most \p seconds and reads
/// what it found. A crash, the time limit, and files or a process that could
/// not be made are a failed row with its reason.
Outcome runInProcess(const Job &job, llvm::StringRef program, unsigned seconds);

/// The other side: reads the job in \p jobFile, does it, and writes the
/// outcome to \p outcomeFile.
llvm::Error runJobFile(llvm::StringRef jobFile, llvm::StringRef outcomeFile);

} // namespace convopt::bench

#endif // CONVOPT_BENCH_JOB_H
