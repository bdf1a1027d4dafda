//===- Witness.cpp - An example for a refusal -----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Witness.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include <isl/point.h>
#include <isl/set.h>

using namespace llvm;

namespace convopt {

/// \p set with its parameters as leading dimensions, in the table's order.
static isl::set exposeParams(const CurrentNest &current, isl::set set) {
  const ParamTable &params = current.original.params;
  isl_space *order = isl_space_params_alloc(isl_set_get_ctx(set.get()), 0);
  isl::space model = params.align(isl::manage(order));
  set = isl::manage(isl_set_align_params(set.release(), model.release()));
  return isl::manage(isl_set_move_dims(set.release(), isl_dim_set, 0,
                                       isl_dim_param, 0, params.size()));
}

/// Operations of isl that it may take to find the least of all examples: some
/// seconds.
static constexpr unsigned long LeastOperations = 10'000;

/// The least point, sizes first; none where they have no least value, or one
/// that is hard to find.
static std::optional<isl::point> leastPoint(const IslContext &context,
                                            isl::set set, unsigned sizes) {
  for (unsigned i = 0; i < sizes; ++i)
    set = isl::manage(isl_set_lower_bound_si(set.release(), isl_dim_set, i, 0));
  return context.briefly(LeastOperations, [&]() -> std::optional<isl::point> {
    if (set.is_empty())
      return std::nullopt;
    return set.lexmin().sample_point();
  });
}

Witness sample(const CurrentNest &current, isl::set set) {
  unsigned sizes = current.original.params.size();
  set = exposeParams(current, set);
  std::optional<isl::point> point =
      leastPoint(current.original.context, set, sizes);
  if (!point)
    point = set.sample_point();
  Witness w;
  unsigned dims = isl_set_dim(set.get(), isl_dim_set);
  for (unsigned i = 0; i < dims; ++i) {
    isl::val v =
        isl::manage(isl_point_get_coordinate_val(point->get(), isl_dim_set, i));
    (i < sizes ? w.params : w.loops).push_back(v.num_si());
  }
  return w;
}

Witness sample(const CurrentNest &current, isl::map map) {
  return sample(current, map.wrap().flatten());
}

std::string iterationText(const Nest &nest, const Statement &s,
                          ArrayRef<int64_t> values) {
  std::string text = "S" + std::to_string(s.id);
  if (values.empty())
    return text;
  std::vector<std::string> parts;
  for (size_t i = 0; i < values.size(); ++i)
    parts.push_back(nest.loopNames[s.iterators[i]] + "=" +
                    std::to_string(values[i]));
  return text + "[" + join(parts, ", ") + "]";
}

/// The original iteration of \p r at \p w.
static std::vector<int64_t> iteration(const CurrentNest &current,
                                      const Running &r, const Witness &w,
                                      unsigned first) {
  isl::set here = r.space.universe();
  auto fix = [&](isl_dim_type type, unsigned i, int64_t value) {
    isl_val *v = isl_val_int_from_si(isl_set_get_ctx(here.get()), value);
    here = isl::manage(isl_set_fix_val(here.release(), type, i, v));
  };
  for (unsigned i = 0; i < r.space.size(); ++i)
    fix(isl_dim_set, i, w.loops[first + i]);
  const ParamTable &params = current.original.params;
  isl::space all = params.align(here.space().params());
  here = isl::manage(isl_set_align_params(here.release(), all.release()));
  for (unsigned i = 0; i < params.size(); ++i)
    fix(isl_dim_param, i, w.params[i]);
  std::vector<int64_t> values;
  for (int i = 0, n = r.instance.size(); i < n; ++i)
    values.push_back(here.max_val(r.instance.at(i)).num_si());
  return values;
}

std::string instanceText(const CurrentNest &current, const Running &r,
                         const Witness &w, unsigned first) {
  return iterationText(current.nest, r.statement(),
                       iteration(current, r, w, first));
}

namespace {

/// The pair of instances of a witness, in numbers.
class Pair {
public:
  Pair(const CurrentNest &current, const DependentPairs &d, const Witness &w)
      : current(current), d(d), w(w) {}

