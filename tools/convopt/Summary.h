//===- Summary.h - What a run made ------------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_SUMMARY_H
#define CONVOPT_TOOLS_CONVOPT_SUMMARY_H

#include "PlannedFile.h"

namespace convopt {

/// Prints what one kernel is, on a line: its sizes, block and register tile,
/// where the inputs of its sums are kept, and which sizes would keep the others
/// there, if they were known. Plans kernels to see whether they would.
///
///   conv_tiled_K3: for K=3; 32 x 8 threads a block, 8 outputs a thread (x 4,
///   m 2); 'in', 'w' in shared memory
///
/// \p kernel is one of \p file.
void printSummary(const PlannedFile &file, const PlannedKernel &kernel,
                  llvm::raw_ostream &os);

/// `9 blocks a sum, added up in a fixed order: the same bits in each run` where
/// threads or blocks share sums; else nothing.
std::string sharesOfSum(const Nest &nest);

/// `K=7, C>=4`
std::string printFacts(const PlannedKernel &kernel);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_SUMMARY_H
