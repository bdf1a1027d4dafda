//===- IfConversion.cpp - Products with zero add nothing ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a statement that has lost guards, for each iteration in which one of them
// does not hold:
//
//   it is `t += e` or `t -= e`, where e is a product with a read that gives
//   zero there, and reads as before in all other iterations;
//   t is a local, so that nobody else sees that it is written;
//   what else it reads is there;
//   zero times the other factors adds nothing: always, in integers; in
//   floating point where no element is infinite or NaN and the sign of a zero
//   does not count, or where the statement stays predicated on the guard.
//
// Conditions are compared as they are written: the nest is the one that was
// read, but for the guards.
//
//===----------------------------------------------------------------------===//

#include "CurrentNest.h"
#include "convopt/Legality/Reassociation.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/Factors.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

static std::vector<Constraint> conditionsOf(const Place &place) {
  std::vector<Constraint> all;
  for (const Guard *g : place.guards)
    append_range(all, g->conditions);
  return all;
}

/// What of \p all is not in \p some.
static std::vector<Constraint> without(std::vector<Constraint> all,
                                       const std::vector<Constraint> &some) {
  erase_if(all, [&](const Constraint &c) { return is_contained(some, c); });
  return all;
}

namespace {

/// One statement, as it was and as it is.
class Conversion {
public:
  Conversion(const DependenceAnalysis::Impl &original, const Nest &nest,
             const Occurrence &was, const Occurrence &is)
      : original(original), nest(nest), was(was), is(is), s(*is.statement),
        lost(without(conditionsOf(was.place), conditionsOf(is.place))) {}

  Error check(LegalityOptions options) const;

private:
  bool isSame() const;
  bool readsZero(const Operand &before, const Operand &now) const;
  std::vector<unsigned> zeros() const;
  Error checkArithmetic(LegalityOptions options,
                        ArrayRef<unsigned> zeros) const;
  Error checkReads(ArrayRef<unsigned> zeros, ArrayRef<unsigned> partly) const;

  Error refuseValues(const Twine &message, std::string remedy = "") const {
    return refuseIllegal(
        "Values", ("S" + Twine(s.id) + " " + message).str(), s.range,
        remedy.empty() ? "leave the guard where it is" : remedy);
  }

  const DependenceAnalysis::Impl &original;
  const Nest &nest;
  const Occurrence &was, &is;
  const Statement &s;
  std::vector<Constraint> lost; // by the guards around the statement
};

} // namespace

/// Whether nothing differs but guards, around the statement and of its reads.
bool Conversion::isSame() const {
  const Statement &before = *was.statement;
  bool same =
      loopIds(was.place.loops) == loopIds(is.place.loops) &&
      without(conditionsOf(is.place), conditionsOf(was.place)).empty() &&
      before.op == s.op && before.fused == s.fused && before.text == s.text &&
      before.target == s.target && before.instance == s.instance &&
      before.operands.size() == s.operands.size();
  for (size_t k = 0; same && k != s.operands.size(); ++k) {
    const Operand &a = before.operands[k], &b = s.operands[k];
    same = a.kind == b.kind && a.access == b.access && a.index == b.index &&
           (a == b || readsZero(a, b));
  }
  return same;
}

/// Whether \p now is zero where one of the lost conditions fails, and else
/// what \p before was.
bool Conversion::readsZero(const Operand &before, const Operand &now) const {
  std::string zero = zeroOf(nest.arrays[now.access.array].elementType);
  std::vector<Constraint> added = without(now.guard, before.guard);
  return now.kind == Operand::Read && now.otherwise == zero &&
         (before.guard.empty() || (before.otherwise == zero &&
                                   before.isPredicate == now.isPredicate)) &&
         without(before.guard, now.guard).empty() &&
         without(lost, now.guard).empty() && without(added, lost).empty();
}

/// The factors that are zero where the statement did not run before.
std::vector<unsigned> Conversion::zeros() const {
  std::vector<unsigned> factors = factorsOf(nest, s);
  erase_if(factors, [&](unsigned k) {
    return !readsZero(was.statement->operands[k], s.operands[k]);
  });
  return factors;
}

Error Conversion::checkArithmetic(LegalityOptions options,
                                  ArrayRef<unsigned> zeros) const {
  const Array &sum = nest.arrays[s.target.array];
  if (reordering(nest, s) == Reordering::Changed)
    return refuseValues("converts '" + sum.name + "' to another type to add");
  if (isInteger(sum.elementType)) {
    // A product of two others could overflow where the source has none.
    if (s.operands.size() <= 2 &&
        factorsOf(nest, s).size() == s.operands.size())
      return Error::success();
    return refuseValues("may overflow where its guard kept it from running");
  }
  unsigned integers = 0;
  for (const auto &[k, o] : enumerate(s.operands))
    integers += !is_contained(zeros, k) &&
                (o.kind == Operand::Index ||
                 !isFloating(nest.arrays[o.access.array].elementType));
  if (integers > 1)
    return refuseValues("may overflow where its guard kept it from running");
  if (all_of(zeros, [&](unsigned k) { return s.operands[k].isPredicate; }))
    return Error::success();
  std::string needed;
  if (!options.finiteMath)
    needed = "-ffinite-math-only";
  if (!options.noSignedZeros)
    needed += needed.empty() ? "-fno-signed-zeros" : " -fno-signed-zeros";
  if (needed.empty())
    return Error::success();
  return refuseValues(
      "would add zero times the other factors to '" + sum.name +
          "' where the guard does not hold, which differs for factors that "
          "are infinite or NaN and for a sum of negative zero",
      "if-convert=ARRAY,exact computes such sums again; " + needed +
          " allows it, or -ffast-math");
}

