//===- Unfold.h - An element for each iteration that reads ------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_TRANSFORMS_UNFOLD_H
#define CONVOPT_LIB_TRANSFORMS_UNFOLD_H

#include "convopt/Nest/Nest.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// The coordinates of what \p s reads by \p access: the iterators that the
/// subscripts use, those that a fused loop stands for as one. Where there
/// are \p names of iterators, a subscript that adds up several others is a
/// coordinate itself, after those of iterators. Coordinates of which threads
/// have different values come last, so that these lie next to one another.
/// Names that coordinates need are added to \p named.
///
/// Refuses (rule "structure") names of what no subscript adds to another
/// iterator, and iterators whose quotients are not those of fused loops.
llvm::Expected<Unfolding> unfold(Nest &named, const Statement &s,
                                 const Access &access,
                                 llvm::ArrayRef<std::string> names);

} // namespace convopt

#endif // CONVOPT_LIB_TRANSFORMS_UNFOLD_H
