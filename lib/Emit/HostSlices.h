//===- HostSlices.h - What a stream's launch uses of host arrays -*- C++-*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_HOSTSLICES_H
#define CONVOPT_LIB_EMIT_HOSTSLICES_H

#include "HostCode.h"

namespace convopt::emit {

/// The rows of an array that an iteration of the loop over streams uses, rows
/// being what one index of dimension `dim` stands for; the dimensions before it
/// have one element. In the host's memory they lie in one piece, and are copied
/// while other iterations compute.
struct HostSlice {
  const Argument *argument;
  const Array *array;
  unsigned dim = 0;
  IndexExpr first, end; // over parameters and the loop; may pass the array
  /// Of an input: iterations share rows. Each copies those that the one before
  /// has not.
  bool overlaps = false;
  Expr host = {}; // the parameter that holds the host's array

  bool isOutput() const { return array->role == Array::Output; }
};

/// Whether the first element of \p array is touched wherever any is.
bool beginsAtBase(const Context &c, unsigned array);

/// The arrays that can be copied in slices, where the outermost loop of the
/// host is one over streams: inputs of which the rows move on with the loop,
/// and outputs of which iterations write rows of their own. The rest is copied
/// whole, before or after all launches. An array that is read and written is,
/// too: what the host has stays as it is until all went well.
std::vector<HostSlice> hostSlices(const Context &c);

/// The same with names for parameters, where the host function copies so: of a
/// nest with one kernel.
std::vector<HostSlice> overlappedSlices(const Context &c, Names &names);

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_HOSTSLICES_H
