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

StringRef baseName(StringRef name) {
  StringRef stem = name.rtrim("0123456789");
  bool copy = stem.size() != name.size() && stem.size() > 1 &&
              stem.drop_back().contains('_') && stem.ends_with("_");
  return copy ? stem.drop_back() : name;
}

void KernelBody::declare(const Scope &s, const std::string &name,
                         const std::string &value, const std::string &comment,
                         const char *type) {
  out.flush();
  size_t begin = text.size();
  line(s) << "const " << type << ' ' << name << " = " << value << ";" << comment
          << "\n";
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

KernelBody::KernelBody(const Nest &nest, const Mapping &mapping, Names names,
                       std::string vectorHelper)
    : nest(nest), mapping(mapping), root(std::move(names)),
      vectorHelper(std::move(vectorHelper)) {
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *c = dyn_cast<Copy>(&n);
    if (!c)
      return;
    Filling &f = fillings[c->buffer] = {c, nullptr};
    for (const NodeRef &outer : enclosing)
      if (const auto *l = dyn_cast<Loop>(outer.get()))
        f.loop = l;
  });
}

std::string KernelBody::print() {
  Scope s{root, {}, 1, false, false};
  printCoordinates(s);
  threadLoops = s.loops;
  printSharedBuffers(s);
  printBoxCorners(s);
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
// Loops and statements
//===----------------------------------------------------------------------===//

bool isCollective(const Nest &nest, const Body &body) {
  bool collective = false;
  walk(body, [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *c = dyn_cast<Copy>(&n);
    collective |=
        isa<Barrier>(&n) ||
        (c && nest.arrays[c->buffer].buffer->memory == Buffer::Shared);
  });
  return collective;
}

/// What a thread of the block prints on its own, or a loop in which all meet.
void KernelBody::printThread(const Body &body, Scope &s) {
  for (size_t k = 0; k != body.size(); ++k) {
    const NodeRef &n = body[k];
    if (isCollective(nest, {n})) {
      printNode(*n, s);
      continue;
    }
    if (printInitialised(body, k, s)) {
      ++k;
      continue;
    }
    std::vector<Constraint> full = fullTile(*n, s);
    if (full.empty()) {
      printInside(*n, s);
      continue;
    }
    Scope inner = s;
    ++inner.indent;
    // A full tile along one dimension may lie outside along another.
    line(s) << "if (" << (inside.empty() ? "" : inside + " && ")
            << s.names.conjunction(full)
            << ") { // a full tile needs no guard\n";
    inner.full = true;
    printNode(*n, inner);
    line(s) << "} else " << (inside.empty() ? "" : "if (" + inside + ") ")
            << "{\n";
    inner.full = false;
    inner.partial = true;
    printNode(*n, inner);
    line(s) << "}\n";
  }
}

/// A thread that is outside of the domain must not touch global memory.
void KernelBody::printInside(const Node &n, Scope &s) {
  if (inside.empty() || isa<Local>(&n) || isPrivate(n))
    return printNode(n, s);
  line(s) << "if (" << inside << ") {\n";
  Scope inner = s;
  ++inner.indent;
  printNode(n, inner);
  line(s) << "}\n";
}

void KernelBody::printBody(const Body &body, Scope s) {
  size_t mark = declarations.size();
  printIterators(body, s);
  if (isCollective(nest, body))
    printThread(body, s);
  else
    for (size_t k = 0; k != body.size(); ++k)
      if (printInitialised(body, k, s))
        ++k;
      else
        printNode(*body[k], s);
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
  case Node::Kind::Copy:
    return printCopy(cast<Copy>(n), s);
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

/// Whether \p o reads nothing of global memory. Legality has the boxes of
/// buffers hold what whole tiles read, inside of the domain or not.
static bool isNear(const Nest &nest, const Operand &o) {
  return o.kind == Operand::Index || o.access.buffer ||
         nest.arrays[o.access.array].isLocal();
}

bool isFloating(StringRef type) {
  return is_contained({"float", "double", "_Float16", "__half", "half"}, type);
}

/// Whether \p st is undefined for some values of what it reads: a division by
/// an integer zero, a shift by too much.
static bool isPartial(const Nest &nest, const Statement &st) {
  return StringRef(st.text).find_first_of("/%<>") != StringRef::npos &&
         any_of(st.operands, [&](const Operand &o) {
           return o.kind == Operand::Read &&
                  !isFloating(nest.arrays[o.access.array].elementType);
         });
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
    harmless &= nest.arrays[st->target.array].isLocal() && isOwn(st->target) &&
                !isPartial(nest, *st);
    for (const Operand &o : st->operands)
      harmless &= isNear(nest, o);
  });
  return harmless;
}

bool KernelBody::isPrivate(const Node &node) const {
  bool isPrivate = true;
  auto look = [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *st = dyn_cast<Statement>(&n);
    if (!st)
      return;
    isPrivate &=
        nest.arrays[st->target.array].isLocal() && !isPartial(nest, *st);
    for (const Operand &o : st->operands)
      isPrivate &= isNear(nest, o);
  };
  if (isa<Statement>(&node))
    look(node, {});
  if (const auto *l = dyn_cast<Loop>(&node))
    walk(l->body, look);
  if (const auto *g = dyn_cast<Guard>(&node))
    walk(g->body, look);
  return isPrivate;
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
  if (pipelineDepth(nest, l) > 1)
    return printPipelined(l, s);
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

std::string KernelBody::access(const Access &a, const Statement &st,
                               const Names &names) const {
  if (!a.buffer)
    return accessText(nest, a, names);
  const Copy &copy = *fillings.at(*a.buffer).copy;
  std::vector<IndexExpr> at;
  for (size_t d = 0; d != a.subscripts.size(); ++d)
    at.push_back(overCurrentLoops(st, a.subscripts[d]) - copy.base[d]);
  return place(*a.buffer, at, names);
}

std::string KernelBody::operand(const Operand &o, const Statement &st,
                                const Names &names) const {
  if (o.kind == Operand::Index)
    return "(" + names.expr(o.index) + ")";
  bool isFilled =
      o.access.buffer && !nest.arrays[*o.access.buffer].buffer->fill.empty();
  if (o.guard.empty() || isFilled)
    return access(o.access, st, names);
  return "(" + names.conjunction(o.guard) + " ? " +
         access(o.access, st, names) + " : " + o.otherwise + ")";
}

void KernelBody::printStatement(const Statement &st, const Scope &scope,
                                bool indented) {
  Scope s = scope;
  // Iterators on which the statements of a body disagree have no variable.
  for (size_t k = 0; k != st.iterators.size(); ++k)
    if (!s.names.isBound(loopVar(st.iterators[k])))
      s.names.bind(loopVar(st.iterators[k]),
                   "(" + s.names.expr(s.names.fold(st.instance[k])) + ")");
  std::string target = access(st.target, st, s.names);
  std::string rhs = substituteOperands(
      st.text, [&](size_t k) { return operand(st.operands[k], st, s.names); });
  if (indented)
    line(s);
  out << assignmentText(st.op, target, rhs) << ";\n";
}

} // namespace convopt::emit
