//===- Obligations.cpp - What indices and atomics ask for -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"
#include "Resolve.h"

using namespace llvm;
using namespace clang;

namespace convopt {

void NestBuilder::oblige(const IndexExpr &e, clang::SourceRange where,
                         const Twine &why) {
  Obligation o;
  o.expr = e;
  o.where = range(where);
  o.why = why.str();
  oblige(std::move(o));
}

/// Asks for \p o where what is being read stands.
void NestBuilder::oblige(Obligation o) {
  // What blocks and threads compute is recognised as a whole.
  if (threadMode || o.expr.asConstant().value_or(-1) >= 0)
    return;
  o.param = definedParam;
  o.loops.clear();
  o.guards = evaluatedUnder;
  for (const std::shared_ptr<Node> &n : open)
    if (isa<Loop>(n.get()))
      o.loops.push_back(std::static_pointer_cast<Loop>(n));
    else
      append_range(o.guards, cast<Guard>(n.get())->conditions);
  // The bounds of threads' loops come from the guard that may be this very
  // place: only that they start at zero is known, also under other guards.
  const bool isInLoops = !o.loops.empty();
  for (const ThreadVariable &v : threads.variables)
    if (v.loop && !isInLoops) {
      auto unbounded = std::make_shared<Loop>(v.loop->id);
      unbounded->lower.push_back({0, 1});
      o.loops.push_back(std::move(unbounded));
    }
  obligations.push_back(std::move(o));
}

/// Of what was asked for since, what is about numbers that are divided.
std::vector<Obligation> NestBuilder::takeDivided(size_t since) {
  auto begin = obligations.begin() + since;
  auto it =
      std::stable_partition(begin, obligations.end(),
                            [](const Obligation &o) { return !o.remainder; });
  std::vector<Obligation> taken(std::make_move_iterator(it),
                                std::make_move_iterator(obligations.end()));
  obligations.erase(it, obligations.end());
  return taken;
}

bool NestBuilder::isNarrow(QualType type) const {
  return type->isIntegerType() &&
         ast.getTypeSize(type) < ast.getTypeSize(ast.IntTy);
}

/// A narrow integer and an unsigned one wrap silently: \p e is to be one of
/// the values of \p type.
void NestBuilder::obligeFits(const IndexExpr &e, QualType type,
                             clang::SourceRange where) {
  type = type.getUnqualifiedType();
  const std::string why =
      "a value of type '" + spelling(type) + "' does not wrap";
  const bool isSigned = type->isSignedIntegerType();
  const unsigned bits = ast.getIntWidth(type) - isSigned;
  if (isNarrow(type))
    oblige((int64_t(1) << bits) - 1 - e, where, why);
  oblige(isSigned ? e + (int64_t(1) << bits) : e, where, why);
}

Error checkAtomics(const NestBuilder &b) {
  const Nest &nest = b.nest;
  for (const StatementPath &p : statements(nest))
    for (const ThreadMap &m : nest.function.threadMaps) {
      const Access &target = p.statement->target;
      const bool isOwn = any_of(target.subscripts, [&](const IndexExpr &e) {
        return e.coefficient(loopVar(m.loop)) != 0 &&
               none_of(e.vars(), [&](Var v) {
                 return v.kind == Var::Loop && v.id != m.loop;
               });
      });
      if (b.atomics.count(p.statement->id) && !isOwn)
        return refuse(diag::Atomic,
                      "several threads add to one element of '" +
                          nest.arrays[target.array].name +
                          "', in an order that nothing says",
                      p.statement->range,
                      "add up in the thread of the output, in a loop over '" +
                          nest.loopNames[m.loop] + "'");
    }
  return Error::success();
}

} // namespace convopt
