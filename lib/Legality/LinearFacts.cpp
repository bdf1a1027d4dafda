//===- LinearFacts.cpp - What follows from inequalities -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinearFacts.h"
#include "Dependence/IslModel.h"
#include "llvm/ADT/STLExtras.h"
#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/set.h>
#include <isl/space.h>

using namespace llvm;

namespace convopt {

namespace {
/// Those of some inequalities that share products with one another and with
/// what is asked, directly or through others.
class Related {
public:
  Related(ArrayRef<IndexExpr> facts, const IndexExpr &e) {
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

  /// What is asked comes first.
  std::vector<IndexExpr> chosen;
  std::map<Monomial, unsigned> products;

private:
  void add(const IndexExpr &e) {
    chosen.push_back(e);
    for (const auto &[monomial, coefficient] : e.terms())
      if (!monomial.empty())
        products.try_emplace(monomial, products.size());
  }
};
} // namespace

/// The integers of which \p e is not negative.
static isl_constraint *inequality(isl_local_space *space, const IndexExpr &e,
                                  const Related &related) {
  isl_ctx *ctx = isl_local_space_get_ctx(space);
  isl_constraint *c =
      isl_constraint_alloc_inequality(isl_local_space_copy(space));
  for (const auto &[monomial, coefficient] : e.terms()) {
    isl_val *v = isl_val_int_from_si(ctx, coefficient);
    c = monomial.empty()
            ? isl_constraint_set_constant_val(c, v)
            : isl_constraint_set_coefficient_val(
                  c, isl_dim_set, int(related.products.at(monomial)), v);
  }
  return c;
}

bool isImplied(ArrayRef<IndexExpr> facts, const IndexExpr &e) {
  if (any_of(facts, [&](const IndexExpr &f) {
        return (e - f).asConstant().value_or(-1) >= 0;
      }))
    return true;
  // Many times what such questions take.
  constexpr unsigned long MaxOperations = 100'000;
  const Related related(facts, -e - 1);
  IslContext context(MaxOperations);
  isl_space *space =
      isl_space_set_alloc(context.get().get(), 0, related.products.size());
  isl_local_space *local = isl_local_space_from_space(isl_space_copy(space));
  isl_basic_set *counterexamples = isl_basic_set_universe(space);
  for (const IndexExpr &f : related.chosen)
    counterexamples = isl_basic_set_add_constraint(
        counterexamples, inequality(local, f, related));
  isl_local_space_free(local);
  const bool isEmpty = isl_basic_set_is_empty(counterexamples) == isl_bool_true;
  isl_basic_set_free(counterexamples);
  return isEmpty;
}

} // namespace convopt
