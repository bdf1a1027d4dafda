//===- CompileExpr.cpp - Expressions made ready to run --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic is exact. An int outside of 32 bits is a fault at once; unsigned
// sums and products are residues in C, so one outside of 32 bits is a fault
// only where another number would come of it: by a comparison, a quotient, a
// wider type.
//
//===----------------------------------------------------------------------===//

#include "ExprValues.h"

using namespace llvm;

namespace convopt::program {

std::nullptr_t Compiler::fail(const Twine &what) {
  if (message.empty())
    message =
        ((current ? headline(*current) + ": " : std::string()) + what).str();
  return nullptr;
}

const Compiler::Binding *Compiler::bindingOf(const VariableRef &v) {
  auto it = bindings.find(v.get());
  if (it != bindings.end())
    return &it->second;
  return bindParameter(*v);
}

int64_t Compiler::sizeOf(const Type &t) const {
  auto it = launch.elementSizes.find(t.name);
  return it == launch.elementSizes.end() ? 4 : it->second;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ValueRef Compiler::constant(Word w, Type::Kind type, unsigned width) {
  auto eval = [values = std::vector<Word>(m.threads * width, w)](Lanes) {
    return values.data();
  };
  return std::make_unique<Value>(Value{std::move(eval), type, width, true});
}

/// What comes of constants is one, but for faults, which are the program's only
/// where they run.
ValueRef Compiler::folded(ValueRef v, ArrayRef<const Value *> operands) {
  for (const Value *o : operands)
    if (!o->isConstant)
      return v;
  const Lane first = 0;
  Word result = v->eval(first)[0];
  if (m.takeFailure())
    return v;
  return constant(result, v->type, v->width);
}

ValueRef Compiler::converted(ValueRef v, Type::Kind type) {
  if (!v || v->type == type || v->width != 1 || type > Type::Element)
    return v;
  if (v->type >= Type::Element)
    return fail("an element is no number");
  const bool narrows = type == Type::Int && v->type > Type::Int;
  const bool widens = v->type == Type::Unsigned &&
                      (type == Type::Wide || type == Type::Element);
  const Value *from = v.get();
  if (type == Type::Bool)
    return folded(isTrue(m, std::move(v)), from);
  if (!narrows && !widens) {
    v->type = type;
    return v;
  }
  return folded(inRange(m, std::move(v), narrows, type), from);
}

ValueRef Compiler::integer(const Expr &e) {
  ValueRef v = value(e);
  if (v && v->type > Type::Wide)
    return fail("an element is no number");
  return v;
}

std::optional<Word> Compiler::constantValue(const Expr &e) {
  ValueRef v = integer(e);
  if (!v)
    return std::nullopt;
  if (!v->isConstant) {
    fail("a number that is not the same for the whole launch");
    return std::nullopt;
  }
  return v->eval(Lane(0))[0];
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<Place> Compiler::place(const Expr &e) {
  Place p;
  const Expr *element = &e;
  if (e.kind() == Expr::Beyond) {
    element = &e.operand(0);
    if (!(p.beyond = integer(e.operand(1))))
      return std::nullopt;
  }
  if (element->kind() != Expr::Element && element->kind() != Expr::Use) {
    fail("what is no element has no place");
    return std::nullopt;
  }
  const Binding *b = bindingOf(element->variable());
  if (!b)
    return std::nullopt;
  if (!(p.storage = b->storage)) {
    fail("'" + element->variable()->name + "' is no array");
    return std::nullopt;
  }
  for (const Expr &s : element->operands()) {
    p.subscripts.push_back(integer(s));
    if (!p.subscripts.back())
      return std::nullopt;
  }
  p.indices.resize(m.threads);
  return p;
}

std::optional<Place> Compiler::address(const Expr &e) {
  const bool isAddress = e.kind() == Expr::Unary && e.op() == Op::AddressOf;
  return place(isAddress ? e.operand(0) : e);
}

ValueRef Compiler::load(const Expr &element, unsigned width, Type::Kind type) {
  std::optional<Place> p = place(element);
  if (!p)
    return nullptr;
  return loadFrom(m, std::move(*p), width, type);
}

ValueRef Compiler::use(const Expr &e) {
  const Binding *b = bindingOf(e.variable());
  if (!b)
    return nullptr;
  const Type::Kind type = e.variable()->type.kind;
  if (b->constant)
    return constant(*b->constant, type);
  if (b->storage && !e.variable()->isArray())
    return load(e, 1, type);
  if (!b->slot)
    return fail("'" + e.variable()->name + "' is no value");
  return useSlot(m, *b->slot, *e.variable());
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Of the usual arithmetic conversions.
static Type::Kind common(const Value &a, const Value &b) {
  return std::max({a.type, b.type, Type::Int});
}

ValueRef Compiler::unary(const Expr &e) {
  if (e.op() == Op::AddressOf)
    return fail("an address is no value");
  ValueRef v = integer(e.operand(0));
  if (!v)
    return nullptr;
  const Type::Kind type =
      e.op() == Op::Not ? Type::Bool : std::max(v->type, Type::Int);
  v = converted(std::move(v), e.op() == Op::Not ? Type::Bool : type);
  if (!v)
    return nullptr;
  const Value *from = v.get();
  return folded(unaryOf(m, e.op(), std::move(v), type), from);
}

static bool isComparison(Op op) { return op >= Op::Less && op <= Op::NotEqual; }

/// Whether residues of operands are enough for that of the result.
static bool isOfResidues(Op op) {
  return op == Op::Add || op == Op::Sub || op == Op::Mul;
}

ValueRef Compiler::binary(const Expr &e) {
  const Op op = e.op();
  if (op == Op::And || op == Op::Or) {
    ValueRef a = converted(integer(e.operand(0)), Type::Bool);
    if (!a)
      return nullptr;
    if (a->isConstant) {
      const bool isTrue = a->eval(Lane(0))[0];
      if (isTrue == (op == Op::Or))
        return a;
      return converted(integer(e.operand(1)), Type::Bool);
    }
    ValueRef b = converted(integer(e.operand(1)), Type::Bool);
    if (!b)
      return nullptr;
    return logicOf(m, op == Op::Or, std::move(a), std::move(b));
  }
  ValueRef a = integer(e.operand(0)), b = integer(e.operand(1));
  if (!a || !b)
    return nullptr;
  const bool isShift = op == Op::ShiftLeft || op == Op::ShiftRight;
  const Type::Kind type =
      isShift ? std::max(a->type, Type::Int) : common(*a, *b);
  a = converted(std::move(a), type);
  if (!isShift)
    b = converted(std::move(b), type);
  if (type == Type::Unsigned && !isOfResidues(op)) {
    a = inRange(m, std::move(a), false, type);
    if (!isShift)
      b = inRange(m, std::move(b), false, type);
  }
  if (!a || !b)
    return nullptr;
  const Value *operands[] = {a.get(), b.get()};
  return folded(binaryOf(m, op, type, std::move(a), std::move(b),
                         isComparison(op) ? Type::Bool : type),
                operands);
}

ValueRef Compiler::select(const Expr &e, unsigned width) {
  ValueRef condition = converted(integer(e.operand(0)), Type::Bool);
  if (!condition)
    return nullptr;
  if (condition->isConstant)
    return value(e.operand(condition->eval(Lane(0))[0] ? 1 : 2), width);
  ValueRef yes = value(e.operand(1), width), no = value(e.operand(2), width);
  if (!yes || !no)
    return nullptr;
  if (yes->width != no->width)
    return fail("the values of a choice are not of one size");
  const Type::Kind type = common(*yes, *no);
  yes = converted(std::move(yes), type);
  no = converted(std::move(no), type);
  if (!yes || !no)
    return nullptr;
  return choiceOf(m, std::move(condition), std::move(yes), std::move(no));
}

ValueRef Compiler::callValue(const Expr &e, unsigned width) {
  const Callee callee = e.function().callee;
  if (callee == Callee::HasBulk)
    return constant(launch.hasBulk, Type::Bool);
  if (callee == Callee::SyncThreadsOr) {
    if (e.operands().size() != 1)
      return fail(nameOf(e.function()) + " has one argument");
    ValueRef vote = converted(integer(e.operand(0)), Type::Bool);
    return vote ? voteOf(m, std::move(vote)) : nullptr;
  }
  if (callee == Callee::Exchange) {
    if (e.operands().size() != 2)
      return fail(nameOf(e.function()) + " has two arguments");
    ValueRef v = value(e.operand(0));
    std::optional<Word> distance = constantValue(e.operand(1));
    if (!v || !distance)
      return nullptr;
    if (v->width != 1 || *distance < 1 || *distance >= Word(WarpSize))
      return fail(nameOf(e.function()) + " of what no lane has");
    return exchanged(m, std::move(v), unsigned(*distance));
  }
  if (callee == Callee::Fill) {
    std::optional<Word> count = constantValue(e.operand(1));
    ValueRef element = value(e.operand(0));
    if (!count || !element)
      return nullptr;
    return filledWith(m, std::move(element), unsigned(*count));
  }
  if (callee > Callee::Across)
    return fail(nameOf(e.function()) + " has no value");
  if (e.operands().size() != 2)
    return fail(nameOf(e.function()) + " has two arguments");
  ValueRef a = integer(e.operand(0)), b = integer(e.operand(1));
  if (!a || !b)
    return nullptr;
  const Type::Kind type = callee == Callee::FloorDiv ? Type::Wide
                          : callee == Callee::Across ? Type::Int
                                                     : common(*a, *b);
  a = converted(std::move(a), type);
  b = converted(std::move(b), type);
  if (type == Type::Unsigned) {
    a = inRange(m, std::move(a), false, type);
    b = inRange(m, std::move(b), false, type);
  }
  if (!a || !b)
    return nullptr;
  const Value *operands[] = {a.get(), b.get()};
  return folded(callOf(m, callee, std::move(a), std::move(b), type), operands);
}

ValueRef Compiler::formula(const Expr &e) {
  TextValue text(e.text(), launch.isAlgebraic);
  std::vector<ValueRef> operands;
  for (const Expr &o : e.operands()) {
    operands.push_back(converted(value(o), Type::Element));
    if (!operands.back())
      return nullptr;
  }
  if (text.operands() > operands.size())
    return fail("a formula with a hole that has no operand");
  return formulaOf(m, std::move(text), std::move(operands),
                   e.type().kind == Type::Bool ? Type::Bool : Type::Element);
}

ValueRef Compiler::value(const Expr &e, unsigned width) {
  switch (e.kind()) {
  case Expr::None:
    return fail("an expression is missing");
  case Expr::Number:
    return constant(e.number(), e.type().kind);
  case Expr::Source: {
    if (Word w; e.type().kind < Type::Element) {
      if (StringRef(e.text()).getAsInteger(10, w))
        return fail("'" + e.text() + "' is a number that is not known");
      return constant(w, e.type().kind);
    }
    uint64_t v = TextValue(e.text(), launch.isAlgebraic)(
        [](unsigned) -> uint64_t { return 0; });
    return constant(Word(v), Type::Element);
  }
  case Expr::Zero: {
    bool isVector = e.type().kind == Type::Vector;
    return constant(0, isVector ? Type::Element : e.type().kind,
                    isVector ? width : 1);
  }
  case Expr::Use:
    return use(e);
  case Expr::Element:
    if (isScalar(e))
      return use(e);
    return load(e, 1, e.type().kind);
  case Expr::Beyond:
    return load(e, 1, e.type().kind);
  case Expr::Access: {
    std::optional<Word> count = constantValue(e.operand(1));
    if (!count)
      return nullptr;
    if (*count < 1)
      return fail("an access to fewer elements than one");
    return load(e.operand(0), unsigned(*count), Type::Element);
  }
  case Expr::Unary:
    return unary(e);
  case Expr::Binary:
    return binary(e);
  case Expr::Select:
    return select(e, width);
  case Expr::Cast:
    return converted(value(e.operand(0), width), e.type().kind);
  case Expr::SizeOf:
    return constant(sizeOf({Type::Element, e.text()}), Type::Wide);
  case Expr::Extent: {
    std::optional<Place> p = place(e.operand(0));
    return p ? extentOf(m, std::move(*p)) : nullptr;
  }
  case Expr::List:
    return fail("a list is no value of a thread");
  case Expr::Call:
    return callValue(e, width);
  case Expr::Formula:
    return formula(e);
  }
  return nullptr;
}

} // namespace convopt::program
