//===- Emitted.h - Nests against what they are lowered to -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a nest as it is written and as the kernel that would be emitted, on
/// arrays that are as large as they have to be, and compares what they leave.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_EMITTED_H
#define CONVOPT_TEST_UNIT_RANDOM_EMITTED_H

#include "convopt/Lower/Kernel.h"
#include "convopt/Schedule/Pipeline.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace convopt::test {

/// The parameters without a definition, by name.
using Sizes = std::map<std::string, int64_t>;

/// A nest, what is done to it, and where it runs.
struct Case {
  std::string nest;               // text
  std::vector<std::string> steps; // texts
  std::vector<Sizes> sizes;
  std::string arch = "sm_90";
  bool hasBulk = false;     // the device has TMA
  bool fullTiles = true;    // LowerOptions
  bool isAlgebraic = false; // -ffast-math
  bool isOfDoubles = false; // what the template's type stands for
  std::string without = {}; // a rule of Legality that is not asked about

  std::string str() const;
};

struct Verdict {
  enum Kind {
    Invalid, // the nest itself does what it must not, or is no nest
    Refused, // by `rule`
    Same,    // nothing to be seen
    Fault,   // the kernel does what a device leaves undefined
    Wrong,   // the kernel leaves something else
  } kind = Invalid;
  std::string rule, message;
  unsigned launches = 0; // that ran
  uint64_t operations = 0;
  bool hasExchanges = false; // of lanes that share sums

  bool isFailure() const { return kind == Fault || kind == Wrong; }
};

/// What the pipeline of \p c asks.
LegalityOptions legalityOf(const Case &c);

/// A nest as it is written, and what it leaves.
class Original {
public:
  Original(Nest nest, bool isAlgebraic)
      : nest(std::move(nest)), isAlgebraic(isAlgebraic) {}

  const Nest nest;
  const bool isAlgebraic;

  /// What the arrays hold after it, by name; and what it must not do.
  struct Result {
    std::map<std::string, std::vector<uint64_t>> arrays;
    std::string fault;
  };
  /// For \p values of the parameters; computed once.
  const Result &leaves(const std::vector<int64_t> &values) const;

private:
  mutable std::map<std::vector<int64_t>, Result> results;
};

/// The kernels that \p pipeline has come to. Refuses what emission refuses.
llvm::Expected<std::vector<LoweredKernel>> lowered(const Pipeline &pipeline,
                                                   const Case &c);
llvm::Expected<std::vector<LoweredKernel>> lowered(const CheckedNest &nest,
                                                   const Case &c);

/// Runs \p kernels, one after another, for all sizes of \p c.
Verdict runKernels(const Original &original,
                   llvm::ArrayRef<LoweredKernel> kernels, const Case &c);

/// Runs what \p original was transformed to for all sizes of \p c.
Verdict runEmitted(const Original &original, const Pipeline &pipeline,
                   const Case &c);

/// The same from text, by the pipeline.
Verdict runCase(const Case &c);

/// What a refusal, which is consumed, says: "illegal by Order", "refused by
/// limit"; a bug where it is none.
struct RefusalText {
  std::string rule, message;
  bool isIllegal = false;

  explicit RefusalText(llvm::Error e);
};

/// \p message without names and numbers, which every case has others of.
std::string kindOfMessage(llvm::StringRef message);

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_EMITTED_H
