//===- Stmt.h - Statements of a program -------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What one thread of a kernel runs, or the host. Between the nest, which says
/// what is computed by which loop, and CUDA text: threads, copies and waits are
/// explicit, and everything that text is asked about (which variables are used,
/// of what type they are, which helper functions are called) is in the tree.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_PROGRAM_STMT_H
#define CONVOPT_PROGRAM_STMT_H

#include "convopt/Program/Expr.h"
#include "llvm/Support/Casting.h"

namespace convopt::program {

struct Stmt {
  enum class Kind : uint8_t {
    Declaration,
    Assignment,
    Call,
    For,
    If,
    Scope,
    LocalFunction,
    Return,
    Assertion,
  };
  const Kind kind;
  std::string comment = {}; // "naive_conv.c:12", at the end of its first line
  std::string above = {};   // another, on a line before it

protected:
  explicit Stmt(Kind k) : kind(k) {}
};
using StmtRef = std::shared_ptr<const Stmt>;
using Block = std::vector<StmtRef>;

/// Declares a variable for the rest of the block. A scalar may have a value; an
/// array or a scalar without one holds nothing yet.
struct Declaration : Stmt {
  VariableRef variable;
  Expr value;
  /// Its value is a constant expression of the kernel's instance.
  bool isConstexpr = false;
  /// Goes where nothing uses the variable (dropUnused).
  bool isOptional = false;
  /// Its elements begin as zero in C++. No value is taken from that: the
  /// interpreter has them undefined.
  bool isZeroed = false;

  explicit Declaration(VariableRef v, Expr value = {})
      : Stmt(Kind::Declaration), variable(std::move(v)),
        value(std::move(value)) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Declaration; }
};

/// `target = value`, or an update of the target.
struct Assignment : Stmt {
  enum class Update : uint8_t { None, Add, Sub, Mul, Max, Min, Xor };

  Expr target; // a scalar, an element or an access
  Expr value;
  Update update = Update::None;
  /// An update of an element that other threads may update at the same time:
  /// none is lost, and they come in any order.
  bool isAtomic = false;

  Assignment(Expr target, Expr value, Update update = Update::None)
      : Stmt(Kind::Assignment), target(std::move(target)),
        value(std::move(value)), update(update) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Assignment; }
};

/// A call for what it does.
struct CallStmt : Stmt {
  Expr call;

  explicit CallStmt(Expr call) : Stmt(Kind::Call), call(std::move(call)) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Call; }
};

/// `for (int v = first; v < end; v += step) body`
struct For : Stmt {
  VariableRef variable;
  Expr first, end, step{1};
  Expr goesOn; // ends where this does not hold, either; of the host
  enum Unroll : uint8_t { ByCompiler, Never, Always } unroll = ByCompiler;
  Block body;

  For(VariableRef v, Expr first, Expr end, Expr step = 1)
      : Stmt(Kind::For), variable(std::move(v)), first(std::move(first)),
        end(std::move(end)), step(std::move(step)) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::For; }
};

struct If : Stmt {
  Expr condition;
  Block body, otherwise;
  bool isBraced = true; // else each branch is one statement without braces
  /// Few threads run the body, which computes these anew: it reads none of
  /// their values of before (outline).
  std::vector<VariableRef> renewed;

  explicit If(Expr condition)
      : Stmt(Kind::If), condition(std::move(condition)) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::If; }
};

/// `{ body }`; or `function<templateArguments>(parameters);`, a function of the
/// device with this body, which sees no other variables of outside but what the
/// kernel's template and the file have. It changes none of its parameters.
struct Scope : Stmt {
  Block body;
  std::string function = {};
  std::string templateArguments = {}; // `<Offset>`, or nothing
  std::vector<VariableRef> parameters = {};

  Scope() : Stmt(Kind::Scope) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Scope; }
};

/// `auto name = [&](int parameter) { body };`
struct LocalFunction : Stmt {
  VariableRef name, parameter;
  Block body;

  LocalFunction(VariableRef name, VariableRef parameter)
      : Stmt(Kind::LocalFunction), name(std::move(name)),
        parameter(std::move(parameter)) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::LocalFunction; }
};

/// The thread is done, or the function of the host, which gives \p value.
struct Return : Stmt {
  Expr value;

  explicit Return(Expr value = {})
      : Stmt(Kind::Return), value(std::move(value)) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Return; }
};

/// A condition that holds of every thread that comes here. It computes nothing
/// and is no part of the text: lowering states why it left out a test, so that
/// this is proved (checkAssertions) and tried (run).
struct Assertion : Stmt {
  Expr condition;
  /// Nothing to prove: the launcher checks it, or the launch makes it so.
  bool isGiven;

  explicit Assertion(Expr condition, bool isGiven = false)
      : Stmt(Kind::Assertion), condition(std::move(condition)),
        isGiven(isGiven) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Assertion; }
};

/// What a launch runs in each of its threads. Sizes, scalars and arrays of
/// memory that is not the kernel's come in as parameters, the instance's
/// template parameters too.
struct Kernel {
  std::vector<VariableRef> parameters;
  std::array<int64_t, 3> block{1, 1, 1}; // threads
  Block body;
  /// More parameters, which only texts of expressions name.
  std::vector<VariableRef> scalars = {};
};

/// A function of the host, or a kernel that the host's needs. The source has
/// its say in how functions are declared, so these are texts.
struct FunctionDefinition {
  struct Parameter {
    VariableRef variable;
    std::string text; // "const float *in"; none: of the template, or global
  };
  std::string head; // all before the parameters: comment, linkage, type, name
  std::vector<Parameter> parameters;
  Block body;
  int64_t threads = 0; // of a kernel's block; 0: of the host

  Kernel kernel() const;
};

/// Ends \p block with a new statement.
template <typename T, typename... Args> T &add(Block &block, Args &&...args) {
  auto s = std::make_shared<T>(std::forward<Args>(args)...);
  T &made = *s;
  block.push_back(std::move(s));
  return made;
}

/// Calls \p visit for every statement of \p block, those inside of others too.
void walk(const Block &block, llvm::function_ref<void(const Stmt &)> visit);
/// Calls \p visit for every expression of \p block and all that it is made of.
void walkExprs(const Block &block,
               llvm::function_ref<void(const Expr &)> visit);

/// \p block without assertions, what holds nothing else, and declarations that
/// are optional and that nothing else uses.
Block dropUnused(const Block &block);

} // namespace convopt::program

#endif // CONVOPT_PROGRAM_STMT_H
