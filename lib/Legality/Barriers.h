//===- Barriers.h - What stands between two places --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LEGALITY_BARRIERS_H
#define CONVOPT_LIB_LEGALITY_BARRIERS_H

#include "Dependence/Tree.h"

namespace convopt {

/// Whether every thread of a block comes to \p place, equally often.
bool isUniform(const Place &place);

/// Where, of two places, barriers stand between them.
class Barriers {
public:
  Barriers(const Tree &tree, const Place &source, const Place &sink);

  /// For pairs that the common loop \p level orders: a barrier in its body
  /// that each iteration reaches after the source, or before the sink.
  bool separateIterations(unsigned level) const;

  /// For pairs in one iteration of all \p common loops.
  bool separateWithin(unsigned common) const;

private:
  const Place &source, &sink;
  std::vector<const Place *> uniform;
};

} // namespace convopt

#endif // CONVOPT_LIB_LEGALITY_BARRIERS_H
