//===- ExprValues.h - Expressions that are ready to run ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_PROGRAM_EXPRVALUES_H
#define CONVOPT_LIB_PROGRAM_EXPRVALUES_H

#include "Code.h"
#include "convopt/Program/Values.h"

namespace convopt::program {

/// One that has words of its own.
struct StoredValue : Value {
  StoredValue(Machine &m, unsigned width = 1)
      : m(m), values(m.threads * width) {
    this->width = width;
  }

  Machine &m;
  std::vector<Word> values;
};

struct ConstantValue : Value {
  ConstantValue(Word w, unsigned count) : values(count, w) {}
  const Word *eval(Lanes) override { return values.data(); }

  std::vector<Word> values;
};

/// Of another type.
struct SameValue : Value {
  explicit SameValue(ValueRef v) : v(std::move(v)) {}
  const Word *eval(Lanes lanes) override { return v->eval(lanes); }

  ValueRef v;
};

/// A number that is to be an int, or an unsigned.
struct RangeValue : Value {
  RangeValue(Machine &m, ValueRef v, bool isInt)
      : m(m), v(std::move(v)), isInt(isInt) {
    type = isInt ? Type::Int : Type::Unsigned;
    isConstant = false;
  }
  const Word *eval(Lanes lanes) override;

  Machine &m;
  ValueRef v;
  bool isInt;
};

struct TruthValue : StoredValue {
  TruthValue(Machine &m, ValueRef v) : StoredValue(m), v(std::move(v)) {
    type = Type::Bool;
  }
  const Word *eval(Lanes lanes) override;

  ValueRef v;
};

struct SlotValue : Value {
  SlotValue(Machine &m, Slot &slot, const Variable &variable)
      : m(m), slot(slot), variable(variable) {}
  const Word *eval(Lanes lanes) override;

  Machine &m;
  Slot &slot;
  const Variable &variable;
};

struct LoadValue : StoredValue {
  LoadValue(Machine &m, Place place, unsigned width)
      : StoredValue(m, width), place(std::move(place)) {}
  const Word *eval(Lanes lanes) override;

  Place place;
};

struct UnaryValue : StoredValue {
  UnaryValue(Machine &m, Op op, ValueRef v)
      : StoredValue(m), op(op), v(std::move(v)) {}
  const Word *eval(Lanes lanes) override;

  Op op;
  ValueRef v;
};

/// Both operands are of the type.
struct BinaryValue : StoredValue {
  BinaryValue(Machine &m, Op op, Type::Kind operands, ValueRef a, ValueRef b)
      : StoredValue(m), op(op), operands(operands), a(std::move(a)),
        b(std::move(b)) {}
  const Word *eval(Lanes lanes) override;

  Op op;
  Type::Kind operands;
  ValueRef a, b;
};

/// `&&` and `||`: the second operand where the first does not decide.
struct LogicValue : StoredValue {
  LogicValue(Machine &m, bool isOr, ValueRef a, ValueRef b)
      : StoredValue(m), isOr(isOr), a(std::move(a)), b(std::move(b)) {
    type = Type::Bool;
  }
  const Word *eval(Lanes lanes) override;

  bool isOr;
  ValueRef a, b;
  std::vector<Lane> open;
};

struct SelectValue : StoredValue {
  SelectValue(Machine &m, ValueRef condition, ValueRef yes, ValueRef no)
      : StoredValue(m, yes->width), condition(std::move(condition)),
        yes(std::move(yes)), no(std::move(no)) {}
  const Word *eval(Lanes lanes) override;

  ValueRef condition, yes, no;
  std::vector<Lane> yesLanes, noLanes;
};

struct FunctionValue : StoredValue {
  FunctionValue(Machine &m, Callee callee, ValueRef a, ValueRef b)
      : StoredValue(m), callee(callee), a(std::move(a)), b(std::move(b)) {}
  const Word *eval(Lanes lanes) override;

  Callee callee;
  ValueRef a, b;
};

/// Whether any thread of the block says so, which all wait for.
struct VoteValue : StoredValue {
  VoteValue(Machine &m, ValueRef vote) : StoredValue(m), vote(std::move(vote)) {
    type = Type::Bool;
  }
  const Word *eval(Lanes lanes) override;

  ValueRef vote;
};

/// What lanes of a warp have from those at a distance, for which they wait.
struct ExchangeValue : StoredValue {
  ExchangeValue(Machine &m, ValueRef v, unsigned distance)
      : StoredValue(m), v(std::move(v)), distance(distance) {
    type = this->v->type;
  }
  const Word *eval(Lanes lanes) override;

  ValueRef v;
  unsigned distance;
};

struct FillValue : StoredValue {
  FillValue(Machine &m, ValueRef element, unsigned count)
      : StoredValue(m, count), element(std::move(element)) {
    type = Type::Element;
  }
  const Word *eval(Lanes lanes) override;

  ValueRef element;
};

/// `sizeof` an array or a part of it.
struct ExtentValue : StoredValue {
  ExtentValue(Machine &m, Place place)
      : StoredValue(m), place(std::move(place)) {
    type = Type::Wide;
  }
  const Word *eval(Lanes lanes) override;

  Place place;
};

struct FormulaValue : StoredValue {
  FormulaValue(Machine &m, TextValue text, std::vector<ValueRef> operands,
               Type::Kind kind)
      : StoredValue(m), text(std::move(text)), operands(std::move(operands)) {
    type = kind;
  }
  const Word *eval(Lanes lanes) override;

  TextValue text;
  std::vector<ValueRef> operands;
};

} // namespace convopt::program

#endif // CONVOPT_LIB_PROGRAM_EXPRVALUES_H
