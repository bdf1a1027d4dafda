//===- KernelBody.cpp - What one thread runs ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;

namespace convopt::emit {

raw_ostream &KernelBody::line(const Scope &s) {
  return out.indent(2 * s.indent);
}

std::string KernelBody::origin(SourceRange r) const {
  if (!r.isValid() || nest.sourceFile.empty())
    return "";
  return " // " + forComment(nest.sourceFile) + ":" + std::to_string(r.line);
}

/// `y_r_2` prints as `y_r`: copies of a loop stand in scopes of their own.
static StringRef baseName(StringRef name) {
  StringRef stem = name.rtrim("0123456789");
  bool copy = stem.size() != name.size() && stem.size() > 1 &&
              stem.drop_back().contains('_') && stem.ends_with("_");
  return copy ? stem.drop_back() : name;
}

void KernelBody::declare(const Scope &s, const std::string &name,
                         const std::string &value, const std::string &comment) {
  out.flush();
  size_t begin = text.size();
  line(s) << "const int " << name << " = " << value << ";" << comment << "\n";
  out.flush();
  declarations.push_back({name, begin, text.size()});
}

void KernelBody::endScope(size_t mark) {
  out.flush();
  for (; declarations.size() > mark; declarations.pop_back()) {
    const Declaration &d = declarations.back();
    if (!usesWord(StringRef(text).substr(d.end), d.name))
      text.erase(d.begin, d.end - d.begin);
  }
}

std::string KernelBody::print() {
  Scope s{root, {}, 1, false, false};
  printCoordinates(s);
  threadLoops = s.loops;
  printPartialSums(s);
  printIterators(*mapping.thread, s);
  // Comparisons are of ints; the coordinates are unsigned.
  for (unsigned id : threadLoops)
    if (StringRef(s.names(loopVar(id))).contains("Idx."))
      s.names.bind(loopVar(id), "(int)" + s.names(loopVar(id)));
  printThreadGuard(s);
  printThread(*mapping.thread, s);
  endScope(0);
  return text;
}

//===----------------------------------------------------------------------===//
// The thread's place
//===----------------------------------------------------------------------===//

void KernelBody::printCoordinates(Scope &s) {
  for (unsigned d = 0; d != 3; ++d) {
    std::string block = std::string("blockIdx.") + dimensionName(d);
    const auto &loops = mapping.grid[d];
    for (const Loop *l : loops) {
      s.loops.insert(l->id);
      s.names.bind(loopVar(l->id), block);
    }
    // Several loops share the dimension: decode it, the last is the fastest.
    std::string rest = block;
    for (size_t k = loops.size(); loops.size() > 1 && k-- != 0;) {
      const Loop &l = *loops[k];
      std::string name = s.names.fresh(baseName(nest.loopNames[l.id]));
      std::string extent = extentText(l, s.names);
      std::string lower =
          l.lower[0].expr.isZero() ? "" : " + " + s.names.expr(l.lower[0].expr);
      std::string value = rest;
      if (k != 0)
        value += " % (" + extent + ")";
      declare(s, name, value + lower, origin(l.range));
      rest = (rest == block ? rest : "(" + rest + ")") + " / (" + extent + ")";
      s.names.bind(loopVar(l.id), name);
    }
    if (loops.size() == 1 && !loops[0]->lower[0].expr.isZero())
      s.names.bind(loopVar(loops[0]->id),
                   "(int(" + block + ") + " +
                       s.names.operand(loops[0]->lower[0].expr) + ")");
    if (const Loop *l = mapping.block[d]) {
      s.loops.insert(l->id);
      s.names.bind(loopVar(l->id),
                   std::string("threadIdx.") + dimensionName(d));
    }
  }
}

/// `(2 * blockIdx.y + threadIdx.y) * 8` rather than both terms times 8.
static std::string factored(const IndexExpr &e, const Names &names) {
  for (const Let &let : names.allLets()) {
    IndexExpr rest = e - IndexExpr::of(let.variable);
    if (e.coefficient(let.variable) == 1 && !rest.uses(let.variable) &&
        !rest.isZero() && rest.constantTerm() >= 0)
      return names(let.variable) + " + " + names.expr(rest);
  }
  int64_t common = 0;
  for (const auto &[monomial, coefficient] : e.terms())
    common = std::gcd(common, coefficient);
  if (common <= 1 || e.terms().size() < 2)
    return names.expr(e);
  IndexExpr quotient = IndexExpr::floorDiv(e, IndexExpr(common));
  return "(" + names.expr(quotient) + ") * " + std::to_string(common);
}

static bool onlyLoops(const IndexExpr &e, const std::set<unsigned> &loops) {
  return llvm::all_of(e.vars(), [&](Var v) {
    return v.kind == Var::Param || loops.count(v.id);
  });
}

void KernelBody::printPartialSums(Scope &s) {
  std::set<std::pair<unsigned, IndexExpr>> done;
  for (const StatementPath &p : statements(nest))
    for (size_t k = 0; k != p.statement->iterators.size(); ++k) {
      const IndexExpr &value = p.statement->instance[k];
      unsigned iterator = p.statement->iterators[k];
      if (onlyLoops(value, s.loops))
        continue;
      IndexExpr part = value.substitute([&](Var v) {
        return v.kind == Var::Loop && !s.loops.count(v.id)
                   ? std::optional<IndexExpr>(IndexExpr(0))
                   : std::nullopt;
      });
      if (!part.usesLoops() || value.hasQuotient() ||
          !done.insert({iterator, part}).second)
        continue;
      std::string text = factored(part, s.names);
      Let let =
          s.names.addLet(part, nest.loopNames[iterator] + "0", std::nullopt);
      declare(s, s.names(let.variable), text);
    }
}

void KernelBody::printIterators(const Body &body, Scope &s) {
  // An iterator is declared here where every statement below agrees on it.
  std::map<unsigned, std::optional<IndexExpr>> values;
  std::vector<unsigned> order;
  walk(body, [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *st = dyn_cast<Statement>(&n);
    if (!st)
      return;
    for (size_t k = 0; k != st->iterators.size(); ++k) {
      auto [it, isNew] = values.insert({st->iterators[k], st->instance[k]});
      if (isNew)
        order.push_back(st->iterators[k]);
      else if (it->second && *it->second != st->instance[k])
        it->second.reset();
    }
  });
  for (unsigned iterator : order) {
    const auto &value = values[iterator];
    Var v = loopVar(iterator);
    bool declared = llvm::any_of(s.names.allLets(),
                                 [&](const Let &l) { return l.variable == v; });
    if (!value || declared || !onlyLoops(*value, s.loops))
      continue;
    bool isThread = llvm::any_of(value->vars(), [&](Var u) {
      return u.kind == Var::Loop && StringRef(s.names(u)).contains("Idx.");
    });
    if (std::optional<Var> same = value->asVar(); same && !isThread) {
      s.names.bind(v, s.names(*same));
      continue;
    }
    std::string text = factored(s.names.fold(*value), s.names);
    s.names.addLet(*value, nest.loopNames[iterator], v);
    declare(s, s.names(v), text);
  }
}

void KernelBody::printThreadGuard(Scope &s) {
  std::vector<Constraint> guards;
  for (int d = 0; d != 3; ++d)
    if (mapping.block[d])
      for (Constraint c : partialConstraints(*mapping.block[d])) {
        c.expr = s.names.fold(c.expr);
        if (!llvm::is_contained(guards, c))
          guards.push_back(c);
      }
  if (guards.empty())
    return;
  line(s) << "if (" << s.names.conjunction(guards, /*negated=*/true) << ")\n";
  line(s) << "  return;\n\n";
}

//===----------------------------------------------------------------------===//
// Loops and statements
//===----------------------------------------------------------------------===//

void KernelBody::printThread(const Body &body, Scope &s) {
  for (const NodeRef &n : body) {
    std::vector<Constraint> full = fullTile(*n, s);
    if (full.empty()) {
      printNode(*n, s);
      continue;
    }
    Scope inner = s;
    ++inner.indent;
    line(s) << "if (" << s.names.conjunction(full)
            << ") { // a full tile needs no guard\n";
    inner.full = true;
    printNode(*n, inner);
    line(s) << "} else {\n";
    inner.full = false;
    inner.partial = true;
    printNode(*n, inner);
    line(s) << "}\n";
  }
}

void KernelBody::printBody(const Body &body, Scope s) {
  size_t mark = declarations.size();
  printIterators(body, s);
  for (const NodeRef &n : body)
    printNode(*n, s);
  endScope(mark);
}

void KernelBody::printNode(const Node &n, Scope &s) {
  switch (n.nodeKind) {
  case Node::Kind::Loop:
    return printLoop(cast<Loop>(n), s);
  case Node::Kind::Statement:
    return printStatement(cast<Statement>(n), s);
  case Node::Kind::Local:
    return printLocal(cast<Local>(n), s);
  case Node::Kind::Barrier:
    line(s) << "__syncthreads();\n";
    return;
  case Node::Kind::Guard: {
    const auto &g = cast<Guard>(n);
    std::vector<Constraint> folded = g.conditions;
    for (Constraint &c : folded)
      c.expr = s.names.fold(c.expr);
    line(s) << "if (" << s.names.conjunction(folded) << ") {" << origin(g.range)
            << "\n";
    Scope inner = s;
    ++inner.indent;
    printBody(g.body, inner);
    line(s) << "}\n";
    return;
  }
  }
}

/// True where running \p body for an iteration of \p loop that is not in the
/// domain does no harm: it touches nothing but locals of that iteration.
static bool isHarmless(const Nest &nest, const Body &body, const Loop &loop) {
  std::set<unsigned> own;
  bool harmless = true;
  // A cell of the iteration's own: in a local made inside it, or along a
  // dimension that a pass added for this very loop.
  auto isOwn = [&](const Access &a) {
    unsigned added = nest.arrays[a.array].expandedDims;
    for (unsigned d = 0; d < added && d < a.subscripts.size(); ++d) {
      auto extent = nest.arrays[a.array].extents[d].asConstant();
      if (a.subscripts[d] == IndexExpr::loop(loop.id) && extent &&
          *extent >= *constantUpper(nest, loop))
        return true;
    }
    return own.count(a.array) != 0;
  };
  walk(body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const auto *local = dyn_cast<Local>(&n))
      own.insert(local->array);
    const auto *st = dyn_cast<Statement>(&n);
    if (!st)
      return;
    harmless &= nest.arrays[st->target.array].isLocal() && isOwn(st->target);
    for (const Operand &o : st->operands)
      harmless &=
          o.kind == Operand::Index || nest.arrays[o.access.array].isLocal();
  });
  return harmless;
}

