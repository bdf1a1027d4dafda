//===- SplitSum.cpp - Sums that threads or blocks share -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/SplitSum.h"
#include "convopt/Nest/Tensor.h"

using namespace llvm;

namespace convopt {

bool holdsLoop(const NodeRef &node, unsigned id) {
  return any_of(collect<Loop>({node}),
                [&](const Loop *l) { return l->id == id; });
}

namespace {

/// How the statements of a body use an array.
struct Uses {
  unsigned statements = 0;
  bool isRead = false, isSet = false, isUpdated = false;
  std::optional<Statement::Op> update; // one that all updates are a part of
  bool areAlike = true;

  void note(const Statement &s, unsigned array) {
    const bool writes = s.target.array == array;
    statements += touches(s, array);
    isRead |= reads(s, array);
    isSet |= writes && !s.isReduction();
    if (!writes || !s.isReduction())
      return;
    const auto op = s.op == Statement::Op::Sub ? Statement::Op::Add : s.op;
    areAlike &= !update || *update == op;
    update = op;
    isUpdated = true;
  }
};

} // namespace

static Uses usesOf(const Body &body, unsigned array) {
  Uses uses;
  for (const Statement *s : collect<Statement>(body))
    uses.note(*s, array);
  return uses;
}

Statement::Op operationOf(const Loop &loop, unsigned sum) {
  return *usesOf(loop.body, sum).update;
}

bool mayBeginEach(const Nest &nest, const Statement &first, Statement::Op op) {
  return op == Statement::Op::Max || op == Statement::Op::Min ||
         (op == Statement::Op::Add && first.operands.empty() &&
          isZeroText(nest, first.text));
}

std::string neutralOf(Statement::Op op, StringRef type) {
  if (op == Statement::Op::Mul)
    return "1";
  if (op != Statement::Op::Add)
    return "";
  // A zero that keeps the sign of one that is added to it.
  return type == "float" || type == "double" ? "-0.0f" : "0";
}

/// The bodies that declare \p array.
static std::vector<const Body *> declaring(const Body &body, unsigned array) {
  std::vector<const Body *> all;
  auto look = [&](const Body &b) {
    for (const Local *l : select<Local>(b))
      if (l->array == array)
        all.push_back(&b);
  };
  look(body);
  walk(body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const Body *inner = bodyOf(n))
      look(*inner);
  });
  return all;
}

/// \p loop has all updates of the element of \p body that holds it, and what
/// comes before only sets the array.
static bool isSplittable(const Body &body, const Loop &loop, unsigned array) {
  const auto at =
      find_if(body, [&](const NodeRef &n) { return holdsLoop(n, loop.id); });
  if (at == body.end())
    return false;
  const Uses before = usesOf(Body(body.begin(), at), array),
             within = usesOf({*at}, array), inLoop = usesOf(loop.body, array);
  return !before.isRead && !before.isUpdated && inLoop.isUpdated &&
         inLoop.areAlike && !inLoop.isRead && !inLoop.isSet &&
         within.statements == inLoop.statements;
}

std::vector<unsigned> splittableSums(const Nest &nest, const Loop &loop) {
  std::vector<unsigned> sums;
  for (unsigned k = 0; k != nest.arrays.size(); ++k) {
    if (!nest.arrays[k].isLocal() || nest.arrays[k].buffer)
      continue;
    const std::vector<const Body *> bodies = declaring(nest.body, k);
    if (bodies.size() == 1 && isSplittable(*bodies.front(), loop, k))
      sums.push_back(k);
  }
  return sums;
}

const Loop *splitLoop(const Nest &nest) {
  for (const Loop *l : loops(nest))
    if (isParallel(l->kind) && !splittableSums(nest, *l).empty())
      return l;
  return nullptr;
}

} // namespace convopt
