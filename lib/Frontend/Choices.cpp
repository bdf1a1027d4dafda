//===- Choices.cpp - Indices that are one of several ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `min(max(y, 0), H - 1)`, `y < 0 ? -y : y` and `if (y < 0) y = 0;` have a
/// value for each case. Such an index is an unknown until a statement uses it:
/// the statement is then one for each case, in a guard, of which exactly one
/// runs. So borders that are clamped, mirrored or repeated are read where they
/// fall, and the nest has no form for them.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"
#include "ReadOnly.h"
#include "convopt/Nest/Polynomial.h"

using namespace llvm;
using namespace clang;

namespace convopt {

// Unknowns are parameters that no nest has, below those of the hardware.
static constexpr unsigned firstChoice = 1u << 23;
// More cases than this are no border.
static constexpr size_t maxCases = 64;

static bool isChoice(Var v) {
  return v.kind == Var::Param && v.id >= firstChoice && v.id < hardware::first;
}

bool isChosen(const IndexExpr &e) { return any_of(e.vars(), isChoice); }

/// What runs in one case: it is known, and what unknowns are in it.
struct NestBuilder::Case {
  Conjunction when;
  std::map<Var, IndexExpr> values;

  IndexExpr operator()(const IndexExpr &e) const {
    return e.substitute([&](Var v) -> std::optional<IndexExpr> {
      auto it = values.find(v);
      return it == values.end() ? std::nullopt : std::optional(it->second);
    });
  }
};

/// Adds \p c to \p all, unless it is there already.
static void add(Conjunction &all, const Constraint &c) {
  if (c.kind == Constraint::NonNegative &&
      c.expr.asConstant().value_or(-1) >= 0)
    return;
  if (!is_contained(all, c))
    all.push_back(c);
}

/// All cases of the unknowns in \p all, but those that cannot be here. Where
/// there are too many, it refuses and gives none.
std::vector<NestBuilder::Case> NestBuilder::casesOf(ArrayRef<IndexExpr> all,
                                                    SourceRange where) {
  std::set<Var> unknown;
  for (const IndexExpr &e : all)
    for (Var v : e.vars())
      if (isChoice(v))
        unknown.insert(v);
  std::vector<Case> cases(1);
  for (Var v : unknown) {
    std::vector<Case> longer;
    for (const Case &c : cases)
      for (const auto &[when, value] : choices[v.id - firstChoice]) {
        Case next = c;
        for (const Constraint &one : when)
          add(next.when, one);
        next.values[v] = value;
        if (!isImpossible(next.when))
          longer.push_back(std::move(next));
      }
    cases = std::move(longer);
    if (cases.size() <= maxCases)
      continue;
    if (!pending)
      pending.emplace(ExitStatus::BadInput, diag::Cases,
                      "an index here has too many cases", where,
                      "write one statement for each read at a border");
    return {};
  }
  return cases;
}

static std::vector<IndexExpr> exprsOf(const Conjunction &all) {
  std::vector<IndexExpr> result;
  for (const Constraint &c : all)
    result.push_back(c.expr);
  return result;
}

/// Whether \p e is at least zero for all sizes but small ones, as `H - 1` is.
static bool isOfLargeSizes(const IndexExpr &e, const Nest &nest) {
  const IndexExpr all = nest.expandDefinitions(e);
  return !all.usesLoops() && !all.isConstant() &&
         all_of(all.terms(),
                [](const auto &t) { return t.first.empty() || t.second > 0; });
}

/// \p all in case \p c, nothing where they cannot hold. Where nothing but
/// sizes is left to compare, as an image's with that of a border, it is the
/// image that is larger: a fact.
std::optional<Conjunction> NestBuilder::inCase(const Conjunction &all,
                                               const Case &c,
                                               clang::SourceRange where) {
  Conjunction result = c.when;
  for (const Constraint &one : all) {
    const IndexExpr e = c(one.expr);
    const bool isZero = one.kind == Constraint::Zero;
    if (auto k = e.asConstant(); k && (isZero ? *k != 0 : *k < 0))
      return std::nullopt;
    const bool isTest =
        isChosen(one.expr) && one.kind == Constraint::NonNegative;
    if (isTest && isOfLargeSizes(e, nest)) {
      oblige(e, where, "what an index is clamped to is large enough");
    } else if (isTest && isOfLargeSizes(-e - 1, nest)) {
      oblige(-e - 1, where, "what an index is clamped to is large enough");
      return std::nullopt;
    } else {
      add(result, {one.kind, e});
    }
  }
  return contradict(result) ? std::nullopt : std::optional(std::move(result));
}

/// \p all, with a piece for each case of what is chosen in it.
std::optional<Pieces> NestBuilder::withoutChoices(const Pieces &all,
                                                  clang::SourceRange where) {
  Pieces result;
  for (const Conjunction &piece : all)
    for (const Case &c : casesOf(exprsOf(piece), range(where)))
      if (std::optional<Conjunction> here = inCase(piece, c, where))
        result.push_back(std::move(*here));
  return pending ? std::nullopt : std::optional(std::move(result));
}

/// Where \p a or \p b holds, if that is a conjunction, as of two that one
/// comparison tells apart.
static std::optional<Conjunction> eitherOf(const Conjunction &a,
                                           const Conjunction &b) {
  Conjunction both, ofA, ofB;
  auto split = [&](const Conjunction &from, const Conjunction &other,
                   Conjunction &own, Conjunction *shared) {
    for (const Constraint &c : from)
      if (!is_contained(other, c))
        own.push_back(c);
      else if (shared)
        shared->push_back(c);
  };
  split(a, b, ofA, &both);
  split(b, a, ofB, nullptr);
  const bool isTold = ofA.size() == 1 && ofB.size() == 1 &&
                      ofA[0].kind == Constraint::NonNegative &&
                      ofB[0].kind == Constraint::NonNegative &&
                      ofA[0].expr == -ofB[0].expr - 1;
  return isTold || ofA.empty() || ofB.empty() ? std::optional(both)
                                              : std::nullopt;
}

/// Makes one of cases in which the same \p isEqual.
template <class T, class F>
static void joinEqual(std::vector<std::pair<Conjunction, T>> &all, F isEqual) {
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = i + 1; j < all.size(); ++j) {
      std::optional<Conjunction> either =
          isEqual(all[i].second, all[j].second)
              ? eitherOf(all[i].first, all[j].first)
              : std::nullopt;
      if (!either)
        continue;
      all[i].first = std::move(*either);
      all.erase(all.begin() + j);
      i = j = 0; // which may be one with others now
    }
}

