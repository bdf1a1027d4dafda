//===- ExprValues.h - Expressions that are ready to run ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_INTERPRETER_EXPRVALUES_H
#define CONVOPT_TEST_UNIT_INTERPRETER_EXPRVALUES_H

#include "Code.h"
#include "Values.h"

namespace convopt::program {

/// A number that is to be an int, or an unsigned.
ValueRef inRange(Machine &m, ValueRef v, bool isInt, Type::Kind type);
/// Whether a number is not zero.
ValueRef isTrue(Machine &m, ValueRef v);
ValueRef useSlot(Machine &m, Slot &slot, const Variable &variable);
ValueRef loadFrom(Machine &m, Place place, unsigned width, Type::Kind type);
ValueRef unaryOf(Machine &m, Op op, ValueRef v, Type::Kind type);
/// Both are \p operands; \p type is that of the result.
ValueRef binaryOf(Machine &m, Op op, Type::Kind operands, ValueRef a,
                  ValueRef b, Type::Kind type);
/// `&&` and `||`: the second operand where the first does not decide.
ValueRef logicOf(Machine &m, bool isOr, ValueRef a, ValueRef b);
ValueRef choiceOf(Machine &m, ValueRef condition, ValueRef yes, ValueRef no);
ValueRef callOf(Machine &m, Callee callee, ValueRef a, ValueRef b,
                Type::Kind type);
/// Whether any thread of the block says so, which all wait for.
ValueRef voteOf(Machine &m, ValueRef vote);
/// What lanes of a warp have from those at a distance, for which they wait.
ValueRef exchanged(Machine &m, ValueRef v, unsigned distance);
ValueRef filledWith(Machine &m, ValueRef element, unsigned count);
/// `sizeof` an array or a part of it.
ValueRef extentOf(Machine &m, Place place);
ValueRef formulaOf(Machine &m, TextValue text, std::vector<ValueRef> operands,
                   Type::Kind type);

} // namespace convopt::program

#endif // CONVOPT_TEST_UNIT_INTERPRETER_EXPRVALUES_H
