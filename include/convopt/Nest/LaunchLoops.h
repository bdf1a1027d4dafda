//===- LaunchLoops.h - Loops that launch a part of a nest -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_LAUNCHLOOPS_H
#define CONVOPT_NEST_LAUNCHLOOPS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// Loops of a nest in each of whose iterations a launcher runs a part of it.
struct LaunchLoops {
  /// Outermost first; parts that follow one another may share them.
  std::vector<const Loop *> loops;
  std::vector<std::string> names; // of those
  /// By the id of a loop that the part uses, the size of the part as which an
  /// iteration comes in: its last arguments.
  std::map<unsigned, unsigned> sizes;

  /// What the part has for \p v; none where that is no iteration of them.
  std::optional<IndexExpr> sizeOf(Var v) const {
    auto size = v.kind == Var::Loop ? sizes.find(v.id) : sizes.end();
    return size == sizes.end() ? std::nullopt
                               : std::optional(IndexExpr::param(size->second));
  }
};

} // namespace convopt

#endif // CONVOPT_NEST_LAUNCHLOOPS_H
