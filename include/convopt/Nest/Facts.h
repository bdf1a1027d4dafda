//===- Facts.h - Sizes of which something is known --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_FACTS_H
#define CONVOPT_NEST_FACTS_H

#include "convopt/Nest/Nest.h"
#include "llvm/Support/Error.h"

namespace convopt {

/// A nest that computes the same as another where the facts hold, and only
/// there: a launcher checks them before it relies on any size of the nest.
struct SpecialNest {
  Nest nest;
  std::vector<Assumption> facts; // over parameters without a definition
};

/// Parses `K=7`, `C>=4`, `W%4=0`: an affine comparison (`=`, `==`, `<`, `<=`,
/// `>`, `>=`) over the parameters of \p nest, or what the source calls them.
/// Refuses (rule "usage") what is none, and unknown names with the list of
/// parameters.
llvm::Expected<Assumption> parseFact(const Nest &nest, llvm::StringRef text);

/// \p text with the names of sizes in place of what the source calls those that
/// are parts of a parameter: `p_width` for `p.width`.
std::string withSizeNames(const Nest &nest, llvm::StringRef text);

/// What parseFact read, blanks around it taken off, with the names of sizes.
llvm::StringRef factText(const Assumption &fact);

/// \p nest where \p facts hold as well as its own assumptions. An equation that
/// gives a parameter without a definition, with coefficient 1, from earlier
/// ones is substituted everywhere but in the function's signature and launch;
/// the others become assumptions. Refuses (rule "usage") facts that contradict
/// one another, constants of the source or its assumptions.
llvm::Expected<SpecialNest> specialise(const Nest &nest,
                                       llvm::ArrayRef<Assumption> facts);

/// Whether the type of \p p is one of C's that has no negative values.
bool isUnsigned(const Param &p);

/// \p nest with \p facts as assumptions, nothing substituted.
Nest withAssumptions(const Nest &nest, llvm::ArrayRef<Assumption> facts);

/// The text of a fact as part of a name: `K=7` is "K7", `C>=4` is "Cge4".
std::string identifierOf(llvm::StringRef fact);

} // namespace convopt

#endif // CONVOPT_NEST_FACTS_H
