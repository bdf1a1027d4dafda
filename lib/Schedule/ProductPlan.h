//===- ProductPlan.h - What -algorithm=product stands for -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_PRODUCTPLAN_H
#define CONVOPT_LIB_SCHEDULE_PRODUCTPLAN_H

#include "convopt/Schedule/Request.h"
#include "convopt/Schedule/Roles.h"

namespace convopt {

/// Steps and the cycles of a multiprocessor that they are estimated to take.
struct ProductPlan {
  std::vector<Step> steps;
  double cycles = 0;
  bool isKnown = false;    // all sizes that the estimate is made of
  int64_t matrixBytes = 0; // of the image's matrix in memory; 0: there is none
};

struct ProductOptions {
  Boundary boundary = Boundary::Recompute;
  bool mayShare = false; // several blocks each sum, as it may be reordered
  bool isMade = false;   // the image's matrix, before (explicit im2col)
};

/// The steps that run the sum of \p nest, as written, as a product of matrices:
/// of an array that the channel (Roles::z) uses by one that the other parallel
/// loops use, which become one loop. Neither matrix need be made; blocks stage
/// tiles of both (implicit GEMM). The tile is the one of a few that is
/// estimated to be the cheapest, which \p remarks say.
///
/// Refuses (rule "structure") a nest that is no such product, or whose rows,
/// columns or filters have no size that is known.
llvm::Expected<ProductPlan> planProduct(const Nest &nest, const Roles &roles,
                                        const ProductOptions &options,
                                        const Gpu &gpu, Remarks &remarks);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_PRODUCTPLAN_H
