//===- LinearFacts.cpp - What follows from inequalities -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinearFacts.h"
#include "Dependence/IslModel.h"
#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/set.h>
#include <isl/space.h>

using namespace llvm;

namespace convopt {

namespace {
/// Inequalities, and the products that are in them.
class Inequalities {
public:
  explicit Inequalities(ArrayRef<IndexExpr> facts) {
    for (const IndexExpr &f : facts)
      if (f.isValid())
        add(f);
  }

  /// \p e, and those of \p facts that share products with one another and with
  /// it, directly or through others.
  Inequalities(ArrayRef<IndexExpr> facts, const IndexExpr &e) {
    add(e);
    std::vector<const IndexExpr *> rest;
    for (const IndexExpr &f : facts)
      if (f.isValid() && !f.isConstant())
        rest.push_back(&f);
    for (size_t before = 0; before != chosen.size();) {
      before = chosen.size();
      erase_if(rest, [&](const IndexExpr *f) {
        const bool isRelated = any_of(f->terms(), [&](const auto &term) {
          return products.count(term.first) != 0;
        });
        if (isRelated)
          add(*f);
        return isRelated;
      });
    }
  }

  /// Whether no integers fulfil all of them.
  bool areContradictory() const;

private:
  void add(const IndexExpr &e) {
    chosen.push_back(e);
    for (const auto &[monomial, coefficient] : e.terms())
      if (!monomial.empty())
        products.try_emplace(monomial, products.size());
  }
  isl_constraint *constraint(isl_local_space *space, const IndexExpr &e) const;

  std::vector<IndexExpr> chosen;
  std::map<Monomial, unsigned> products;
};
} // namespace

isl_constraint *Inequalities::constraint(isl_local_space *space,
                                         const IndexExpr &e) const {
  isl_ctx *ctx = isl_local_space_get_ctx(space);
  isl_constraint *c =
      isl_constraint_alloc_inequality(isl_local_space_copy(space));
  for (const auto &[monomial, coefficient] : e.terms()) {
    isl_val *v = isl_val_int_from_si(ctx, coefficient);
    c = monomial.empty() ? isl_constraint_set_constant_val(c, v)
                         : isl_constraint_set_coefficient_val(
                               c, isl_dim_set, int(products.at(monomial)), v);
  }
  return c;
}

bool Inequalities::areContradictory() const {
  // Many times what such questions take.
  constexpr unsigned long MaxOperations = 100'000;
  IslContext context(MaxOperations);
  isl_space *space =
      isl_space_set_alloc(context.get().get(), 0, products.size());
  isl_local_space *local = isl_local_space_from_space(isl_space_copy(space));
  isl_basic_set *solutions = isl_basic_set_universe(space);
  for (const IndexExpr &e : chosen)
    solutions = isl_basic_set_add_constraint(solutions, constraint(local, e));
  isl_local_space_free(local);
  const bool isEmpty = isl_basic_set_is_empty(solutions) == isl_bool_true;
  isl_basic_set_free(solutions);
  return isEmpty;
}

bool isImplied(ArrayRef<IndexExpr> facts, const IndexExpr &e) {
  return any_of(facts,
                [&](const IndexExpr &f) {
                  return (e - f).asConstant().value_or(-1) >= 0;
                }) ||
         Inequalities(facts, -e - 1).areContradictory();
}

bool areContradictory(ArrayRef<IndexExpr> facts) {
  return Inequalities(facts).areContradictory();
}

} // namespace convopt
