//===- Terms.h - What index expressions are made of -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_TERMS_H
#define CONVOPT_NEST_TERMS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// \p m, \p coefficient times.
IndexExpr term(const Monomial &m, int64_t coefficient = 1);

/// Not negative where an integer i with \p lower <= i < \p upper exists, and
/// nowhere else.
IndexExpr hasOne(const Bound &lower, const Bound &upper);

} // namespace convopt

#endif // CONVOPT_NEST_TERMS_H
