//===- Roots.cpp - What kernels in turn are made of -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Roots.h"
#include "OneThread.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Nest/Text.h"

using namespace llvm;

namespace convopt {

/// \p n with \p guards within its band of loops, in which their conditions do
/// not vary.
static NodeRef withGuards(const NodeRef &n, ArrayRef<const Guard *> guards) {
  const auto *l = dyn_cast<Loop>(n.get());
  if (guards.empty())
    return n;
  if (l && l->body.size() == 1 && isa<Loop>(l->body.front().get()))
    return withBody(*l, {withGuards(l->body.front(), guards)});
  Body body = l ? l->body : Body{n};
  for (const Guard *g : reverse(guards))
    body = {withBody(*g, body)};
  return l ? withBody(*l, body) : body.front();
}

/// Adds what stands side by side in \p body; \p around is what is around that.
static void addRoots(const Body &body, const std::set<unsigned> &opened,
                     Root around, std::vector<Root> &roots) {
  for (const NodeRef &n : body)
    if (isa<Local>(n.get()))
      around.locals.push_back(n);
  for (const NodeRef &n : body) {
    Root root = around;
    const auto *l = dyn_cast<Loop>(n.get());
    const auto *g = dyn_cast<Guard>(n.get());
    if (l && opened.count(l->id)) {
      root.around.push_back(l);
      addRoots(l->body, opened, std::move(root), roots);
    } else if (g) {
      root.guards.push_back(g);
      addRoots(g->body, opened, std::move(root), roots);
    } else if (!isa<Local>(n.get())) {
      root.node = withGuards(n, root.guards);
      roots.push_back(std::move(root));
    }
  }
}

std::vector<Root> rootsOf(const Nest &nest, const std::set<unsigned> &opened) {
  std::vector<Root> roots;
  addRoots(nest.body, opened, {}, roots);
  return roots;
}

/// What \p nest reads and writes of each array.
static void narrowRoles(Nest &nest) {
  std::vector<bool> reads(nest.arrays.size()), writes(nest.arrays.size());
  for (const StatementPath &p : statements(nest)) {
    writes[p.statement->target.array] = true;
    if (p.statement->accumulates())
      reads[p.statement->target.array] = true;
    for (const Operand &o : readsOf(*p.statement))
      reads[o.access.array] = true;
  }
  for (auto [id, a] : enumerate(nest.arrays))
    if (!a.isLocal() && !writes[id])
      a.role = Array::Input;
    else if (!a.isLocal() && reads[id])
      a.role = Array::InOut;
}

/// A size that stands for an iteration of \p l, within its bounds.
static unsigned addSize(Nest &nest, const Loop &l,
                        function_ref<IndexExpr(IndexExpr)> overSizes) {
  const unsigned id = nest.params.size();
  const std::string why = "iterations of loop '" + nest.loopNames[l.id] + "'";
  Param size;
  size.name = nest.loopNames[l.id];
  // The loop itself is none of this nest.
  std::string &own = nest.loopNames[l.id];
  while (count(nest.loopNames, own) > 1 || own == size.name)
    own += "_";
  auto isTaken = [&](const auto &other) { return other.name == size.name; };
  while (any_of(nest.params, isTaken) || any_of(nest.arrays, isTaken) ||
         any_of(nest.function.arguments, isTaken))
    size.name += "_";
  Argument a;
  a.type = "int @";
  a.name = size.name;
  a.role = Argument::ParamArg;
  a.index = id;
  if (nest.function.hasParts())
    nest.function.parameters.push_back({a.type, a.name});
  nest.function.arguments.push_back(std::move(a));
  nest.params.push_back(std::move(size));
  for (Constraint c : loopConstraints(l)) {
    c.expr = overSizes(c.expr.substitute(loopVar(l.id), IndexExpr::param(id)));
    Assumption a{c, why, l.range};
    a.isGiven = true;
    nest.assumptions.push_back(std::move(a));
  }
  return id;
}

/// Whether anything in \p nest, which is as written, varies with \p loop.
static bool uses(const Nest &nest, unsigned loop) {
  auto is = [&](const IndexExpr &e) { return e.uses(loopVar(loop)); };
  return any_of(conditions(nest),
                [&](const Constraint &c) { return is(c.expr); }) ||
         any_of(loops(nest),
                [&](const Loop *l) {
                  return any_of(l->bounds(),
                                [&](const Bound &b) { return is(b.expr); });
                }) ||
         any_of(statements(nest), [&](const StatementPath &p) {
           return any_of(accessesOf(*p.statement),
                         [&](const Access *a) { return uses(*a, loop); }) ||
                  any_of(p.statement->operands,
                         [&](const Operand &o) { return is(o.index); });
         });
}

KernelSequence::Part partOf(const Nest &nest, ArrayRef<Root> roots,
                            ArrayRef<unsigned> ofWarp) {
  KernelSequence::Part part{
      nest, {roots.front().around, {}, {}}, isOfOneThread(*roots.front().node)};
  for (const Loop *l : part.around.loops)
    part.around.names.push_back(nest.loopNames[l->id]);
  Body body;
  for (const Root &root : roots)
    body.push_back(root.node);
  if (part.isOfOneThread)
    body = inOneThread(part.nest, body, ofWarp);
  auto map = [&](Var v) { return part.around.sizeOf(v); };
  Nest all = nest;
  all.body = body;
  for (const Loop *l : part.around.loops) {
    if (!uses(all, l->id) && none_of(part.around.loops, [&](const Loop *in) {
          return any_of(in->bounds(), [&](const Bound &b) {
            return b.expr.uses(loopVar(l->id));
          });
        }))
      continue;
    part.around.sizes[l->id] = addSize(
        part.nest, *l, [&](const IndexExpr &e) { return e.substitute(map); });
  }
  part.nest.body = substituteLoops(part.nest, body, map);
  part.nest = rebase(part.nest);
  narrowRoles(part.nest);
  // What the part only reads may have borders.
  part.nest = joinBorders(part.nest);
  return part;
}

} // namespace convopt
