//===- ReferenceNest.h - The nest in double, with error bounds --*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_REFERENCENEST_H
#define CONVOPT_VERIFY_REFERENCENEST_H

#include "convopt/Nest/Nest.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// \p original with every sum and every output in double, and beside each an
/// array `<name>_magnitude` that holds what the value would be with every term
/// positive: in less precision the error of a sum is at most about
/// `depth * epsilon * magnitude`. Each magnitude of an argument becomes an
/// argument after those of \p original, in the order of the arrays.
///
/// Its emitted form is the reference that runs on the device: from the nest
/// as written, and by none of the transformations that are measured.
///
/// Refuses (rule "reference") maxima and minima over a loop, for which there
/// is no such bound, and elements that are not floating-point numbers; a type
/// that is a template parameter is taken for one.
llvm::Expected<Nest> referenceNest(const Nest &original);

/// How many roundings stand between an output of \p original and its inputs,
/// for \p values of its parameters by id.
double sumDepth(const Nest &original, llvm::ArrayRef<int64_t> values);

/// Whether every statement is exact on small integers.
bool isExactOnIntegers(const Nest &original);

} // namespace convopt

#endif // CONVOPT_VERIFY_REFERENCENEST_H
