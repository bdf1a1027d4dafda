//===- ForwardSubstitution.cpp - Variables that name a value --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   for x                                for x
///     float g = dy[x];                     for i
///     for i                    ->            dw[i] += dy[x] * in[x + i];
///       dw[i] += g * in[x + i];
///
/// So the loops within are as free as if the value had no name. It has to be
/// the same wherever the variable is read: it is computed from what the nest
/// does not write, and converted as the variable's type converts it.
///
/// A division, a choice or a call, and a value of several reads that several
/// expressions use, is computed for each output, but not for each term of a
/// sum: it stays where the source computes it where a loop around a use is not
/// one over outputs.
///
//===----------------------------------------------------------------------===//

#include "Resolve.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/SizeSamples.h"
#include "convopt/Source/Lexemes.h"

using namespace llvm;

namespace convopt {

/// How long the text of a value may be in all its uses together.
static constexpr size_t mostText = 1000;

/// Whether loops may compute \p s again in each iteration.
static bool isCheap(const Nest &nest, const Statement &s) {
  return !rhsOf(nest, s).any([](const CExpr &e) {
    return is_contained({CExpr::Call, CExpr::Choice, CExpr::Verbatim},
                        e.kind) ||
           e.isBinary({"/", "%"});
  });
}

namespace {
class ForwardSubstitution {
public:
  ForwardSubstitution(const Nest &nest, const std::set<unsigned> &unconverted)
      : nest(nest), unconverted(unconverted), outputs(loopsOfOutputs(nest)),
        uses(nest.arrays.size()) {
    walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &around) {
      if (const auto *s = dyn_cast<Statement>(&n))
        note(*s, around);
    });
    // What a variable is computed from is needed where the variable is.
    const std::vector<StatementPath> all = statements(nest);
    for (const StatementPath &p : reverse(all))
      if (const unsigned target = p.statement->target.array;
          nest.arrays[target].isLocal())
        for (const Operand &o : readsOf(*p.statement)) {
          uses[o.access.array].isInLoops |= uses[target].isInLoops;
          uses[o.access.array].isOfOutputs &= uses[target].isOfOutputs;
        }
  }

  Body run() {
    return rewriteEach<Statement>(
        nest.body, [&](const Statement *s) -> std::optional<Body> {
          auto copy = std::make_shared<Statement>(substituted(*s));
          if (!namesValue(*copy))
            return Body{copy};
          values[s->target.array] = std::move(copy);
          return Body();
        });
  }

private:
  struct Use {
    unsigned writes = 0, reads = 0;
    std::vector<NodeRef> around;  // the first write
    bool isDominated = true;      // each read is within the same, and later
    bool isGuarded = false;       // or within more
    bool isInLoops = false;       // or within more loops
    bool isOfOutputs = true;      // all loops around reads are over outputs
  };

  void note(const Statement &s, ArrayRef<NodeRef> around) {
    for (const Operand &o : readsOf(s)) {
      Use &u = uses[o.access.array];
      ++u.reads;
      u.isDominated &= u.writes && (u.around.empty() ||
                                    is_contained(around, u.around.back()));
      u.isGuarded |= around.size() > u.around.size();
      for (const auto &[depth, n] : enumerate(around))
        if (const auto *l = dyn_cast<Loop>(n.get())) {
          u.isInLoops |= depth >= u.around.size();
          u.isOfOutputs &= outputs.count(loopVar(l->id)) != 0;
        }
    }
    Use &u = uses[s.target.array];
    if (!u.writes++)
      u.around = around.vec();
  }

  /// Whether what \p s sets is read as what it is set to, and nothing else.
  bool namesValue(const Statement &s) const {
    const Array &a = nest.arrays[s.target.array];
    const Use &u = uses[s.target.array];
    return a.isLocal() && a.extents.empty() && u.writes == 1 && u.reads &&
           u.isDominated && s.op == Statement::Op::Assign &&
           ((u.isInLoops && u.isOfOutputs &&
             s.text.size() * u.reads <= mostText) ||
            (isCheap(nest, s) && (s.operands.size() == 1 || u.reads == 1))) &&
           all_of(s.operands, [&](const Operand &o) {
             return o.kind == Operand::Index || !uses[o.access.array].writes;
           });
  }

