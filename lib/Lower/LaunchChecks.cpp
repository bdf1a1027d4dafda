//===- LaunchChecks.cpp - What the launcher checks first ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchParts.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Nest/Terms.h"
#include "convopt/Print/Cuda.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace convopt {
namespace lower {

using program::Op;

void checkNarrowing(const Context &c, Block &b) {
  Expr changes;
  for (const auto &[a, v] : zip_equal(c.nest.function.arguments, c.arguments))
    if (a.role == Argument::ParamArg && !fitsInt(c.nest.params[a.index]))
      changes = either(changes, Expr::binary(Op::NotEqual,
                                             Expr::cast(wide("long long"), v),
                                             Expr::cast(Type::integer(), v)));
  refuseWhere(c, b, changes, "cudaErrorInvalidValue", "sizes that are ints");
}

/// How far past its loop's end an index of the last tile can come: the tile
/// is what one step of the loop stands for.
static int64_t largestStep(const Nest &nest, const Loop &loop) {
  int64_t step = 1;
  for (const StatementPath &p : statements(nest))
    for (const IndexExpr &e : p.statement->instance)
      step = std::max(step, e.coefficient(loopVar(loop.id)));
  return step;
}

Error checkLastTiles(const Nest &nest) {
  for (const Loop *l : loops(nest)) {
    const int64_t step = largestStep(nest, *l);
    for (const Bound &b : l->upper) {
      std::optional<int64_t> end = nest.constantOf(b.expr);
      if (!end || !isGrid(l->kind) ||
          divideCeilSigned(*end, b.divisor) * step - 1 <= INT32_MAX)
        continue;
      return refuse("limit",
                    "indices of the last tile of '" + nest.loopNames[l->id] +
                        "' would not fit an int",
                    nest.function.range, "a tile that divides its extent");
    }
  }
  return Error::success();
}

/// The terms of \p e with positive coefficients: how large both sides of a
/// comparison can come.
static IndexExpr positivePart(const IndexExpr &e) {
  IndexExpr sum;
  for (const auto &[monomial, coefficient] : e.terms()) {
    if (coefficient > 0)
      sum += term(monomial, coefficient);
  }
  return sum;
}

/// How large the positive terms of \p e come, over sizes: each loop of
/// \p enclosing at one of its ends.
static IndexExpr mostOver(IndexExpr e, ArrayRef<NodeRef> enclosing) {
  e = positivePart(e);
  for (const Loop *l : llvm::reverse(select<Loop>(enclosing))) {
    if (!e.uses(loopVar(l->id)))
      continue;
    const Bound *end = &l->upper[0];
    for (const Bound &b : l->upper)
      if (b.expr.isConstant())
        end = &b;
    // 32 * ceil(W / 32) is at most W + 31.
    Var v = loopVar(l->id);
    IndexExpr past = end->expr + (end->divisor - 1), d(end->divisor);
    std::optional<IndexExpr> times = e.symbolicCoefficient(v);
    if (times && IndexExpr::mod(*times, d).isZero())
      e += IndexExpr::floorDiv(*times, d) * past - *times * IndexExpr::of(v);
    else
      e = e.substitute(v, IndexExpr::floorDiv(past, d));
    e = positivePart(e);
  }
  return e;
}

/// What guards compute in int, over sizes at its largest.
static std::vector<IndexExpr> guardedSums(const Nest &nest) {
  std::vector<IndexExpr> all;
  auto add = [&](const Constraint &c, ArrayRef<NodeRef> enclosing) {
    for (const IndexExpr &e : {c.expr, -c.expr}) {
      IndexExpr most = mostOver(e, enclosing);
      if (!most.usesLoops() && !is_contained(all, most))
        all.push_back(most);
    }
  };
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    if (const auto *g = dyn_cast<Guard>(&n))
      for (const Constraint &c : g->conditions)
        add(c, enclosing);
    const auto *s = dyn_cast<Statement>(&n);
    if (!s)
      return;
    for (const Operand &o : s->operands)
      for (const Constraint &c : o.guard)
        add({c.kind, overCurrentLoops(*s, c.expr)}, enclosing);
  });
  return all;
}