  bool isShown() const {
    const unsigned first = d.source->space.size();
    auto isFact = [&](const Assumption &a) {
      return a.spanned || holds(a.fact, {});
    };
    const Relation &r = *d.relation;
    return all_of(current.original.nest.assumptions, isFact) &&
           runs(*d.source, 0) && runs(*d.sink, first) &&
           touches(*d.source, *r.sourceAccess, 0) &&
           touches(*d.sink, *r.sinkAccess, first) &&
           cell(*d.source, *r.sourceAccess, 0) ==
               cell(*d.sink, *r.sinkAccess, first);
  }

private:
  using Values = std::map<unsigned, int64_t>; // of loops

  std::optional<int64_t> value(const IndexExpr &e, const Values &loops) const {
    return current.nest.expandDefinitions(e).evaluate([&](Var v) -> int64_t {
      if (v.kind == Var::Loop)
        return loops.at(v.id);
      auto at = current.original.params.find("p" + std::to_string(v.id));
      return at ? w.params[*at] : 1;
    });
  }

  bool holds(const Constraint &c, const Values &loops) const {
    const int64_t v = value(c.expr, loops).value_or(-1);
    return c.kind == Constraint::Zero ? v == 0 : v >= 0;
  }

  bool runs(const Running &r, unsigned first) const {
    Values loops;
    for (auto [k, l] : enumerate(r.place().loops))
      loops[l->id] = w.loops[first + k];
    auto areFacts = [&](ArrayRef<Constraint> all) {
      return all_of(all, [&](const Constraint &c) { return holds(c, loops); });
    };
    return all_of(
               r.place().loops,
               [&](const Loop *l) { return areFacts(loopConstraints(*l)); }) &&
           all_of(r.place().guards,
                  [&](const Guard *g) { return areFacts(g->conditions); });
  }

  Values iterators(const Running &r, unsigned first) const {
    Values values;
    for (auto [id, v] :
         zip_equal(r.statement().iterators, iteration(current, r, w, first)))
      values[id] = v;
    return values;
  }

  /// Whether the guard of \p access, of the original statement, holds.
  bool touches(const Running &r, const Access &access, unsigned first) const {
    const Values values = iterators(r, first);
    const Statement &s = *current.originalOf(r).occurrence->statement;
    return all_of(readsOf(s), [&](const Operand &o) {
      return &o.access != &access || all_of(o.guard, [&](const Constraint &c) {
        return holds(c, values);
      });
    });
  }

  std::vector<std::optional<int64_t>>
  cell(const Running &r, const Access &access, unsigned first) const {
    const Values loops = iterators(r, first);
    std::vector<std::optional<int64_t>> values;
    for (const IndexExpr &e : access.subscripts)
      values.push_back(value(e, loops));
    return values;
  }

  const CurrentNest &current;
  const DependentPairs &d;
  const Witness &w;
};

} // namespace

Violation::Violation(const CurrentNest &current,
                     const DependentPairs &dependence,
                     const isl::map &violating)
    : dependence(dependence), witness(sample(current, violating)),
      isShown(Pair(current, dependence, witness).isShown()) {
  const Running &from = *dependence.source, &to = *dependence.sink;
  if (isShown) {
    source = instanceText(current, from, witness, 0);
    sink = instanceText(current, to, witness, from.space.size());
    return;
  }
  const bool isSame = from.statement().id == to.statement().id;
  source = iterationText(current.nest, from.statement(), {});
  sink = (isSame ? "a later " : "") +
         iterationText(current.nest, to.statement(), {});
}

std::string Violation::orderText() const {
  return source + (isShown ? " must run before " : " may have to run before ") +
         sink;
}

/// Sink minus source over the common original loops; none where one leaves the
/// range of a number.
static std::optional<std::vector<int64_t>>
differences(const CurrentNest &current, const Violation &v) {
  const DependentPairs &d = v.dependence;
  std::vector<int64_t> from = iteration(current, *d.source, v.witness, 0);
  std::vector<int64_t> to =
      iteration(current, *d.sink, v.witness, d.source->space.size());
  std::vector<int64_t> deltas;
  for (size_t i = 0; i + 1 < d.relation->levels.size(); ++i)
    if (SubOverflow(to[i], from[i], deltas.emplace_back()))
      return std::nullopt;
  return deltas;
}

std::optional<unsigned> Violation::carrier(const CurrentNest &current) const {
  const auto deltas = differences(current, *this);
  for (size_t i = 0; deltas && i < deltas->size(); ++i)
    if ((*deltas)[i] != 0)
      return dependence.source->statement().iterators[i];
  return std::nullopt;
}

static bool allows(Direction d, int64_t delta) {
  switch (d) {
  case Direction::Equal:
    return delta == 0;
  case Direction::Less:
    return delta > 0;
  case Direction::Greater:
    return delta < 0;
  case Direction::Star:
    return true;
  }
  llvm_unreachable("a direction");
}

/// The direction vector of the dependence that the witness belongs to.
static std::string directionText(const CurrentNest &current,
                                 const Violation &v) {
  const Relation &r = *v.dependence.relation;
  const auto deltas = differences(current, v);
  const size_t levels = r.levels.size() - 1;
  for (const Dependence &d : current.original.rows) {
    if (d.kind != r.kind || d.array != r.sourceAccess->array ||
        d.source != v.dependence.source->statement().id ||
        d.sink != v.dependence.sink->statement().id)
      continue;
    bool holds = deltas.has_value();
    for (size_t i = 0; holds && i < levels; ++i)
      holds = allows(d.direction[i], (*deltas)[i]);
    if (holds)
      return str(d.direction);
  }
  return str(std::vector<Direction>(levels, Direction::Star));
}

static std::string sizesText(const CurrentNest &current, const Witness &w) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < current.nest.params.size(); ++i) {
    auto at = current.original.params.find("p" + std::to_string(i));
    if (at)
      parts.push_back(current.nest.params[i].name + " = " +
                      std::to_string(w.params[*at]));
  }
  return join(parts, ", ");
}

