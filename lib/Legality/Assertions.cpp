//===- Assertions.cpp - Are the assertions of a program true? -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Legality/Assertions.h"
#include "LinearFacts.h"
#include "convopt/Nest/IndexExpr.h"
#include "convopt/Print/Cuda.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace convopt {

using namespace program;

namespace {

/// Goes through a kernel with what is known where it is. Variables of the
/// program are those of IndexExpr, all of one kind.
class AssertionProver {
public:
  explicit AssertionProver(const Kernel &kernel) : kernel(kernel) {}

  /// The first assertion that is not proved, if there is any.
  const Assertion *run() {
    for (unsigned d = 0; d != 3; ++d) {
      const IndexExpr thread = unknown(), block = unknown();
      values[threadIndex(d).get()] = thread;
      values[blockIndex(d).get()] = block;
      append_range(facts,
                   std::vector<IndexExpr>{
                       thread, IndexExpr(kernel.block[d] - 1) - thread, block});
    }
    block(kernel.body);
    return unproved;
  }

private:
  void block(const Block &b);
  void statement(const Stmt &s);
  void within(const Block &b, const Expr &condition, bool holds);
  void loop(const For &f);

  IndexExpr unknown() { return IndexExpr::loop(variables++); }
  IndexExpr value(const Expr &e);
  IndexExpr quotient(const IndexExpr &a, const IndexExpr &b, bool roundsDown);
  IndexExpr extreme(const Expr &e, bool isMin);

  void assume(const Expr &condition, bool holds);
  bool isProved(const Expr &condition, bool holds);
  bool isNonNegative(const IndexExpr &e);
  /// The last loop whose variable is in a product of \p e; none without.
  std::optional<Var> loopInProduct(const IndexExpr &e) const;

