//===- KernelPipeline.cpp - Pipelined copies ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for n in 0 .. N {              fill(0)
//     barrier                      for n in 0 .. N {
//     copy b = ... // depth 2        wait for the copies of iteration n
//     barrier                        barrier
//     ... in b                       if (n + 1 < N) fill(n + 1)
//   }                                ... in b[n % 2]
//                                  }
//
// One barrier does: whoever passes it in iteration n has left the box of
// iteration n - 1 behind, which is the one that is filled next.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "KernelBody.h"
#include "Values.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

/// The depth of a pipelined copy, else 1.
static int64_t depthOf(const Nest &nest, const NodeRef &n) {
  const auto *c = dyn_cast<Copy>(n.get());
  return c ? nest.arrays[c->buffer].buffer->layout.depth : 1;
}

int64_t pipelineDepth(const Nest &nest, const Loop &l) {
  int64_t depth = 1;
  for (const NodeRef &n : l.body)
    depth = std::max(depth, depthOf(nest, n));
  return depth;
}

void KernelBody::lowerPipelined(const Loop &l, Scope &s) {
  const int64_t depth = pipelineDepth(nest, l);
  Names names = s.names;
  const Var v = loopVar(l.id);
  names.bind(v, names.fresh(baseName(nest.loopNames[l.id])));
  const Expr lower = lowerOf(l, s.names), upper = upperOf(l, s.names);
  auto scopeOf = [&](Block &block) {
    Scope inner = s.in(block);
    inner.names = names;
    inner.loops.insert(l.id);
    return inner;
  };
  auto fill = constant(root.fresh("fill"), {Type::Function, "auto"});
  auto &filling = s.add<LocalFunction>(fill, names.declared(v));
  filling.comment = "starts the copies of an iteration";
  Scope copies = scopeOf(filling.body);
  convopt::Body rest;
  bool filled = false;    // the barriers around the copies are behind
  bool byThreads = false; // some in every instance of the kernel
  for (const NodeRef &n : l.body) {
    if (depthOf(nest, n) != 1) {
      lowerCopy(*cast<Copy>(n.get()), copies);
      byThreads |= !isByTma(nest, *cast<Copy>(n.get()));
      continue;
    }
    filled |= !isa<Local>(n.get()) && !isa<Barrier>(n.get());
    if (filled || isa<Local>(n.get()))
      rest.push_back(n);
  }

  auto under = [](Scope at, Expr condition) {
    auto &test = at.add<If>(std::move(condition));
    test.isBraced = false;
    return at.in(test.body);
  };
  auto callPipeline = [&](Scope at, Callee callee,
                          std::vector<Expr> arguments) {
    if (!byThreads)
      at = under(at, Expr::unary(Op::Not, bulk));
    at.call(callee, std::move(arguments));
  };
  auto start = [&](Scope at, const Expr &iteration) {
    under(at, Expr::binary(Op::Less, iteration, upper))
        .call(Callee::Local, {iteration}, fill->name);
    callPipeline(at, Callee::Commit, {});
  };
  if (any_of(s.loops, [&](unsigned id) { return !threadLoops.count(id); }))
    s.call(Callee::SyncThreads); // the loop itself is repeated
  for (int64_t k = 0; k != depth - 1; ++k)
    start(s, lower + k);
  auto &loop = s.add<For>(names.declared(v), lower, upper);
  loop.comment = origin(l.range);
  Scope inner = scopeOf(loop.body);
  callPipeline(inner, Callee::WaitPrior, {depth - 2});
  inner.call(Callee::SyncThreads);
  start(inner, names(v) + (depth - 1));
  lowerBulkWaits(inner);
  lowerBody(rest, inner, /*together=*/true);
}

} // namespace convopt::lower
