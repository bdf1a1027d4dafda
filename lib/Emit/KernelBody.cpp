//===- KernelBody.cpp - What one thread runs ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "BulkCopies.h"
#include "DealOut.h"
#include "Text.h"
#include "convopt/Target/ElementSize.h"
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
                       HelperNames helperNames, bool fullTiles)
    : nest(nest), mapping(mapping), root(std::move(names)),
      helpers(std::move(helperNames)), vectors(vectorCopies(nest)),
      fullTiles(fullTiles) {
  auto addWidth = [&](const std::string &width) {
    if (!widths.count(width))
      widths[width] = root.fresh("V");
  };
  for (const VectorCopy &v : vectors)
    addWidth(vectorText(nest.arrays[v.copy->buffer], helpers.aligned));
  thread = threadText(mapping, {0, 1, 2});
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *c = dyn_cast<Copy>(&n);
    if (!c)
      return;
    const Array &buffer = nest.arrays[c->buffer];
    if (c->from && buffer.buffer->layout.vector != 1 &&
        !elementSize(buffer.elementType))
      addWidth(vectorText(buffer));
    Filling &f = fillings[c->buffer] = {c, nullptr};
    unsigned repeating = 0;
    for (const NodeRef &outer : enclosing)
      if (const auto *l = dyn_cast<Loop>(outer.get())) {
        f.loop = l;
        repeating += !isParallel(l->kind) && !isHost(l->kind);
      } else {
        repeating += 2; // a guard: not in every iteration
      }
    if (!isByEngine(nest, *c))
      return;
    BulkBuffer &b = bulkBuffers[c->buffer];
    b.isCounted = repeating > 1 || (repeating == 1 && isParallel(f.loop->kind));
    if (buffer.buffer->layout.engine == BufferLayout::Tensor &&
        slackOf(nest, buffer))
      b.box = root.fresh(buffer.name + "_box");
  });
  if (!bulkBuffers.empty())
    bulk = root.fresh("bulk");
}

std::string KernelBody::print() {
  std::string number = thread;
  if (StringRef(number).contains(' '))
    thread = root.fresh("thread");
  Scope s{root, {}, 1, false, {}};
  printWidths(s);
  printCoordinates(s);
  if (thread != number)
    declare(s, thread, number);
  threadLoops = s.loops;
  printSharedBuffers(s);
  printBulkBarriers(s);
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
      if (k + 1 == body.size() || !isa<Copy>(body[k + 1].get()))
        printBulkWaits(s);
      continue;
    }
    if (printInitialised(body, k, s)) {
      ++k;
      continue;
    }
    TileTest test = tileTest(*n, s);
    if (test.conditions.empty()) {
      printInside(*n, s);
      continue;
    }
    Scope full = s, partial = s;
    ++full.indent;
    ++partial.indent;
    // A full tile along one dimension may lie outside along another.
    line(s) << "if (" << (inside.empty() ? "" : inside + " && ")
            << s.names.conjunction(test.conditions)
            << ") { // a full tile needs no guard\n";
    full.settled = std::move(test.settled);
    printNode(*n, full);
    line(s) << "} else " << (inside.empty() ? "" : "if (" + inside + ") ")
            << "{\n";
    partial.partial = true;
    NodeRef guarded = withGuardsOutside(n, partial);
    shorten(guarded, partial);
    printNode(*guarded, partial);
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

/// \p together says that threads without an output run \p body, too.
void KernelBody::printBody(const Body &body, Scope s, bool together) {
  size_t mark = declarations.size();
  printIterators(body, s);
  if (together || isCollective(nest, body))
    printThread(body, s);
  else
    for (size_t k = 0; k != body.size(); ++k)
      if (printInitialised(body, k, s))
        ++k;
      else if (const auto *g = dyn_cast<Guard>(body[k].get()))
        printGuard(*g, s, /*alone=*/body.size() == 1);
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
    if (!s.isInPlace(cast<Copy>(n).buffer))
      printCopy(cast<Copy>(n), s);
    return;
  case Node::Kind::Guard:
    return printGuard(cast<Guard>(n), s, /*alone=*/false);
  }
}

std::string KernelBody::comparison(std::vector<Constraint> conditions,
                                   const Scope &s) const {
  for (Constraint &c : conditions)
    c.expr = s.names.fold(c.expr);
  return s.names.conjunction(conditions);
}

