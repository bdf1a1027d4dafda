//===- Roles.h - Which loop is x, which y, which z --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_ROLES_H
#define CONVOPT_SCHEDULE_ROLES_H

#include "convopt/Dependence/Dependence.h"
#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Remarks.h"

namespace convopt {

/// The loops that `-tile=Tx,Ty,Tz` speaks of, by id.
struct Roles {
  std::optional<unsigned> x;    // output column: contiguous in the output
  std::optional<unsigned> y;    // output row
  std::optional<unsigned> z;    // output channel: the input does not use it;
                                // or a volume's depth, or a pixel's colours
  std::optional<unsigned> fields;   // a loop over those of x's elements
  std::optional<unsigned> channels; // x or z, where the input does not use it
  bool hasChannels() const { return z && z == channels; }
  std::vector<unsigned> others; // parallel loops of the band, such as a batch
  /// The perfectly nested band of outermost loops, parallel ones and others.
  std::vector<unsigned> band;
  /// The write that is over the most parallel loops, the first of several.
  std::optional<Access> output;
  /// The input proper, not the filter: it has windows, and else uses x.
  std::optional<Access> input;
};

/// Whether instances that differ in \p loop are independent whatever runs
/// around it: a loop that is parallel only within others, as the taps are that
/// one input adds to, is none of the grid's.
bool isFree(const DependenceAnalysis &dependences, unsigned loop);

/// Whether \p l, of \p nest, is parallel and over elements that are written: in
/// a band, threads could share it.
bool isOfOutputs(const Nest &nest, const DependenceAnalysis &dependences,
                 const Loop &l);

/// Recognises roles from accesses, not from names or order (docs/Design.md,
/// "Steps"). Refuses (rule "structure") a nest that is not one band of loops
/// around the computation, and one without a parallel loop in that band.
llvm::Expected<Roles> findRoles(const Nest &nest,
                                const DependenceAnalysis &dependences);

/// What `-Rpass-analysis=roles` says: each loop's role, or that it carries a
/// reduction or a dependence, and the threads that a kernel's loops stand for.
Remarks roleRemarks(const Nest &nest, const DependenceAnalysis &dependences,
                    const Roles &roles);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_ROLES_H
