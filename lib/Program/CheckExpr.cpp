//===- CheckExpr.cpp - Rules of expressions -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Headline.h"

using namespace llvm;

namespace convopt::program {

Type::Kind kindOf(const Expr &e) {
  if (e.kind() == Expr::Select)
    return std::max(kindOf(e.operand(1)), kindOf(e.operand(2)));
  if (e.kind() != Expr::Call)
    return e.type().kind;
  const Callee callee = e.function().callee;
  if (callee == Callee::Fill)
    return Type::Vector;
  if (callee == Callee::Min || callee == Callee::Max)
    return std::max(kindOf(e.operand(0)), kindOf(e.operand(1)));
  return e.type().kind;
}

static bool isInteger(const Expr &e) { return e && kindOf(e) <= Type::Wide; }

/// \p e names a variable.
void Checker::variable(const Expr &e, Place place) {
  const Variable &v = *e.variable();
  const std::string name = "'" + v.name + "'";
  if (!isThreadIndex(v) && !isBlockIndex(v)) {
    const Variable *found = named(v.name);
    if (!found)
      return fail("scope", name + " is not declared here");
    if (found != &v)
      return fail("scope", name + " means another variable here");
  }
  const size_t count = e.operands().size();
  const size_t all = v.isPointer ? 1 : v.extents.size();
  if (e.kind() == Expr::Use && place == Place::Value && v.isArray())
    return fail("subscripts", name + " is an array and no value");
  if (e.kind() != Expr::Element)
    return;
  // `*p`
  const bool isFirst = v.isPointer && count == 0;
  if (count > all || (count < all && place == Place::Value && !isFirst))
    fail("subscripts", name + " has " + Twine(count) + " subscripts for " +
                           Twine(all) + " extents");
  for (const Expr &s : e.operands())
    integer(s, "a subscript of " + name);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

void Checker::condition(const Expr &e) {
  expression(e);
  if (e && kindOf(e) != Type::Bool)
    fail("types", "a condition is not boolean");
}

void Checker::integer(const Expr &e, StringRef what) {
  expression(e);
  if (e && !isInteger(e))
    fail("types", what + " is no integer");
}

void Checker::expression(const Expr &e, Place place) {
  switch (e.kind()) {
  case Expr::None:
    return fail("types", "an expression is missing");
  case Expr::Use:
  case Expr::Element:
    return variable(e, place);
  case Expr::Beyond:
    expression(e.operand(0), Place::Part);
    return integer(e.operand(1), "an offset");
  case Expr::Access:
    expression(e.operand(0));
    return integer(e.operand(1), "the number of elements of an access");
  case Expr::Extent:
    return expression(e.operand(0), Place::Part);
  case Expr::Unary:
    if (e.op() != Op::AddressOf)
      return operation(e);
    if (place != Place::Address)
      fail("types", "an address is no value");
    return expression(e.operand(0), Place::Part);
  case Expr::Binary:
    return operation(e);
  case Expr::Select:
    condition(e.operand(0));
    expression(e.operand(1));
    expression(e.operand(2));
    if ((kindOf(e.operand(1)) == Type::Vector) !=
        (kindOf(e.operand(2)) == Type::Vector))
      fail("types", "a choice between a vector and what is none");
    return;
  case Expr::Call:
    return valueOfCall(e);
  case Expr::List:
    onHost();
    [[fallthrough]];
  case Expr::Cast:
  case Expr::Formula:
    for (const Expr &o : e.operands())
      expression(o);
    return;
  case Expr::Number:
  case Expr::Source:
  case Expr::Zero:
  case Expr::SizeOf:
    return;
  }
}

void Checker::operation(const Expr &e) {
  const bool isLogic =
      e.op() == Op::And || e.op() == Op::Or || e.op() == Op::Not;
  const bool isAddress =
      e.op() == Op::Add || e.op() == Op::Equal || e.op() == Op::NotEqual;
  for (const Expr &o : e.operands())
    if (isLogic)
      condition(o);
    else if (isAddress && kindOf(o) == Type::Handle) // is compared, or has more
      expression(o);
    else
      integer(o, "what is computed with");
}

void Checker::valueOfCall(const Expr &e) {
  const Callee callee = e.function().callee;
  if (!hasValue(callee))
    return fail("calls", nameOf(e.function()) + " has no value");
  if (callee == Callee::Named || callee == Callee::Construct)
    return hostCall(e);
  if (callee == Callee::Exchange)
    return exchange(e);
  const bool isVote = callee == Callee::SyncThreadsOr;
  // Part of an expression may not be evaluated.
  const auto *d = dyn_cast<Declaration>(current);
  if (isVote && (!d || d->value.kind() != Expr::Call ||
                 &d->value.function() != &e.function()))
    return fail("calls",
                nameOf(e.function()) + " is no value of a declaration");
  if (e.operands().size() != (callee == Callee::HasBulk ? 0 : isVote ? 1 : 2))
    return fail("calls", nameOf(e.function()) + " with " +
                             Twine(e.operands().size()) + " arguments");
  for (const Expr &o : e.operands())
    if (isVote)
      condition(o);
    else if (callee == Callee::Fill)
      expression(o);
    else
      integer(o, "an argument");
}

void Checker::exchange(const Expr &e) {
  const std::string name = nameOf(e.function()).str();
  // Part of an expression may not be evaluated.
  const auto *a = dyn_cast<Assignment>(current);
  if (!a || a->value.kind() != Expr::Call ||
      &a->value.function() != &e.function())
    return fail("calls", name + " is no value of an assignment");
  if (e.operands().size() != 2)
    return fail("calls",
                name + " with " + Twine(e.operands().size()) + " arguments");
  expression(e.operand(0));
  if (kindOf(e.operand(0)) > Type::Element)
    fail("types", "lanes exchange no vector");
  const Expr &distance = e.operand(1);
  if (distance.kind() != Expr::Number || distance.number() < 1 ||
      distance.number() >= int64_t(WarpSize))
    fail("calls", name + " at a distance that is none of lanes");
}

void Checker::hostCall(const Expr &e) {
  onHost();
  if (named(e.function().name))
    fail("scope", "'" + e.function().name + "' is a variable here");
  for (const Expr &o : e.operands())
    expression(o, Place::Address);
}

} // namespace convopt::program
