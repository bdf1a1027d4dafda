//===- KernelBody.cpp - What one thread runs ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "BulkCopies.h"
#include "ThreadPartition.h"
#include "Values.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Print/Cuda.h"
#include "convopt/Source/Comment.h"
#include "convopt/Target/ElementSize.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

std::string KernelBody::origin(SourceRange r) const {
  if (!r.isValid() || nest.sourceFile.empty())
    return "";
  return forComment(nest.sourceFile) + ":" + std::to_string(r.line);
}

StringRef baseName(StringRef name) {
  StringRef stem = name.rtrim("0123456789");
  bool copy = stem.size() != name.size() && stem.size() > 1 &&
              stem.drop_back().contains('_') && stem.ends_with("_");
  return copy ? stem.drop_back() : name;
}

VariableRef KernelBody::constant(std::string name, Type type) {
  Variable v{std::move(name), std::move(type)};
  v.isConst = true;
  return std::make_shared<Variable>(std::move(v));
}

Declaration &KernelBody::declare(Scope &s, VariableRef v, Expr value) {
  auto &d = s.add<Declaration>(std::move(v), std::move(value));
  d.isOptional = true;
  return d;
}

Declaration &KernelBody::declare(Scope &s, Var v, Expr value) {
  return declare(s, s.names.declared(v), std::move(value));
}

KernelBody::KernelBody(const Nest &nest, const Mapping &mapping, Names names,
                       HelperNames helperNames, bool fullTiles)
    : nest(nest), mapping(mapping), root(std::move(names)),
      helpers(std::move(helperNames)), vectors(vectorCopies(nest)),
      fullTiles(fullTiles) {
  auto addWidth = [&](const Expr &width) {
    Width &w = widths[cudaText(width)];
    if (!w.constant)
      w = {constant(root.fresh("V")), width};
  };
  for (const VectorCopy &v : vectors)
    addWidth(vectorOf(nest.arrays[v.copy->buffer], helpers.aligned));
  thread = threadOf(mapping, {0, 1, 2});
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *c = dyn_cast<Copy>(&n);
    if (!c)
      return;
    const Array &buffer = nest.arrays[c->buffer];
    if (c->from && buffer.buffer->layout.vector != 1 &&
        !elementSize(buffer.elementType))
      addWidth(vectorOf(buffer));
    CopySite &f = copySites[c->buffer] = {c, nullptr};
    unsigned repeating = 0;
    for (const NodeRef &outer : enclosing)
      if (const auto *l = dyn_cast<Loop>(outer.get())) {
        f.loop = l;
        repeating += !isParallel(l->kind) && !isHost(l->kind);
      } else {
        repeating += 2; // a guard: not in every iteration
      }
    if (!isByTma(nest, *c))
      return;
    BulkBuffer &b = bulkBuffers[c->buffer];
    b.isCounted = repeating > 1 ||
                  (repeating == 1 && isParallel(f.loop->kind)) ||
                  !predicatedSums(nest.body).empty();
    if (buffer.buffer->layout.copyKind == BufferLayout::Tensor &&
        StorageMap(nest, buffer).slack())
      b.box = root.fresh(buffer.name + "_box");
  });
  for (const auto &[copy, map] : helpers.tensorMaps)
    tensorMaps[copy] = map.variable();
  if (!bulkBuffers.empty())
    bulk = constant(root.fresh("bulk"), Type::boolean());
}

VariableRef KernelBody::widthOf(const Expr &value) const {
  return widths.at(cudaText(value)).constant;
}

Kernel KernelBody::lower() {
  Kernel kernel;
  kernel.block = mapping.blockDim;
  Expr number = thread;
  if (number.kind() == Expr::Binary)
    thread = constant(root.fresh("thread"));
  root.setSigned(false);
  defineSizes(nest, root, kernel.body);
  Scope s{root, &kernel.body};
  lowerWidths(s);
  lowerCoordinates(s);
  assertGiven(s);
  if (!(thread == number))
    declare(s, thread.variable(), number);
  threadLoops = s.loops;
  lowerSharedBuffers(s);
  lowerBulkBarriers(s);
  lowerBoxCorners(s);
  lowerPartialSums(s);
  lowerIterators(*mapping.thread, s);
  // Comparisons are of ints; the coordinates are unsigned.
  s.names.setSigned(true);
  lowerThreadGuard(s);
  lowerThread(*mapping.thread, s);
  kernel.parameters = parameters();
  return kernel;
}

