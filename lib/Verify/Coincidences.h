//===- Coincidences.h - Sizes that are told apart ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_COINCIDENCES_H
#define CONVOPT_LIB_VERIFY_COINCIDENCES_H

#include "NestSample.h"
#include "convopt/Verify/Verify.h"
#include "llvm/ADT/BitVector.h"

namespace convopt::verify {

/// Which sizes some shape tells from others, at each place of a kernel that it
/// comes to: where a padding is half the filter in each such shape, code may
/// take one for the other.
class Coincidences {
public:
  explicit Coincidences(const Nest &nest) : nest(nest) {}

  /// What one shape tells apart, and where.
  struct Told {
    std::vector<Feature> places;
    llvm::BitVector apart;
  };
  Told told(const Shape &shape, const Features &features) const;

  /// How much of that no shape has told.
  unsigned news(const Told &told) const;
  void see(const Told &told);

private:
  const Nest &nest;
  std::map<Feature, llvm::BitVector> seen; // by place
};

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_COINCIDENCES_H
