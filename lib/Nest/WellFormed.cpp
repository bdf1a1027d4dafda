//===- WellFormed.cpp - What every nest must keep to ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceText.h"
#include "convopt/Nest/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>

using namespace llvm;

namespace convopt {
namespace {

/// Checks a nest; each function returns false once a violation is recorded,
/// and only the first one is.
class Checker {
public:
  explicit Checker(const Nest &nest) : nest(nest) {}

  Error run();

private:
  // The header.
  bool names();
  bool declare(StringSet<> &taken, const std::string &name, StringRef kind);
  bool params();
  bool arrays();
  bool buffer(const Array &a);
  bool linear(const Array &a);
  bool function();
  bool overParams(const IndexExpr &e, const Twine &what);

  // The body.
  bool body(const Body &b);
  bool node(const NodeRef &n);
  bool loop(const Loop &l);
  bool mapping(const Loop &l);
  bool guard(const Guard &g);
  bool local(const Local &l);
  bool copy(const Copy &c);
  bool inGuard() const;
  bool statement(const Statement &s);
  bool instance(const Statement &s);
  bool sameStatement(const Statement &s);
  bool access(const Access &a, const Statement &s);
  bool operand(const Operand &o, const Statement &s);
  bool text(const Statement &s);
  bool over(const IndexExpr &e, ArrayRef<unsigned> loops, const Twine &what);
  std::vector<unsigned> currentLoops() const;

  bool fail(const Twine &message);