/// The index that has each of \p values where the condition beside it holds.
IndexExpr NestBuilder::addChoice(const Values &values,
                                 clang::SourceRange where) {
  Values all;
  for (const auto &[when, value] : values) {
    std::vector<IndexExpr> used = exprsOf(when);
    used.push_back(value);
    for (const Case &c : casesOf(used, range(where)))
      if (std::optional<Conjunction> here = inCase(when, c, where))
        all.emplace_back(std::move(*here), c(value));
  }
  return choiceOf(std::move(all));
}

/// The same of \p all without unknowns.
IndexExpr NestBuilder::choiceOf(Values all) {
  joinEqual(all, std::equal_to<IndexExpr>());
  if (all.size() == 1 && all.front().first.empty())
    return all.front().second;
  auto known = llvm::find(choices, all);
  const unsigned id = known - choices.begin();
  if (known == choices.end())
    choices.push_back(std::move(all));
  return IndexExpr::param(firstChoice + id);
}

/// The least of \p all, or with \p isMax the greatest. Of two that sizes tell
/// apart, as `H` and `H + padding`, the one that is so for all but small sizes
/// is left: a fact.
IndexExpr NestBuilder::chosenOf(ArrayRef<IndexExpr> all, bool isMax,
                                clang::SourceRange where) {
  std::vector<IndexExpr> left(all.begin(), all.end());
  auto isBeaten = [&](const IndexExpr &e) {
    return any_of(left, [&](const IndexExpr &other) {
      const IndexExpr by = isMax ? other - e : e - other;
      if (!isOfLargeSizes(by, nest))
        return false;
      oblige(by, where, "what an index is clamped to is large enough");
      return true;
    });
  };
  for (size_t k = 0; left.size() > 2 && k != left.size();)
    if (isBeaten(left[k])) // two are a border, whose cases tell
      left.erase(left.begin() + k);
    else
      ++k;
  // Sizes first: most images are larger than filters, whatever the rest is.
  auto rank = [](const IndexExpr &e) {
    return e.isConstant() ? 0 : e.usesLoops() ? 2 : 1;
  };
  if (left.size() > 2)
    llvm::stable_sort(left, [&](const IndexExpr &a, const IndexExpr &b) {
      return rank(a) < rank(b);
    });
  IndexExpr best = left.front();
  for (const IndexExpr &e : drop_begin(left)) {
    const IndexExpr more = isMax ? best - e : e - best;
    best = addChoice({{{{Constraint::NonNegative, more}}, best},
                      {{{Constraint::NonNegative, -more - 1}}, e}},
                     where);
  }
  return best;
}