std::vector<Constraint> KernelBody::neededGuard(const Loop &l) const {
  if (l.kind != LoopKind::Unrolled || !constantUpper(nest, l) ||
      isHarmless(nest, l.body, l))
    return {};
  return partialConstraints(l);
}

/// The guard of \p l that the test for a full tile has not made already.
std::vector<Constraint> KernelBody::remainingGuard(const Loop &l,
                                                   const Scope &s) const {
  std::vector<Constraint> guard = neededGuard(l);
  if (s.full)
    llvm::erase_if(guard, [&](const Constraint &c) {
      return onlyLoops(c.expr.substitute(loopVar(l.id), IndexExpr(0)),
                       threadLoops);
    });
  return guard;
}

std::vector<Constraint> KernelBody::fullTile(const Node &n,
                                             const Scope &s) const {
  const auto *outer = dyn_cast<Loop>(&n);
  if (!outer || outer->kind == LoopKind::Unrolled)
    return {};
  std::vector<Constraint> full;
  walk(outer->body, [&](const Node &inner, const std::vector<NodeRef> &) {
    const auto *l = dyn_cast<Loop>(&inner);
    if (!l)
      return;
    for (Constraint c : neededGuard(*l)) {
      c.expr = c.expr.substitute(loopVar(l->id), *constantUpper(nest, *l) - 1);
      if (!onlyLoops(c.expr, threadLoops))
        continue;
      c.expr = s.names.fold(c.expr);
      if (!llvm::is_contained(full, c))
        full.push_back(c);
    }
  });
  return full;
}

