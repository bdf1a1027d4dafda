//===- CountTouched.cpp - How many elements the nest touches --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where guards let the last access be is no formula of the sizes: a stride and
// a dilation with a common divisor pass over the last row of an image. So host
// code looks for it, and for the first likewise.
//
// Of a group of joined loops (Reach.h) the innermost is one with which no
// subscript decreases: it begins at the end that is looked for, and stops at
// the first iteration that the guards let pass. Loops of which there is no such
// one run as they are.
//
//===----------------------------------------------------------------------===//

#include "HostCopies.h"
#include "HostStatements.h"
#include "Values.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

/// More joined loops run from their ends, as they take long else.
static constexpr size_t MostLoops = 3;

/// The one of two numbers that is nearer to \p end.
static Expr nearer(End end, const char *type, const Expr &a, const Expr &b) {
  const std::string function = end == End::First ? "std::min<" : "std::max<";
  return call(algorithm(function + type + ">"), {a, b}, wide(type));
}

/// What stands for no offset at all.
static const char *none(End end) {
  return end == End::First ? "LLONG_MAX" : "LLONG_MIN";
}

/// Declares what \p g adds at \p end, none() where no iteration is let pass.
/// Nothing adds what is beyond \p limit, if that is known.
static Expr lowerGroup(const Nest &nest, End end, const Group &g,
                       const Expr &limit, Names &names, Block &b) {
  Expr most =
      define(b,
             variable(wide("long long"),
                      names.fresh(end == End::First ? "least" : "most")),
             known(none(end), wide("long long")));
  Block *in = &b;
  // From the end, as long as it goes on.
  auto run = [&](const Loop &l, Expr goesOn) {
    const bool isBack = end == End::Last && goesOn;
    const Expr i = variable(Type::integer(), names.fresh(nest.loopNames[l.id]),
                            /*isConst=*/isBack);
    Expr last = upperOf(l, names);
    if (isBack)
      last = define(*in, variable(Type::integer(), names.fresh("end"), true),
                    last);
    const Expr back =
        isBack ? variable(Type::integer(), names.fresh("back")) : i;
    program::For &f =
        isBack ? add<program::For>(*in, back.variable(), 0,
                                   last - lowerOf(l, names))
               : add<program::For>(*in, i.variable(), lowerOf(l, names), last);
    f.goesOn = std::move(goesOn);
    names.bind(loopVar(l.id), isBack ? define(f.body, i, last - 1 - back) : i);
    in = &f.body;
  };
  for (const Loop *l : ArrayRef(g.loops).drop_back(g.isSearched)) {
    Expr goesOn;
    if (limit && g.loops.size() > MostLoops)
      goesOn = end == End::First ? Expr::binary(program::Op::Less, limit, most)
                                 : Expr::binary(program::Op::Less, most, limit);
    run(*l, goesOn);
  }
  Expr found;
  if (g.isSearched) {
    found = define(*in, variable(Type::boolean(), names.fresh("found")),
                   known("false", Type::boolean()));
    run(*g.loops.back(), Expr::unary(program::Op::Not, found));
  }
  const Expr holds = allHold(g.guards, names);
  Block &hit = holds ? where(*in, holds) : *in;
  add<program::Assignment>(
      hit, most, nearer(end, "long long", most, names.wideValue(g.part)));
  if (found)
    add<program::Assignment>(hit, found, known("true", Type::boolean()));
  return most;
}

bool countTouched(const Nest &source, End end, unsigned array,
                  const Expr &elements, Names names, const Expr &count,
                  Block &b) {
  const std::vector<Reach> all = reachesOf(source, end, array);
  if (isReached(source, end, array, all))
    return false;
  // What several accesses add is found once, as for the rows of a clamped image
  // in each case of its columns.
  std::vector<std::pair<const Group *, Expr>> shared;
  auto known = [&](const Group &g) {
    const auto at =
        find_if(shared, [&](const auto &s) { return *s.first == g; });
    return at == shared.end() ? Expr() : at->second;
  };
  for (const Reach &r : all)
    for (const Group &g : r.groups)
      if (!known(g) && count_if(all, [&](const Reach &other) {
                         return is_contained(other.groups, g);
                       }) > 1)
        shared.push_back({&g, lowerGroup(source, end, g, Expr(), names, b)});
  for (const Reach &r : all) {
    Expr runs = allHold(r.where, names);
    for (const std::vector<Constraint> &other : r.others)
      if (const Expr instead = allHold(other, names); runs && instead)
        runs = either(runs, instead);
      else
        runs = Expr();
    Expr sum = names.wideValue(end == End::First ? r.rest : r.rest + 1);
    const Expr bound = end == End::First ? Expr(0) : elements;
    const Expr limit = r.groups.size() == 1
                           ? Expr::cast(wide("long long"), bound) - sum
                           : Expr();
    Block &in = runs ? where(b, runs) : add<program::Scope>(b).body;
    Expr isTouched;
    Names own = names;
    for (const Group &g : r.groups) {
      Expr most = known(g);
      if (!most)
        most = lowerGroup(source, end, g, limit, own, in);
      isTouched = both(isTouched, isNot(most, none(end)));
      sum = most + sum;
    }
    add<program::Assignment>(
        isTouched ? where(in, isTouched, /*isBraced=*/false) : in, count,
        nearer(end, "size_t", count, sum));
  }
  return true;
}

} // namespace convopt::lower
