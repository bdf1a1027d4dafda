//===- Impl.h - The relations behind a DependenceAnalysis -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What Dependence keeps for Legality: domains and dependence relations of the
/// original nest as isl objects.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_DEPENDENCE_IMPL_H
#define CONVOPT_LIB_DEPENDENCE_IMPL_H

#include "IslModel.h"
#include "Tree.h"
#include "convopt/Dependence/Dependence.h"

namespace convopt {

/// A statement of the original nest; its instances are its iterations.
struct OriginalStatement {
  const Occurrence *occurrence;
  LoopSpace space;
  Domain domain;
};

/// One access of a statement: what it touches, and where.
struct AccessRelation {
  unsigned statement; // index into Impl::statements
  const Access *access;
  bool isWrite;
  bool isReductionTarget; // the element that `op=` reads and writes
  unsigned declaration;   // of a local array, else 0
  /// Iterations to cell. The cell of a local array begins with the iteration
  /// of the loops around its declaration: it is made anew by each. A subscript
  /// that is not affine may be anything.
  isl::map cells;
  bool isExact; // no subscript may be anything
};

/// A dependence between two accesses.
struct Relation {
  DependenceKind kind;
  unsigned source, sink; // indices into Impl::statements
  const Access *sourceAccess, *sinkAccess;
  bool reduction;
  /// By the common loop that carries it, the last one in the same iteration of
  /// all; none where there is no such instance. Bounds are left out: they are
  /// those of the statements' domains.
  std::vector<std::optional<isl::map>> levels;
  /// The union of the levels.
  isl::map map;
  /// By common loop: every pair is in one iteration of it.
  std::vector<bool> equal;
  /// An earlier relation that has the same statements, array and map, and is
  /// dropped under the same conditions: order has nothing new to ask.
  std::optional<unsigned> repeats = {};
};

struct LegalityMemo;

struct DependenceAnalysis::Impl {
  Impl(const Nest &original, unsigned long maxOperations)
      : context(maxOperations), nest(original), params(context.get(), nest) {}

  IslContext context; // first, so that it goes last
  Nest nest;
  mutable ParamTable params;
  std::optional<isl::set> assumptions; // over parameters; always set
  Tree tree;
  std::vector<OriginalStatement> statements; // program order
  std::vector<Relation> relations;
  std::vector<Dependence> rows;
  /// What Legality keeps from one question to the next.
  mutable std::shared_ptr<LegalityMemo> memo;

  /// The index of statement S<id>.
  std::optional<unsigned> find(unsigned id) const;
};

/// What each relation stands for, one dependence for each level.
std::vector<Dependence> rowsOf(const DependenceAnalysis::Impl &impl);

/// The common loop that carries \p d; none in one iteration of all.
std::optional<unsigned> carrier(const Dependence &d);

/// What the rows say of each loop, in program order.
std::vector<LoopFacts> loopFacts(const DependenceAnalysis::Impl &impl);

/// "flow", "anti" or "output".
llvm::StringRef str(DependenceKind kind);
/// "(=,=,<,*)".
std::string str(llvm::ArrayRef<Direction> direction);

} // namespace convopt

#endif // CONVOPT_LIB_DEPENDENCE_IMPL_H