void checkRanges(const Context &c, const Names &names, Block &b) {
  std::vector<std::pair<IndexExpr, int64_t>> limits; // of what is not constant
  auto add = [&](const IndexExpr &e, int64_t spare) {
    IndexExpr most = positivePart(c.nest.expandDefinitions(e));
    int64_t limit = INT32_MAX - spare - most.constantTerm();
    most -= IndexExpr(most.constantTerm());
    // Sizes that are arguments are int.
    if (most.isConstant() || (most.asVar() && limit >= INT32_MAX))
      return;
    auto same = llvm::find_if(
        limits, [&](const auto &other) { return other.first == most; });
    if (same == limits.end())
      limits.push_back({most, limit});
    else
      same->second = std::min(same->second, limit);
  };
  // Sums of sizes are int, too, and so are subscripts, which are less than
  // their extents.
  auto addBoth = [&](const IndexExpr &e) {
    add(e, 0);
    add(-e, 0);
  };
  for (const Param &p : c.nest.params)
    if (p.definition && isLinear(c.nest.expandDefinitions(*p.definition)))
      addBoth(*p.definition);
  for (const Array &a : c.nest.arrays)
    if (!a.isLocal()) {
      for (const auto &[d, b] : enumerate(a.borders))
        if (b == Border::Reflect || b == Border::Symmetric)
          addBoth(2 * a.extents[d]);
      for (const IndexExpr &e : concat<const IndexExpr>(a.extents, a.footprint))
        if (isSum(e))
          addBoth(e);
    }
  for (const IndexExpr &e : guardedSums(c.nest))
    add(e, 0);
  auto addEnd = [&](const Loop &l, const Bound &b) {
    // In a thread, it is strips that can pass int, and not their parts.
    const bool isWhole = !isGrid(l.kind) && b.divisor == 1;
    add(b.expr, isWhole ? 0 : largestStep(c.nest, l));
  };
  // Of launches, another bound holds for all.
  for (const auto &grid : c.mapping.grid)
    for (const Loop *l : grid)
      for (const Bound &b : l->upper)
        if (!b.expr.usesLoops())
          addEnd(*l, b);
  walk(c.nest.body, [&](const Node &n, const std::vector<NodeRef> &enclosing) {
    const auto *l = dyn_cast<Loop>(&n);
    if (!l || isParallel(l->kind))
      return;
    for (const Bound &b : l->upper)
      if (!b.expr.usesLoops())
        addEnd(*l, b);
      // One more than the source computes: x + r + 1.
      else if (IndexExpr most = mostOver(b.expr, enclosing); !most.usesLoops())
        add(most, 0);
  });
  Expr passes;
  for (const auto &[most, limit] : limits)
    passes = either(
        passes,
        Expr::binary(Op::Greater,
                     (most.asVar() ? names : names.widened(most)).value(most),
                     limit));
  refuseWhere(c, b, passes, "cudaErrorInvalidValue", "indices that are ints");
}

/// What \p e divides by, the divisors within a divisor before it.
static void addDivisors(const IndexExpr &e, std::vector<IndexExpr> &all) {
  for (const auto &[monomial, coefficient] : e.terms())
    for (const Atom &a : monomial) {
      if (a.isVar())
        continue;
      addDivisors(a.num(), all);
      addDivisors(a.den(), all);
      if (!a.den().isConstant() && !is_contained(all, a.den()))
        all.push_back(a.den());
    }
}

