//===- Reference.h - The nest as sequential C++ -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_REFERENCE_H
#define CONVOPT_LIB_VERIFY_REFERENCE_H

#include "convopt/Nest/Nest.h"

namespace convopt::verify {

/// Names of the driver that no macro or declaration of the user has.
std::string driverName(const Nest &nest, Var v);
std::string arrayName(const Array &array);

/// \p e over driverName in C++, all in int64_t and exact for negative values.
std::string exprText(const Nest &nest, const IndexExpr &e);

/// Whether no element is an integer or becomes one.
bool isFloating(const Nest &nest);

/// What convopt_verify::coverage counts: each statement of \p nest, and after
/// it its reads under guards.
std::vector<std::string> coverageNames(const Nest &nest);

/// The loops and statements of \p nest as the body of a function that computes
/// convopt_verify::Bounded values (DriverBounds.h), indented by \p indent.
std::string referenceBody(const Nest &nest, unsigned indent);

/// \p nest, which is as its source has it, with guards in place of those bounds
/// of a loop that stand still where another one slides:
/// `for i in max(y - P, 0) .. min(y + K - P, H)` passes over the rows that
/// guards for padding would keep out, so that both are verified alike.
Nest withLimitsAsGuards(Nest nest);

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_REFERENCE_H
