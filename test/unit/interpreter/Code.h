//===- Code.h - Programs made ready to run ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Expressions and statements with variables looked up, types known and what is
/// constant for a launch computed. Each runs for several threads at once.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_INTERPRETER_CODE_H
#define CONVOPT_TEST_UNIT_INTERPRETER_CODE_H

#include "Machine.h"
#include "llvm/ADT/FunctionExtras.h"
#include <deque>

namespace convopt::program {

/// An expression.
struct Value {
  /// Word k of thread t is at `t * width + k`. Valid until what it is made of
  /// is evaluated anew or assigned to.
  llvm::unique_function<const Word *(Lanes)> eval;
  Type::Kind type = Type::Int;
  unsigned width = 1;      // words of a thread
  bool isConstant = false; // for the launch
};
using ValueRef = std::unique_ptr<Value>;

/// A statement.
using Operation = llvm::unique_function<void(Lanes)>;

/// A statement that only says something to the compiler.
inline constexpr auto Nothing = [](Lanes) {};

/// Statements, one after another.
class Sequence {
public:
  explicit Sequence(Machine &m) : m(m) {}
  void add(const Stmt &source, Operation op) {
    all.emplace_back(&source, std::move(op));
  }
  void run(Lanes lanes);

private:
  Machine &m;
  std::vector<std::pair<const Stmt *, Operation>> all;
};

/// An element of an array, or the first of several.
struct Place {
  Storage *storage = nullptr;
  std::vector<ValueRef> subscripts; // the first of what fewer name
  ValueRef beyond;                  // how many elements further
  std::vector<int64_t> indices;     // of each thread, once evaluated

  /// Finds the indices of \p count elements each; a fault where they are not
  /// in bounds or, moved by one access of \p bytes, not aligned.
  void eval(Machine &m, Lanes lanes, int64_t count, int64_t bytes);
};

/// Makes a kernel ready to run.
class Compiler {
public:
  Compiler(Machine &m, Launch &launch) : m(m), launch(launch) {}

  llvm::Error compile(const Kernel &kernel, Sequence &to);

  /// The block's indices are constants of a block.
  std::array<Slot, 3> blockIndices, threadIndices;
  std::deque<Storage> storages; // of parameters and declared arrays
  std::vector<Storage *> barriers;

private:
  struct Binding {
    Slot *slot = nullptr;
    Storage *storage = nullptr;
    std::optional<Word> constant;
    const LaunchTensorMap *map = nullptr;
  };
  struct Function {
    Slot *parameter = nullptr;
    Type::Kind type = Type::Int;
    Sequence *body = nullptr;
  };

  // Statements: CompileStmt.cpp.
  void bindIndices(const Kernel &kernel);
  const Binding *bindParameter(const Variable &v);
  void block(const Block &b, Sequence &to);
  Operation within(const Block &b);
  Operation statement(const Stmt &s);
  Operation declaration(const Declaration &d);
  Operation arrayDeclaration(const Declaration &d);
  Operation assignment(const Assignment &a);
  /// The value after an update of an integer.
  static Expr updatedExpr(const Assignment &a);
  Operation conditional(const If &i);
  Operation assertion(const Assertion &a);
  Operation loop(const For &f);
  Operation localFunction(const LocalFunction &f);
  Operation call(const Expr &e);

  // Calls: CompileCalls.cpp.
  Operation asyncCopy(const Expr &e);
  Operation bulkCopy(const Expr &e);
  Operation tensorCopy(const Expr &e);
  std::optional<Place> sharedPlace(const Expr &e);
  std::optional<Place> globalPlace(const Expr &e);
  std::optional<Place> barrierPlace(const Expr &e);

  // Expressions: CompileExpr.cpp.
  /// \p width words, where it is not known by itself.
  ValueRef value(const Expr &e, unsigned width = 1);
  ValueRef use(const Expr &e);
  ValueRef load(const Expr &element, unsigned width, Type::Kind type);
  ValueRef unary(const Expr &e);
  ValueRef binary(const Expr &e);
  ValueRef select(const Expr &e, unsigned width);
  ValueRef callValue(const Expr &e, unsigned width);
  ValueRef formula(const Expr &e);
  ValueRef constant(Word w, Type::Kind type, unsigned width = 1);
  ValueRef converted(ValueRef v, Type::Kind type);
  ValueRef folded(ValueRef v, llvm::ArrayRef<const Value *> operands);
  /// A subscript, bound or count.
  ValueRef integer(const Expr &e);
  std::optional<Place> place(const Expr &e);
  /// Of `&x[..]` or an array.
  std::optional<Place> address(const Expr &e);
  std::optional<Word> constantValue(const Expr &e);
  int64_t sizeOf(const Type &t) const;
  const Binding *bindingOf(const VariableRef &v);
  std::nullptr_t fail(const llvm::Twine &what);

  Machine &m;
  Launch &launch;
  const Stmt *current = nullptr;
  std::string message; // of the first failure
  bool isInFunction = false;
  std::deque<Slot> slots;
  std::deque<Sequence> bodies;
  std::map<const Variable *, Binding> bindings; // pointers to these stay
  std::map<std::string, Binding> parameters;    // that were used
  std::deque<Variable> tensors;                 // that maps name
  std::map<std::string, Function> functions;
  std::vector<Storage *> placed; // in memory whose size the launch gives
};

} // namespace convopt::program

#endif // CONVOPT_TEST_UNIT_INTERPRETER_CODE_H
