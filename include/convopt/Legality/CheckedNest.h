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

private:
  friend class Pipeline;
  CheckedNest(Nest nest, Nest source)
      : checked(std::move(nest)), original(std::move(source)) {}

  Nest checked, original;
};

} // namespace convopt

#endif // CONVOPT_LEGALITY_CHECKEDNEST_H
