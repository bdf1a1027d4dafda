//===- PackKernels.h - Kernels that fill the launcher's buffers -*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_PACKKERNELS_H
#define CONVOPT_LIB_LOWER_PACKKERNELS_H

#include "HostBuffers.h"
#include "PackPlan.h"

namespace convopt::lower {

/// The kernels that fill buffers from arrays in another order. Where the first
/// dimension becomes the last one, they transpose a matrix, in squares that
/// shared memory holds, so that reads and writes are coalesced. Elsewhere
/// threads have columns of the buffer (PackPlan): writes are coalesced, and
/// reads that are not find the rest of their sectors in a cache.
std::vector<FunctionDefinition> lowerPackKernels(const Context &c,
                                                 const Names &names);

/// `conv_tiled_pack_w_g<int, float>`; \p offset is that of kernelArguments.
std::string packKernel(const Context &c, const Array &buffer,
                       const std::string &offset);
/// The blocks that pack \p buffer.
Expr packBlocks(const Context &c, const HostBuffer &buffer, const Names &names);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_PACKKERNELS_H
