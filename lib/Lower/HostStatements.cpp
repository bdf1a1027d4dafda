//===- HostStatements.cpp - What host code is made of ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostStatements.h"
#include "llvm/ADT/STLExtras.h"

namespace convopt::lower {

using namespace program;

Expr variable(Type type, std::string name, bool isConst) {
  Variable v{std::move(name), std::move(type)};
  v.isConst = isConst;
  return Expr(std::make_shared<Variable>(std::move(v)));
}

FunctionDefinition::Parameter parameter(const Expr &v, const char *after) {
  const std::string &name = v.variable()->name, &type = v.type().name;
  const char *space = type.back() == '*' ? "" : " ";
  return {v.variable(), type + space + name + after};
}

Expr known(std::string name, Type type) {
  return Expr::source(std::move(name), std::move(type));
}

Expr construct(Type type, std::vector<Expr> arguments) {
  return Expr::call({Callee::Construct, ""}, std::move(arguments),
                    std::move(type));
}

Expr launch(std::vector<Expr> configuration, std::vector<Expr> arguments) {
  llvm::append_range(configuration, arguments);
  return Expr::call({Callee::Launch, ""}, std::move(configuration));
}

Expr bytesOf(const Expr &elements, std::string type) {
  return elements * Expr::sizeOf({Type::Element, std::move(type)});
}

Expr succeeded(const Expr &error) {
  return Expr::binary(Op::Equal, error, known("cudaSuccess"));
}

Expr isNot(const Expr &e, const char *constant) {
  return Expr::binary(Op::NotEqual, e, known(constant));
}

Expr define(Block &b, const Expr &v, Expr value, std::string comment) {
  add<Declaration>(b, v.variable(), std::move(value)).comment =
      std::move(comment);
  return v;
}

Expr defineArray(Block &b, Type type, std::string name, Expr extent,
                 std::string comment) {
  Variable v{std::move(name), std::move(type)};
  v.extents = {std::move(extent)};
  return define(b, Expr(std::make_shared<Variable>(std::move(v))),
                Expr::list({}), std::move(comment));
}

Block &where(Block &b, Expr condition, bool isBraced, std::string comment) {
  If &i = add<If>(b, std::move(condition));
  i.isBraced = isBraced;
  i.comment = std::move(comment);
  return i.body;
}

void step(Block &b, const Expr &error, Expr call, Expr condition) {
  add<Assignment>(where(b, both(succeeded(error), condition),
                        /*isBraced=*/false),
                  error, std::move(call));
}

void finish(Block &b, const Expr &error, const Expr &later, Expr call) {
  define(b, later, std::move(call));
  add<Assignment>(b, error, Expr::select(succeeded(error), later, error));
}

void clearLastError(Block &b) {
  add<CallStmt>(b, Expr::cast(handle("void"), call("cudaGetLastError", {})));
}

} // namespace convopt::lower
