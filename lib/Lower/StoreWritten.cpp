//===- StoreWritten.cpp - What the nest writes, and no more ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between the elements that the nest writes may lie some that others write
// meanwhile. The loops and guards of the writes say which are which. A loop
// that says nothing of that, as one of a sum, has to have an iteration.
//
//===----------------------------------------------------------------------===//

#include "HostBuffers.h"
#include "HostCopies.h"
#include "KernelBody.h"
#include "Values.h"
#include "convopt/Nest/Recompute.h"
#include "convopt/Nest/Terms.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

namespace {
/// One write: the loops that its subscripts and guards need, outermost first.
struct Store {
  std::vector<const Loop *> loops;
  std::vector<Constraint> guards;
  std::vector<IndexExpr> subscripts;
  std::vector<std::shared_ptr<Loop>> ofBox =
      {}; // loops that are not the nest's
};
} // namespace

static void addLoops(const IndexExpr &e, std::set<unsigned> &ids) {
  for (Var v : e.vars())
    if (v.kind == Var::Loop)
      ids.insert(v.id);
}

/// What says that \p l has an iteration; none where no comparison does.
static std::optional<std::vector<Constraint>> runs(const Loop &l) {
  std::vector<Constraint> all;
  for (const Bound &first : l.lower)
    for (const Bound &end : l.upper) {
      if (first.divisor != 1)
        return std::nullopt;
      all.push_back({Constraint::NonNegative, hasOne(first, end)});
    }
  return all;
}

static Store storeOf(const StatementPath &p) {
  const Statement &s = *p.statement;
  Store store;
  store.guards = predicatesOf(s);
  for (const IndexExpr &e : s.target.subscripts)
    store.subscripts.push_back(overCurrentLoops(s, e));
  for (const Guard *g : select<Guard>(p.enclosing))
    append_range(store.guards, g->conditions);
  std::set<unsigned> needed;
  for (const IndexExpr &e : store.subscripts)
    addLoops(e, needed);
  for (const Constraint &c : store.guards)
    addLoops(c.expr, needed);
  for (const Loop *l : reverse(select<Loop>(p.enclosing))) {
    for (const Bound &b : l->bounds())
      addLoops(b.expr, needed);
    std::optional<std::vector<Constraint>> hasOne = runs(*l);
    if (needed.count(l->id) || !hasOne)
      store.loops.insert(store.loops.begin(), l);
    else
      for (const Constraint &c : *hasOne)
        if (!is_contained(store.guards, c))
          store.guards.push_back(c);
  }
  erase_if(store.guards, [](const Constraint &c) {
    return c.kind == Constraint::NonNegative &&
           c.expr.asConstant().value_or(-1) >= 0;
  });
  return store;
}

/// Each of \p nest's writes to \p array but those that write no more than
/// another one.
static std::vector<Store> storesOf(const Nest &nest, unsigned array) {
  std::vector<Store> all;
  for (const StatementPath &p : statements(nest)) {
    if (p.statement->target.array != array)
      continue;
    Store store = storeOf(p);
    auto isWithin = [](const Store &a, const Store &b) {
      return a.loops == b.loops && a.subscripts == b.subscripts &&
             all_of(b.guards, [&](const Constraint &c) {
               return is_contained(a.guards, c);
             });
    };
    if (any_of(all, [&](const Store &other) { return isWithin(store, other); }))
      continue;
    erase_if(all, [&](const Store &other) { return isWithin(other, store); });
    all.push_back(std::move(store));
  }
  return all;
}

/// Whether all of a box of \p a comes without gaps: one index of some
/// dimensions, a part of the next, and all of the rest.
static bool isOnePiece(const Nest &nest, const Array &a,
                       ArrayRef<SubscriptRange> box) {
  auto isLong = [&](size_t d, const IndexExpr &length) {
    const SubscriptRange &r = box[d];
    return r.first.size() == 1 && r.end.size() == 1 &&
           nest.expandDefinitions(r.end[0] - r.first[0] - length).isZero();
  };
  size_t d = box.size();
  while (d != 0 && isLong(d - 1, a.extents[d - 1]))
    --d;
  for (d = d == 0 ? 0 : d - 1; d-- > 0;)
    if (!isLong(d, 1))
      return false;
  return true;
}