std::vector<VariableRef> KernelBody::parameters() const {
  std::vector<VariableRef> all;
  auto add = [&](Var v) { all.push_back(root.variableOf(v)); };
  for (unsigned k = 0; k != nest.arrays.size(); ++k)
    if (const Array &a = nest.arrays[k];
        !a.isLocal() || (a.buffer && a.buffer->isOnHost()))
      all.push_back(variableOf(k));
  for (unsigned k = 0; k != nest.params.size(); ++k)
    if (!nest.params[k].definition)
      add(paramVar(k));
  for (const Loop *l : mapping.hostLoops())
    add(loopVar(l->id));
  if (helpers.aligned)
    all.push_back(helpers.aligned);
  for (const auto &[copy, map] : tensorMaps)
    all.push_back(map);
  return all;
}

//===----------------------------------------------------------------------===//
// Loops and statements
//===----------------------------------------------------------------------===//

void walkFrom(const Node &node, function_ref<void(const Node &)> f) {
  f(node);
  auto inside = [&](const Node &n, const std::vector<NodeRef> &) { f(n); };
  if (const Body *body = bodyOf(node))
    walk(*body, inside);
}

bool isCollective(const Nest &nest, const Body &body) {
  return !collect<Barrier>(body).empty() ||
         any_of(collect<Copy>(body), [&](const Copy *c) {
           return nest.arrays[c->buffer].buffer->memory == Buffer::Shared;
         });
}

/// What a thread of the block runs on its own, or a loop in which all meet.
void KernelBody::lowerThread(const Body &body, Scope &s) {
  const std::vector<Recomputed> parts = partsOf(body);
  for (size_t k = 0; k != body.size(); ++k) {
    if (isCollective(nest, {body[k]}) ||
        (!isa<Local>(body[k].get()) && declaresSplitSum({body[k]}))) {
      lowerNode(*body[k], s);
      if (k + 1 == body.size() || !isa<Copy>(body[k + 1].get())) {
        lowerAsyncWaits(body, k, s);
        lowerBulkWaits(s);
      }
    } else if (lowerInitialised(body, k, s)) {
      ++k;
    } else if (s.partial && !isa<Local>(body[k].get())) {
      lowerPartial(body[k], s);
    } else {
      lowerTile(body[k], s);
    }
    addUpAfter(k, body, s);
    recomputeAfter(k, body, parts, s);
  }
}

void KernelBody::lowerTile(const NodeRef &n, Scope &s) {
  TileTest test = tileTest(*n, s);
  if (test.conditions.empty())
    return lowerInside(*n, s);
  // A full tile along one dimension may lie outside along another.
  auto &full =
      s.add<If>(both(outputTest(*n), s.names.condition(test.conditions)));
  full.comment = "a full tile needs no guard";
  Scope whole = s.in(full.body);
  whole.settled = std::move(test.settled);
  whole.never = std::move(test.never);
  assertNever(n, whole);
  lowerNode(*withGuardsOutside(n, whole), whole);
  lowerPartial(n, s.in(full.otherwise));
}

void KernelBody::lowerPartial(const NodeRef &n, Scope s) {
  s.partial = true;
  NodeRef guarded = withGuardsOutside(n, s);
  shorten(guarded, s);
  // All threads copy what copies of the block may take from them.
  const bool isCopied = isa<Copy>(n.get()) && isPrivate(*n);
  if (const Expr test = outputTest(*n); test && !isCopied)
    s = s.in(s.add<If>(test).body);
  lowerNode(*guarded, s);
}

/// A thread that is outside of the domain must not touch global memory.
void KernelBody::lowerInside(const Node &n, Scope &s) {
  const Expr test = outputTest(n);
  if (!test || isa<Local>(&n) || isPrivate(n))
    return lowerNode(n, s);
  Scope inner = s.in(s.add<If>(test).body);
  lowerNode(n, inner);
}

/// \p together says that threads without an output run \p body, too.
void KernelBody::lowerBody(const Body &body, Scope s, bool together) {
  s.isAgain = false;
  lowerIterators(body, s);
  if (together || isCollective(nest, body) || declaresSplitSum(body))
    return lowerThread(body, s);
  const std::vector<Recomputed> parts = partsOf(body);
  for (size_t k = 0; k != body.size(); ++k) {
    if (lowerInitialised(body, k, s))
      ++k;
    else if (const auto *g = dyn_cast<Guard>(body[k].get()))
      lowerGuard(*g, s, /*alone=*/body.size() == 1);
    else
      lowerNode(*body[k], s);
    recomputeAfter(k, body, parts, s);
  }
}