/// \p alone says that \p g is all of the body that it stands in.
void KernelBody::printGuard(const Guard &g, const Scope &s, bool alone) {
  std::vector<Constraint> conditions = unsettled(g, s);
  if (conditions.empty() && alone)
    return printBody(g.body, s);
  line(s);
  if (!conditions.empty())
    out << "if (" << comparison(conditions, s) << ") ";
  out << "{" << origin(g.range) << "\n";
  Scope inner = s;
  ++inner.indent;
  printBody(g.body, inner);
  line(s) << "}\n";
}

void KernelBody::printLoop(const Loop &l, const Scope &s) {
  if (pipelineDepth(nest, l) > 1)
    return printPipelined(l, s);
  Conditions invariant = invariantGuards(l, s);
  if (invariant.empty())
    return printLoopItself(l, s);
  Scope inner = s;
  ++inner.indent;
  std::vector<Constraint> conditions;
  settle(invariant, inner);
  for (const auto &[guard, invariants] : invariant)
    append_range(conditions, invariants);
  line(s) << "if (" << comparison(conditions, s) << ") {"
          << origin(invariant.begin()->first->range) << "\n";
  printLoopItself(l, inner);
  line(s) << "}\n";
}

void KernelBody::printLoopItself(const Loop &l, const Scope &s) {
  Scope inner = s;
  inner.loops.insert(l.id);
  ++inner.indent;
  std::string name = inner.names.fresh(baseName(nest.loopNames[l.id]));
  std::vector<Constraint> guard = unsettled(l, neededGuard(l), s);
  std::string upper;
  if (l.kind == LoopKind::Unrolled && constantUpper(nest, l))
    upper = std::to_string(*constantUpper(nest, l));
  else
    upper = upperText(l, s.names);
  if (l.kind == LoopKind::Unrolled)
    out << (isWrittenOut(l, s) ? "#pragma unroll\n" : "#pragma unroll 1\n");
  line(s) << "for (int " << name << " = " << lowerText(l, s.names) << "; "
          << name << " < " << upper << "; ++" << name << ") {";
  if (!s.partial)
    out << origin(l.range);
  out << "\n";
  inner.names.bind(loopVar(l.id), name);
  size_t mark = declarations.size();
  printIterators(l.body, inner);
  if (!guard.empty()) {
    line(inner) << "if (" << comparison(guard, inner) << ") {\n";
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

std::vector<IndexExpr> KernelBody::indices(const Access &a,
                                           const Statement &st) const {
  std::vector<IndexExpr> at;
  for (const IndexExpr &e : a.subscripts)
    at.push_back(overCurrentLoops(st, e));
  if (a.buffer)
    for (size_t d = 0; d != at.size(); ++d)
      at[d] -= fillings.at(*a.buffer).copy->base[d];
  return at;
}

std::string KernelBody::access(const Access &a, const Statement &st,
                               const Scope &s) const {
  if (!a.buffer)
    return accessText(nest, a, s.names);
  Access there = a;
  if (s.isInPlace(*a.buffer))
    there.buffer = fillings.at(*a.buffer).copy->from;
  return place(*there.buffer, indices(there, st), s.names);
}

std::string KernelBody::operand(const Operand &o, const Statement &st,
                                const Scope &s) const {
  if (o.kind == Operand::Index)
    return "(" + s.names.expr(o.index) + ")";
  bool isFilled =
      o.access.buffer && !nest.arrays[*o.access.buffer].buffer->fill.empty();
  if (o.guard.empty() || isFilled)
    return access(o.access, st, s);
  return "(" + s.names.conjunction(o.guard) + " ? " + access(o.access, st, s) +
         " : " + o.otherwise + ")";
}

void KernelBody::printStatement(const Statement &st, const Scope &scope,
                                bool indented) {
  Scope s = scope;
  // Iterators on which the statements of a body disagree have no variable.
  for (size_t k = 0; k != st.iterators.size(); ++k)
    if (!s.names.isBound(loopVar(st.iterators[k])))
      s.names.bind(loopVar(st.iterators[k]),
                   "(" + s.names.expr(s.names.fold(st.instance[k])) + ")");
  std::string target = access(st.target, st, s);
  std::string rhs = substituteOperands(
      st.text, [&](size_t k) { return operand(st.operands[k], st, s); });
  if (indented)
    line(s);
  out << assignmentText(st.op, target, rhs) << ";\n";
}

} // namespace convopt::emit