  const Kernel &kernel;
  const Assertion *unproved = nullptr;
  unsigned variables = 0;
  DenseMap<const Variable *, IndexExpr> values;
  DenseMap<const Variable *, Expr> tests; // what constants of bool hold
  /// By dividend, divisor and whether they round down.
  std::map<std::tuple<IndexExpr, IndexExpr, bool>, IndexExpr> quotients;
  std::vector<IndexExpr> facts; // none of which is negative
  /// Of the variable of a loop: what is at most and at least equal to it.
  struct Ends {
    std::vector<IndexExpr> least, greatest;
  };
  std::map<Var, Ends> loops;
  std::map<Var, std::vector<IndexExpr>> minima; // what one of them equals
  unsigned depth = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The quotient as a variable, with what bounds it.
IndexExpr AssertionProver::quotient(const IndexExpr &a, const IndexExpr &b,
                                    bool roundsDown) {
  const bool isFloor = roundsDown || isNonNegative(a);
  auto [known, isNew] = quotients.try_emplace({a, b, isFloor});
  if (isNew)
    known->second = unknown();
  const IndexExpr q = known->second;
  if (!isNonNegative(b - 1))
    return q;
  const IndexExpr rest = a - b * q;
  facts.push_back(isFloor ? rest : rest + b - 1);
  facts.push_back(b - 1 - rest);
  if (isNonNegative(a))
    facts.push_back(q);
  return q;
}

IndexExpr AssertionProver::extreme(const Expr &e, bool isMin) {
  const IndexExpr result = unknown();
  for (const Expr &o : e.operands()) {
    const IndexExpr one = value(o);
    facts.push_back(isMin ? one - result : result - one);
    if (isMin)
      minima[*result.asVar()].push_back(one);
  }
  return result;
}

IndexExpr AssertionProver::value(const Expr &e) {
  switch (e.kind()) {
  case Expr::Number:
    return e.number();
  case Expr::Use:
    if (auto found = values.find(e.variable().get()); found != values.end())
      return found->second;
    // What may change is another value at each use.
    if (e.variable()->isConst || is_contained(kernel.parameters, e.variable()))
      return values[e.variable().get()] = unknown();
    return unknown();
  case Expr::Cast:
    return value(e.operand(0));
  case Expr::Unary:
    return e.op() == Op::Negate ? -value(e.operand(0)) : unknown();
  case Expr::Binary: {
    const IndexExpr a = value(e.operand(0)), b = value(e.operand(1));
    switch (e.op()) {
    case Op::Add:
      return a + b;
    case Op::Sub:
      return a - b;
    case Op::Mul:
      return a * b;
    case Op::Div:
      return quotient(a, b, /*roundsDown=*/false);
    case Op::Rem:
      return a - b * quotient(a, b, /*roundsDown=*/false);
    default:
      return unknown();
    }
  }
  case Expr::Call:
    switch (e.function().callee) {
    case Callee::Min:
      return extreme(e, /*isMin=*/true);
    case Callee::Max:
      return extreme(e, /*isMin=*/false);
    case Callee::FloorDiv:
      return quotient(value(e.operand(0)), value(e.operand(1)),
                      /*roundsDown=*/true);
    default:
      return unknown();
    }
  default:
    return unknown();
  }
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

namespace {
/// `a < b`, `a <= b` or `a == b`, where it \p holds or fails.
struct Comparison {
  Comparison(const Expr &e, bool holds) : a(e.operand(0)), b(e.operand(1)) {
    switch (e.op()) {
    case Op::Less:
    case Op::GreaterEqual:
      isStrict = (e.op() == Op::Less) == holds;
      isSwapped = !isStrict;
      break;
    case Op::Greater:
    case Op::LessEqual:
      isStrict = (e.op() == Op::Greater) == holds;
      isSwapped = isStrict;
      break;
    case Op::Equal:
    case Op::NotEqual:
      isEqual = (e.op() == Op::Equal) == holds;
      isUnequal = !isEqual;
      break;
    default:
      isKnown = false;
    }
    if (isSwapped)
      std::swap(a, b);
  }

  Expr a, b;
  bool isKnown = true, isStrict = false, isSwapped = false, isEqual = false,
       isUnequal = false;
};
} // namespace

static const Expr *testOf(const DenseMap<const Variable *, Expr> &tests,
                          const Expr &e) {
  auto found =
      e.kind() == Expr::Use ? tests.find(e.variable().get()) : tests.end();
  return found == tests.end() ? nullptr : &found->second;
}

static bool isOp(const Expr &e, Op op) {
  return (e.kind() == Expr::Binary || e.kind() == Expr::Unary) && e.op() == op;
}

void AssertionProver::assume(const Expr &e, bool holds) {
  if (const Expr *test = testOf(tests, e))
    return assume(*test, holds);
  if (isOp(e, Op::Not))
    return assume(e.operand(0), !holds);
  if (isOp(e, holds ? Op::And : Op::Or)) {
    assume(e.operand(0), holds);
    return assume(e.operand(1), holds);
  }
  if (e.kind() != Expr::Binary)
    return;
  const Comparison c(e, holds);
  if (!c.isKnown || c.isUnequal)
    return;
  const IndexExpr more = value(c.b) - value(c.a);
  facts.push_back(more - IndexExpr(c.isStrict));
  if (c.isEqual)
    facts.push_back(-more);
}

bool AssertionProver::isProved(const Expr &e, bool holds) {
  if (const Expr *test = testOf(tests, e))
    return isProved(*test, holds);
  if (isOp(e, Op::Not))
    return isProved(e.operand(0), !holds);
  if (isOp(e, holds ? Op::And : Op::Or))
    return isProved(e.operand(0), holds) && isProved(e.operand(1), holds);
  if (isOp(e, holds ? Op::Or : Op::And))
    return isProved(e.operand(0), holds) || isProved(e.operand(1), holds);
  if (e.kind() != Expr::Binary)
    return false;
  const Comparison c(e, holds);
  if (!c.isKnown)
    return false;
  const IndexExpr more = value(c.b) - value(c.a);
  if (c.isUnequal)
    return isNonNegative(more - 1) || isNonNegative(-more - 1);
  return isNonNegative(more - IndexExpr(c.isStrict)) &&
         (!c.isEqual || isNonNegative(-more));
}

std::optional<Var> AssertionProver::loopInProduct(const IndexExpr &e) const {
  std::optional<Var> last;
  for (const auto &[monomial, coefficient] : e.terms())
    for (const Atom &a : monomial)
      if (monomial.size() > 1 && a.isVar() && loops.count(a.asVar()) &&
          (!last || *last < a.asVar()))
        last = a.asVar();
  return last;
}

bool AssertionProver::isNonNegative(const IndexExpr &e) {
  if (std::optional<int64_t> number = e.asConstant())
    return *number >= 0;
  if (!e.isValid() || depth > 8)
    return false;
  SaveAndRestore deeper(depth, depth + 1);
  if (isImplied(facts, e))
    return true;
  const std::optional<Var> v = loopInProduct(e);
  const std::optional<IndexExpr> factor =
      v ? e.symbolicCoefficient(*v) : std::nullopt;
  if (!factor)
    return false;
  auto holdsAt = [&](const std::vector<IndexExpr> &ends) {
    return any_of(ends, [&](const IndexExpr &end) {
      return isNonNegative(e.substitute(*v, end));
    });
  };
  const Ends &ends = loops.at(*v);
  if (isNonNegative(*factor))
    return holdsAt(ends.least);
  if (isNonNegative(-*factor))
    return holdsAt(ends.greatest);
  return holdsAt(ends.least) && holdsAt(ends.greatest);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void AssertionProver::block(const Block &b) {
  const size_t before = facts.size();
  for (const StmtRef &s : b)
    statement(*s);
  facts.resize(before);
}

void AssertionProver::within(const Block &b, const Expr &condition,
                             bool holds) {
  const size_t before = facts.size();
  assume(condition, holds);
  block(b);
  facts.resize(before);
}

void AssertionProver::loop(const For &f) {
  const size_t before = facts.size();
  const IndexExpr first = value(f.first), end = value(f.end),
                  step = value(f.step);
  IndexExpr &v = values[f.variable.get()];
  const IndexExpr i = unknown();
  if (step == 1) {
    v = i;
    Ends &ends = loops[*i.asVar()] = {{first}, {end - 1}};
    if (std::optional<Var> m = end.asVar())
      for (const IndexExpr &one : minima[*m])
        ends.greatest.push_back(one - 1);
    facts.push_back(i - first);
  } else {
    v = first + step * i;
    facts.push_back(i);
  }
  facts.push_back(end - 1 - v);
  block(f.body);
  facts.resize(before);
}

/// Whether \p b ends the thread.
static bool leaves(const Block &b) {
  return !b.empty() && isa<Return>(b.back().get());
}

void AssertionProver::statement(const Stmt &s) {
  if (const auto *d = dyn_cast<Declaration>(&s)) {
    const Variable &v = *d->variable;
    if (!v.isConst || v.isArray() || !d->value)
      return;
    if (v.type.kind == Type::Bool)
      tests[&v] = d->value;
    else if (v.type.kind <= Type::Wide)
      values[&v] = value(d->value);
  } else if (const auto *f = dyn_cast<For>(&s)) {
    loop(*f);
  } else if (const auto *i = dyn_cast<If>(&s)) {
    within(i->body, i->condition, true);
    within(i->otherwise, i->condition, false);
    if (leaves(i->body))
      assume(i->condition, false);
  } else if (const auto *scope = dyn_cast<Scope>(&s)) {
    block(scope->body);
  } else if (const auto *f = dyn_cast<LocalFunction>(&s)) {
    values[f->parameter.get()] = unknown();
    block(f->body);
  } else if (const auto *a = dyn_cast<Assertion>(&s)) {
    if (a->isGiven)
      assume(a->condition, true);
    else if (!unproved && !isProved(a->condition, true) &&
             !areContradictory(facts)) // or it is never reached
      unproved = a;
  }
}

Error checkAssertions(const Kernel &kernel) {
  if (const Assertion *a = AssertionProver(kernel).run())
    return createStringError(inconvertibleErrorCode(),
                             "assertions: " + cudaText(a->condition) +
                                 " does not follow from what is around it");
  return Error::success();
}

} // namespace convopt
