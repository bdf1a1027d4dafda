//===- ShapeCheck.h - What a shape makes of a nest --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_SHAPECHECK_H
#define CONVOPT_LIB_VERIFY_SHAPECHECK_H

#include "convopt/Verify/Verify.h"

namespace convopt::verify {

/// The value of every parameter by id, definitions included; none for those
/// that \p shape does not decide.
std::vector<std::optional<int64_t>> paramValues(const Nest &nest,
                                                const Shape &shape);

/// The value of \p e over parameters where all of them are known.
std::optional<int64_t> evaluate(const IndexExpr &e,
                                llvm::ArrayRef<std::optional<int64_t>> values);
/// Whether \p c, over parameters, is known to hold.
bool holds(const Constraint &c, llvm::ArrayRef<std::optional<int64_t>> values);

/// What \p p is drawn among: the two values of a flag, the enumerators of a
/// template's enumeration. Others are any numbers, for which there is nothing.
std::vector<int64_t> valuesAmong(const Param &p);
bool isAmong(const Param &p, int64_t value);

/// Template arguments that are no sizes and have to be spelled.
std::vector<std::string> spelledArguments(const Nest &nest);

/// What the template argument \p name is where nothing says so: a type that
/// the nest computes with (float where it may be that), else 1.
std::string usualArgument(const Nest &nest, llvm::StringRef name);

/// Every size given and in the range of its type, every assumption of \p nest
/// kept, every array that is used there and of at least one element, unless it
/// \p mayBeEmpty; refused (rule "shape").
llvm::Error checkShape(const Nest &nest, const Shape &shape,
                       bool mayBeEmpty = false);

/// "H=33 W=40 T=float", in the order of the parameters.
std::string printShape(const Nest &nest, const Shape &shape);

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_SHAPECHECK_H