/// What all that the nest says of sizes, bounds and subscripts divides by.
static std::vector<IndexExpr> divisorsOf(const Nest &nest) {
  std::vector<IndexExpr> all;
  auto add = [&](const IndexExpr &e) {
    addDivisors(nest.expandDefinitions(e), all);
  };
  for (const Param &p : nest.params)
    if (p.definition)
      add(*p.definition);
  for (const Array &a : nest.arrays)
    for (const IndexExpr &e : concat<const IndexExpr>(a.extents, a.footprint))
      add(e);
  for (const Assumption &a : nest.assumptions)
    add(a.fact.expr);
  for (const Loop *l : loops(nest))
    for (const Bound &b : l->bounds())
      add(b.expr);
  for (const Constraint &c : conditions(nest))
    add(c.expr);
  for (const StatementPath &p : statements(nest))
    for (const Operand &o : p.statement->operands)
      for_each(o.access.subscripts, add);
  // Those that vary divide where their loops run.
  erase_if(all, [](const IndexExpr &e) { return e.usesLoops(); });
  return all;
}

/// That what \p nest divides by is positive.
static std::vector<Constraint> divisorsHold(const Nest &nest) {
  std::vector<Constraint> all;
  for (const IndexExpr &e : divisorsOf(nest))
    all.push_back({Constraint::NonNegative, e - IndexExpr(1)});
  return all;
}

/// That one of \p all does not hold.
static Expr anyFails(ArrayRef<Constraint> all, const Names &names) {
  Expr any;
  for (const Constraint &c : all)
    any = either(any, (isSum(c.expr) ? names : names.widened(c.expr))
                          .condition(c, /*negated=*/true));
  return any;
}

Expr divisorsFail(const Nest &nest, const Names &names) {
  return anyFails(divisorsHold(nest), names);
}

/// That the loops of host and grid run, by their extents, which are sizes, and
/// those around all of the source, of which some may run inside now.
static std::vector<Constraint> loopsRun(const Context &c) {
  std::vector<Constraint> all;
  std::vector<const Loop *> launched = c.mapping.hostLoops();
  for (const auto &loops : c.mapping.grid)
    llvm::append_range(launched, loops);
  llvm::append_range(launched, outermostBand(c.source));
  for (const Loop *l : launched)
    for (const Bound &b : l->upper) {
      if (l->lower.size() != 1 || l->lower[0].divisor != 1)
        continue;
      const Constraint runs{Constraint::NonNegative, hasOne(l->lower[0], b)};
      if (!runs.expr.isConstant() && !runs.expr.usesLoops() &&
          !is_contained(all, runs))
        all.push_back(runs);
    }
  return all;
}

void checkDivisors(const Context &c, const Names &names, Block &b) {
  std::vector<Constraint> divisors = divisorsHold(c.nest), ofLoops;
  // A loop that was cut into parts has something to compute without them.
  std::vector<IndexExpr> lengths;
  for (const Loop *l : loops(c.nest))
    for (const Bound &bound : l->upper)
      addDivisors(c.nest.expandDefinitions(bound.expr), lengths);
  for (const Constraint &runs : loopsRun(c))
    if (is_contained(divisors, runs) &&
        !is_contained(lengths, c.nest.expandDefinitions(runs.expr + 1)))
      ofLoops.push_back(runs);
  endWhereEmpty(b, anyFails(ofLoops, names));
  erase_if(divisors,
           [&](const Constraint &d) { return is_contained(ofLoops, d); });
  refuseWhere(c, b, anyFails(divisors, names), "cudaErrorInvalidValue",
              "positive divisors");
}

