//===- IslModel.cpp - Loops, sizes and bounds as isl holds them -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IslModel.h"
#include "convopt/Nest/Terms.h"
#include <isl/aff.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/space.h>

using namespace llvm;

namespace convopt {

IslContext::IslContext(unsigned long maxOperations) : raw(isl_ctx_alloc()) {
  isl_options_set_on_error(raw, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(raw, maxOperations);
}

void IslContext::restart() const {
  isl_ctx_reset_error(raw);
  isl_ctx_reset_operations(raw);
}

unsigned ParamTable::index(const std::string &key, const IndexExpr &value) {
  auto [it, isNew] = positions.try_emplace(key, names.size());
  if (isNew) {
    names.push_back(key);
    values.push_back(value);
  }
  return it->second;
}

std::optional<unsigned> ParamTable::find(const std::string &key) const {
  auto it = positions.find(key);
  if (it == positions.end())
    return std::nullopt;
  return it->second;
}

isl::space ParamTable::align(isl::space space) const {
  for (const std::string &name : names)
    space = space.add_param(
        isl::manage(isl_id_alloc(isl::ctx(ctx).get(), name.c_str(), nullptr)));
  return space;
}

LoopSpace::LoopSpace(isl::ctx ctx, ParamTable &params,
                     std::vector<unsigned> loops)
    : ctx(ctx), params(params), dims(std::move(loops)) {}

isl::space LoopSpace::space() const {
  isl::space unit = isl::manage(isl_space_params_alloc(isl::ctx(ctx).get(), 0));
  unit = params.align(unit);
  return isl::manage(isl_space_add_dims(
      isl_space_set_from_params(unit.release()), isl_dim_set, dims.size()));
}

isl::set LoopSpace::universe() const { return isl::set::universe(space()); }

isl::space LoopSpace::mapSpace(unsigned outputs) const {
  isl::space domain = space();
  isl_space *range = isl_space_set_from_params(isl_space_params(domain.copy()));
  range = isl_space_add_dims(range, isl_dim_set, outputs);
  return isl::manage(
      isl_space_map_from_domain_and_range(domain.release(), range));
}

static std::string paramKey(Var v) {
  return (v.kind == Var::Param ? "p" : "l") + std::to_string(v.id);
}

static bool isFreeOfLoops(const Monomial &m) {
  return all_of(m, [](const Atom &a) {
    return a.isVar() ? a.asVar().kind == Var::Param
                     : !a.num().usesLoops() && !a.den().usesLoops();
  });
}

/// The name of a product or quotient of parameters as one parameter.
static std::string opaqueKey(const Monomial &m) {
  std::string key;
  for (const Atom &a : m) {
    key += '*';
    if (a.isVar())
      key += paramKey(a.asVar());
    else
      key += "floor(" + a.num().str(paramKey, true) + "," +
             a.den().str(paramKey, true) + ")";
  }
  return key;
}

/// A quotient that isl holds: the divisor is a positive constant.
static bool isFloor(const Atom &a) {
  return !a.isVar() && a.den().asConstant().value_or(0) > 0;
}

static bool isOpaque(const Monomial &m) {
  return isFreeOfLoops(m) &&
         (m.size() > 1 || (m.size() == 1 && !m[0].isVar() && !isFloor(m[0])));
}

void LoopSpace::registerParams(const IndexExpr &e) const {
  for (const auto &[monomial, coefficient] : e.terms()) {
    if (isOpaque(monomial)) {
      params.index(opaqueKey(monomial), term(monomial));
      continue;
    }
    for (const Atom &a : monomial) {
      if (!a.isVar())
        registerParams(a.num());
      else if (a.asVar().kind == Var::Param)
        params.index(paramKey(a.asVar()), IndexExpr::of(a.asVar()));
    }
  }
}

static isl::aff constantOn(const isl::space &space, int64_t value) {
  isl_val *v = isl_val_int_from_si(isl_space_get_ctx(space.get()), value);
  return isl::manage(isl_aff_val_on_domain_space(space.copy(), v));
}

static isl::aff variableOn(const isl::space &space, isl_dim_type type,
                           unsigned position) {
  return isl::manage(isl_aff_var_on_domain(
      isl_local_space_from_space(space.copy()), type, position));
}

std::optional<isl::aff> LoopSpace::build(const Atom &a) const {
  if (isFloor(a)) {
    ASSIGN_OR_RETURN(isl::aff num, build(a.num()));
    isl::val den(ctx, static_cast<long>(*a.den().asConstant()));
    return num.scale_down(den).floor();
  }
  if (!a.isVar())
    return std::nullopt;
  Var v = a.asVar();
  if (v.kind == Var::Param)
    return variableOn(space(), isl_dim_param,
                      params.index(paramKey(v), IndexExpr::of(v)));
  auto it = find(dims, v.id);
  if (it == dims.end())
    return std::nullopt;
  return variableOn(space(), isl_dim_set, it - dims.begin());
}

std::optional<isl::aff> LoopSpace::build(const Monomial &m) const {
  if (m.empty())
    return constantOn(space(), 1);
  if (isOpaque(m))
    return variableOn(space(), isl_dim_param,
                      params.index(opaqueKey(m), term(m)));
  if (m.size() > 1)
    return std::nullopt;
  return build(m[0]);
}

std::optional<isl::aff> LoopSpace::build(const IndexExpr &e) const {
  isl::aff sum = constantOn(space(), 0);
  for (const auto &[monomial, coefficient] : e.terms()) {
    ASSIGN_OR_RETURN(isl::aff term, build(monomial));
    isl::val factor(ctx, static_cast<long>(coefficient));
    sum = sum.add(term.scale(factor));
  }
  return sum;
}

std::optional<isl::aff> LoopSpace::affine(const IndexExpr &e) const {
  IndexExpr expanded = params.currentNest().expandDefinitions(e);
  if (!expanded.isValid())
    return std::nullopt;
  // All parameters first: the terms must agree on their space.
  registerParams(expanded);
  return build(expanded);
}

std::optional<isl::multi_aff> LoopSpace::map(ArrayRef<IndexExpr> es) const {
  std::vector<isl::aff> affs;
  for (const IndexExpr &e : es) {
    ASSIGN_OR_RETURN(isl::aff a, affine(e));
    affs.push_back(a);
  }
  isl::aff_list list(ctx, affs.size());
  for (isl::aff &a : affs)
    list = list.add(
        isl::manage(isl_aff_align_params(a.release(), space().release())));
  return isl::multi_aff(mapSpace(es.size()), list);
}

std::optional<isl::set> LoopSpace::where(const Constraint &c) const {
  ASSIGN_OR_RETURN(isl::aff a, affine(c.expr));
  isl::aff zero = constantOn(space(), 0);
  return c.kind == Constraint::Zero ? a.eq_set(zero) : a.ge_set(zero);
}

std::optional<isl::set> LoopSpace::within(const IndexExpr &e,
                                          const IndexExpr &extent) const {
  const std::optional<isl::set> low = where({Constraint::NonNegative, e}),
                                high = where(
                                    {Constraint::NonNegative, extent - 1 - e});
  return low && high ? std::optional(low->intersect(*high)) : std::nullopt;
}

Domain domainOf(const LoopSpace &space, const Place &place) {
  Domain domain{space.universe(), {}};
  auto add = [&](const Constraint &c) {
    if (std::optional<isl::set> points = space.where(c))
      domain.set = domain.set.intersect(*points);
    else
      domain.inexact.push_back(c);
  };
  for (const Loop *loop : place.loops)
    for (const Constraint &c : loopConstraints(*loop))
      add(c);
  for (const Guard *guard : place.guards)
    for (const Constraint &c : guard->conditions)
      add(c);
  return domain;
}

std::vector<unsigned> loopIds(ArrayRef<const Loop *> loops) {
  std::vector<unsigned> ids;
  for (const Loop *loop : loops)
    ids.push_back(loop->id);
  return ids;
}

isl::map equate(isl::map m, unsigned in, unsigned out) {
  return isl::manage(
      isl_map_equate(m.release(), isl_dim_in, in, isl_dim_out, out));
}

isl::map orderBefore(isl::map m, unsigned in, unsigned out) {
  return isl::manage(
      isl_map_order_lt(m.release(), isl_dim_in, in, isl_dim_out, out));
}

isl::map orderAfter(isl::map m, unsigned in, unsigned out) {
  return isl::manage(
      isl_map_order_gt(m.release(), isl_dim_in, in, isl_dim_out, out));
}

/// Of the function, or where that has none, of the outermost loop.
static SourceRange placeOf(const Nest &nest) {
  if (nest.function.range.isValid() || nest.body.empty())
    return nest.function.range;
  return nest.body.front()->range;
}

Error guarded(const IslContext &context, const Nest &nest, ExitStatus status,
              function_ref<Error()> f) {
  context.restart();
  try {
    return f();
  } catch (const isl::exception &e) {
    // A call that C made for us leaves its error in the context.
    bool outOfOperations =
        dynamic_cast<const isl::exception_quota *>(&e) ||
        isl_ctx_last_error(context.get().get()) == isl_error_quota;
    context.restart();
    const std::string remedy = "use constant sizes, or fewer or simpler bounds";
    if (!outOfOperations)
      return make_error<Refusal>(
          status, "analysis",
          std::string("isl cannot analyse the loop nest: ") + e.what(),
          placeOf(nest), remedy);
    const std::string limit = std::to_string(context.maxOperations());
    return make_error<Refusal>(
        status, "analysis",
        "the loop nest is too complex to analyse in " + limit +
            " operations of isl",
        placeOf(nest),
        remedy + ", or allow ten times as many: -isl-max-operations=" + limit +
            "0");
  }
}

} // namespace convopt
