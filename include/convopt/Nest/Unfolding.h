//===- Unfolding.h - What lies at coordinates -------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_UNFOLDING_H
#define CONVOPT_NEST_UNFOLDING_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// The subscripts of the element that lies at \p coordinates of an unfolded
/// buffer, where \p known has iterators whose values have another form.
std::vector<IndexExpr>
elementAt(const Unfolding &u, llvm::ArrayRef<IndexExpr> coordinates,
          const std::map<unsigned, IndexExpr> &known = {});

} // namespace convopt

#endif // CONVOPT_NEST_UNFOLDING_H
