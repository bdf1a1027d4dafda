//===- Facts.cpp - Sizes of which something is known ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Facts.h"
#include "Parser.h"
#include "convopt/Nest/Terms.h"
#include "convopt/Source/CTypes.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

static bool isWordPart(char c) { return isAlnum(c) || c == '_'; }

static Error refuseFact(StringRef fact, const Twine &why,
                        const Twine &remedy = "") {
  return refuse("usage", ("-assume=" + fact + " " + why).str(), {},
                remedy.str());
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::string withSizeNames(const Nest &nest, StringRef text) {
  auto isAt = [&](size_t k, StringRef source) {
    const StringRef rest = text.substr(k);
    return rest.starts_with(source) &&
           (rest.size() == source.size() || !isWordPart(rest[source.size()])) &&
           (k == 0 || !(isWordPart(text[k - 1]) || text[k - 1] == '.')) &&
           !text.take_front(k).ends_with("->");
  };
  std::string result;
  for (size_t k = 0; k != text.size();) {
    std::string name = text.substr(k, 1).str();
    size_t longest = 0;
    for (const Argument &a : nest.function.arguments)
      if (const std::string source = a.text(); a.role == Argument::ParamArg &&
                                               source.size() > longest &&
                                               isAt(k, source)) {
        name = nest.params[a.index].name;
        longest = source.size();
      }
    result += name;
    k += std::max<size_t>(1, longest);
  }
  return result;
}

static Error checkNames(const Nest &nest, StringRef fact) {
  for (StringRef rest = fact; !rest.empty();) {
    StringRef word = rest.take_while(isWordPart);
    rest = rest.drop_front(std::max<size_t>(1, word.size()));
    if (word.empty() || isDigit(word.front()) ||
        any_of(nest.params, [&](const Param &p) { return p.name == word; }))
      continue;
    std::vector<std::string> names;
    for (const Param &p : nest.params)
      names.push_back(p.name);
    return refuseFact(fact,
                      "names '" + word + "', which is no size of '" +
                          nest.function.name + "'",
                      names.empty() ? "it has none: they are constant"
                                    : "its sizes are " + join(names, ", "));
  }
  return Error::success();
}

/// `K=7` as `K==7`.
static std::string withDoubledSign(StringRef fact) {
  std::string text;
  for (size_t k = 0; k != fact.size(); ++k) {
    text += fact[k];
    bool isPart = (k != 0 && StringRef("<>=!").contains(fact[k - 1])) ||
                  fact.substr(k + 1).starts_with("=");
    if (fact[k] == '=' && !isPart)
      text += '=';
  }
  return text;
}

Expected<Assumption> parseFact(const Nest &nest, StringRef text) {
  const std::string named = withSizeNames(nest, text.trim());
  const StringRef fact = named;
  static constexpr const char *Remedy =
      "give a comparison of sizes: K=7, C>=4 or W%4=0";
  if (fact.empty())
    return refuseFact(text, "says nothing", Remedy);
  RETURN_IF_ERROR(checkNames(nest, fact));
  std::string doubled = withDoubledSign(fact);
  Cursor cursor(doubled);
  ExprParser parser(cursor, nest);
  for (unsigned id = 0; id != nest.params.size(); ++id)
    parser.names[nest.params[id].name] = paramVar(id);
  Constraint parsed;
  if (!parser.constraint(parsed) ||
      (!cursor.atLineEnd() &&
       !cursor.fail("something follows the comparison"))) {
    std::string why;
    handleAllErrors(cursor.takeError(),
                    [&](const Refusal &r) { why = r.message; });
    return refuseFact(fact, "is no comparison: " + why, Remedy);
  }
  parsed.expr = nest.expandDefinitions(parsed.expr);
  if (!parsed.expr.isValid() || !parsed.expr.isAffine() ||
      any_of(parsed.expr.terms(),
             [](const auto &term) { return term.first.size() > 1; }))
    return refuseFact(fact, "is not affine", Remedy);
  for (const auto &[monomial, coefficient] : parsed.expr.terms())
    if (coefficient > INT32_MAX || coefficient < -INT32_MAX)
      return refuseFact(fact, "has a number that no int holds",
                        "sizes are int in the kernel");
  // `7 - K` prints as `K == 7`.
  if (parsed.kind == Constraint::Zero && parsed.expr.constantTerm() < 0)
    parsed.expr = -parsed.expr;
  return Assumption{parsed, "-assume=" + fact.str()};
}

StringRef factText(const Assumption &fact) {
  StringRef text = fact.why;
  text.consume_front("-assume=");
  return text;
}

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

namespace {

/// Replaces a parameter in all of a nest but the function's signature, and
/// leaves out what then always holds.
class Substitution {
public:
  Substitution(Var from, const IndexExpr &to) : from(from), to(to) {}

  void apply(Nest &nest) const {
    for (Param &p : nest.params)
      if (p.definition)
        apply(*p.definition);
    for (Array &a : nest.arrays) {
      for (IndexExpr &e : a.extents)
        apply(e);
      for (IndexExpr &e : a.footprint)
        apply(e);
    }
    for (Assumption &a : nest.assumptions)
      apply(a.fact.expr);
    nest.body = apply(nest.body);
  }

  void apply(IndexExpr &e) const { e = e.substitute(from, to); }

private:
  void apply(std::vector<Constraint> &conditions) const {
    for (Constraint &c : conditions)
      apply(c.expr);
    erase_if(conditions, [](const Constraint &c) {
      std::optional<int64_t> value = c.expr.asConstant();
      return value && (c.kind == Constraint::Zero ? *value == 0 : *value >= 0);
    });
  }

  void apply(Access &a) const {
    for (IndexExpr &e : a.subscripts)
      apply(e);
  }

  Body apply(const Body &body) const {
    Body result;
    for (const NodeRef &n : body) {
      if (const auto *g = dyn_cast<Guard>(n.get())) {
        auto guard = std::make_shared<Guard>(*g);
        apply(guard->conditions);
        guard->body = apply(g->body);
        if (guard->conditions.empty())
          append_range(result, guard->body);
        else
          result.push_back(guard);
      } else if (const auto *l = dyn_cast<Loop>(n.get())) {
        result.push_back(apply(*l));
      } else if (const auto *s = dyn_cast<Statement>(n.get())) {
        result.push_back(apply(*s));
      } else {
        result.push_back(n);
      }
    }
    return result;
  }

  NodeRef apply(const Loop &old) const {
    auto loop = std::make_shared<Loop>(old);
    for (auto *bounds : {&loop->lower, &loop->upper})
      for (Bound &b : *bounds)
        apply(b.expr);
    loop->body = apply(old.body);
    return loop;
  }

  NodeRef apply(const Statement &old) const {
    auto s = std::make_shared<Statement>(old);
    apply(s->target);
    for (Operand &o : s->operands) {
      apply(o.access);
      apply(o.index);
      apply(o.guard);
      if (o.guard.empty()) {
        o.otherwise.clear();
        o.isPredicate = false;
      }
    }
    for (IndexExpr &e : s->instance)
      apply(e);
    return s;
  }

  Var from;
  IndexExpr to;
};

/// `x == value`, solved.
struct Solution {
  Var x;
  IndexExpr value;
};

} // namespace

/// \p fact for its last parameter: definitions may only use earlier ones.
static std::optional<Solution> solve(const Constraint &fact) {
  if (fact.kind != Constraint::Zero || fact.expr.vars().empty())
    return std::nullopt;
  Var x = *fact.expr.vars().rbegin();
  int64_t by = fact.expr.coefficient(x);
  IndexExpr rest = fact.expr - IndexExpr(by) * IndexExpr::of(x);
  if ((by != 1 && by != -1) || rest.uses(x))
    return std::nullopt;
  return Solution{x, by == 1 ? -rest : rest};
}

/// `2 * R - 4 == 0` as `R - 2 == 0`. Where the constant is no multiple of what
/// the others have in common, nothing solves the equation: `-1 == 0`.
static void divideByCommon(Constraint &fact) {
  if (fact.kind != Constraint::Zero)
    return;
  const int64_t common = commonFactor(fact.expr);
  if (common <= 1)
    return;
  fact.expr = fact.expr.constantTerm() % common == 0
                  ? IndexExpr::floorDiv(fact.expr, common)
                  : IndexExpr(-1);
}

/// Whether \p c holds always (true) or never (false), if that can be seen.
static std::optional<bool> decided(const Constraint &c) {
  ASSIGN_OR_RETURN(int64_t value, c.expr.asConstant());
  return c.kind == Constraint::Zero ? value == 0 : value >= 0;
}

/// Whether \p a and \p b, both not equations, exclude each other.
static bool exclude(const Constraint &a, const Constraint &b) {
  std::optional<int64_t> sum = (a.expr + b.expr).asConstant();
  return a.kind == Constraint::NonNegative &&
         b.kind == Constraint::NonNegative && sum && *sum < 0;
}

/// Of the assumptions of \p nest, leaves out what is now sure; refuses what
/// \p fact excludes.
static Error settleAssumptions(Nest &nest, StringRef fact) {
  auto isDecided = [&](const Assumption &a, bool holds) {
    return decided({a.fact.kind, nest.expandDefinitions(a.fact.expr)}) == holds;
  };
  for (const Assumption &a : nest.assumptions)
    if (isDecided(a, false))
      return refuseFact(fact, "contradicts an assumption: " + a.why);
  erase_if(nest.assumptions,
           [&](const Assumption &a) { return isDecided(a, true); });
  return Error::success();
}

/// Names of what has become constant give way to it.
static void inlineConstants(Nest &nest) {
  for (unsigned id = 0; id != nest.params.size(); ++id)
    if (const auto &definition = nest.params[id].definition)
      if (std::optional<int64_t> value = definition->asConstant())
        Substitution(paramVar(id), *value).apply(nest);
}

Expected<SpecialNest> specialise(const Nest &nest, ArrayRef<Assumption> facts) {
  SpecialNest special{nest, {}};
  std::vector<Substitution> known;
  // Equations first, so that the others are seen with what they give.
  std::vector<Assumption> sorted(facts.begin(), facts.end());
  std::stable_partition(sorted.begin(), sorted.end(), [](const Assumption &a) {
    return a.fact.kind == Constraint::Zero;
  });
  for (const Assumption &original : sorted) {
    Assumption a = original;
    StringRef text = factText(original);
    for (const Substitution &s : known)
      s.apply(a.fact.expr);
    divideByCommon(a.fact);
    if (decided(a.fact) == false)
      return refuseFact(text, "contradicts a constant of the source or another "
                              "fact");
    if (decided(a.fact) == true)
      continue;
    special.facts.push_back(original);
    for (const Assumption &other : special.nest.assumptions)
      if (exclude(a.fact, other.fact))
        return refuseFact(text, "contradicts an assumption: " + other.why);
    std::optional<Solution> solution = solve(a.fact);
    if (!solution) {
      special.nest.assumptions.push_back(a);
      continue;
    }
    known.push_back({solution->x, solution->value});
    known.back().apply(special.nest);
    RETURN_IF_ERROR(settleAssumptions(special.nest, text));
  }
  inlineConstants(special.nest);
  for (Array &a : special.nest.arrays)
    simplifyFootprint(special.nest, a);
  return special;
}

bool isUnsigned(const Param &p) {
  return isBoolean(p.type) || integerType(p.type).isUnsigned;
}

Nest withAssumptions(const Nest &nest, ArrayRef<Assumption> facts) {
  Nest result = nest;
  append_range(result.assumptions, facts);
  return result;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string identifierOf(StringRef fact) {
  static const std::pair<StringRef, StringRef> words[] = {
      {"<=", "le"}, {">=", "ge"}, {"==", "eq"}, {"<", "lt"}, {">", "gt"},
      {"=", "eq"},  {"%", "mod"}, {"+", "p"},   {"-", "m"},  {"*", "x"}};
  auto [left, right] = fact.split('=');
  bool isValue = all_of(left, isWordPart) && all_of(right, isWordPart);
  if (isValue)
    return (left + right).str();
  std::string name;
  for (StringRef rest = fact; !rest.empty();) {
    const auto *word = find_if(
        words, [&](const auto &w) { return rest.starts_with(w.first); });
    if (word != std::end(words)) {
      name += word->second;
      rest = rest.drop_front(word->first.size());
      continue;
    }
    if (isWordPart(rest.front()))
      name += rest.front();
    rest = rest.drop_front();
  }
  return name;
}

} // namespace convopt