/// Whether \p fact says that what \p e divides is not negative, or that it is
/// divided without a rest, as a loop that is cut into whole parts is; facts
/// have no common factor.
static bool isAboutDivision(const Nest &nest, const IndexExpr &e,
                            const IndexExpr &fact) {
  auto follows = [&](const IndexExpr &whole) {
    int64_t factor = 0;
    for (const auto &[monomial, coefficient] : whole.terms())
      if (!monomial.empty())
        factor = std::gcd(factor, coefficient);
    std::optional<int64_t> rest =
        nest.constantOf(whole - fact * IndexExpr(factor));
    return rest && *rest >= 0 && *rest < factor;
  };
  // Whole multiples of a divisor stand outside: (H + 2 * P - K) / 2 is
  // P + (H - K) / 2.
  auto isMoved = [&](const Atom &a) {
    const int64_t den = a.den().asConstant().value_or(1);
    const IndexExpr rest = nest.expandDefinitions(a.num()) - fact;
    return den > 1 && llvm::all_of(rest.terms(), [&](const auto &t) {
             return t.first.empty() || t.second % den == 0;
           });
  };
  for (const auto &[monomial, coefficient] : e.terms())
    for (const Atom &a : monomial)
      if (!a.isVar() &&
          (follows(nest.expandDefinitions(a.num())) || isMoved(a) ||
           nest.expandDefinitions(fact + IndexExpr::mod(a.num(), a.den()))
               .isZero() ||
           isAboutDivision(nest, a.num(), fact)))
        return true;
  return false;
}

} // namespace lower

bool isAboutDomain(const Nest &nest, const IndexExpr &fact) {
  auto isAbout = [&](const IndexExpr &e) {
    return lower::isAboutDivision(nest, e, fact);
  };
  return llvm::any_of(fact.vars(),
                      [&](Var v) {
                        return v.kind == Var::Param &&
                               !lower::fitsInt(nest.params[v.id]);
                      }) ||
         llvm::any_of(nest.params,
                      [&](const Param &p) {
                        return p.definition && isAbout(*p.definition);
                      }) ||
         llvm::any_of(loops(nest), [&](const Loop *l) {
           return llvm::any_of(l->upper,
                               [&](const Bound &b) { return isAbout(b.expr); });
         });
}

namespace lower {

std::vector<BrokenAssumption> brokenAssumptions(const Context &c,
                                                const Names &names,
                                                FactAbout about,
                                                ArrayRef<unsigned> copied) {
  std::vector<BrokenAssumption> all;
  const std::vector<Constraint> divisors = divisorsHold(c.nest);
  Names said = names; // to who reads the refusal
  said.setFloorDiv({program::Callee::FloorDiv, "floordiv", Helper::FloorDiv});
  for (const Assumption &a : c.nest.assumptions) {
    const IndexExpr &fact = a.fact.expr;
    if (isAboutDomain(c.nest, fact) != (about == FactAbout::Domain) ||
        a.isGiven || is_contained(divisors, a.fact) ||
        (a.spanned && !is_contained(copied, *a.spanned)) ||
        llvm::any_of(c.options.facts, [&](const Assumption &known) {
          return known.fact == a.fact;
        }))
      continue;
    all.push_back({names.fact(a.fact, /*negated=*/true),
                   cudaText(said.condition(a.fact)) + ": " + a.why});
  }
  return all;
}

void checkAssumptions(const Context &c, const Names &names, FactAbout about,
                      Block &b) {
  for (const auto &[broken, why] : brokenAssumptions(c, names, about))
    refuseWhere(c, b, broken, "cudaErrorInvalidValue", why);
}

Expr emptyDomain(const Context &c, const Names &names) {
  const std::vector<Constraint> tested = divisorsHold(c.nest);
  std::vector<Constraint> some = loopsRun(c);
  erase_if(some,
           [&](const Constraint &runs) { return is_contained(tested, runs); });
  return names.condition(some, /*negated=*/true);
}

void checkConstantLimits(const Context &c, ArrayRef<HostBuffer> filled,
                         Block &b) {
  auto sizeOf = [](const std::string &what) {
    return Expr::sizeOf({Type::Element, what});
  };
  for (const HostBuffer &f : filled)
    if (f.array->buffer->memory == Buffer::Constant &&
        !constantElements(c.nest, *f.array))
      refuseWhere(c, b,
                  Expr::binary(Op::Greater, f.elements,
                               sizeOf(constantName(c, *f.array)) /
                                   sizeOf(f.array->elementType)),
                  "cudaErrorInvalidConfiguration",
                  "at most 64 KB of constant memory");
}

} // namespace lower
} // namespace convopt
