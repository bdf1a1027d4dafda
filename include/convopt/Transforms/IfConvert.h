//===- IfConvert.h - Read zeros where a guard fails -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_IFCONVERT_H
#define CONVOPT_TRANSFORMS_IFCONVERT_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Takes away the guards around sums of products with an element of \p array:
/// where a guard does not hold, zero is read instead (if-conversion: Allen,
/// Kennedy, Porterfield and Warren). Guards that hold other statements stay.
///
/// This changes statements, so it is for a nest as written, before passes that
/// move them. That zero times the other factors adds nothing is for Legality
/// to say; \p isExact predicates the sums (Operand::isPredicate), so that they
/// are what they were whatever is added, but for sums of integers, which zeros
/// never change. Refuses (rule "structure") where no guard can go.
llvm::Expected<Nest> ifConvert(const Nest &nest, unsigned array, bool isExact);

/// `if-convert=ARRAY[,exact]`
extern const Pass ifConvertPass;
/// Whether \p words, of such a step, ask for exact sums.
bool asksExact(const StepWords &words);

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_IFCONVERT_H