  const Nest &nest;
  std::string failure;
  SourceRange place;
  std::vector<NodeRef> enclosing;
  std::vector<bool> seen;        // loops, by id
  std::vector<unsigned> inScope; // local arrays
  std::map<unsigned, const Statement *> byId;
};

} // namespace

bool Checker::fail(const Twine &message) {
  failure = message.str();
  return false;
}

Error Checker::run() {
  seen.resize(nest.loopNames.size());
  if (names() && params() && arrays() && function() && body(nest.body))
    return Error::success();
  return refuse("well-formed", failure, place);
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

bool Checker::declare(StringSet<> &taken, const std::string &name,
                      StringRef kind) {
  if (!isIdentifier(name))
    return fail(kind + " '" + name + "' is not named by an identifier");
  return taken.insert(name).second ||
         fail(kind + " '" + name + "' has a name that is taken");
}

bool Checker::names() {
  StringSet<> variables, arrays;
  for (const Param &p : nest.params)
    if (!declare(variables, p.name, "parameter"))
      return false;
  for (const std::string &l : nest.loopNames)
    if (!declare(variables, l, "loop"))
      return false;
  for (const Array &a : nest.arrays)
    if (!declare(arrays, a.name, "array"))
      return false;
  return true;
}

bool Checker::over(const IndexExpr &e, ArrayRef<unsigned> loops,
                   const Twine &what) {
  if (!e.isValid())
    return fail(what + " overflows");
  for (Var v : e.vars()) {
    bool known = v.kind == Var::Param ? v.id < nest.params.size()
                                      : v.id < nest.loopNames.size();
    if (!known)
      return fail(what + " uses a variable that the nest does not have");
    if (v.kind == Var::Loop && !is_contained(loops, v.id))
      return fail(what + " uses '" + nest.name(v) + "', which is out of scope");
  }
  return true;
}

bool Checker::overParams(const IndexExpr &e, const Twine &what) {
  return over(e, {}, what);
}

/// Why \p type cannot be printed as the type of a parameter or an array.
static std::string whyNoType(StringRef type) {
  std::string why = whyUnprintable(type);
  if (why.empty() && type.find_first_of("[=") != StringRef::npos)
    why = "has a '[' or '='";
  return why;
}

bool Checker::params() {
  for (auto [id, p] : enumerate(nest.params)) {
    std::string why = whyNoType(p.type);
    if (!why.empty())
      return fail("the type of parameter '" + p.name + "' " + why);
    if (!p.definition)
      continue;
    if (!overParams(*p.definition, "the value of parameter '" + p.name + "'"))
      return false;
    for (Var v : p.definition->vars())
      if (v.id >= id)
        return fail("the value of parameter '" + p.name + "' uses '" +
                    nest.name(v) + "', which is not declared before it");
  }
  return true;
}

bool Checker::arrays() {
  for (const Array &a : nest.arrays) {
    place = a.range;
    std::string why = whyNoType(a.elementType);
    if (!why.empty())
      return fail("the element type of array '" + a.name + "' " + why);
    if (a.footprint &&
        !overParams(*a.footprint, "the footprint of array '" + a.name + "'"))
      return false;
    if (a.expandedDims > a.extents.size() || (a.expandedDims && !a.isLocal()))
      return fail("array '" + a.name + "' cannot have " +
                  Twine(a.expandedDims) + " expanded dimensions");
    for (auto [d, e] : enumerate(a.extents)) {
      if (!overParams(e, "an extent of array '" + a.name + "'"))
        return false;
      if (d < a.expandedDims && e.asConstant().value_or(0) <= 0)
        return fail("expanded dimension " + Twine(d) + " of array '" + a.name +
                    "' has no constant extent");
    }
    if (a.buffer && !buffer(a))
      return false;
  }
  return true;
}

/// What is wrong with the layout of a buffer of \p rank dimensions.
static std::string whyNoLayout(const Buffer &b, size_t rank) {
  const BufferLayout &l = b.layout;
  std::vector<unsigned> sorted = l.order;
  llvm::sort(sorted);
  for (size_t d = 0; d != sorted.size(); ++d)
    if (sorted.size() != rank || sorted[d] != d)
      return "has an order that does not name each dimension once";
  if (l.pitch < 1 || l.vector < 1 || l.pitch > 1024 || l.vector > 16)
    return "needs a vector of 1 to 16 elements and a pitch of 1 to 1024";
  if (l.depth < 1 || l.depth > 8 ||
      (l.depth != 1 && b.memory != Buffer::Shared))
    return "needs a depth of 1 to 8, and of 1 in other than shared memory";
  if (l.bulk && (b.memory != Buffer::Shared || l.vector == 1))
    return "needs a vector and shared memory for bulk copies";
  if (l.block < 1 || l.block > 1024 ||
      (l.block != 1 && (!b.isOnHost() || l.pitch != 1)))
    return "needs blocks of 1 to 1024 elements, and of 1 where it has a pitch "
           "or is filled by a kernel";
  if (l.linear != 1 && (b.memory != Buffer::Shared || l.pitch != 1 ||
                        !l.order.empty() || !b.fill.empty()))
    return "is linear and not plain shared memory";
  return "";
}

bool Checker::buffer(const Array &a) {
  if (a.buffer->of >= nest.arrays.size())
    return fail("buffer '" + a.name + "' is of no array");
  const Array &of = nest.arrays[a.buffer->of];
  if (!a.isLocal() || a.expandedDims != 0 || of.isLocal())
    return fail("buffer '" + a.name +
                "' must be a local array without expanded dimensions, of an "
                "array that is not local");
  if (a.extents.size() != of.extents.size())
    return fail("buffer '" + a.name + "' has " + Twine(a.extents.size()) +
                " dimensions, '" + of.name + "' has " +
                Twine(of.extents.size()));
  std::string problem = whyNoLayout(*a.buffer, a.extents.size());
  if (!problem.empty())
    return fail("buffer '" + a.name + "' " + problem);
  if (!linear(a))
    return false;
  if (a.buffer->fill.empty())
    return true;
  std::string why = whyUnprintable(a.buffer->fill);
  return why.empty() || fail("the fill of buffer '" + a.name + "' " + why);
}

bool Checker::linear(const Array &a) {
  const Array &of = nest.arrays[a.buffer->of];
  int64_t rank = a.extents.size(), linear = a.buffer->layout.linear;
  if (linear < 1 || linear > std::max<int64_t>(rank, 1))
    return fail("buffer '" + a.name + "' has 1 to " + Twine(rank) +
                " linear dimensions");
  for (int64_t d = rank - linear + 1; d < rank; ++d) {
    auto box = nest.expandDefinitions(a.extents[d]).asConstant();
    auto whole = nest.expandDefinitions(of.extents[d]).asConstant();
    if (!box || !whole || *box < *whole)
      return fail("linear buffer '" + a.name +
                  "' must have the whole of dimension " + Twine(d) +
                  ", of constant extent");
  }
  return true;
}

bool Checker::function() {
  const Function &f = nest.function;
  place = f.range;
  for (const Argument &a : f.arguments) {
    size_t size = a.role == Argument::ArrayArg   ? nest.arrays.size()
                  : a.role == Argument::ParamArg ? nest.params.size()
                                                 : a.index + 1;
    if (a.index >= size)
      return fail("argument '" + a.name + "' stands for nothing in the nest");
  }
  for (const std::string &t : f.typeParams)
    if (!is_contained(f.templateArgs, t))
      return fail("type '" + t + "' is no template argument");
  for (const ThreadMap &t : f.threadMaps)
    if (t.loop >= nest.loopNames.size())
      return fail("threads stand for a loop that the nest does not have");
  for (const Bound &b : f.grid)
    if (!overParams(b.expr, "the grid of the launch") ||
        (b.divisor <= 0 && !fail("the grid of the launch divides by a number "
                                 "that is not positive")))
      return false;
  for (int64_t extent : f.block)
    if (extent <= 0)
      return fail("a block extent of the launch is not positive");
  for (const Assumption &a : nest.assumptions)
    if (!overParams(a.fact.expr, "an assumption"))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Loops, guards, locals and barriers
//===----------------------------------------------------------------------===//

std::vector<unsigned> Checker::currentLoops() const {
  std::vector<unsigned> ids;
  for (const NodeRef &n : enclosing)
    if (const auto *l = dyn_cast<Loop>(n.get()))
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
    }
  return mapping(l);
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
  if (l.streams < 1 || l.streams > 64)
    return fail("loop '" + nest.loopNames[l.id] + "' needs 1 to 64 streams");
  for (const NodeRef &n : enclosing)
    if (const auto *outer = dyn_cast<Loop>(n.get()))
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

bool Checker::inGuard() const {
  return any_of(enclosing,
                [](const NodeRef &e) { return isa<Guard>(e.get()); });
}

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
  if (array.buffer->isOnHost() && any_of(enclosing, isNotOfHost))
    return fail("buffer '" + array.name +
                "' is filled by the launcher and stands in what a launch runs");
  if (c.isStore && (array.buffer->isOnHost() ||
                    nest.arrays[array.buffer->of].role == Array::Input))
    return fail("'" + array.name + "' cannot be stored to '" +
                nest.arrays[array.buffer->of].name + "'");
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
          s.text == other.text && s.target.array == other.target.array) ||
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
  return true;
}

bool Checker::operand(const Operand &o, const Statement &s) {
  if (o.guard.empty() != o.otherwise.empty() ||
      (o.kind == Operand::Index && !o.guard.empty()))
    return fail("a guarded read in " + nameOf(s) + " is incomplete");
  if (o.kind == Operand::Index)
    return over(o.index, s.iterators, "an index value in " + nameOf(s));
  if (!o.guard.empty()) {
    std::string why = whyUnprintable(o.otherwise);
    if (!why.empty())
      return fail("the constant of a guarded read in " + nameOf(s) + " " + why);
  }
  return access(o.access, s) && all_of(o.guard, [&](const Constraint &c) {
           return over(c.expr, s.iterators, "a guarded read in " + nameOf(s));
         });
}

/// An iterator is data only as an operand: its name in the text may no longer
/// be that of a loop.
bool Checker::text(const Statement &s) {
  std::string why = whyUnprintable(s.text);
  if (why.empty())
    why = whyHolesAreWrong(s.text, s.operands.size());
  if (!why.empty())
    return fail("the right-hand side of " + nameOf(s) + " " + why);
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

Error checkWellFormed(const Nest &nest) { return Checker(nest).run(); }

} // namespace convopt
