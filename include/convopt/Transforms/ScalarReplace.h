//===- ScalarReplace.h - Sum in a register ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_SCALARREPLACE_H
#define CONVOPT_TRANSFORMS_SCALARREPLACE_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

/// Whether elements of \p array in memory are sums, or other values that loops
/// make of the old ones (Statement::accumulates).
bool isSummedInMemory(const Nest &nest, unsigned array);

/// Accumulates the element of \p array that a reduction adds into, or that is
/// made of its old value otherwise, in a local of the same type instead (scalar
/// replacement: Callahan, Carr and Kennedy). The local lives around the loops
/// that the element does not depend on; it starts from the element, or from
/// what the first statement there assigns to it, and is stored at the end.
///
/// This changes statements, so it is for a nest as written, before any other
/// pass, and its condition is exact: within those loops every access to the
/// array has the same subscripts. Refuses (rule "structure") where that fails,
/// and where no loop would gain.
llvm::Expected<Nest> scalarReplace(const Nest &nest, unsigned array);

/// `scalar-replace=ARRAY`
extern const Pass scalarReplacePass;

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_SCALARREPLACE_H
