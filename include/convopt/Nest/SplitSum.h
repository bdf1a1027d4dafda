//===- SplitSum.h - Sums that threads or blocks share -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops over threads of a block, or over blocks, that stand within what one
/// thread runs. Each of these threads adds up its part of a sum, which all of
/// them set at first; after the last term the block, or another kernel, adds up
/// the parts, in an order that is the same in each run, and the first thread
/// has the result. Where the loop is atomic (Loop::isAtomic) each thread adds
/// its part to what the sum is stored to, in no order:
///
///   local sum
///   S0: sum = 0                      // in each thread
///   for c_o in 0 .. 16 {
///     for c_t in 0 .. 4 block.z {
///       S1: sum += x[4 * c_o + c_t]  // a part in each thread
///     }
///   }
///   S2: y = sum                      // of the first thread
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_SPLITSUM_H
#define CONVOPT_NEST_SPLITSUM_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// The locals of a thread of \p nest to which \p loop adds terms and which have
/// no other use before all terms are added: each may be the sum of one for each
/// iteration of \p loop. None where \p loop stands outside of the declaration.
std::vector<unsigned> splittableSums(const Nest &nest, const Loop &loop);

/// The loop of \p nest whose threads or blocks share sums; null without.
const Loop *splitLoop(const Nest &nest);

/// The operation by which \p loop adds terms to \p sum; that of differences is
/// Add, too.
Statement::Op operationOf(const Loop &loop, unsigned sum);

/// What an element of \p type may hold besides so that a sum by \p op stays the
/// same, as source text; empty where nothing is known to do that.
std::string neutralOf(Statement::Op op, llvm::StringRef type);

/// Whether each part of a sum by \p op may begin with what \p first sets the
/// sum to: a zero that is added to, or a maximum's first value.
bool mayBeginEach(const Nest &nest, const Statement &first, Statement::Op op);

/// Whether \p node is the loop \p id or holds it.
bool holdsLoop(const NodeRef &node, unsigned id);

} // namespace convopt

#endif // CONVOPT_NEST_SPLITSUM_H
