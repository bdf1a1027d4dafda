//===- RandomNest.cpp - Small nests and steps at random -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomNest.h"
#include "convopt/Transforms/Distribute.h"
#include "convopt/Transforms/IfConvert.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/MapLoop.h"
#include "convopt/Transforms/RegisterTile.h"
#include "convopt/Transforms/Skew.h"
#include "convopt/Transforms/Stage.h"
#include "convopt/Transforms/StripMine.h"
#include "convopt/Transforms/Unroll.h"
#include "convopt/Transforms/Widen.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::test {

/// Sums of a few loops, never negative.
std::string RandomNest::subscript() {
  std::string text = std::to_string(20 + int(pick(3)) - 1);
  for (const std::string &l : loops)
    if (unsigned n = pick(10); n < 5)
      text += n == 0 ? " - " + l : n == 1 ? " + 2 * " + l : " + " + l;
  return text;
}

std::string RandomNest::element(bool mayBeInput) {
  switch (pick(mayBeInput ? 3 : 2)) {
  case 0:
    return "A[" + subscript() + "]";
  case 1:
    return "B[" + subscript() + "][" + subscript() + "]";
  default:
    return "C[" + subscript() + "][" + subscript() + "]";
  }
}

/// Different factors, so that no two operands can stand for one another.
std::string RandomNest::value() {
  std::string text = "3 * " + element(true);
  if (chance(50))
    text += " + 5 * " + element(true);
  if (chance(25))
    text += " - 7 * index(" + loops[pick(loops.size())] + ")";
  return text + " + 11";
}

void RandomNest::statement(const std::string &target, const std::string &rhs) {
  line("S" + std::to_string(statements++) + ": " + target + rhs);
}

void RandomNest::statement() {
  static const char *const ops[] = {" += ", " -= ", " *= "};
  std::string op = chance(65) ? " = " : ops[pick(3)];
  bool isGuarded = chance(10);
  if (isGuarded)
    line("if " + loops[pick(loops.size())] + " - " + std::to_string(pick(3)) +
         " >= 0 {");
  statement(element(false), op + value());
  if (isGuarded)
    line("}");
}

void RandomNest::open() {
  static const char *const names[] = {"i", "j", "k", "l"};
  std::string name = names[loops.size()];
  std::string lower = std::to_string(pick(2));
  std::string upper = std::to_string(2 + pick(4));
  if (!loops.empty() && chance(12))
    (chance(50) ? lower : upper) = loops[pick(loops.size())];
  // Distributed loops need names of their own.
  std::string unique = name;
  for (unsigned n = 2; StringRef(body).contains("for " + unique + " "); ++n)
    unique = name + std::to_string(n);
  line("for " + unique + " in " + lower + " .. " + upper + " {");
  loops.push_back(unique);
}

void RandomNest::close() {
  loops.pop_back();
  line("}");
}

/// A sum of products under a guard, as with zero padding.
void RandomNest::guardedProduct() {
  line("if " + loops.back() + " - " + std::to_string(1 + pick(3)) + " >= 0 {");
  statement("sum", (chance(50) ? " += C[" : " -= C[") + subscript() + "][" +
                       subscript() + "] * " + element(true));
  line("}");
}

/// A sum in a scalar, as in a convolution.
void RandomNest::reduction() {
  line("local sum");
  statement("sum", " = " + value());
  open();
  if (chance(40))
    guardedProduct();
  else
    statement("sum", " += " + value());
  close();
  statement(element(false), " = 3 * sum + " + value());
}

void RandomNest::innermost() {
  if (chance(25)) {
    line("local t");
    statement("t", " = " + value());
    statement(element(false), " = 3 * t + " + value());
    return;
  }
  statement();
  if (chance(40))
    statement();
}

void RandomNest::level() {
  if (loops.size() == depth)
    return innermost();
  if (loops.size() + 1 == depth && loops.size() > 0 && chance(30))
    return reduction();
  if (!loops.empty() && chance(12))
    statement();
  open();
  level();
  close();
  if (!loops.empty() && chance(12))
    statement();
}

std::string RandomNest::text() {
  body.clear();
  loops.clear();
  statements = 0;
  depth = 2 + pick(3);
  level();
  std::string head = "nest f from \"f.c\"\n"
                     "argument A \"float *@\" array\n"
                     "argument B \"float *@\" array\n"
                     "argument C \"const float *@\" array\n"
                     "array A: float[80] inout\n"
                     "array B: float[80][80] inout\n"
                     "array C: float[80][80] input\n";
  for (const char *local : {"sum", "t"})
    if (StringRef(body).contains(std::string("local ") + local))
      head += std::string("array ") + local + ": float local\n";
  return head + "\n" + body;
}

/// Whether \p n guards a sum of products.
static bool isConvertible(const Node &n) {
  const auto *g = dyn_cast<Guard>(&n);
  const auto *s = g ? dyn_cast<Statement>(g->body.front().get()) : nullptr;
  return s && s->text == "$0 * $1";
}

/// Moves \p l by one of the loops around it, or by itself, which is refused.
Step RandomNest::skewed(const Nest &nest, const Loop &l) {
  std::vector<unsigned> around{l.id};
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    if (&n == &l)
      for (const NodeRef &outer : enclosing)
        if (const auto *o = dyn_cast<Loop>(outer.get()))
          around.push_back(o->id);
  });
  unsigned by = around[pick(around.size())];
  int64_t factor = int64_t(pick(5)) - 2;
  return {skewPass,
          {nest.loopNames[l.id], nest.loopNames[by], std::to_string(factor)}};
}

Step RandomNest::step(const Nest &nest) {
  bool isGuarded = false;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    isGuarded |= isConvertible(n);
  });
  if (isGuarded && chance(50))
    return {ifConvertPass, {"C"}};
  std::vector<const Loop *> all = convopt::loops(nest);
  const Loop *l = all[pick(all.size())];
  auto name = [&](const Loop *loop) { return nest.loopNames[loop->id]; };
  unsigned n = pick(100);
  if (n < 25)
    return {stripMinePass, {name(l), std::to_string(1 + pick(4))}};
  if (n < 60) {
    // The loops of a perfect band, from the chosen one inwards.
    std::vector<std::string> order{name(l)};
    while (l->body.size() == 1 && isa<Loop>(l->body[0].get()) &&
           (order.size() < 2 || chance(50))) {
      l = cast<Loop>(l->body[0].get());
      order.push_back(name(l));
    }
    for (size_t k = order.size(); k > 1; --k)
      std::swap(order[k - 1], order[pick(k)]);
    return {interchangePass, order};
  }
  if (n < 72)
    return {distributePass, {name(l)}};
  if (n < 76)
    return {unrollPass, {name(l)}};
  if (n < 90) {
    static const char *const kinds[] = {"grid.x",  "grid.y", "block.x",
                                        "block.y", "launch", "stream:2"};
    return {mapLoopPass, {name(l), kinds[pick(6)]}};
  }
  if (n < 93)
    return skewed(nest, *l);
  if (n < 94)
    return {widenPass, {name(l)}};
  if (n < 96)
    return {registerTilePass, {name(l), std::to_string(2 + pick(2))}};
  return {stagePass, {"C", name(l), chance(50) ? "registers" : "shared"}};
}

} // namespace convopt::test
