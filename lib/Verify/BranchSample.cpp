//===- BranchSample.cpp - Which ways threads of a kernel go ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BranchSample.h"
#include "FlatExpr.h"

using namespace llvm;

namespace convopt::verify {

using namespace program;

template <typename T> static bool holds(const Block &block) {
  bool found = false;
  program::walk(block, [&](const Stmt &s) { found |= isa<T>(&s); });
  return found;
}

/// Conditions in \p value, as branches of nothing.
static void addChoices(const Expr &value, Block &kept) {
  if (value.kind() == Expr::Select)
    kept.push_back(std::make_shared<If>(value.operand(0)));
}

/// \p all without what computes: branches, those within the values of copies
/// too, and those by which threads leave.
static Block branchesOf(const Block &all) {
  Block kept;
  for (const StmtRef &s : all) {
    if (const auto *d = dyn_cast<Declaration>(s.get())) {
      if (!d->value || d->variable->isArray())
        continue;
      auto copy = std::make_shared<Declaration>(*d);
      copy->isOptional = true;
      kept.push_back(copy);
    } else if (const auto *a = dyn_cast<Assignment>(s.get())) {
      addChoices(a->value, kept);
    } else if (const auto *f = dyn_cast<For>(s.get())) {
      auto copy = std::make_shared<For>(*f);
      copy->body = branchesOf(f->body);
      if (holds<If>(copy->body))
        kept.push_back(copy);
    } else if (const auto *i = dyn_cast<If>(s.get())) {
      auto copy = std::make_shared<If>(*i);
      copy->body = branchesOf(i->body);
      copy->otherwise = branchesOf(i->otherwise);
      kept.push_back(copy);
    } else if (const auto *scope = dyn_cast<Scope>(s.get())) {
      append_range(kept, branchesOf(scope->body));
    } else if (isa<Return>(s.get())) {
      kept.push_back(s);
    }
  }
  return kept;
}

BranchSample::BranchSample(const Kernel &kernel)
    : block(kernel.block), parameters(kernel.parameters) {
  body = dropUnused(branchesOf(kernel.body));
  program::walk(body, [&](const Stmt &s) {
    if (const auto *i = dyn_cast<If>(&s); i && !holds<Return>(i->body))
      numbers.try_emplace(
          i, Number{unsigned(numbers.size()),
                    holds<For>(i->body) || holds<For>(i->otherwise),
                    {}});
    if (const auto *d = dyn_cast<Declaration>(&s))
      named[d->variable.get()] = d->value;
  });
  for (auto &[branch, number] : numbers)
    conjuncts(cast<If>(branch)->condition, number.conjuncts);
}

namespace {
/// Integers of 64 bits in place of C's: sizes that are tried are small.
struct Evaluator {
  const DenseMap<const Variable *, int64_t> &scalars;

  std::optional<int64_t> operator()(const Expr &e) const {
    switch (e.kind()) {
    case Expr::Number:
      return e.number();
    case Expr::Use: {
      auto it = scalars.find(e.variable().get());
      return it == scalars.end() ? std::nullopt : std::optional(it->second);
    }
    case Expr::Cast:
      return (*this)(e.operand(0));
    case Expr::Select: {
      const std::optional<int64_t> condition = (*this)(e.operand(0));
      return condition ? (*this)(e.operand(*condition ? 1 : 2)) : std::nullopt;
    }
    case Expr::Unary: {
      const std::optional<int64_t> v = (*this)(e.operand(0));
      if (!v || e.op() == Op::AddressOf)
        return std::nullopt;
      return e.op() == Op::Not ? !*v : -*v;
    }
    case Expr::Binary:
      return binary(e.op(), (*this)(e.operand(0)), e.operand(1));
    case Expr::Call:
      return e.operands().size() == 2
                 ? call(e.function().callee, (*this)(e.operand(0)),
                        (*this)(e.operand(1)))
                 : std::nullopt;
    default:
      return std::nullopt;
    }
  }

