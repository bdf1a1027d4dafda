//===- Witness.cpp - An example for a refusal
//----------------------------------===//
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

/// The least point, sizes first; none where they have no least value.
static std::optional<isl::point> leastPoint(isl::set set, unsigned sizes) {
  for (unsigned i = 0; i < sizes; ++i)
    set = isl::manage(isl_set_lower_bound_si(set.release(), isl_dim_set, i, 0));
  if (set.is_empty())
    return std::nullopt;
  try {
    return set.lexmin().sample_point();
  } catch (const isl::exception &) {
    return std::nullopt;
  }
}

Witness sample(const CurrentNest &current, isl::set set) {
  unsigned sizes = current.original.params.size();
  set = exposeParams(current, set);
  std::optional<isl::point> point = leastPoint(set, sizes);
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
  for (unsigned i = 0; i < r.space.size(); ++i)
    here = isl::manage(
        isl_set_fix_si(here.release(), isl_dim_set, i, w.loops[first + i]));
  const ParamTable &params = current.original.params;
  isl::space all = params.align(here.space().params());
  here = isl::manage(isl_set_align_params(here.release(), all.release()));
  for (unsigned i = 0; i < params.size(); ++i)
    here = isl::manage(
        isl_set_fix_si(here.release(), isl_dim_param, i, w.params[i]));
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

Violation::Violation(const CurrentNest &current,
                     const DependentPairs &dependence,
                     const isl::map &violating)
    : dependence(dependence), witness(sample(current, violating)),
      source(instanceText(current, *dependence.source, witness, 0)),
      sink(instanceText(current, *dependence.sink, witness,
                        dependence.source->space.size())) {}

/// Sink minus source over the common original loops.
static std::vector<int64_t> differences(const CurrentNest &current,
                                        const Violation &v) {
  const DependentPairs &d = v.dependence;
  std::vector<int64_t> from = iteration(current, *d.source, v.witness, 0);
  std::vector<int64_t> to =
      iteration(current, *d.sink, v.witness, d.source->space.size());
  std::vector<int64_t> deltas;
  for (size_t i = 0; i + 1 < d.relation->levels.size(); ++i)
    deltas.push_back(to[i] - from[i]);
  return deltas;
}

std::optional<unsigned> Violation::carrier(const CurrentNest &current) const {
  std::vector<int64_t> deltas = differences(current, *this);
  for (size_t i = 0; i < deltas.size(); ++i)
    if (deltas[i] != 0)
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
  std::vector<int64_t> deltas = differences(current, v);
  for (const Dependence &d : current.original.rows) {
    if (d.kind != r.kind || d.array != r.sourceAccess->array ||
        d.source != v.dependence.source->statement().id ||
        d.sink != v.dependence.sink->statement().id)
      continue;
    bool holds = true;
    for (size_t i = 0; i < deltas.size(); ++i)
      holds = holds && allows(d.direction[i], deltas[i]);
    if (holds)
      return str(d.direction);
  }
  llvm_unreachable("every pair of a relation is in one of its rows");
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
  std::string sizes = sizesText(current, v.witness);
  if (!sizes.empty())
    refusal->notes.push_back({sink.range, "for example with " + sizes});
  return Error(std::move(refusal));
}

} // namespace convopt