/// The parameter that \p when says is negative, or one less than that where it
/// may be zero; nothing where it says something else.
static std::optional<IndexExpr> negativeIn(const Conjunction &when,
                                           const Nest &nest) {
  auto isSize = [&](const IndexExpr &e) {
    const std::optional<Var> v = e.asVar();
    return v && v->kind == Var::Param && v->id < nest.params.size();
  };
  if (when.size() != 1)
    return std::nullopt;
  const IndexExpr &e = when[0].expr;
  if (when[0].kind == Constraint::NonNegative) {
    const IndexExpr least = -e - 1; // of what is not negative
    return isSize(least) || isSize(least + 1) ? std::optional(least)
                                              : std::nullopt;
  }
  const IndexExpr sum = e.constantTerm() < 0 ? -e : e;
  const IndexExpr size = sum - sum.constantTerm();
  return isSize(size) && sum.constantTerm() > 0 ? std::optional(size)
                                                : std::nullopt;
}

/// `K < 0 ? k : K` is K where a number stands for "none": what remains of \p
/// values, and the fact that has to hold, if any.
static std::optional<IndexExpr>
dropNone(std::vector<std::pair<Conjunction, IndexExpr>> &values,
         const Nest &nest) {
  for (const auto &[when, value] : values) {
    const std::optional<IndexExpr> least = negativeIn(when, nest);
    if (!least || any_of(value.vars(), [&](Var v) { return least->uses(v); }))
      continue;
    auto rest = values;
    erase_if(rest, [&](const auto &one) {
      Conjunction all = one.first;
      all.push_back({Constraint::NonNegative, *least});
      return contradict(all);
    });
    for (auto &one : rest)
      erase_if(one.first, [&](const Constraint &c) {
        return c.kind == Constraint::NonNegative &&
               (c.expr - *least).asConstant().value_or(-1) >= 0;
      });
    // A mode that chooses between others is no size.
    const bool isLeft = rest.size() == 1 && rest.front().first.empty() &&
                        any_of(rest.front().second.vars(),
                               [&](Var v) { return least->uses(v); });
    if (!isLeft)
      continue;
    values = std::move(rest);
    return least;
  }
  return std::nullopt;
}