/// Whether registers are indexed by \p l, so that it must be unrolled.
static bool indexesLocal(const Nest &nest, const Loop &l) {
  bool indexes = false;
  auto look = [&](const Access &a) {
    indexes |= nest.arrays[a.array].isLocal() &&
               llvm::any_of(a.subscripts, [&](const IndexExpr &e) {
                 return e.uses(loopVar(l.id));
               });
  };
  walk(l.body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const auto *st = dyn_cast<Statement>(&n)) {
      look(st->target);
      for (const Operand &o : st->operands)
        if (o.kind == Operand::Read)
          look(o.access);
    }
  });
  return indexes;
}

void KernelBody::printLoop(const Loop &l, const Scope &s) {
  Scope inner = s;
  inner.loops.insert(l.id);
  ++inner.indent;
  std::string name = inner.names.fresh(baseName(nest.loopNames[l.id]));
  std::vector<Constraint> guard = remainingGuard(l, s);
  std::string upper;
  if (l.kind == LoopKind::Unrolled && constantUpper(nest, l))
    upper = std::to_string(*constantUpper(nest, l));
  else
    upper = upperText(l, s.names);
  // Rolled in the copy for partial tiles, which need not be fast, unless
  // registers are indexed.
  if (l.kind == LoopKind::Unrolled && (!s.partial || indexesLocal(nest, l)))
    out << "#pragma unroll\n";
  line(s) << "for (int " << name << " = " << lowerText(l, s.names) << "; "
          << name << " < " << upper << "; ++" << name << ") {";
  if (!s.partial)
    out << origin(l.range);
  out << "\n";
  inner.names.bind(loopVar(l.id), name);
  size_t mark = declarations.size();
  printIterators(l.body, inner);
  if (!guard.empty()) {
    for (Constraint &c : guard)
      c.expr = inner.names.fold(c.expr);
    line(inner) << "if (" << inner.names.conjunction(guard) << ") {\n";
    Scope guarded = inner;
    ++guarded.indent;
    printBody(l.body, guarded);
    line(inner) << "}\n";
  } else {
    printBody(l.body, inner);
  }
  endScope(mark);
  line(s) << "}\n";
}