  /// \p o, of what \p use sets, where it is used.
  static Operand readBefore(Operand o, const Use &use) {
    if (o.kind == Operand::Index || o.readBefore || !use.isGuarded)
      return o;
    // An element of a border is read wherever the statement runs.
    o.readBefore =
        o.otherwise == AtBorder ? std::vector<Constraint>() : o.guard;
    for (const NodeRef &n : use.around)
      append_range(*o.readBefore, isa<Loop>(*n)
                                      ? loopConstraints(cast<Loop>(*n))
                                      : cast<Guard>(*n).conditions);
    return o;
  }

  Statement substituted(const Statement &s) const {
    Statement result = s;
    result.operands.clear();
    auto add = [&](Operand o) {
      result.operands.push_back(std::move(o));
      return "$" + std::to_string(result.operands.size() - 1);
    };
    auto valueOf = [&](unsigned k) {
      const Operand &o = s.operands[k];
      auto it =
          o.kind == Operand::Read ? values.find(o.access.array) : values.end();
      if (it == values.end())
        return add(o);
      const Statement &value = *it->second;
      const std::string text = fillHoles(
          value.text,
          [&](unsigned n) {
            return add(readBefore(value.operands[n], uses[o.access.array]));
          },
          "$$");
      if (!unconverted.count(value.id))
        return "(" + nest.arrays[value.target.array].elementType + ")(" + text +
               ")";
      return value.text == "$0" || s.text == "$0" ? text : "(" + text + ")";
    };
    result.text = fillHoles(s.text, valueOf, "$$");
    return result;
  }

  const Nest &nest;
  const std::set<unsigned> &unconverted;
  const std::set<Var> outputs;
  std::vector<Use> uses;                                       // by array
  std::map<unsigned, std::shared_ptr<const Statement>> values; // by array
};
} // namespace

/// \p body with one local in front of cases that each declare and set one that
/// nothing reads.
static Body sharedUnread(const Nest &nest, const std::vector<bool> &isRead,
                         const Body &body) {
  Body result;
  std::optional<unsigned> shared;
  for (const NodeRef &n : body) {
    const auto *g = dyn_cast<Guard>(n.get());
    const bool isPair = g && g->body.size() == 2;
    const auto *l = isPair ? dyn_cast<Local>(g->body[0].get()) : nullptr;
    const auto *s = isPair ? dyn_cast<Statement>(g->body[1].get()) : nullptr;
    if (!l || !s || s->target.array != l->array || isRead[l->array] ||
        s->accumulates()) {
      shared.reset();
      const Body *inner = bodyOf(*n);
      result.push_back(inner ? withBody(*n, sharedUnread(nest, isRead, *inner))
                             : n);
      continue;
    }
    if (!shared ||
        nest.arrays[*shared].elementType != nest.arrays[l->array].elementType) {
      shared = l->array;
      result.push_back(g->body[0]);
    }
    auto copy = std::make_shared<Statement>(*s);
    copy->target.array = *shared;
    result.push_back(withBody(*g, {std::move(copy)}));
  }
  return result;
}

void shareUnread(Nest &nest) {
  std::vector<bool> isRead(nest.arrays.size());
  for (const StatementPath &p : statements(nest))
    for (const Operand &o : readsOf(*p.statement))
      isRead[o.access.array] = true;
  nest.body = sharedUnread(nest, isRead, nest.body);
}

void forwardSubstitute(Nest &nest, const std::set<unsigned> &unconverted) {
  nest.body = ForwardSubstitution(nest, unconverted).run();
}

} // namespace convopt
