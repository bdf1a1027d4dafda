//===- Values.h - What elements hold when code is interpreted ---*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The values of elements for those who run a nest or a program without a
/// compiler: 64 bits that tell how they came about, so that results are equal
/// where the same operations were done on the same operands in the same order.
/// By algebra, sums and products may be reordered instead.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_INTERPRETER_VALUES_H
#define CONVOPT_TEST_UNIT_INTERPRETER_VALUES_H

#include "convopt/Program/Stmt.h"
#include "convopt/Source/CExpr.h"

namespace convopt::program {

/// A permutation of 64 bits without pattern.
inline uint64_t scramble(uint64_t z) { // splitmix64's output function
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// The element of an array before anything runs; \p data chooses among sets of
/// values.
uint64_t initialValue(uint64_t data, unsigned array,
                      llvm::ArrayRef<int64_t> subscripts);

/// What an update of \p old by \p value leaves.
uint64_t updated(Assignment::Update update, uint64_t old, uint64_t value,
                 bool isAlgebraic);

/// The value of a right-hand side (Statement::text) for its operands. A number
/// is itself and every zero 0, a sole operand is itself, and any other text is
/// an operation that is known by nothing but its text; by algebra, sums,
/// differences and products are those of integers modulo 2^64.
class TextValue {
public:
  TextValue(llvm::StringRef text, bool isAlgebraic);

  /// How many operands there have to be.
  unsigned operands() const {
    unsigned count = 0;
    for (unsigned hole : holes)
      count = std::max(count, hole + 1);
    return count;
  }

  /// \p operand gives the k-th one.
  template <typename F> uint64_t operator()(F &&operand) const {
    switch (kind) {
    case Constant:
      return constant;
    case Sole:
      return operand(holes[0]);
    case Opaque: {
      uint64_t value = constant;
      for (unsigned hole : holes)
        value = scramble(value * 3 + operand(hole));
      return value;
    }
    case Algebra:
      break;
    }
    llvm::SmallVector<uint64_t, 8> stack;
    for (const Step &s : steps)
      if (s.op == Step::Number)
        stack.push_back(s.number);
      else if (s.op == Step::Operand)
        stack.push_back(operand(unsigned(s.number)));
      else {
        uint64_t b = stack.pop_back_val();
        uint64_t &a = stack.back();
        a = s.op == Step::Add ? a + b : s.op == Step::Sub ? a - b : a * b;
      }
    return stack.back();
  }

private:
  struct Step {
    enum { Number, Operand, Add, Sub, Mul } op;
    uint64_t number;
  };
  /// Adds what computes \p e; false where it is no sum or product.
  bool addSteps(const CExpr &e);

  enum { Constant, Sole, Opaque, Algebra } kind;
  uint64_t constant = 0;                // of opaque text: its hash
  llvm::SmallVector<unsigned, 4> holes; // by their order in the text
  llvm::SmallVector<Step, 8> steps;
};

} // namespace convopt::program

#endif // CONVOPT_TEST_UNIT_INTERPRETER_VALUES_H
