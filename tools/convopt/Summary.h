//===- Summary.h - What a run made ------------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_SUMMARY_H
#define CONVOPT_TOOLS_CONVOPT_SUMMARY_H

#include "convopt/Schedule/PlannedKernel.h"

namespace convopt {

/// Prints what one kernel is, on a line: its sizes, block and register tile,
/// where the inputs of its sums are kept, and what would keep the others there:
///
///   conv_tiled_K3: for K=3; 32 x 8 threads a block, 8 outputs a thread (x 4,
///   m 2); 'in', 'w' in shared memory
///
/// \p name is the kernel's; the last one takes the sizes that no other does.
void printSummary(const PlannedKernel &kernel, llvm::StringRef name,
                  bool isLast, llvm::raw_ostream &os);

/// `9 blocks a sum, added up in order: the same bits in each run` where threads
/// or blocks share sums; else nothing.
std::string sharesOfSum(const Nest &nest);

/// `K=7, C>=4`
std::string printFacts(const PlannedKernel &kernel);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_SUMMARY_H
