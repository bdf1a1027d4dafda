//===- Dependence.h - Exact dependences of a nest ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Flow, anti and output dependences between statement instances (Allen and
/// Kennedy, chapter 2), their direction and distance vectors, and what they
/// say of each loop.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_DEPENDENCE_DEPENDENCE_H
#define CONVOPT_DEPENDENCE_DEPENDENCE_H

#include "convopt/Nest/Nest.h"
#include "llvm/Support/Error.h"

namespace convopt {

enum class DependenceKind : uint8_t { Flow, Anti, Output };
enum class Direction : uint8_t { Equal, Less, Greater, Star };

/// All dependences of one kind between two accesses that share a direction
/// vector over their common loops.
struct Dependence {
  DependenceKind kind;
  unsigned source, sink; // statement ids
  unsigned array;
  bool reduction;              // both are the same `op=` into the same cell
  std::vector<unsigned> loops; // common original loops, outermost first
  std::vector<Direction> direction;             // parallel to loops
  std::vector<std::optional<int64_t>> distance; // sink - source where constant
  SourceRange sourceRange, sinkRange;
};

/// What the dependences say of one loop.
struct LoopFacts {
  unsigned loop;
  bool parallel;  // carries no dependence at all
  bool reduction; // carries dependences, all of them of reductions
};

/// Operations of isl for one question. A check of a fourteen-loop tiled
/// convolution takes some ten thousand; all of them take some seconds.
inline constexpr unsigned long DefaultMaxOperations = 2'000'000;

/// The dependences of an original nest, computed once. Immutable and shared.
class DependenceAnalysis {
public:
  /// Refuses (rule "analysis") where isl has not answered a question after
  /// \p maxOperations; questions of legality have the same limit. 0: none.
  static llvm::Expected<DependenceAnalysis>
  compute(const Nest &original,
          unsigned long maxOperations = DefaultMaxOperations);

  const std::vector<Dependence> &dependences() const;
  std::vector<LoopFacts> loopFacts() const; // original loops, program order
  bool isParallel(unsigned loop) const;
  /// Numbers of the statements that have no instance whatever the sizes that
  /// the assumptions allow, as those of sides that never meet.
  std::vector<unsigned> deadStatements() const;

  /// The text of `-emit=dependences`: the nest with `// parallel` and
  /// `// sequential (reduction)` per loop and the direction vector per
  /// statement as in the thesis' figures 4 and 5, then each dependence, then
  /// the direction matrix of its section 3.3.
  void print(llvm::raw_ostream &os) const;

  struct Impl; // isl objects; only lib/Dependence and lib/Legality look inside
  const Impl &impl() const { return *p; }

private:
  std::shared_ptr<const Impl> p;
};

/// "isl 0.25", for `-version`.
std::string islVersion();

} // namespace convopt

#endif // CONVOPT_DEPENDENCE_DEPENDENCE_H