bool isStoredApart(const Context &c, const Array &array) {
  ArrayRef<SubscriptRange> box = c.boxes(&array - c.nest.arrays.data()).written;
  return array.role == Array::InOut &&
         (box.empty() || !isOnePiece(c.nest, array, box));
}

static std::string storeName(const Context &c, const Array &a) {
  return c.name("_store_") + a.name;
}

Expr callStore(const Context &c, const ArrayArgument &a, const Expr &from,
               const Names &names) {
  std::vector<Expr> arguments{
      Expr::cast(pointer(a.array->elementType), a.pointer), from};
  append_range(arguments, sizeArguments(c, {}, names));
  return call(storeName(c, *a.array) + c.templateArguments(),
              std::move(arguments), handle("void"));
}

/// A store of all of \p box.
static Store storeOf(const Nest &nest, ArrayRef<SubscriptRange> box) {
  Store store;
  for (const auto &[d, range] : enumerate(box)) {
    auto l = std::make_shared<Loop>(nest.loopNames.size() + d);
    for (const IndexExpr &e : range.first)
      l->lower.push_back({e, 1});
    for (const IndexExpr &e : range.end)
      l->upper.push_back({e, 1});
    store.subscripts.push_back(IndexExpr::of(loopVar(l->id)));
    store.loops.push_back(l.get());
    store.ofBox.push_back(std::move(l));
  }
  return store;
}

/// The elements of \p array, \p to becoming those of \p from.
static void lowerStore(const Nest &nest, unsigned array, const Store &store,
                       Names names, const program::VariableRef &to,
                       const program::VariableRef &from, Block &b) {
  Block *in = &b;
  std::vector<Constraint> open = store.guards;
  // Asks what the loops so far say.
  auto ask = [&] {
    auto now = std::stable_partition(
        open.begin(), open.end(), [&](const Constraint &c) {
          return any_of(c.expr.vars(),
                        [&](Var v) { return !names.isBound(v); });
        });
    if (const Expr holds = allHold(ArrayRef(&*now, open.end() - now), names))
      in = &where(*in, holds);
    open.erase(now, open.end());
  };
  ask();
  for (const auto &[d, l] : enumerate(store.loops)) {
    const Expr v = variable(Type::integer(),
                            names.fresh(store.ofBox.empty()
                                            ? nest.loopNames[l->id]
                                            : coordinateName(nest, array, d)));
    auto &f = add<program::For>(*in, v.variable(), lowerOf(*l, names),
                                upperOf(*l, names));
    names.bind(loopVar(l->id), v);
    in = &f.body;
    ask();
  }
  const Expr at = offsetOf(nest, {array, store.subscripts}, names);
  add<program::Assignment>(*in, Expr::element(to, {at}),
                           Expr::element(from, {at}));
}

std::vector<FunctionDefinition> lowerStores(const Context &c,
                                            const Names &outer) {
  std::vector<FunctionDefinition> all;
  for (const Argument &argument : c.nest.function.arguments) {
    const unsigned id = argument.index;
    if (argument.role != Argument::ArrayArg ||
        !isStoredApart(c, c.nest.arrays[id]))
      continue;
    Names names = outer;
    names.setOffsetType("long long");
    const std::string &type = c.source.arrays[id].elementType;
    auto pointerTo = [&](const char *name, bool isConst) {
      program::Variable v{
          names.fresh(name), {Type::Element, type}, program::Memory::Global};
      v.isPointer = true;
      v.isConst = isConst;
      return std::make_shared<program::Variable>(std::move(v));
    };
    const auto to = pointerTo("to", false), from = pointerTo("computed", true);
    FunctionDefinition f = define(
        c,
        "// Stores what '" + c.nest.function.name + "' writes of '" +
            argument.name + "', and nothing between.\n" + c.templateHead() +
            "static void " + storeName(c, c.source.arrays[id]),
        {{to, type + " *" + to->name},
         {from, "const " + type + " *" + from->name}});
    for (const Expr &size : sizeArguments(c, {}, names))
      f.parameters.push_back(parameter(size));
    defineSizes(c.nest, names, f.body);
    ArrayRef<SubscriptRange> box = c.boxes(id).written;
    for (const Store &store : box.empty() ? storesOf(c.source, id)
                                          : std::vector{storeOf(c.source, box)})
      lowerStore(c.source, id, store, names, to, from, f.body);
    f.body = dropUnused(f.body);
    all.push_back(std::move(f));
  }
  return all;
}

} // namespace convopt::lower
