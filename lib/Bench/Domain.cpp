//===- Domain.cpp - Iterations of a statement, counted --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Domain.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace llvm;

namespace convopt::bench {

int64_t LinearForm::at(ArrayRef<int64_t> point) const {
  int64_t value = constant;
  for (auto [c, p] : zip(coefficients, point))
    value += c * p;
  return value;
}

std::optional<LinearForm> Domain::linear(const IndexExpr &e) const {
  IndexExpr known = e.substitute([&](Var v) -> std::optional<IndexExpr> {
    if (v.kind == Var::Param)
      return IndexExpr(params[v.id]);
    return std::nullopt;
  });
  LinearForm form;
  form.coefficients.resize(loops.size());
  if (!known.isValid())
    return std::nullopt;
  for (const auto &[monomial, coefficient] : known.terms()) {
    if (monomial.empty()) {
      form.constant = coefficient;
      continue;
    }
    if (monomial.size() != 1 || !monomial.front().isVar())
      return std::nullopt;
    auto at = find(loops, monomial.front().asVar().id);
    if (at == loops.end())
      return std::nullopt;
    form.coefficients[at - loops.begin()] = coefficient;
  }
  return form;
}

bool Domain::add(const Constraint &c) {
  auto form = linear(c.expr);
  if (!form)
    return false;
  nonNegative.push_back(*form);
  if (c.kind == Constraint::Zero) {
    form->constant = -form->constant;
    for (int64_t &coefficient : form->coefficients)
      coefficient = -coefficient;
    nonNegative.push_back(*form);
  }
  return true;
}

std::vector<unsigned> Domain::groups(ArrayRef<LinearForm> together) const {
  EquivalenceClasses<unsigned> classes;
  for (unsigned l = 0; l != loops.size(); ++l)
    classes.insert(l);
  auto tie = [&](const LinearForm &form) {
    std::optional<unsigned> first;
    for (unsigned l = 0; l != loops.size(); ++l)
      if (form.coefficients[l])
        classes.unionSets(first ? *first : *(first = l), l);
  };
  for_each(nonNegative, tie);
  for_each(together, tie);
  std::vector<unsigned> result;
  for (unsigned l = 0; l != loops.size(); ++l)
    result.push_back(classes.getLeaderValue(l));
  return result;
}

/// Scans the loops of a group outermost first; each is bounded by the
/// constraints of which it is the last loop.
struct Domain::Walk {
  std::vector<unsigned> order;                         // positions in `loops`
  std::vector<std::vector<const LinearForm *>> bounds; // by place in `order`
  std::vector<int64_t> point;
  int64_t steps = 0;

  Walk(const Domain &d, unsigned group, ArrayRef<unsigned> groupOf)
      : point(d.loops.size()) {
    for (unsigned l = 0; l != groupOf.size(); ++l)
      if (groupOf[l] == group)
        order.push_back(l);
    bounds.resize(order.size());
    for (const LinearForm &form : d.nonNegative)
      for (size_t k = order.size(); k-- != 0;)
        if (form.coefficients[order[k]]) {
          bounds[k].push_back(&form);
          break;
        }
  }

  /// First and one past the last value of the loop at place \p k.
  std::pair<int64_t, int64_t> range(size_t k) {
    int64_t low = INT64_MIN / 2, high = INT64_MAX / 2;
    point[order[k]] = 0;
    for (const LinearForm *form : bounds[k]) {
      const int64_t a = form->coefficients[order[k]], rest = form->at(point);
      if (a > 0)
        low = std::max(low, divideCeilSigned(-rest, a));
      else
        high = std::min(high, divideFloorSigned(rest, -a) + 1);
    }
    return {low, std::max(low, high)};
  }

  /// Points from place \p k on; calls \p f on each where there is one.
  bool run(size_t k, double &count, function_ref<void(ArrayRef<int64_t>)> f) {
    auto [low, high] = range(k);
    if (!f && k + 1 == order.size()) {
      count += double(high) - double(low);
      return ++steps < MostSteps;
    }
    for (int64_t v = low; v < high; ++v) {
      point[order[k]] = v;
      if (++steps > MostSteps)
        return false;
      if (k + 1 != order.size()) {
        if (!run(k + 1, count, f))
          return false;
        continue;
      }
      ++count;
      f(point);
    }
    point[order[k]] = 0;
    return true;
  }
};

std::optional<double> Domain::count() const {
  for (const LinearForm &form : nonNegative)
    if (form.constant < 0 &&
        all_of(form.coefficients, [](int64_t c) { return c == 0; }))
      return 0;
  const std::vector<unsigned> groupOf = groups({});
  double product = 1;
  for (unsigned l = 0; l != loops.size(); ++l) {
    if (is_contained(ArrayRef(groupOf).take_front(l), groupOf[l]))
      continue;
    double points = 0;
    if (!Walk(*this, groupOf[l], groupOf).run(0, points, nullptr))
      return std::nullopt;
    product *= points;
  }
  return product;
}

bool Domain::forEach(unsigned group, ArrayRef<unsigned> groupOf,
                     function_ref<void(ArrayRef<int64_t>)> f) const {
  double points = 0;
  return Walk(*this, group, groupOf).run(0, points, f);
}

} // namespace convopt::bench