Error Conversion::checkReads(ArrayRef<unsigned> zeros,
                             ArrayRef<unsigned> partly) const {
  LoopSpace space(original.context.get(), original.params,
                  loopIds(is.place.loops));
  isl::set added = domainOf(space, is.place).set;
  isl::set before = added;
  bool isExact = all_of(lost, [&](const Constraint &c) {
    std::optional<isl::set> where = space.where(c);
    if (where)
      before = before.intersect(*where);
    return where.has_value();
  });
  if (isExact)
    added = added.subtract(before);
  added = added.intersect_params(*original.assumptions);
  for (auto [k, o] : enumerate(s.operands)) {
    if (o.kind != Operand::Read || is_contained(zeros, k))
      continue;
    const Array &a = nest.arrays[o.access.array];
    for (const Assumption &assumed : nest.assumptions)
      if (assumed.spanned == o.access.array)
        return refuseValues(
            "would read '" + a.name + "' where less of it may be there: " +
                str(nest, assumed.fact) + " is assumed of it alone",
            "assume it of the nest");
    if (is_contained(partly, o.access.array))
      return refuseValues("would read '" + a.name +
                              "', which is read to its end only where sizes, "
                              "flags or guards say so",
                          "leave the guard where it is");
    if (a.isLocal())
      return refuseValues("reads '" + a.name +
                          "', which may have no value where the guard does "
                          "not hold");
    IndexExpr offset(0);
    std::vector<IndexExpr> within; // not negative for an element
    for (auto [d, e] : enumerate(o.access.subscripts)) {
      offset = offset * a.extents[d] + e;
      within.push_back(e);
      within.push_back(a.extents[d] - 1 - e);
    }
    // Guards may have kept the nest from the last ones.
    for (const IndexExpr &e : a.footprint)
      within.push_back(e - 1 - offset);
    for (const IndexExpr &e : within) {
      std::optional<isl::set> is = space.where({Constraint::NonNegative, e});
      if (!is)
        return refuseIllegal("analysis",
                             "the place of " + str(nest, o.access) +
                                 " is not affine",
                             s.range, "leave the guard where it is");
      if (!added.is_subset(*is))
        return refuseValues("would read " + str(nest, o.access) +
                            " outside of '" + a.name +
                            "' where the guard does not hold");
    }
  }
  return Error::success();
}

Error Conversion::check(LegalityOptions options) const {
  if (!isSame())
    return refuseIllegal("Instances",
                         "S" + std::to_string(s.id) +
                             " is not a statement of the original nest",
                         s.range);
  if (lost.empty())
    return Error::success();
  std::vector<unsigned> found = zeros();
  bool adds = s.op == Statement::Op::Add || s.op == Statement::Op::Sub;
  if (!adds || found.empty())
    return refuseValues("adds no product that is zero where the guard does "
                        "not hold");
  const Array &sum = nest.arrays[s.target.array];
  if (!sum.isLocal())
    return refuseValues("sums into '" + sum.name +
                            "' in memory, which must not be written where the "
                            "guard does not hold",
                        "scalar-replace=" + sum.name + " first");
  RETURN_IF_ERROR(checkArithmetic(options, found));
  return checkReads(found, options.partly);
}

Error checkIfConversion(const DependenceAnalysis &dependences,
                        const Nest &converted, LegalityOptions options) {
  const DependenceAnalysis::Impl &original = dependences.impl();
  original.params.use(converted);
  Error e =
      guarded(original.context, converted, ExitStatus::Illegal, [&]() -> Error {
        Tree tree = scan(converted);
        if (tree.occurrences.size() != original.statements.size())
          return refuseIllegal("Instances", "statements were added or lost");
        for (size_t i = 0; i != tree.occurrences.size(); ++i) {
          const Occurrence &was = *original.statements[i].occurrence;
          const Occurrence &is = tree.occurrences[i];
          if (was.statement->id != is.statement->id)
            return refuseIllegal("Instances", "statements changed places");
          RETURN_IF_ERROR(
              Conversion(original, converted, was, is).check(options));
        }
        return Error::success();
      });
  original.params.use(original.nest);
  return e;
}

} // namespace convopt
