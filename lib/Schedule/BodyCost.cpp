//===- BodyCost.cpp - What an unrolled body comes to ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BodyCost.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/MathFunctions.h"
#include "convopt/Source/CExpr.h"

using namespace llvm;

namespace convopt {

/// Instructions of a division or of a function such as expf: of divisions and
/// roots 16, of exponentials 9 (on an H200).
static constexpr int64_t InstructionsOfCall = 16;

/// The last guard of \p enclosing; null where there is none.
static const Node *guardOf(const std::vector<NodeRef> &enclosing) {
  auto guard = find_if(reverse(enclosing),
                       [](const NodeRef &e) { return isa<Guard>(e.get()); });
  return guard == enclosing.rend() ? nullptr : guard->get();
}

/// Calls \p visit with each sum in \p l and the last guard around it.
static void forSums(const Loop &l,
                    function_ref<void(const Statement &, const Node *)> visit) {
  walk(l.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *s = dyn_cast<Statement>(&n);
    if (s && s->accumulates())
      visit(*s, guardOf(enclosing));
  });
}

/// Whether the function \p name is code of its own, and no few instructions.
static bool isLong(StringRef name) {
  constexpr unsigned ofLibrary = 8;
  return isMathFunction(name) &&
         (roundingsOf(name) == ofLibrary || ofDoubles(name) == "sqrt");
}

int64_t longOperationsIn(const Statement &s) {
  int64_t count = 0;
  parseCExpr(s.text).walk([&](const CExpr &e) {
    count += e.isBinary({"/"}) || (e.kind == CExpr::Call && isLong(e.callee()));
  });
  return count;
}

int64_t productsOf(const Loop &l) {
  std::map<const Node *, int64_t> products;
  int64_t most = 1, longOnes = 0;
  for (const Statement *s : collect<Statement>(l.body))
    longOnes += longOperationsIn(*s);
  forSums(l, [&](const Statement &s, const Node *guard) {
    const int64_t reads = accessesOf(s).size() - 1;
    products[guard] += std::max<int64_t>(reads / 2, 1);
    most = std::max(most, products[guard]);
  });
  return most + OfCall * longOnes;
}

/// Of a statement: additions, into which as many multiplications are fused, and
/// the code of divisions and calls.
static int64_t instructionsOf(const Statement &s) {
  int64_t additions = s.isReduction(), products = 0;
  parseCExpr(s.text).walk([&](const CExpr &e) {
    additions += e.isBinary({"+", "-"});
    products += e.isBinary({"*"});
  });
  return std::max(additions, products) +
         InstructionsOfCall * longOperationsIn(s);
}

int64_t instructionsOf(const Loop &l) {
  std::map<const Node *, int64_t> ofCase;
  int64_t most = 0, ofAll = 0;
  walk(l.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *s = dyn_cast<Statement>(&n);
    if (!s)
      return;
    const int64_t own = instructionsOf(*s);
    const Node *guard = guardOf(enclosing);
    if (guard)
      most = std::max(most, ofCase[guard] += own);
    else
      ofAll += own;
  });
  return std::max<int64_t>(ofAll + most, 1);
}

int64_t casesOf(const Loop &l) {
  std::set<const Node *> guards;
  forSums(l,
          [&](const Statement &, const Node *guard) { guards.insert(guard); });
  return std::max<int64_t>(guards.size(), 1);
}

int64_t cellsOf(const Nest &nest, const Loop &l) {
  std::set<unsigned> arrays;
  forSums(l, [&](const Statement &s, const Node *) {
    arrays.insert(s.target.array);
  });
  int64_t all = 0;
  for (unsigned array : arrays) {
    int64_t cells = 1;
    for (const IndexExpr &e : nest.arrays[array].extents)
      if (nest.arrays[array].isLocal())
        cells *= std::clamp<int64_t>(e.asConstant().value_or(1), 1, INT16_MAX);
    all += cells;
  }
  return std::max<int64_t>(all, 1);
}

int64_t sumsOf(const Nest &nest, function_ref<bool(const Loop &)> isOfSum) {
  std::set<unsigned> loops;
  for (const StatementPath &p : statements(nest)) {
    if (!p.statement->accumulates())
      continue;
    const std::vector<const Loop *> around = loopsAmong(p.enclosing);
    auto outermost = find_if(around, [&](auto *l) { return isOfSum(*l); });
    if (outermost != around.end())
      loops.insert((*outermost)->id);
  }
  return std::max<int64_t>(loops.size(), 1);
}

} // namespace convopt