void KernelBody::printLocal(const Local &l, const Scope &s) {
  const Array &a = nest.arrays[l.array];
  line(s) << a.elementType << ' ' << a.name;
  for (const IndexExpr &e : a.extents)
    out << '[' << s.names.expr(e) << ']';
  out << ";\n";
}

std::string KernelBody::access(const Access &a, const Names &names) const {
  return accessText(nest, a, names);
}

std::string KernelBody::operand(const Operand &o, const Names &names) const {
  if (o.kind == Operand::Index)
    return "(" + names.expr(o.index) + ")";
  if (o.guard.empty())
    return access(o.access, names);
  return "(" + names.conjunction(o.guard) + " ? " + access(o.access, names) +
         " : " + o.otherwise + ")";
}

void KernelBody::printStatement(const Statement &st, const Scope &scope) {
  Scope s = scope;
  // Iterators on which the statements of a body disagree have no variable.
  for (size_t k = 0; k != st.iterators.size(); ++k)
    if (!s.names.isBound(loopVar(st.iterators[k])))
      s.names.bind(loopVar(st.iterators[k]),
                   "(" + s.names.expr(s.names.fold(st.instance[k])) + ")");
  std::string target = access(st.target, s.names);
  std::string rhs = substituteOperands(
      st.text, [&](size_t k) { return operand(st.operands[k], s.names); });
  line(s) << assignmentText(st.op, target, rhs) << ";\n";
}

} // namespace convopt::emit
