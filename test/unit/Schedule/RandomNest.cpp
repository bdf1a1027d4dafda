//===- RandomNest.cpp - Small nests and steps at random -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomNest.h"
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

Step RandomNest::step(const Nest &nest) {
  bool isGuarded = false;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    isGuarded |= isConvertible(n);
  });
  if (isGuarded && chance(50))
    return {Step::Kind::IfConvert, {"C"}, std::nullopt};
  std::vector<const Loop *> all = convopt::loops(nest);
  const Loop *l = all[pick(all.size())];
  auto name = [&](const Loop *loop) { return nest.loopNames[loop->id]; };
  unsigned n = pick(100);
  if (n < 25)
    return {Step::Kind::StripMine, {name(l)}, 1 + pick(4)};
  if (n < 60) {
    // The loops of a perfect band, from the chosen one inwards.
    Step step{Step::Kind::Interchange, {name(l)}, std::nullopt};
    while (l->body.size() == 1 && isa<Loop>(l->body[0].get()) &&
           (step.names.size() < 2 || chance(50))) {
      l = cast<Loop>(l->body[0].get());
      step.names.push_back(name(l));
    }
    for (size_t k = step.names.size(); k > 1; --k)
      std::swap(step.names[k - 1], step.names[pick(k)]);
    return step;
  }
  if (n < 72)
    return {Step::Kind::Distribute, {name(l)}, std::nullopt};
  if (n < 76)
    return {Step::Kind::Unroll, {name(l)}, std::nullopt};
  if (n < 90) {
    static const LoopKind kinds[] = {LoopKind::GridX,  LoopKind::GridY,
                                     LoopKind::BlockX, LoopKind::BlockY,
                                     LoopKind::Launch, LoopKind::Stream};
    Step step{Step::Kind::Map, {name(l)}, std::nullopt, kinds[pick(6)]};
    step.streams = step.target == LoopKind::Stream ? 2 : 1;
    return step;
  }
  if (n < 95)
    return {Step::Kind::RegisterTile, {name(l)}, 2 + pick(2)};
  Step step{Step::Kind::Stage, {"C", name(l)}, std::nullopt};
  step.memory = chance(50) ? Buffer::Registers : Buffer::Shared;
  return step;
}

} // namespace convopt::test
