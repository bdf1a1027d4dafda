//===- Nests.h - Nests that the tests of Verify share -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_VERIFY_NESTS_H
#define CONVOPT_TEST_UNIT_VERIFY_NESTS_H

#include "convopt/Nest/Nest.h"

namespace convopt::test {

inline IndexExpr p(unsigned id) { return IndexExpr::param(id); }
inline IndexExpr l(unsigned id) { return IndexExpr::loop(id); }

inline std::shared_ptr<Loop> makeLoop(unsigned id, IndexExpr extent,
                                      Body body) {
  auto loop = std::make_shared<Loop>(id);
  loop->lower = {{IndexExpr(0), 1}};
  loop->upper = {{std::move(extent), 1}};
  loop->body = std::move(body);
  return loop;
}

inline std::shared_ptr<Statement>
makeStatement(unsigned id, Statement::Op op, Access target, std::string text,
              std::vector<Access> reads, std::vector<unsigned> iterators) {
  auto s = std::make_shared<Statement>(id);
  s->op = op;
  s->target = std::move(target);
  s->text = std::move(text);
  for (Access &a : reads) {
    Operand o;
    o.access = std::move(a);
    s->operands.push_back(o);
  }
  for (unsigned i : iterators)
    s->instance.push_back(l(i));
  s->iterators = std::move(iterators);
  return s;
}

/// The thesis' figure 3, `conv(inputs, filters, outputs, N, O, H, W, F)`.
inline Nest figure3() {
  Nest nest;
  nest.sourceFile = "conv.cu";
  enum { N, O, H, W, F, OH, OW };
  for (const char *name : {"N", "O", "H", "W", "F"})
    nest.params.push_back({name, "int", false, std::nullopt});
  nest.params.push_back({"OH", "int", false, p(H) - p(F) + IndexExpr(1)});
  nest.params.push_back({"OW", "int", false, p(W) - p(F) + IndexExpr(1)});
  nest.arrays = {
      {"inputs", "float", Array::Input, {p(N), p(H), p(W)}, {}, 0, {}},
      {"filters", "float", Array::Input, {p(N), p(O), p(F), p(F)}, {}, 0, {}},
      {"outputs", "float", Array::Output, {p(O), p(OH), p(OW)}, {}, 0, {}},
      {"sum", "float", Array::LocalArray, {}, {}, 0, {}}};
  nest.loopNames = {"o", "y", "x", "n", "i", "j"};
  enum { o, y, x, n, i, j };
  for (auto [size, why] : {std::pair(H, "rows exist"), {W, "columns exist"}}) {
    Assumption a;
    a.fact.expr = p(size) - p(F);
    a.why = why;
    nest.assumptions.push_back(a);
  }
  auto add = makeStatement(
      1, Statement::Op::Add, {3, {}}, "$0 * $1",
      {{0, {l(n), l(y) + l(i), l(x) + l(j)}}, {1, {l(n), l(o), l(i), l(j)}}},
      {o, y, x, n, i, j});
  auto reduce =
      makeLoop(n, p(N), {makeLoop(i, p(F), {makeLoop(j, p(F), {add})})});
  Body inner = {
      std::make_shared<Local>(3),
      makeStatement(0, Statement::Op::Assign, {3, {}}, "0.0f", {}, {o, y, x}),
      reduce,
      makeStatement(2, Statement::Op::Assign, {2, {l(o), l(y), l(x)}}, "$0",
                    {{3, {}}}, {o, y, x})};
  nest.body = {
      makeLoop(o, p(O), {makeLoop(y, p(OH), {makeLoop(x, p(OW), inner)})})};
  nest.function.name = "conv";
  nest.function.arguments = {
      {"const float *@", "inputs", Argument::ArrayArg, 0},
      {"const float *@", "filters", Argument::ArrayArg, 1},
      {"float *@", "outputs", Argument::ArrayArg, 2}};
  for (unsigned id : {N, O, H, W, F})
    nest.function.arguments.push_back(
        {"int @", nest.params[id].name, Argument::ParamArg, id});
  return nest;
}

/// `template <class T, int radius> __global__ void blur(T *in, T *out, int n)`,
/// `out[x] = sum over i < 2 * radius + 1 of in[x + i]`.
inline Nest templateKernel() {
  Nest nest;
  nest.sourceFile = "blur.cu";
  enum { radius, n, size };
  nest.params = {
      {"radius", "int", true, std::nullopt},
      {"n", "int", false, std::nullopt},
      {"size", "int", false, IndexExpr(2) * p(radius) + IndexExpr(1)}};
  nest.arrays = {
      {"in", "T", Array::Input, {p(n) + IndexExpr(2) * p(radius)}, {}, 0, {}},
      {"out", "T", Array::Output, {p(n)}, {}, 0, {}},
      {"sum", "T", Array::LocalArray, {}, {}, 0, {}}};
  nest.loopNames = {"x", "i"};
  auto add = makeStatement(1, Statement::Op::Add, {2, {}}, "$0",
                           {{0, {l(0) + l(1)}}}, {0, 1});
  nest.body = {
      makeLoop(0, p(n),
               {std::make_shared<Local>(2),
                makeStatement(0, Statement::Op::Assign, {2, {}}, "0", {}, {0}),
                makeLoop(1, p(size), {add}),
                makeStatement(2, Statement::Op::Assign, {1, {l(0)}}, "$0",
                              {{2, {}}}, {0})})};
  Function &f = nest.function;
  f.name = "blur";
  f.isKernel = true;
  f.templateParameters = "class T, int radius";
  f.templateArgs = {"T", "radius"};
  f.typeParams = {"T"};
  f.arguments = {{"T *@", "in", Argument::ArrayArg, 0},
                 {"T *@", "out", Argument::ArrayArg, 1},
                 {"int @", "n", Argument::ParamArg, n}};
  f.threadMaps = {{0, "blockIdx.x * blockDim.x + threadIdx.x"}};
  f.grid = {Bound{p(n), 32}, Bound{IndexExpr(1), 1}, Bound{IndexExpr(1), 1}};
  f.block = {32, 1, 1};
  return nest;
}

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_VERIFY_NESTS_H
