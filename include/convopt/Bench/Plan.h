//===- Plan.h - From a nest and schedules to jobs ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_BENCH_PLAN_H
#define CONVOPT_BENCH_PLAN_H

#include "convopt/Bench/Job.h"
#include "convopt/Emit/Emit.h"
#include "convopt/Legality/Legality.h"
#include "convopt/Lower/Kernel.h"
#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/PlannedKernel.h"
#include "convopt/Target/Gpu.h"
#include "convopt/Verify/Verify.h"

namespace convopt::bench {

/// One kernel to measure, as the user asked for it.
struct CandidateRequest {
  std::string label; // "-tile=32,2,2 -reg=8,4"
  ScheduleRequest schedule;
  std::string file; // of -kernel=: an emitted file, else empty
  std::vector<std::string> facts{}; // of -assume=: "K=7"
};

/// A kernel for all sizes.
struct Candidate {
  std::string label;
  Nest mapped;     // not for a file
  KernelText text; // of a file: `device` is all of it
  std::string file;
  std::string launcher; // of a file: the name of the function to call
  std::vector<Step> steps{}; // of a request's schedule
  std::vector<Assumption> facts{}; // that it relies on
  PlanNotes notes{};
  int64_t leastBlocks = 0; // with fewer, another kernel is for the shape
};

/// What all kernels of a nest share.
class Plan {
public:
  /// Maps \p original for the naive kernel and for the reference. Refuses a
  /// nest for which there is neither.
  static llvm::Expected<Plan> create(Nest original, Gpu gpu,
                                     LegalityOptions legality,
                                     const std::string &suffix);

  /// Applies the schedule of \p request, checked step by step, to the nest with
  /// the facts of the request, or reads its file. Refuses what convopt refuses.
  /// Of a default there are several kernels, the general one last: the first
  /// that takes a shape is for it.
  llvm::Expected<std::vector<Candidate>>
  candidates(const CandidateRequest &request) const;

  /// A job for the naive kernel, or for \p candidate, with \p shape; everything
  /// is set but what is known only when it runs (modes, ceilings, time, naive
  /// results). Refuses (rule "limit") what cannot be launched and (rule
  /// "shape") sizes that contradict the nest or the candidate's facts.
  llvm::Expected<Job> naiveJob(const Shape &shape) const;
  llvm::Expected<Job> job(const Candidate &candidate, const Shape &shape,
                          Compiler compiler) const;

  const Nest &nest() const { return original; }
  const std::vector<Candidate> &naive() const { return naiveVariants; }

private:
  Plan(Nest original, Gpu gpu) : original(std::move(original)), gpu(gpu) {}
  llvm::Error mapNaive();
  llvm::Expected<Candidate> emitted(const PlannedKernel &kernel,
                                    const std::string &label) const;
  /// Milliseconds that the model expects of \p candidate with \p values of the
  /// sizes, at the clock of the maker's figures; none of a kernel that it does
  /// not price.
  std::optional<double> predict(const Candidate &candidate,
                                llvm::ArrayRef<int64_t> values) const;
  std::string noteOn(llvm::ArrayRef<Assumption> facts) const;
  llvm::Expected<Job> emptyJob(const Shape &shape) const;
  llvm::Expected<KernelSpec> specFor(const Candidate &candidate,
                                     const Shape &shape,
                                     Compiler compiler) const;

  Nest original;
  Gpu gpu;
  LegalityOptions legality;
  std::string suffix;
  std::vector<Candidate> naiveVariants;
  Candidate reference;
};

} // namespace convopt::bench

#endif // CONVOPT_BENCH_PLAN_H
