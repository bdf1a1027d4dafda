//===- Tree.h - Where everything in a nest stands ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The leaves of a nest with their loops, guards and positions: what the 2d+1
/// time vector and the scopes of local arrays are made from.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_DEPENDENCE_TREE_H
#define CONVOPT_LIB_DEPENDENCE_TREE_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// A node's place: `position[0], loops[0], position[1], loops[1], ...,
/// position[loops.size()]` is its time vector. Positions count the nodes of a
/// loop's body; a guard's body counts with the body that holds the guard.
struct Place {
  std::vector<const Loop *> loops; // outermost first
  std::vector<const Guard *> guards;
  std::vector<unsigned> position; // one more than loops
};

/// A declaration of a local array. Each execution of it, one for each
/// iteration of the loops around it, makes the array anew.
struct Declaration {
  const Local *node;
  std::vector<const Loop *> home;
};

struct Occurrence {
  const Statement *statement;
  Place place;
  /// The index in Tree::declarations of each local array in scope, by array.
  std::map<unsigned, unsigned> scope;
};

/// A copy and where it stands; `scope` as of an occurrence. One that stores is
/// a copy site of the array as well.
struct CopySite {
  const Copy *copy;
  Place place;
  std::map<unsigned, unsigned> scope;
};

/// Pointers are into the nest that was scanned, which must outlive the tree.
struct Tree {
  std::vector<Occurrence> occurrences; // program order
  std::vector<Declaration> declarations;
  std::vector<Place> barriers;
  std::vector<CopySite> copySites; // program order
  std::vector<CopySite> stores;
};

Tree scan(const Nest &nest);

/// How many loops from the outside \p a and \p b share.
unsigned commonLoops(const Place &a, const Place &b);

/// True where \p a stands before \p b in the text, given that both are in the
/// same iteration of their \p common loops.
bool precedes(const Place &a, const Place &b, unsigned common);

} // namespace convopt

#endif // CONVOPT_LIB_DEPENDENCE_TREE_H