/// The sizes that multiply loops at the places of \p d, or divide there.
static std::string factorsText(const CurrentNest &current,
                               const DependentPairs &d) {
  std::set<Var> factors;
  auto note = [&](const IndexExpr &expr) {
    const IndexExpr e = current.nest.expandDefinitions(expr);
    for (const auto &[product, times] : e.terms()) {
      auto isLoop = [](const Atom &a) {
        return a.isVar() ? a.asVar().kind == Var::Loop : a.num().usesLoops();
      };
      for (const Atom &a : product)
        if (!a.isVar())
          for (Var v : a.den().vars())
            factors.insert(v);
        else if (!isLoop(a) && any_of(product, isLoop))
          factors.insert(a.asVar());
    }
  };
  for (const Running *r : {d.source, d.sink}) {
    for (const Loop *l : r->place().loops)
      for (const Constraint &c : loopConstraints(*l))
        note(c.expr);
    for (const Guard *g : r->place().guards)
      for (const Constraint &c : g->conditions)
        note(c.expr);
  }
  for (const Access *a : {d.relation->sourceAccess, d.relation->sinkAccess})
    for_each(a->subscripts, note);
  std::vector<std::string> names;
  for (Var v : factors)
    if (v.kind == Var::Param)
      names.push_back("-assume=" + current.nest.params[v.id].name + "=N");
  return join(names, " or ");
}

Error refuseDependence(const CurrentNest &current, const Violation &v,
                       std::string rule, std::string message,
                       std::string remedy) {
  const Relation &r = *v.dependence.relation;
  const Statement &source = v.dependence.source->statement();
  const Statement &sink = v.dependence.sink->statement();
  const Nest &nest = current.original.nest;
  auto refusal = std::make_unique<Refusal>(ExitStatus::Illegal, std::move(rule),
                                           std::move(message), sink.range,
                                           std::move(remedy));
  refusal->notes.push_back(
      {source.range,
       (str(r.kind) + " dependence from " + str(nest, *r.sourceAccess) +
        " in S" + Twine(source.id) + " to " + str(nest, *r.sinkAccess) +
        " in S" + Twine(sink.id) + ", direction " + directionText(current, v))
           .str()});
  const std::string sizes = v.isShown ? sizesText(current, v.witness)
                                      : factorsText(current, v.dependence);
  if (!sizes.empty() && v.isShown)
    refusal->notes.push_back({sink.range, "for example with " + sizes});
  if (!v.isShown)
    refusal->notes.push_back(
        {sink.range, "refused for lack of a proof that they touch different "
                     "elements" +
                         (sizes.empty() ? ""
                                        : "; " + sizes +
                                              ", for a kernel of one value, "
                                              "may give it")});
  return Error(std::move(refusal));
}

} // namespace convopt