void KernelBody::lowerNode(const Node &n, Scope &s) {
  switch (n.nodeKind) {
  case Node::Kind::Loop:
    return lowerLoop(cast<Loop>(n), s);
  case Node::Kind::Statement:
    return lowerStatement(cast<Statement>(n), s);
  case Node::Kind::Local:
    return lowerLocal(cast<Local>(n), s);
  case Node::Kind::Barrier:
    return s.call(Callee::SyncThreads);
  case Node::Kind::Copy:
    if (!s.isInPlace(cast<Copy>(n).buffer))
      lowerCopy(cast<Copy>(n), s);
    return;
  case Node::Kind::Guard:
    return lowerGuard(cast<Guard>(n), s, /*alone=*/false);
  }
}

Expr KernelBody::comparison(std::vector<Constraint> conditions,
                            const Scope &s) const {
  for (Constraint &c : conditions)
    c.expr = s.names.fold(c.expr);
  return s.names.condition(conditions);
}

/// \p alone says that \p g is all of the body that it stands in.
void KernelBody::lowerGuard(const Guard &g, Scope &s, bool alone) {
  std::vector<Constraint> conditions = unsettled(g, s);
  if (conditions.empty() && alone) {
    assertRest(g.conditions, conditions, s);
    return lowerBody(g.body, s);
  }
  auto add = [&](auto &statement) {
    statement.comment = origin(g.range);
    Scope inner = s.in(statement.body);
    assertRest(g.conditions, conditions, inner);
    lowerBody(g.body, inner);
  };
  if (conditions.empty())
    add(s.add<program::Scope>());
  else
    add(s.add<If>(comparison(conditions, s)));
}

void KernelBody::lowerLoop(const Loop &l, Scope &s) {
  if (isSplit(l))
    return lowerSplit(l, s);
  if (pipelineDepth(nest, l) > 1)
    return lowerPipelined(l, s);
  Conditions invariant = invariantGuards(l, s);
  if (invariant.empty())
    return lowerLoopItself(l, s);
  std::vector<Constraint> conditions;
  for (const auto &[guard, invariants] : invariant)
    append_range(conditions, invariants);
  auto &test = s.add<If>(comparison(conditions, s));
  test.comment = origin(invariant.begin()->first->range);
  Scope inner = s.in(test.body);
  settle(invariant, inner);
  lowerLoopItself(l, inner);
}

/// Loops that are unrolled guard their bodies.
Expr KernelBody::endOf(const Loop &l, const Names &names) const {
  if (l.kind == LoopKind::Unrolled)
    if (std::optional<int64_t> constant = constantUpper(nest, l))
      return *constant;
  return upperOf(l, names);
}

void KernelBody::lowerLoopItself(const Loop &l, Scope &s) {
  std::vector<Constraint> guard = unsettled(l, neededGuard(l), s);
  Names names = s.names;
  names.bind(loopVar(l.id), names.fresh(baseName(nest.loopNames[l.id])));
  auto &loop = s.add<For>(names.declared(loopVar(l.id)), lowerOf(l, s.names),
                          endOf(l, s.names));
  if (l.kind == LoopKind::Unrolled)
    loop.unroll = isUnrolled(l, s) ? For::Always : For::Never;
  else if (s.isCopied && constantTrips(nest, l).value_or(1) != 1)
    loop.unroll = For::Never; // or the compiler writes out each copy
  if (!s.partial)
    loop.comment = origin(l.range);
  Scope inner = s.in(loop.body);
  inner.names = std::move(names);
  inner.loops.insert(l.id);
  inner.isCopied |= loop.unroll == For::Always;
  lowerIterators(l.body, inner);
  if (!guard.empty())
    inner = inner.in(inner.add<If>(comparison(guard, inner)).body);
  assertRest(neededGuard(l), guard, inner);
  lowerBody(l.body, inner);
}

std::vector<IndexExpr> KernelBody::indices(const Access &a,
                                           const Statement &st) const {
  std::vector<IndexExpr> at;
  for (const IndexExpr &e :
       a.buffer ? coordinatesOf(a, nest.arrays[*a.buffer]) : a.subscripts)
    at.push_back(overCurrentLoops(st, e));
  auto isAny = [](Var) { return true; };
  for (size_t d = 0; a.buffer && d != at.size(); ++d) {
    const IndexExpr &base = copySites.at(*a.buffer).copy->base[d];
    // Quotients of a tile within a row are the same in both.
    at[d] = placeOf(nest, nest.arrays[*a.buffer], d,
                    dropFromDividends(nest, at[d] - base, isAny));
  }
  return at;
}

