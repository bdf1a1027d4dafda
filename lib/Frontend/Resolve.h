//===- Resolve.h - Finishing a nest that was built --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_RESOLVE_H
#define CONVOPT_LIB_FRONTEND_RESOLVE_H

#include "NestBuilder.h"
#include "ThreadMapping.h"
#include "convopt/Frontend/Frontend.h"
#include "convopt/Nest/Prover.h"

namespace convopt {

/// One access to an array and where it runs.
struct ArrayUse {
  const Access *access;
  bool isWrite;
  const Statement *statement;
  ProofDomain domain; // with the guard of a guarded read
};

/// Accesses to array \p id in program order; a reduction's target is a write.
std::vector<ArrayUse> usesOf(const Nest &nest, unsigned id);

/// Leaves out statements that are a case (NestBuilder::caseOf) of what runs for
/// hardly any sizes: that there are none is a fact.
void dropRareCases(NestBuilder &b);

/// Leaves out what stands under guards that loops and guards around contradict,
/// as of a side that no border has: it touches nothing, so that arrays do not
/// reach as far as it would.
void dropImpossible(Nest &nest);

/// Has accesses that are in all cases of a statement run where that does.
void joinCases(std::vector<ArrayUse> &uses, const NestBuilder &b);

/// The loops that statements, guards and bounds of \p body use.
std::set<unsigned> usedLoops(const Body &body);

/// Moves each local of the source to the innermost body that holds its uses and
/// starts by assigning it, or that is of a loop in NestBuilder::setFirst with
/// it. Loops that follow one another have one each, if each assigns it first.
/// NestBuilder::initialisers are statements that a move makes dead.
void placeLocals(NestBuilder &b);

/// Has cases of a statement set one local where nothing reads what they set, as
/// of a field that is copied with its structure: they may be a border's.
void shareUnread(Nest &nest);

/// Writes what a scalar local is set to in the place of its reads, where that
/// is the same and loops within may compute it again. The value of a statement
/// that is not \p unconverted is converted to the local's type.
void forwardSubstitute(Nest &nest, const std::set<unsigned> &unconverted);

/// Makes one loop of tiles, which threads stand for, and of what is in each. It
/// is called by that of \p indices, variables and their values, that it is.
void joinTiles(Nest &nest,
               const std::vector<std::pair<std::string, IndexExpr>> &indices);

/// The parameter of \p nest that is defined as \p e, which has no names of such
/// parameters, or \p e.
IndexExpr named(const Nest &nest, const IndexExpr &e);

/// Makes two loops of one whose iterator is used as a quotient and a remainder.
/// One that becomes more than three is called by those of \p indices, variables
/// and their values, that its parts are the values of.
void splitLoops(Nest &nest,
                std::vector<std::pair<std::string, IndexExpr>> indices);

/// Refuses atomic additions of several threads to one element, whose order
/// nothing says: each thread's loop has a subscript of the element for itself.
llvm::Error checkAtomics(const NestBuilder &b);

/// \p body with one guard for each that held nothing but another.
Body mergeGuards(const Body &body);

/// \p body whose loops over sizes start at one of them: of `max(y0, 1)` one is
/// a guard. So they can be split into tiles, which are counted from a start.
Body guardStarts(const Body &body);

/// Gives every array its dimensions, extents and role; what is not proved
/// becomes an assumption, and what cannot be expressed is refused.
llvm::Error resolveArrays(NestBuilder &b);

/// Makes outputs of arrays that are overwritten, once cases are one statement.
void updateRoles(Nest &nest);

/// Adds `fact >= 0`, over parameters, unless it holds or is there already;
/// \p spanned as in Assumption.
void addAssumption(Nest &nest, const IndexExpr &fact, const llvm::Twine &why,
                   SourceRange where,
                   std::optional<unsigned> spanned = std::nullopt);

/// Everything after NestBuilder::build: threads, arrays, obligations; then
/// drops what is not used and numbers the rest in program order. A function
/// that is more than one loop is a nest where \p runsAsOne says so.
llvm::Error finishNest(NestBuilder &b, GetLaunchFacts launches,
                       const RunsAsOne &runsAsOne);

/// \p n with \p e applied to every expression in it, declarations included.
void mapExpressions(Nest &n,
                    llvm::function_ref<IndexExpr(const IndexExpr &)> e);
/// The same of \p body alone.
Body mapExpressions(const Body &body,
                    llvm::function_ref<IndexExpr(const IndexExpr &)> e);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_RESOLVE_H
