//===- ReferenceNest.cpp - The nest in double, with error bounds ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   sum += in[i] * w[j]      sum += (double)in[i] * (double)w[j]
///                            sum_magnitude += fabs(in[i]) * fabs(w[j])
///
//===----------------------------------------------------------------------===//

#include "convopt/Verify/ReferenceNest.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/Text.h"
#include "convopt/Source/Lexemes.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Verify/RhsText.h"

using namespace llvm;

namespace convopt {

using namespace verify;

namespace {

class ReferencePrinter {
public:
  explicit ReferencePrinter(const Nest &original)
      : original(original), nest(original) {}

  Expected<Nest> run() {
    RETURN_IF_ERROR(check());
    widenArrays();
    nest.body =
        rewrite(original.body, [&](const NodeRef &n) -> std::optional<Body> {
          if (const auto *s = dyn_cast<Statement>(n.get()))
            return Body{value(*s), magnitude(*s)};
          const auto *l = dyn_cast<Local>(n.get());
          if (!l)
            return std::nullopt;
          auto beside = std::make_shared<Local>(*l);
          beside->array = magnitudeOf.at(l->array);
          return Body{n, beside};
        });
    RETURN_IF_ERROR(checkWellFormed(nest));
    return std::move(nest);
  }

private:
  const Nest &original;
  Nest nest;
  std::map<unsigned, unsigned> magnitudeOf;

  Error check() const;
  void widenArrays();
  std::string freshName(std::string name) const;
  NodeRef value(const Statement &s) const;
  NodeRef magnitude(const Statement &s) const;
};

} // namespace

Error ReferencePrinter::check() const {
  for (const Array &a : original.arrays)
    if (a.elementType != "float" && a.elementType != "double" &&
        !is_contained(original.function.typeParams, a.elementType))
      return refuse("reference",
                    "'" + a.name + "' is an array of " + a.elementType +
                        "; results can be compared in float and double",
                    a.range, "use float or double");
  for (const StatementPath &p : statements(original))
    if (p.statement->op == Statement::Op::Max ||
        p.statement->op == Statement::Op::Min)
      return refuse("reference",
                    "a maximum or minimum over a loop has no bound on its "
                    "rounding error",
                    p.statement->range, "measure nests of sums");
  return Error::success();
}

std::string ReferencePrinter::freshName(std::string name) const {
  auto taken = [&] {
    return nest.hasName(name) ||
           any_of(nest.function.arguments,
                  [&](const Argument &a) { return a.name == name; });
  };
  while (taken())
    name += "_";
  return name;
}

void ReferencePrinter::widenArrays() {
  for (unsigned k = 0, end = original.arrays.size(); k != end; ++k) {
    if (original.arrays[k].role == Array::Input)
      continue;
    nest.arrays[k].elementType = "double";
    Array beside = nest.arrays[k];
    beside.name = freshName(beside.name + "_magnitude");
    magnitudeOf[k] = nest.arrays.size();
    if (!beside.isLocal())
      nest.function.arguments.push_back({"double *@", beside.name,
                                         Argument::ArrayArg,
                                         unsigned(nest.arrays.size())});
    nest.arrays.push_back(std::move(beside));
  }
}

NodeRef ReferencePrinter::value(const Statement &s) const {
  auto wide = std::make_shared<Statement>(s);
  wide->id = 2 * s.id;
  wide->fused.clear();
  wide->text = fillHoles(
      wideText(rhsOf(original, s)),
      [](unsigned k) { return "(double)$" + std::to_string(k); }, "$$");
  return wide;
}

NodeRef ReferencePrinter::magnitude(const Statement &s) const {
  auto result = std::make_shared<Statement>(s);
  result->id = 2 * s.id + 1;
  result->fused.clear();
  result->target.array = magnitudeOf.at(s.target.array);
  if (s.op == Statement::Op::Sub)
    result->op = Statement::Op::Add;
  for (Operand &o : result->operands)
    if (auto it = magnitudeOf.find(o.access.array);
        o.kind == Operand::Read && it != magnitudeOf.end())
      o.access.array = it->second;
  const CExpr rhs = rhsOf(original, s);
  std::string text = magnitudeText(rhs);
  // A call or a choice can give less than the terms whose rounding it inherits.
  if (hasCallOrChoice(rhs))
    for (size_t k = 0; k != s.operands.size(); ++k) {
      const Operand &o = s.operands[k];
      if (o.kind != Operand::Read || !magnitudeOf.count(o.access.array))
        continue;
      text = "fmax((double)(" + text + "), $" +
             std::to_string(result->operands.size()) + ")";
      result->operands.push_back(result->operands[k]);
    }
  result->text = fillHoles(
      text,
      [](unsigned k) { return "fabs((double)$" + std::to_string(k) + ")"; },
      "$$");
  return result;
}

Expected<Nest> referenceNest(const Nest &original) {
  return ReferencePrinter(original).run();
}

bool isExactOnIntegers(const Nest &original) {
  return all_of(statements(original), [&](const StatementPath &p) {
    return isExactOnIntegers(rhsOf(original, *p.statement));
  });
}

/// Iterations of \p l where the loops around it are at their first.
static double tripsOf(const Loop &l, std::map<unsigned, int64_t> &first,
                      ArrayRef<int64_t> values) {
  auto valueOf = [&](const Bound &b) {
    double e = b.expr
                   .evaluate([&](Var v) {
                     return v.kind == Var::Param ? values[v.id] : first[v.id];
                   })
                   .value_or(0);
    return e / b.divisor;
  };
  double low = -1e300, high = 1e300;
  for (const Bound &b : l.lower)
    low = std::max(low, valueOf(b));
  for (const Bound &b : l.upper)
    high = std::min(high, valueOf(b));
  first[l.id] = int64_t(low);
  return std::max(0.0, high - low);
}

double sumDepth(const Nest &original, ArrayRef<int64_t> values) {
  double depth = 0;
  for (const StatementPath &p : statements(original)) {
    double trips = 1;
    std::map<unsigned, int64_t> first;
    std::set<unsigned> inTarget;
    for (const IndexExpr &e : p.statement->target.subscripts)
      for (Var v : e.vars())
        if (v.kind == Var::Loop)
          inTarget.insert(v.id);
    const unsigned target = p.statement->target.array;
    bool inside = !original.arrays[target].isLocal();
    for (const Loop *l : select<Loop>(p.enclosing)) {
      double count = tripsOf(*l, first, values);
      if (inside && !inTarget.count(l->id))
        trips *= count;
      inside |= any_of(select<Local>(l->body), [&](const Local *local) {
        return local->array == target;
      });
    }
    size_t operands = p.statement->operands.size();
    depth += (p.statement->isReduction() ? trips : 1) +
             (operands > 2 ? operands - 2 : 0);
  }
  return depth;
}

} // namespace convopt
