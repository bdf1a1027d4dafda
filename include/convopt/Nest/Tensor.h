//===- Tensor.h - Boxes of a TMA tensor copy --------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a TMA tensor copy of sm_90 can bring as one: a box of an array of
/// up to five dimensions, with zeros for what the array does not have.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_TENSOR_H
#define CONVOPT_NEST_TENSOR_H

#include "convopt/Nest/Nest.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// Elements of a box along one dimension, at most.
constexpr int64_t LargestTensorExtent = 256;

struct TensorBox {
  std::vector<int64_t> extents; // elements, by dimension of the array
  /// What must be multiples of the buffer's vector for the rows of array and
  /// box to begin at multiples of 16 bytes, over parameters: what the nest does
  /// not prove. That the array begins at one comes on top.
  std::vector<IndexExpr> multiples;
};

/// The box of \p c, whose buffer's vector is 16 bytes. Refuses (rule "Storage")
/// what TMA cannot bring as one: a copy from a buffer, a constant
/// outside of the array that is not zero, more than five dimensions or none, an
/// extent that is not constant or more than LargestTensorExtent, and rows that
/// are no multiples of 16 bytes, of the box or of the array, or begin between
/// them, whatever the sizes.
llvm::Expected<TensorBox> tensorBoxOf(const Nest &nest, const Copy &c);

/// Whether the constant \p text of \p nest is zero, as what TMA fills in.
bool isZeroText(const Nest &nest, llvm::StringRef text);

} // namespace convopt

#endif // CONVOPT_NEST_TENSOR_H