  std::optional<int64_t> binary(Op op, std::optional<int64_t> a,
                                const Expr &right) const {
    const bool decides = op == Op::And || op == Op::Or;
    if (decides && a && (*a != 0) == (op == Op::Or))
      return op == Op::Or;
    const std::optional<int64_t> b = (*this)(right);
    if (decides && b && (*b != 0) == (op == Op::Or))
      return op == Op::Or;
    if (!a || !b)
      return std::nullopt;
    switch (op) {
    case Op::Mul:
      return *a * *b;
    case Op::Div:
      return *b ? std::optional(*a / *b) : std::nullopt;
    case Op::Rem:
      return *b ? std::optional(*a % *b) : std::nullopt;
    case Op::Add:
      return *a + *b;
    case Op::Sub:
      return *a - *b;
    case Op::Less:
      return *a < *b;
    case Op::LessEqual:
      return *a <= *b;
    case Op::Greater:
      return *a > *b;
    case Op::GreaterEqual:
      return *a >= *b;
    case Op::Equal:
      return *a == *b;
    case Op::NotEqual:
      return *a != *b;
    case Op::And:
      return *a && *b;
    case Op::Or:
      return *a || *b;
    default:
      return std::nullopt;
    }
  }

  static std::optional<int64_t> call(Callee callee, std::optional<int64_t> a,
                                     std::optional<int64_t> b) {
    if (!a || !b)
      return std::nullopt;
    switch (callee) {
    case Callee::Min:
      return std::min(*a, *b);
    case Callee::Max:
      return std::max(*a, *b);
    case Callee::FloorDiv:
      return *b > 0 ? std::optional(divideFloor(*a, *b)) : std::nullopt;
    default:
      return std::nullopt;
    }
  }
};
} // namespace

/// What \p e is made of by `&&`, also by way of its name.
void BranchSample::conjuncts(const Expr &e,
                             std::vector<const Expr *> &all) const {
  if (e.kind() == Expr::Use)
    if (auto it = named.find(e.variable().get());
        it != named.end() && it->second.kind() == Expr::Binary &&
        it->second.op() == Op::And)
      return conjuncts(it->second, all);
  if (e.kind() != Expr::Binary || e.op() != Op::And) {
    all.push_back(&e);
    return;
  }
  conjuncts(e.operand(0), all);
  conjuncts(e.operand(1), all);
}

std::set<BranchSample::Decision> BranchSample::decisions() const {
  std::set<Decision> all;
  for (const auto &[branch, number] : numbers)
    if (number.conjuncts.size() > 1)
      for (size_t k = 0; k != number.conjuncts.size(); ++k)
        all.insert({number.branch, k});
  return all;
}

/// By how much \p e, a comparison, holds; below 0 where it fails.
static std::optional<int64_t> slackOf(const Expr &e, const Evaluator &valueOf) {
  if (e.kind() != Expr::Binary)
    return std::nullopt;
  const std::optional<int64_t> a = valueOf(e.operand(0)),
                               b = valueOf(e.operand(1));
  if (!a || !b)
    return std::nullopt;
  switch (e.op()) {
  case Op::Less:
    return *b - *a - 1;
  case Op::LessEqual:
    return *b - *a;
  case Op::Greater:
    return *a - *b - 1;
  case Op::GreaterEqual:
    return *a - *b;
  default:
    return std::nullopt;
  }
}

void BranchSample::seeConjuncts(ArrayRef<const Expr *> all,
                                const Scalars &scalars,
                                function_ref<void(int64_t, How)> see) {
  const Evaluator valueOf{scalars};
  int failing = 0;
  for (const auto &[k, e] : enumerate(all))
    if (valueOf(*e).value_or(0) == 0 && failing++ == 0)
      see(k, FailsFirst);
  if (failing > 1)
    return;
  for (const auto &[k, e] : enumerate(all)) {
    if (failing && valueOf(*e) == 0)
      see(k, FailsAlone);
    if (const std::optional<int64_t> slack = slackOf(*e, valueOf);
        slack == -failing)
      see(k, failing ? FailsByLeast : HoldsByLeast);
  }
}

bool BranchSample::run(const Block &block, Scalars &scalars,
                       Visitor see) const {
  const Evaluator valueOf{scalars};
  auto set = [&](const VariableRef &v, std::optional<int64_t> value) {
    if (value)
      scalars[v.get()] = *value;
    else
      scalars.erase(v.get());
  };
  for (const StmtRef &s : block) {
    if (const auto *d = dyn_cast<Declaration>(s.get())) {
      set(d->variable, valueOf(d->value));
    } else if (const auto *f = dyn_cast<For>(s.get())) {
      // The first iteration and the last, which tell tiles apart.
      const auto first = valueOf(f->first), end = valueOf(f->end),
                 step = valueOf(f->step);
      if (!first || !end || !step || *step <= 0 || *first >= *end)
        continue;
      const int64_t last = *first + (*end - 1 - *first) / *step * *step;
      for (int64_t i = *first; i <= last; i += std::max<int64_t>(last - i, 1)) {
        set(f->variable, i);
        if (!run(f->body, scalars, see))
          return false;
      }
    } else if (const auto *i = dyn_cast<If>(s.get())) {
      const std::optional<int64_t> condition = valueOf(i->condition);
      if (auto number = numbers.find(i); condition && number != numbers.end())
        see(number->second, *condition, scalars);
      // Who leaves for a reason that is not known is taken to stay.
      if ((!condition || *condition) && !run(i->body, scalars, see) &&
          condition)
        return false;
      if ((!condition || !*condition) && !run(i->otherwise, scalars, see) &&
          condition)
        return false;
    } else if (isa<Return>(s.get())) {
      return false;
    }
  }
  return true;
}

/// The first threads, of which one is past what padding puts before the image,
/// one in the middle, and the last two.
std::vector<BranchSample::Position>
BranchSample::positions(unsigned dimension, int64_t blocks) const {
  const int64_t threads = block[dimension], last = threads - 1;
  const std::set<Position> some{{0, 0},
                                {0, std::min<int64_t>(1, last)},
                                {0, std::min<int64_t>(3, last)},
                                {blocks / 2, threads / 2},
                                {blocks - 1, std::max<int64_t>(last - 1, 0)},
                                {blocks - 1, last}};
  return {some.begin(), some.end()};
}

void BranchSample::visit(const StringMap<int64_t> &sizes,
                         const std::array<int64_t, 3> &grid,
                         Visitor see) const {
  Scalars known;
  for (const VariableRef &p : parameters)
    if (auto size = sizes.find(p->name); size != sizes.end())
      known[p.get()] = size->second;
  auto place = [&](unsigned dimension, const Position &at) {
    known[blockIndex(dimension).get()] = at.first;
    known[threadIndex(dimension).get()] = at.second;
  };
  for (const Position &z : positions(2, grid[2]))
    for (const Position &y : positions(1, grid[1]))
      for (const Position &x : positions(0, grid[0])) {
        place(0, x);
        place(1, y);
        place(2, z);
        Scalars scalars = known;
        run(body, scalars, see);
      }
}

void BranchSample::walk(const StringMap<int64_t> &sizes,
                        const std::array<int64_t, 3> &grid, Seer go) const {
  visit(sizes, grid,
        [&](const Number &n, int64_t condition, const Scalars &scalars) {
          go(n.branch, n.isOfLoops, condition ? Holds : Fails, 0);
          seeConjuncts(n.conjuncts, scalars, [&](int64_t k, How how) {
            go(n.branch, n.isOfLoops, how, k);
          });
        });
}

std::map<BranchSample::Decision, int64_t>
BranchSample::distances(const StringMap<int64_t> &sizes,
                        const std::array<int64_t, 3> &grid) const {
  // Of what is no comparison, and so does not come closer.
  constexpr int64_t far = 1024;
  std::map<Decision, int64_t> closest;
  visit(sizes, grid, [&](const Number &n, int64_t, const Scalars &scalars) {
    if (!n.isOfLoops || n.conjuncts.size() < 2)
      return;
    const Evaluator valueOf{scalars};
    SmallVector<std::optional<int64_t>> slacks;
    int64_t failing = 0; // by how much all fail
    for (const Expr *e : n.conjuncts) {
      slacks.push_back(slackOf(*e, valueOf));
      failing += slacks.back() ? std::max<int64_t>(-*slacks.back(), 0)
                 : valueOf(*e).value_or(0) ? 0
                                           : far;
    }
    for (const auto &[k, slack] : enumerate(slacks)) {
      if (!slack)
        continue;
      const int64_t distance =
          failing - std::max<int64_t>(-*slack, 0) + std::abs(*slack + 1);
      int64_t &least =
          closest.try_emplace({n.branch, k}, distance).first->second;
      least = std::min(least, distance);
    }
  });
  return closest;
}

} // namespace convopt::verify
