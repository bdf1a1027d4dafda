//===- BulkCopies.h - TMA bulk copies ---------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_BULKCOPIES_H
#define CONVOPT_LIB_LOWER_BULKCOPIES_H

#include "KernelBody.h"

namespace convopt::lower {

/// Whether TMA fills the buffer of \p c where it can.
bool isByTma(const Nest &nest, const Copy &c);

/// Refuses (rule "limit") units of other than 16 bytes.
llvm::Error checkBulkUnits(const Nest &nest);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_BULKCOPIES_H
