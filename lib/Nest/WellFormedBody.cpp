//===- WellFormedBody.cpp - What the body of a nest must keep to ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Nest/MathFunctions.h"
#include "convopt/Source/Lexemes.h"

using namespace llvm;

namespace convopt {

//===----------------------------------------------------------------------===//
// Loops, guards, locals and barriers
//===----------------------------------------------------------------------===//

std::vector<unsigned> Checker::currentLoops() const {
  std::vector<unsigned> ids;
  for (const Loop *l : select<Loop>(enclosing))
    ids.push_back(l->id);
  return ids;
}

bool Checker::body(const Body &b) {
  size_t scope = inScope.size();
  for (const NodeRef &n : b)
    if (!node(n))
      return false;
  inScope.resize(scope);
  return true;
}

bool Checker::node(const NodeRef &n) {
  place = n->range;
  if (const auto *s = dyn_cast<Statement>(n.get()))
    return statement(*s);
  if (const auto *l = dyn_cast<Local>(n.get()))
    return local(*l);
  if (const auto *c = dyn_cast<Copy>(n.get()))
    return copy(*c);
  if (isa<Barrier>(n.get()))
    return !inGuard() || fail("a barrier stands in a guard, where not every "
                              "thread need reach it");
  const auto *l = dyn_cast<Loop>(n.get());
  const auto *g = dyn_cast<Guard>(n.get());
  if (l ? !loop(*l) : !guard(*g))
    return false;
  enclosing.push_back(n);
  bool good = body(l ? l->body : g->body);
  enclosing.pop_back();
  return good;
}

bool Checker::loop(const Loop &l) {
  if (l.id >= nest.loopNames.size())
    return fail("a loop has no name");
  std::string name = "loop '" + nest.loopNames[l.id] + "'";
  if (seen[l.id])
    return fail(name + " is in the nest twice");
  seen[l.id] = true;
  if (l.lower.empty() || l.upper.empty())
    return fail(name + " lacks a bound");
  for (const auto *bounds : {&l.lower, &l.upper})
    for (const Bound &b : *bounds) {
      if (b.divisor <= 0)
        return fail("a bound of " + name +
                    " divides by a number that is not "
                    "positive");
      if (!over(b.expr, currentLoops(), "a bound of " + name))
        return false;
      const IndexExpr bound = nest.expandDefinitions(b.expr);
      const int64_t number = bound.constantTerm() / b.divisor;
      if (!isInt<32>(number))
        return fail("a bound of " + name +
                    (bound.isConstant() ? " is " : " has the number ") +
                    Twine(number) + ", which an int cannot count to");
    }
  return mapping(l) && unrolled(l);
}

bool Checker::unrolled(const Loop &l) {
  if (l.kind != LoopKind::Unrolled)
    return true;
  auto valueOf = [&](const Bound &b) -> IndexExpr {
    const IndexExpr e = nest.expandDefinitions(b.expr);
    const std::optional<int64_t> value = e.asConstant();
    return value            ? divideCeilSigned(*value, b.divisor)
           : b.divisor == 1 ? e
                            : IndexExpr::invalid();
  };
  // Of bounds that a template's arguments give, nothing is known.
  int64_t least = INT64_MAX;
  for (const Bound &first : l.lower)
    for (const Bound &end : l.upper)
      if (const auto trips = (valueOf(end) - valueOf(first)).asConstant())
        least = std::min(least, *trips);
  return least <= MaxUnrolledTrips || least == INT64_MAX ||
         fail("loop '" + nest.loopNames[l.id] + "' is unrolled and has " +
              Twine(least) + " iterations, the limit is " +
              Twine(MaxUnrolledTrips));
}

/// Whether \p n is run by a kernel, and not around its launches.
static bool isNotOfHost(const NodeRef &n) {
  const auto *l = dyn_cast<Loop>(n.get());
  return !l || !isHost(l->kind);
}

bool Checker::mapping(const Loop &l) {
  if (isHost(l.kind) && any_of(enclosing, isNotOfHost))
    return fail("loop '" + nest.loopNames[l.id] +
                "' is one of launches and stands in what a launch runs");
  if (l.streams < 1 || l.streams > MaxStreams)
    return fail("loop '" + nest.loopNames[l.id] + "' needs 1 to " +
                Twine(MaxStreams) + " streams");
  if (l.isAtomic && !isParallel(l.kind))
    return fail("loop '" + nest.loopNames[l.id] +
                "' is atomic, and of no threads or blocks");
  for (const Loop *outer : select<Loop>(enclosing))
    if (isBlock(l.kind) && outer->kind == l.kind)
      return fail("loops '" + nest.loopNames[outer->id] + "' and '" +
                  nest.loopNames[l.id] +
                  "' are mapped to the same block dimension");
  return true;
}

bool Checker::guard(const Guard &g) {
  if (g.conditions.empty())
    return fail("a guard has no condition");
  std::vector<unsigned> loops = currentLoops();
  return all_of(g.conditions, [&](const Constraint &c) {
    return over(c.expr, loops, "a guard");
  });
}

bool Checker::local(const Local &l) {
  if (l.array >= nest.arrays.size())
    return fail("a local array is not declared");
  const Array &a = nest.arrays[l.array];
  if (!a.isLocal())
    return fail("array '" + a.name + "' is not local to the nest");
  if (is_contained(inScope, l.array))
    return fail("local array '" + a.name + "' is declared within its scope");
  inScope.push_back(l.array);
  return true;
}

bool Checker::inGuard() const { return !select<Guard>(enclosing).empty(); }

bool Checker::copy(const Copy &c) {
  if (c.buffer >= nest.arrays.size() || !nest.arrays[c.buffer].buffer)
    return fail("a copy fills no buffer");
  const Array &array = nest.arrays[c.buffer];
  if (!is_contained(inScope, c.buffer) ||
      (c.from && !is_contained(inScope, *c.from)))
    return fail((c.isStore ? "a store of '" : "a copy to '") + array.name +
                "' uses a buffer out of its scope");
  if (c.from && (!nest.arrays[*c.from].buffer || *c.from == c.buffer ||
                 nest.arrays[*c.from].buffer->of != array.buffer->of))
    return fail("'" + nest.arrays[*c.from].name + "' is no other buffer of '" +
                nest.arrays[array.buffer->of].name + "'");
  if (c.from &&
      !(nest.arrays[*c.from].buffer->unfolding == array.buffer->unfolding))
    return fail("'" + array.name + "' is not unfolded as '" +
                nest.arrays[*c.from].name + "' is, which it is filled from");
  if (c.isStore && array.buffer->unfolding)
    return fail("unfolded buffer '" + array.name + "' is stored");
  if (array.buffer->isOnHost() && any_of(enclosing, isNotOfHost))
    return fail("buffer '" + array.name +
                "' is filled by the launcher and stands in what a launch runs");
  if (c.isStore && (array.buffer->isOnHost() ||
                    nest.arrays[array.buffer->of].role == Array::Input))
    return fail("'" + array.name + "' cannot be stored to '" +
                nest.arrays[array.buffer->of].name + "'");
  if (c.isStore && !array.buffer->isDense())
    return fail("buffer '" + array.name +
                "' is stored, and every element of a box that is");
  if (array.buffer->isOnHost() && c.from)
    return fail("buffer '" + array.name +
                "' is filled by the launcher, from the array alone");
  if (c.base.size() != array.extents.size())
    return fail("the copy to '" + array.name + "' begins at " +
                Twine(c.base.size()) + " subscripts, the buffer has " +
                Twine(array.extents.size()) + " dimensions");
  if (array.buffer->memory == Buffer::Shared && inGuard())
    return fail("shared buffer '" + array.name +
                "' is filled in a guard, where not every thread need come");
  std::vector<unsigned> loops = currentLoops();
  return all_of(c.base, [&](const IndexExpr &e) {
    return over(e, loops, "the box of '" + array.name + "'");
  });
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

static std::string nameOf(const Statement &s) {
  return "S" + std::to_string(s.id);
}

bool Checker::statement(const Statement &s) {
  if (!instance(s) || !sameStatement(s) || !access(s.target, s))
    return false;
  const Array &target = nest.arrays[s.target.array];
  if (s.target.buffer && nest.arrays[*s.target.buffer].buffer->isOnHost())
    return fail(nameOf(s) + " writes to a buffer that the launcher fills");
  if (target.role == Array::Input)
    return fail(nameOf(s) + " writes '" + target.name + "', which is an input");
  if (!inGuard() && !isWithin(s.target))
    return fail(nameOf(s) + " writes an element that '" + target.name +
                "' does not have");
  return all_of(s.operands, [&](const Operand &o) { return operand(o, s); }) &&
         text(s);
}

bool Checker::instance(const Statement &s) {
  if (s.instance.size() != s.iterators.size())
    return fail(nameOf(s) + " has " + Twine(s.iterators.size()) +
                " iterators and " + Twine(s.instance.size()) + " values");
  std::vector<unsigned> loops = currentLoops();
  for (auto [i, id] : enumerate(s.iterators)) {
    if (id >= nest.loopNames.size())
      return fail("an iterator of " + nameOf(s) + " has no name");
    if (is_contained(ArrayRef<unsigned>(s.iterators).take_front(i), id))
      return fail("iterator '" + nest.loopNames[id] + "' of " + nameOf(s) +
                  " is given twice");
    if (!over(s.instance[i], loops,
              "iterator '" + nest.loopNames[id] + "' of " + nameOf(s)))
      return false;
  }
  return true;
}

/// Copies of a statement are the same statement at other places.
bool Checker::sameStatement(const Statement &s) {
  auto [it, first] = byId.try_emplace(s.id, &s);
  const Statement &other = *it->second;
  return first ||
         (s.iterators == other.iterators && s.op == other.op &&
          s.fused == other.fused && s.text == other.text &&
          s.target.array == other.target.array) ||
         fail("two different statements are called " + nameOf(s));
}

bool Checker::access(const Access &a, const Statement &s) {
  if (a.array >= nest.arrays.size())
    return fail(nameOf(s) + " uses an array that is not declared");
  const Array &array = nest.arrays[a.array];
  if (a.subscripts.size() != array.extents.size())
    return fail(nameOf(s) + " gives " + Twine(a.subscripts.size()) +
                " subscripts to '" + array.name + "', which has " +
                Twine(array.extents.size()) + " dimensions");
  if (array.isLocal() && !is_contained(inScope, a.array))
    return fail(nameOf(s) + " uses local array '" + array.name +
                "' out of its scope");
  if (array.buffer)
    return fail(nameOf(s) + " uses buffer '" + array.name +
                "' by itself; write " + nest.arrays[array.buffer->of].name +
                "[...] in " + array.name);
  if (a.buffer &&
      (*a.buffer >= nest.arrays.size() || !nest.arrays[*a.buffer].buffer ||
       nest.arrays[*a.buffer].buffer->of != a.array))
    return fail(nameOf(s) + " finds '" + array.name +
                "' in what is no buffer of it");
  if (a.buffer && !is_contained(inScope, *a.buffer))
    return fail(nameOf(s) + " uses buffer '" + nest.arrays[*a.buffer].name +
                "' out of its scope");
  std::vector<unsigned> loops = currentLoops();
  for (auto [d, e] : enumerate(a.subscripts))
    if (!over(e, d < array.expandedDims ? loops : s.iterators,
              "a subscript of '" + array.name + "' in " + nameOf(s)))
      return false;
  if (a.buffer && nest.arrays[*a.buffer].buffer->unfolding)
    for (const IndexExpr &e : coordinatesOf(a, nest.arrays[*a.buffer]))
      if (!over(e, s.iterators,
                "a coordinate of '" + nest.arrays[*a.buffer].name + "' in " +
                    nameOf(s)))
        return false;
  return true;
}

/// Whether the array has the element, as far as numbers show.
bool Checker::isWithin(const Access &a) const {
  const Array &array = nest.arrays[a.array];
  return all_of(zip_equal(a.subscripts, array.extents), [&](const auto &pair) {
    const auto &[e, extent] = pair;
    const std::optional<int64_t> at = nest.constantOf(e);
    return !at ||
           (*at >= 0 && *at < nest.constantOf(extent).value_or(INT64_MAX));
  });
}

bool Checker::operand(const Operand &o, const Statement &s) {
  if (o.guard.empty() != o.otherwise.empty() ||
      (o.kind == Operand::Index && !o.guard.empty()))
    return fail("a guarded read in " + nameOf(s) + " is incomplete");
  if (o.isPredicate &&
      ((s.op != Statement::Op::Add && s.op != Statement::Op::Sub) ||
       o.guard.empty()))
    return fail(nameOf(s) + " is predicated and no sum");
  if (o.kind == Operand::Index)
    return over(o.index, s.iterators, "an index value in " + nameOf(s));
  if (o.otherwise == AtBorder &&
      (o.isPredicate || o.access.array >= nest.arrays.size() ||
       !isGuardedByEnds(nest, o, /*hasBorders=*/true)))
    return fail("a guarded read in " + nameOf(s) +
                " asks for more than the ends of dimensions with a border");
  if (!o.guard.empty() && o.otherwise != AtBorder) {
    std::string why = whyNoValue(o.otherwise);
    if (!why.empty())
      return fail("the constant of a guarded read in " + nameOf(s) + " " + why);
  }
  if (!access(o.access, s))
    return false;
  if (o.guard.empty() && !inGuard() && !isWithin(o.access))
    return fail(nameOf(s) + " reads an element that '" +
                nest.arrays[o.access.array].name + "' does not have");
  return all_of(o.guard, [&](const Constraint &c) {
    return over(c.expr, s.iterators, "a guarded read in " + nameOf(s));
  });
}

/// Of CUDA: `__syncthreads_or`, `__shfl_down_sync`, `atomicAdd`.
static bool isOfSeveralThreads(StringRef function) {
  return function.starts_with("__sync") || function.ends_with("_sync") ||
         function.starts_with("atomic") || function.starts_with("__shfl") ||
         is_contained({"__activemask", "__all", "__any", "__ballot"}, function);
}

/// Of CUDA, too: what depends on the thread that asks.
static bool isOfThread(StringRef name) {
  return is_contained({"blockDim", "blockIdx", "gridDim", "threadIdx"}, name);
}

std::string Checker::whyNoValue(StringRef text, size_t operands) const {
  std::string why = whyUnprintable(text);
  if (why.empty())
    why = whyHolesAreWrong(text, operands);
  if (!why.empty())
    return why;
  auto isString = [](const CExpr &e) {
    return e.kind == CExpr::Literal && e.source.contains('"');
  };
  const CExpr tree = treeOf(nest, text);
  if (isString(tree))
    return "is a string";
  tree.walk([&](const CExpr &e) {
    if (e.kind == CExpr::Verbatim && !mayBeExpression(e.source))
      why = "is no expression that can be read";
    else if (e.isUnary({"&"}) &&
             e.any([](const CExpr &p) { return p.kind == CExpr::Operand; }))
      why = "takes the address of an operand";
    else if (e.kind == CExpr::Call && isOfSeveralThreads(e.callee()))
      why = "calls '" + e.callee().str() + "', which is of several threads";
    else if (e.kind == CExpr::Name && isOfThread(e.source))
      why = "names '" + e.source.str() + "', which no nest has";
    else if (is_contained({CExpr::Unary, CExpr::Binary, CExpr::Choice},
                          e.kind) &&
             any_of(e.parts, isString))
      why = "computes with a string";
  });
  return why;
}

/// An iterator is data only as an operand: its name in the text may no longer
/// be that of a loop.
bool Checker::text(const Statement &s) {
  const std::string why = whyNoValue(s.text, s.operands.size());
  if (!why.empty())
    return fail("the right-hand side of " + nameOf(s) + " " + why);
  if (!s.fused.empty() && (s.op != Statement::Op::Add || !fusedText(nest, s) ||
                           !is_contained(fusedFunctions(), s.fused)))
    return fail(nameOf(s) + " adds no product by '" + s.fused + "'");
  for (const Lexeme &l : lexemes(s.text)) {
    bool isIterator = l.kind == Lexeme::Word && !l.isMember &&
                      any_of(s.iterators, [&](unsigned id) {
                        return nest.loopNames[id] == l.text;
                      });
    if (isIterator)
      return fail(nameOf(s) + " uses iterator '" + l.text +
                  "' as data; write index(" + l.text + ")");
  }
  return true;
}

} // namespace convopt