/// The value of \p c where its condition holds, and where not.
std::optional<IndexExpr>
NestBuilder::indexOfChoice(const ConditionalOperator *c) {
  if (std::optional<IndexExpr> turned = attempt([&] { return indexOfTurn(c); }))
    return turned;
  Values values;
  for (bool isNo : {false, true}) {
    std::optional<Pieces> when = pieces(c->getCond(), isNo);
    std::optional<IndexExpr> value;
    if (when)
      value = under(*when, [&] {
        return index(isNo ? c->getFalseExpr() : c->getTrueExpr());
      });
    if (!value)
      return std::nullopt;
    for (const Conjunction &one : *when)
      values.emplace_back(one, *value);
  }
  // A size of the whole nest; the naive code runs where there is none.
  if (atTop())
    if (std::optional<IndexExpr> least = dropNone(values, nest))
      oblige(*least, c->getSourceRange(), "a size is not negative");
  return addChoice(values, c->getSourceRange());
}

/// `min`, `max`, `abs` and `std::clamp` of integers, of which those without a
/// sign must not wrap where they are compared.
std::optional<IndexExpr> NestBuilder::chosenByCall(const CallExpr *call) {
  const PureCallee callee = pureCallee(call);
  const QualType type = call->getType().getNonReferenceType();
  const bool isExtreme =
      callee.isPure && (callee.name == "min" || callee.name == "max");
  const SmallVector<const Expr *> arguments =
      isExtreme ? comparedBy(call)
                : SmallVector<const Expr *>(call->arguments());
  const size_t count = callee.isPure && callee.name == "abs"    ? 1
                       : callee.isStd && callee.name == "clamp" ? 3
                       : isExtreme ? arguments.size()
                                   : 0;
  const bool isUnsigned = type->isUnsignedIntegerType();
  if (!count || arguments.size() != count ||
      !(isUnsigned ? count != 1 && !type->isBooleanType()
                   : type->isSignedIntegerType()))
    return std::nullopt;
  std::vector<IndexExpr> all;
  for (const Expr *argument : arguments) {
    ASSIGN_OR_RETURN(IndexExpr e, index(argument));
    if (isUnsigned)
      oblige(e, argument->getSourceRange(), "an unsigned index does not wrap");
    all.push_back(std::move(e));
  }
  const clang::SourceRange where = call->getSourceRange();
  if (isExtreme)
    return chosenOf(all, callee.name == "max", where);
  if (count == 1)
    return chosenOf({all[0], -all[0]}, /*isMax=*/true, where);
  return chosenOf({chosenOf({all[0], all[1]}, /*isMax=*/true, where), all[2]},
                  /*isMax=*/false, where);
}

/// An element of a table of constants: a sum where numbers are evenly apart,
/// and else one of several.
std::optional<IndexExpr>
NestBuilder::indexOfTable(const ArraySubscriptExpr *s) {
  const std::vector<int64_t> all = tableOf(namedVariable(s->getBase()));
  if (all.empty())
    return std::nullopt;
  ASSIGN_OR_RETURN(IndexExpr k, index(s->getIdx()));
  const int64_t step = all.size() > 1 ? all[1] - all[0] : 0;
  const IndexExpr even = IndexExpr(step) * k + all[0];
  if (all_of(enumerate(all), [&](const auto &one) {
        return one.value() == all[0] + step * int64_t(one.index());
      }))
    return even;
  Values values;
  for (const auto &[place, number] : enumerate(all))
    values.push_back(
        {{{Constraint::Zero, k - int64_t(place)}}, IndexExpr(number)});
  return addChoice(values, s->getSourceRange());
}

/// An index that \p e chooses among several, or nothing.
std::optional<IndexExpr> NestBuilder::chosenIndex(const Expr *e) {
  // Before the loops, it is a value like any other for those.
  if (threadMode || !mayChoose || !(inLoops || nest.function.isKernel))
    return std::nullopt;
  const auto *c = dyn_cast<ConditionalOperator>(e);
  const auto *call = dyn_cast<CallExpr>(e);
  const auto *b = dyn_cast<BinaryOperator>(e);
  const bool isTruth = b && (b->isComparisonOp() || b->isLogicalOp());
  std::optional<IndexExpr> result = isTruth ? indexOfTruth(e)
                                    : c     ? indexOfChoice(c)
                                    : call  ? chosenByCall(call)
                                            : std::nullopt;
  return pending ? std::nullopt : result;
}

