//===- CheckedNest.h - A nest that legality accepted ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LEGALITY_CHECKEDNEST_H
#define CONVOPT_LEGALITY_CHECKEDNEST_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// A nest that computes what its original computes, by all rules of Legality.
/// Only a Pipeline makes one (`Pipeline::checked`), and code comes from nothing
/// else: what was not checked cannot be emitted.
class CheckedNest {
public:
  const Nest &nest() const { return checked; }
  /// The nest as the source has it, of which \ref nest was made.
  const Nest &source() const { return original; }
  /// The loops of the source that carry no dependence, by id, where sums
  /// of the nest take two kernels (Nest/SplitSum.h); elsewhere none.
  const std::vector<unsigned> &parallelLoops() const { return parallel; }

private:
  friend class Pipeline;
  CheckedNest(Nest nest, Nest source, std::vector<unsigned> parallel)
      : checked(std::move(nest)), original(std::move(source)),
        parallel(std::move(parallel)) {}

  Nest checked, original;
  std::vector<unsigned> parallel;
};

} // namespace convopt

#endif // CONVOPT_LEGALITY_CHECKEDNEST_H
