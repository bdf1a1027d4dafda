//===- Tree.cpp - Where everything in a nest stands -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tree.h"

using namespace llvm;

namespace convopt {

namespace {

class Scanner {
public:
  Tree tree;

  void scanBody(const Body &body, std::map<unsigned, unsigned> scope) {
    for (const NodeRef &node : body) {
      if (const auto *local = dyn_cast<Local>(node.get())) {
        scope[local->array] = tree.declarations.size();
        tree.declarations.push_back({local, place.loops});
        continue;
      }
      if (const auto *guard = dyn_cast<Guard>(node.get())) {
        place.guards.push_back(guard);
        scanBody(guard->body, scope);
        place.guards.pop_back();
        continue;
      }
      scanTimed(*node, scope);
      ++place.position.back();
    }
  }

private:
  void scanTimed(const Node &node, const std::map<unsigned, unsigned> &scope) {
    if (const auto *loop = dyn_cast<Loop>(&node)) {
      place.loops.push_back(loop);
      place.position.push_back(0);
      scanBody(loop->body, scope);
      place.position.pop_back();
      place.loops.pop_back();
    } else if (const auto *statement = dyn_cast<Statement>(&node)) {
      tree.occurrences.push_back({statement, place, scope});
    } else if (const auto *copy = dyn_cast<Copy>(&node)) {
      (copy->isStore ? tree.stores : tree.copySites)
          .push_back({copy, place, scope});
    } else {
      tree.barriers.push_back(place);
    }
  }

  Place place{{}, {}, {0}};
};

} // namespace

Tree scan(const Nest &nest) {
  Scanner scanner;
  scanner.scanBody(nest.body, {});
  return std::move(scanner.tree);
}

unsigned commonLoops(const Place &a, const Place &b) {
  unsigned n = 0;
  while (n < a.loops.size() && n < b.loops.size() && a.loops[n] == b.loops[n])
    ++n;
  return n;
}

bool precedes(const Place &a, const Place &b, unsigned common) {
  return a.position[common] < b.position[common];
}

} // namespace convopt
