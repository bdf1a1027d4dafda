//===- Kernels.h - Kernels written by hand, for tests -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_PROGRAM_KERNELS_H
#define CONVOPT_TEST_UNIT_PROGRAM_KERNELS_H

#include "convopt/Program/Stmt.h"

namespace convopt::program {

inline Type elementType() { return {Type::Element, "float"}; }
inline Type vectorType() { return {Type::Vector, "float4"}; }

inline VariableRef scalar(std::string name, Type type = Type::integer()) {
  return std::make_shared<Variable>(Variable{std::move(name), std::move(type)});
}
inline VariableRef constantScalar(std::string name) {
  Variable v{std::move(name), Type::integer()};
  v.isConst = true;
  return std::make_shared<Variable>(std::move(v));
}
inline VariableRef array(std::string name, Memory memory,
                         std::vector<Expr> extents, unsigned alignment = 0) {
  Variable v{std::move(name), elementType(), memory, std::move(extents)};
  v.alignment = alignment;
  return std::make_shared<Variable>(std::move(v));
}
inline VariableRef pointer(std::string name) {
  Variable v{std::move(name), elementType(), Memory::Global};
  v.isPointer = true;
  return std::make_shared<Variable>(std::move(v));
}
inline VariableRef barriers(std::string name, int64_t count) {
  return std::make_shared<Variable>(Variable{
      std::move(name), {Type::Barrier, "uint64_t"}, Memory::Shared, {count}});
}

inline Expr at(const VariableRef &array, std::vector<Expr> subscripts) {
  return Expr::element(array, std::move(subscripts));
}
inline Expr addressOf(Expr e) {
  return Expr::unary(Op::AddressOf, std::move(e));
}
/// `threadIdx.x` as an int.
inline Expr thread() { return Expr::cast(Type::integer(), threadIndex(0)); }
inline Expr blockOfGrid() { return Expr::cast(Type::integer(), blockIndex(0)); }

inline StmtRef declare(const VariableRef &v, Expr value = {}) {
  return std::make_shared<Declaration>(v, std::move(value));
}
inline StmtRef assign(Expr target, Expr value,
                      Assignment::Update update = Assignment::Update::None) {
  return std::make_shared<Assignment>(std::move(target), std::move(value),
                                      update);
}
inline StmtRef
updateAtomically(Expr target, Expr value,
                 Assignment::Update update = Assignment::Update::Add) {
  auto a =
      std::make_shared<Assignment>(std::move(target), std::move(value), update);
  a->isAtomic = true;
  return a;
}
inline StmtRef call(Callee callee, std::vector<Expr> arguments = {},
                    std::string name = "") {
  return std::make_shared<CallStmt>(
      Expr::call({callee, std::move(name)}, std::move(arguments)));
}
inline StmtRef barrier() { return call(Callee::SyncThreads); }
/// Whether one of \p votes, which are one, is true in any thread.
inline Expr vote(std::vector<Expr> votes) {
  return Expr::call({Callee::SyncThreadsOr, ""}, std::move(votes));
}
/// What the lane at \p distance has; \p arguments are a value and that.
inline Expr exchange(std::vector<Expr> arguments) {
  return Expr::call({Callee::Exchange, ""}, std::move(arguments));
}
inline StmtRef leave() { return std::make_shared<Return>(); }
inline StmtRef loop(const VariableRef &v, Expr first, Expr end, Block body,
                    Expr step = 1) {
  auto f = std::make_shared<For>(v, std::move(first), std::move(end),
                                 std::move(step));
  f->body = std::move(body);
  return f;
}
inline StmtRef when(Expr condition, Block body, Block otherwise = {}) {
  auto i = std::make_shared<If>(std::move(condition));
  i->body = std::move(body);
  i->otherwise = std::move(otherwise);
  return i;
}
inline StmtRef assertion(Expr condition, bool isGiven = false) {
  return std::make_shared<Assertion>(std::move(condition), isGiven);
}
inline StmtRef function(std::string name, const VariableRef &parameter,
                        Block body) {
  auto f = std::make_shared<LocalFunction>(
      scalar(std::move(name), {Type::Function, "auto"}), parameter);
  f->body = std::move(body);
  return f;
}
inline Expr less(Expr a, Expr b) {
  return Expr::binary(Op::Less, std::move(a), std::move(b));
}
inline Expr isEqual(Expr a, Expr b) {
  return Expr::binary(Op::Equal, std::move(a), std::move(b));
}

/// A kernel of \p threads along x.
inline Kernel kernel(std::vector<VariableRef> parameters, int64_t threads,
                     Block body) {
  return {std::move(parameters), {threads, 1, 1}, std::move(body)};
}

} // namespace convopt::program

#endif // CONVOPT_TEST_UNIT_PROGRAM_KERNELS_H