/// What statement \p s uses as an index.
static std::vector<IndexExpr> indicesOf(const Statement &s) {
  std::vector<IndexExpr> all = s.target.subscripts;
  for (const Operand &o : s.operands) {
    all.push_back(o.index);
    append_range(all, o.access.subscripts);
    append_range(all, exprsOf(o.guard));
  }
  return all;
}

/// \p e with one unknown for all that one size multiplies: the part of a row
/// index that several borders make, such as where a filter that is clipped
/// starts, less where the image does.
IndexExpr NestBuilder::withJoinedChoices(const IndexExpr &e,
                                         SourceRange where) {
  std::map<Monomial, IndexExpr> chosen; // by what multiplies them
  IndexExpr result;
  for (const auto &[m, c] : e.terms()) {
    auto isUnknown = [](const Atom &a) {
      return a.isVar() && isChoice(a.asVar());
    };
    Monomial factor = m;
    erase_if(factor, isUnknown);
    auto it = find_if(m, isUnknown);
    if (factor.size() + 1 == m.size())
      chosen[factor] += IndexExpr(c) * IndexExpr::of(it->asVar());
    else
      result += term(m, c);
  }
  for (const auto &[factor, sum] : chosen) {
    if (sum.terms().size() == 1) { // one unknown, in its place among others
      result += term(factor, 1) * sum;
      continue;
    }
    Values all;
    for (const Case &c : casesOf({sum}, where))
      all.emplace_back(c.when, c(sum));
    result += term(factor, 1) * choiceOf(std::move(all));
  }
  return result;
}

/// Adds \p s once for each case of what is chosen in it.
bool NestBuilder::addCases(const Statement &s) {
  if (none_of(indicesOf(s), isChosen))
    return false;
  Statement joined = s;
  for (Operand &o : joined.operands)
    for (IndexExpr &e : o.access.subscripts)
      e = withJoinedChoices(e, s.range);
  const std::vector<IndexExpr> used = indicesOf(joined);
  if (none_of(used, isChosen)) {
    current->push_back(std::make_shared<Statement>(std::move(joined)));
    return true;
  }
  initialisers.erase(s.id);
  std::vector<Case> cases = casesOf(used, s.range);
  bool isFirst = true;
  for (const Case &c : cases) {
    auto copy = std::make_shared<Statement>(joined);
    copy->id = std::exchange(isFirst, false) ? s.id : nextStatement++;
    caseOf[copy->id] = s.id;
    for (IndexExpr &e : copy->target.subscripts)
      e = c(e);
    for (Operand &o : copy->operands) {
      o.index = c(o.index);
      for (IndexExpr &e : o.access.subscripts)
        e = c(e);
      for (Constraint &one : o.guard)
        one.expr = c(one.expr);
    }
    auto guard = std::make_shared<Guard>(s.range);
    guard->conditions = c.when;
    guard->body.push_back(std::move(copy));
    current->push_back(std::move(guard));
  }
  return true;
}

/// Obligations of each case instead of those about what is chosen.
void NestBuilder::finishChoices() {
  std::vector<Obligation> all;
  for (const Obligation &o : obligations) {
    std::vector<IndexExpr> used = exprsOf(o.guards);
    used.push_back(o.expr);
    if (o.remainder)
      used.push_back(*o.remainder);
    for (const Case &c : casesOf(used, o.where)) {
      all.push_back(o);
      Obligation &one = all.back();
      one.expr = c(o.expr);
      for (Constraint &g : one.guards)
        g.expr = c(g.expr);
      append_range(one.guards, c.when);
      if (o.remainder)
        one.remainder = c(*o.remainder);
    }
  }
  obligations = std::move(all);
}

} // namespace convopt
