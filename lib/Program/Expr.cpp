//===- Expr.cpp - Variables and expressions of a program ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Program/Expr.h"

using namespace llvm;

namespace convopt::program {

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static const std::array<VariableRef, 3> &indices(bool isThread) {
  auto make = [](const char *name) {
    std::array<VariableRef, 3> all;
    for (unsigned d = 0; d != 3; ++d)
      all[d] = std::make_shared<Variable>(
          Variable{std::string(name) + "xyz"[d], Type::unsignedInteger()});
    return all;
  };
  static const std::array<VariableRef, 3> thread = make("threadIdx."),
                                          block = make("blockIdx.");
  return isThread ? thread : block;
}

VariableRef threadIndex(unsigned dimension) { return indices(true)[dimension]; }
VariableRef blockIndex(unsigned dimension) { return indices(false)[dimension]; }

static bool isIndex(const Variable &v, bool isThread) {
  return any_of(indices(isThread),
                [&](const VariableRef &i) { return i.get() == &v; });
}
bool isThreadIndex(const Variable &v) { return isIndex(v, true); }
bool isBlockIndex(const Variable &v) { return isIndex(v, false); }

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

struct Expr::Node {
  Kind kind = None;
  Type type = {};
  std::vector<Expr> operands = {};
  int64_t number = 0;
  std::string text = {};
  VariableRef variable = {};
  Op op = Op::Add;
  CalledFunction function = {};
  bool isConst = false;
};

Expr Expr::make(Node n) {
  return Expr(std::make_shared<const Node>(std::move(n)));
}

Expr::Expr(int64_t number, Type type) {
  Node n{Number, std::move(type)};
  n.number = number;
  *this = make(std::move(n));
}

Expr::Expr(VariableRef v) {
  Node n{Use, v->type};
  n.variable = std::move(v);
  *this = make(std::move(n));
}

Expr Expr::source(std::string text, Type type) {
  Node n{Source, std::move(type)};
  n.text = std::move(text);
  return make(std::move(n));
}

Expr Expr::element(VariableRef array, std::vector<Expr> subscripts) {
  Node n{Element, array->type, std::move(subscripts)};
  n.variable = std::move(array);
  return make(std::move(n));
}

Expr Expr::beyond(Expr element, Expr offset) {
  if (offset.isNumber(0))
    return element;
  Node n{Beyond, element.type(), {element, std::move(offset)}};
  n.variable = element.variable();
  return make(std::move(n));
}

Expr Expr::unary(Op op, Expr e) {
  Node n{Unary, op == Op::Not ? Type::boolean() : e.type(), {std::move(e)}};
  n.op = op;
  return make(std::move(n));
}

/// What arithmetic has \p e as.
static Type operandType(const Expr &e) {
  return e.kind() == Expr::SizeOf ? Type{Type::Wide, "size_t"} : e.type();
}

Expr Expr::binary(Op op, Expr a, Expr b) {
  Node n{Binary};
  n.op = op;
  if (op >= Op::Less && op != Op::BitAnd && op != Op::BitXor)
    n.type = Type::boolean();
  else // the usual arithmetic conversions
    n.type = operandType(operandType(a).kind >= operandType(b).kind ? a : b);
  n.operands = {std::move(a), std::move(b)};
  return make(std::move(n));
}

Expr Expr::select(Expr condition, Expr yes, Expr no) {
  return make({Select, yes.type(), {std::move(condition), yes, std::move(no)}});
}

Expr Expr::cast(Type type, Expr e) {
  return make({Cast, std::move(type), {std::move(e)}});
}

Expr Expr::access(Type vector, Expr element, Expr count, bool isConst) {
  Node n{Access, std::move(vector), {std::move(element), std::move(count)}};
  n.isConst = isConst;
  return make(std::move(n));
}

Expr Expr::zero(Type type) { return make({Zero, std::move(type)}); }

Expr Expr::sizeOf(Type type) {
  Node n{SizeOf, {Type::Wide, "size_t"}};
  n.text = std::move(type.name);
  return make(std::move(n));
}

Expr Expr::extent(Expr part) {
  Node n{Extent, {Type::Wide, "size_t"}, {part}};
  n.variable = part.variable();
  return make(std::move(n));
}

Expr Expr::list(std::vector<Expr> items) {
  return make({List, {Type::Handle, ""}, std::move(items)});
}

Expr Expr::call(CalledFunction f, std::vector<Expr> arguments, Type result) {
  Node n{Call};
  n.type = std::move(result);
  if (f.callee == Callee::HasBulk || f.callee == Callee::SyncThreadsOr)
    n.type = Type::boolean();
  else if (f.callee == Callee::FloorDiv)
    n.type = {Type::Wide, "long long"};
  else if (f.callee == Callee::Exchange && !arguments.empty())
    n.type = arguments.front().type();
  n.function = std::move(f);
  n.operands = std::move(arguments);
  return make(std::move(n));
}

Expr Expr::formula(std::string text, std::vector<Expr> operands, Type type) {
  Node n{Formula, std::move(type), std::move(operands)};
  n.text = std::move(text);
  return make(std::move(n));
}

Expr::Kind Expr::kind() const { return node ? node->kind : None; }
int64_t Expr::number() const { return node->number; }
const std::string &Expr::text() const { return node->text; }
const VariableRef &Expr::variable() const { return node->variable; }
Op Expr::op() const { return node->op; }
const CalledFunction &Expr::function() const { return node->function; }
const Type &Expr::type() const { return node->type; }
ArrayRef<Expr> Expr::operands() const {
  return node ? ArrayRef<Expr>(node->operands) : ArrayRef<Expr>();
}
bool Expr::isConstAccess() const { return node->isConst; }

void Expr::walk(function_ref<void(const Expr &)> visit) const {
  if (!node)
    return;
  visit(*this);
  for (const Expr &e : operands())
    e.walk(visit);
}

bool operator==(const Expr &a, const Expr &b) {
  if (a.node == b.node)
    return true;
  if (!a.node || !b.node)
    return false;
  const Expr::Node &x = *a.node, &y = *b.node;
  return x.kind == y.kind && x.number == y.number && x.text == y.text &&
         x.variable == y.variable && x.op == y.op &&
         x.function.callee == y.function.callee &&
         x.function.name == y.function.name && x.type == y.type &&
         x.isConst == y.isConst && equal(x.operands, y.operands);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static bool areNumbers(const Expr &a, const Expr &b) {
  return a.kind() == Expr::Number && b.kind() == Expr::Number;
}

/// The product without its sign, where its first factor is a negative number.
static std::optional<Expr> negated(const Expr &e) {
  if (e.kind() == Expr::Number && e.number() < 0)
    return Expr(-e.number());
  if (e.kind() != Expr::Binary || e.op() != Op::Mul)
    return std::nullopt;
  const std::optional<Expr> first = negated(e.operand(0));
  return first ? std::optional(*first * e.operand(1)) : std::nullopt;
}

Expr operator+(const Expr &a, const Expr &b) {
  if (areNumbers(a, b))
    return a.number() + b.number();
  if (a.isNumber(0))
    return b;
  if (b.isNumber(0))
    return a;
  if (const std::optional<Expr> positive = negated(b))
    return Expr::binary(Op::Sub, a, *positive);
  // From left to right, which needs no parentheses.
  if (b.kind() == Expr::Unary && b.op() == Op::Negate)
    return a - b.operand(0);
  if (b.kind() == Expr::Binary && b.op() == Op::Add)
    return a + b.operand(0) + b.operand(1);
  if (b.kind() == Expr::Binary && b.op() == Op::Sub)
    return a + b.operand(0) - b.operand(1);
  return Expr::binary(Op::Add, a, b);
}

Expr operator-(const Expr &a, const Expr &b) {
  if (areNumbers(a, b))
    return a.number() - b.number();
  if (b.isNumber(0))
    return a;
  if (a.isNumber(0))
    return Expr::unary(Op::Negate, b);
  return Expr::binary(Op::Sub, a, b);
}

Expr operator*(const Expr &a, const Expr &b) {
  if (areNumbers(a, b))
    return a.number() * b.number();
  if (a.isNumber(0) || b.isNumber(0))
    return 0;
  if (a.isNumber(1))
    return b;
  return b.isNumber(1) ? a : Expr::binary(Op::Mul, a, b);
}

Expr operator/(const Expr &a, const Expr &b) {
  return b.isNumber(1) ? a : Expr::binary(Op::Div, a, b);
}

Expr operator%(const Expr &a, const Expr &b) {
  return Expr::binary(Op::Rem, a, b);
}

Expr both(const Expr &a, const Expr &b) {
  if (!a || !b)
    return a ? a : b;
  if (b.kind() == Expr::Binary && b.op() == Op::And)
    return both(both(a, b.operand(0)), b.operand(1));
  return Expr::binary(Op::And, a, b);
}

Expr either(const Expr &a, const Expr &b) {
  return !a || !b ? (a ? a : b) : Expr::binary(Op::Or, a, b);
}

Expr product(ArrayRef<Expr> factors) {
  Expr all(1);
  for (const Expr &e : factors)
    if (!e.isNumber(1))
      all = all.isNumber(1) ? e : Expr::binary(Op::Mul, all, e);
  return all;
}

} // namespace convopt::program
