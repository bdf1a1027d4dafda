//===- IslModel.h - Loops, sizes and bounds as isl holds them ---*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one translation from IndexExpr to isl. isl's C++ interface throws;
/// `guarded` stands at every border and turns that into a Refusal.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_DEPENDENCE_ISLMODEL_H
#define CONVOPT_LIB_DEPENDENCE_ISLMODEL_H

#include "Tree.h"
#include "convopt/Nest/Nest.h"
#include "convopt/Support/Refusal.h"
#include <isl/cpp.h>
#include <isl/ctx.h>

namespace convopt {

/// Owns isl's context; every isl object must be gone before it. Not for use
/// by several threads at once.
class IslContext {
public:
  explicit IslContext(unsigned long maxOperations);
  ~IslContext() { isl_ctx_free(raw); }
  IslContext(const IslContext &) = delete;
  IslContext &operator=(const IslContext &) = delete;

  isl::ctx get() const { return isl::ctx(raw); }
  /// For one question; 0: without end.
  unsigned long maxOperations() const {
    return isl_ctx_get_max_operations(raw);
  }
  /// Gives the next question the full operation limit.
  void restart() const;
  /// Runs \p f, which returns an optional, as a question of its own of up to
  /// \p most operations. Nothing where these do not suffice, or isl fails.
  template <class F> auto briefly(unsigned long most, F f) const {
    const unsigned long all = maxOperations();
    restart();
    isl_ctx_set_max_operations(raw, all ? std::min(all, most) : most);
    decltype(f()) result;
    try {
      result = f();
    } catch (const isl::exception &) {
    }
    isl_ctx_set_max_operations(raw, all);
    restart();
    return result;
  }

private:
  isl_ctx *raw;
};

/// The isl parameters: `p<id>` for each parameter without a definition, and
/// one for each product or quotient of parameters that isl cannot hold. A
/// product is thus any integer, which adds dependences and loses none.
class ParamTable {
public:
  ParamTable(isl::ctx ctx, const Nest &nest) : ctx(ctx), nest(&nest) {}
  /// Goes on with the parameters of \p current, which derives from the nest
  /// so far.
  void use(const Nest &current) { nest = &current; }
  const Nest &currentNest() const { return *nest; }

  /// The position of the isl parameter called \p key, added where new: it
  /// stands for \p value.
  unsigned index(const std::string &key, const IndexExpr &value);
  /// What the isl parameter \p key stands for.
  const IndexExpr &value(const std::string &key) const {
    return values[positions.at(key)];
  }
  std::optional<unsigned> find(const std::string &key) const;
  unsigned size() const { return names.size(); }
  /// \p space with all parameters, in this order.
  isl::space align(isl::space space) const;

private:
  isl::ctx ctx;
  const Nest *nest;
  std::vector<std::string> names;
  std::vector<IndexExpr> values;
  std::map<std::string, unsigned> positions;
};

/// Expressions over some loops, which are the dimensions of a set.
class LoopSpace {
public:
  LoopSpace(isl::ctx ctx, ParamTable &params, std::vector<unsigned> loops);

  const std::vector<unsigned> &loops() const { return dims; }
  unsigned size() const { return dims.size(); }
  isl::set universe() const;
  /// Maps from here to \p outputs dimensions.
  isl::space mapSpace(unsigned outputs) const;
  /// \p e with definitions expanded; none where it is not affine or uses a
  /// loop that is no dimension here.
  std::optional<isl::aff> affine(const IndexExpr &e) const;
  /// All of \p es at once; none where one is not affine.
  std::optional<isl::multi_aff> map(llvm::ArrayRef<IndexExpr> es) const;
  /// The points where \p c holds; none where it is not affine.
  std::optional<isl::set> where(const Constraint &c) const;
  /// The points where 0 <= \p e < \p extent; none where these are not affine.
  std::optional<isl::set> within(const IndexExpr &e,
                                 const IndexExpr &extent) const;

private:
  isl::space space() const;
  void registerParams(const IndexExpr &e) const;
  std::optional<isl::aff> build(const IndexExpr &e) const;
  std::optional<isl::aff> build(const Monomial &m) const;
  std::optional<isl::aff> build(const Atom &a) const;

  isl::ctx ctx;
  ParamTable &params;
  std::vector<unsigned> dims;
};

/// The iterations at \p place. Constraints that isl cannot hold are left out
/// of the set, which over-approximates, and listed.
struct Domain {
  isl::set set;
  std::vector<Constraint> inexact;
};
Domain domainOf(const LoopSpace &space, const Place &place);

/// The ids of \p loops.
std::vector<unsigned> loopIds(llvm::ArrayRef<const Loop *> loops);

/// Of a map: input dimension \p in equal to (before) output dimension \p out.
isl::map equate(isl::map m, unsigned in, unsigned out);
isl::map orderBefore(isl::map m, unsigned in, unsigned out);
isl::map orderAfter(isl::map m, unsigned in, unsigned out);

/// Runs \p f, a question about \p nest, and turns what isl throws into a
/// Refusal of rule "analysis" and of \p status.
llvm::Error guarded(const IslContext &context, const Nest &nest,
                    ExitStatus status, llvm::function_ref<llvm::Error()> f);

} // namespace convopt

#endif // CONVOPT_LIB_DEPENDENCE_ISLMODEL_H