VariableRef KernelBody::variableOf(unsigned array) const {
  VariableRef &v = variables[array];
  if (v)
    return v;
  const Array &a = nest.arrays[array];
  Variable made{a.name, {Type::Element, a.elementType}};
  if (!a.isLocal()) {
    made.memory = Memory::Global;
    made.isPointer = true;
    made.isConst = a.role == Array::Input;
  } else if (!a.buffer) {
    for (const IndexExpr &e : a.extents)
      made.extents.push_back(root.value(e));
  } else {
    made.memory = std::array{Memory::Register, Memory::Shared, Memory::Global,
                             Memory::Constant}[a.buffer->memory];
    made.isConst = a.buffer->isOnHost();
    made.isPointer = a.buffer->isOnHost();
    if (!made.isPointer)
      made.extents = extentsOf(a);
    made.alignment = alignmentOf(a);
    auto bulk = bulkBuffers.find(array);
    if (bulk != bulkBuffers.end())
      made.box = bulk->second.box;
  }
  return v = std::make_shared<Variable>(std::move(made));
}

/// Of an array that is no buffer.
Expr KernelBody::element(const Access &a, const Names &names) const {
  std::vector<Expr> subscripts;
  if (nest.arrays[a.array].isLocal())
    for (const IndexExpr &e : a.subscripts)
      subscripts.push_back(names.value(names.fold(e)));
  else
    subscripts.push_back(offsetOf(nest, a, names));
  return Expr::element(variableOf(a.array), std::move(subscripts));
}

Expr KernelBody::access(const Access &a, const Statement &st,
                        const Scope &s) const {
  if (!a.buffer)
    return element(a, s.names);
  Access there = a;
  if (s.isInPlace(*a.buffer))
    there.buffer = copySites.at(*a.buffer).copy->from;
  return place(*there.buffer, indices(there, st), s.names);
}

Expr KernelBody::operand(const Operand &o, const Statement &st,
                         const Scope &s) const {
  if (o.kind == Operand::Index)
    return s.names.value(o.index);
  std::vector<Constraint> asked;
  if (isAsked(o))
    for (const Constraint &c : o.guard)
      if (!unsettled(st, {{c.kind, overCurrentLoops(st, c.expr)}}, s).empty())
        asked.push_back(c);
  if (asked.empty())
    return access(o.access, st, s);
  if (o.otherwise == AtBorder)
    return atBorder(o, asked, s);
  return Expr::select(s.names.condition(asked), access(o.access, st, s),
                      Expr::source(o.otherwise));
}

bool KernelBody::isAsked(const Operand &o) const {
  return !o.guard.empty() &&
         (!o.access.buffer ||
          nest.arrays[*o.access.buffer].buffer->fill.empty());
}

/// Iterators on which the statements of a body disagree have no variable.
KernelBody::Scope KernelBody::withIterators(const Statement &st,
                                            const Scope &s) const {
  Scope own = s;
  for (size_t k = 0; k != st.iterators.size(); ++k)
    if (!own.names.isBound(loopVar(st.iterators[k])))
      own.names.bind(loopVar(st.iterators[k]),
                     own.names.value(own.names.fold(st.instance[k])));
  return own;
}

std::vector<Expr> KernelBody::operandsOf(const Statement &st,
                                         const Scope &s) const {
  std::vector<Expr> operands;
  for (const Operand &o : st.operands)
    operands.push_back(operand(o, st, s));
  return operands;
}

Expr KernelBody::valueOf(const Statement &st, const Scope &s) const {
  return Expr::formula(st.text, operandsOf(st, s));
}

Assignment::Update updateOf(Statement::Op op) {
  using Update = Assignment::Update;
  static constexpr std::array updates{Update::None, Update::Add, Update::Sub,
                                      Update::Mul,  Update::Max, Update::Min};
  return updates[size_t(op)];
}

void KernelBody::lowerStatement(const Statement &st, Scope &scope) {
  const Scope s = withIterators(st, scope);
  if (s.test)
    return lowerSumTest(st, s);
  const bool isAtomic = st.isReduction() &&
                        !nest.arrays[st.target.array].isLocal() &&
                        addsAtomically(mapping);
  const Expr target = access(st.target, st, s);
  // What is added atomically is a sum of its own, of one product.
  if (!st.fused.empty() && !isAtomic) {
    std::vector<Expr> operands = operandsOf(st, s);
    operands.push_back(target);
    scope.add<Assignment>(
        target, Expr::formula(*fusedText(nest, st), std::move(operands)));
    return;
  }
  auto &a = scope.add<Assignment>(target, valueOf(st, s), updateOf(st.op));
  a.isAtomic = isAtomic;
}

} // namespace convopt::lower
