//===- TensorCopies.h - TMA tensor copies -----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The launcher describes an array and a box of it to TMA by a tensor
/// map, which the kernel takes as a parameter; a copy gives it the coordinates
/// of a box. Barriers and waits are those of bulk copies (BulkCopies.h).
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_TENSORCOPIES_H
#define CONVOPT_LIB_LOWER_TENSORCOPIES_H

#include "Names.h"
#include "convopt/Nest/Tensor.h"
#include <set>

namespace convopt::lower {

struct Context;

struct TensorCopy {
  const Copy *copy;
  TensorBox box;
};
/// The copies of \p nest that TMA makes where it can.
std::vector<TensorCopy> tensorCopies(const Nest &nest);

/// A parameter of the kernel, and a variable of the launcher, for each.
using TensorMaps = std::vector<std::pair<const Copy *, program::Expr>>;
TensorMaps nameTensorMaps(const Nest &nest, Names &names);

/// `f_tiled_encode(&in_map, in, {H, W}, {8, 132})` for all: whether TMA
/// can be told; or nothing.
program::Expr encoded(const Context &c, const Names &names);
} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_TENSORCOPIES_H
