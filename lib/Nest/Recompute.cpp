//===- Recompute.cpp - Sums that are computed twice -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Recompute.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/Factors.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

std::vector<Constraint> predicatesOf(const Statement &s) {
  std::vector<Constraint> all;
  for (const Operand &o : s.operands)
    if (o.isPredicate)
      for (const Constraint &c : o.guard)
        all.push_back({c.kind, overCurrentLoops(s, c.expr)});
  return all;
}

std::vector<unsigned> predicatedSums(const Body &body) {
  std::vector<unsigned> sums;
  for (const Statement *s : collect<Statement>(body))
    if (!predicatesOf(*s).empty() && !is_contained(sums, s->target.array))
      sums.push_back(s->target.array);
  return sums;
}

static std::set<unsigned> writtenIn(const NodeRef &n) {
  std::set<unsigned> written;
  for (const Statement *s : collect<Statement>({n}))
    written.insert(s->target.array);
  return written;
}

namespace {

/// Of one body.
class Parts {
public:
  Parts(const Nest &nest, const Body &body) : nest(nest), body(body) {
    for (const NodeRef &n : body)
      written.push_back(writtenIn(n));
  }

  Expected<std::vector<Recomputed>> run() {
    std::vector<Recomputed> parts;
    for (const auto &[k, n] : enumerate(body))
      if (const auto *local = dyn_cast<Local>(n.get());
          local && is_contained(sumsOf(k + 1, body.size()), local->array))
        parts.push_back(partOf(local->array));
    parts = merged(std::move(parts));
    for (const Recomputed &part : parts)
      RETURN_IF_ERROR(check(part));
    return parts;
  }

private:
  Body nodes(size_t first, size_t end) const {
    return Body(body.begin() + first, body.begin() + end);
  }
  std::vector<unsigned> sumsOf(size_t first, size_t end) const {
    return predicatedSums(nodes(first, end));
  }

  /// Parts that overlap are one. What lies between two that do not is in none.
  static std::vector<Recomputed> merged(std::vector<Recomputed> parts) {
    llvm::sort(parts, [](const Recomputed &a, const Recomputed &b) {
      return a.first < b.first;
    });
    std::vector<Recomputed> apart;
    for (const Recomputed &part : parts) {
      if (apart.empty() || part.first > apart.back().last) {
        apart.push_back(part);
        continue;
      }
      apart.back().last = std::max(apart.back().last, part.last);
      append_range(apart.back().sums, part.sums);
    }
    return apart;
  }

  /// From where \p sum, or another local that is needed for it, is first
  /// written to its last predicated term.
  Recomputed partOf(unsigned sum) const {
    Recomputed part{body.size(), 0, {sum}};
    for (size_t k = 0; k != body.size(); ++k)
      if (is_contained(sumsOf(k, k + 1), sum))
        part.last = k;
    std::set<unsigned> own{sum};
    for (bool grows = true; grows;) {
      grows = false;
      for (size_t k = 0; k < part.first && k <= part.last; ++k)
        if (any_of(own, [&](unsigned a) { return written[k].count(a); })) {
          part.first = k;
          grows = true;
        }
      for (size_t k = part.first; k <= part.last; ++k)
        own.insert(written[k].begin(), written[k].end());
    }
    return part;
  }

  Error refusePart(const Recomputed &part, const Twine &why,
                   SourceRange where) const {
    return refuse("structure",
                  "the predicated sum in '" +
                      nest.arrays[part.sums.front()].name +
                      "' cannot be computed again: " + why.str(),
                  where, "leave the guard where it is");
  }

  /// Whether \p array is declared in the body before \p part, or inside of it.
  bool isOwn(unsigned array, const Recomputed &part) const {
    return any_of(collect<Local>(nodes(0, part.last + 1)),
                  [&](const Local *l) { return l->array == array; });
  }

  Error check(const Recomputed &part) const {
    const Body run = nodes(part.first, part.last + 1);
    Error e = Error::success();
    auto fail = [&](const Twine &why, SourceRange where) {
      if (!e)
        e = refusePart(part, why, where);
    };
    walk(run, [&](const Node &n, const std::vector<NodeRef> &) {
      if (const auto *c = dyn_cast<Copy>(&n); c && c->isStore)
        fail("'" + nest.arrays[c->buffer].name + "' is stored before",
             c->range);
      if (const auto *s = dyn_cast<Statement>(&n))
        if (std::string why = whyOnce(*s, part); !why.empty())
          fail(why, s->range);
    });
    return e;
  }

  /// Why \p s must not run twice, or its sum may differ unseen; or nothing.
  std::string whyOnce(const Statement &s, const Recomputed &part) const {
    const Array &target = nest.arrays[s.target.array];
    const std::string name = "S" + std::to_string(s.id);
    if (!target.isLocal() || s.target.buffer || !isOwn(s.target.array, part))
      return name + " writes '" + target.name + "' before";
    for (const Operand &o : readsOf(s))
      if (is_contained(part.sums, o.access.array))
        return name + " reads it before it is complete";
    if (is_contained(part.sums, s.target.array) &&
        s.op != Statement::Op::Assign && s.op != Statement::Op::Add &&
        s.op != Statement::Op::Sub)
      return name + " is no term of it";
    std::vector<unsigned> factors = factorsOf(nest, s);
    for (const auto &[k, o] : enumerate(s.operands))
      if (o.isPredicate &&
          (!is_contained(factors, k) ||
           o.otherwise != zeroOf(nest.arrays[o.access.array].elementType)))
        return name + " is not zero where the predicate does not hold";
    std::string other; // may not have what shows an excluded term
    rhsOf(nest, s).walk([&](const CExpr &e) {
      if (e.kind == CExpr::Cast && e.token != target.elementType &&
          !isFloating(e.token))
        other = e.token.str();
    });
    if (!other.empty() && !predicatesOf(s).empty())
      return name + " converts to '" + other +
             "', which has no infinity and no NaN";
    return "";
  }

  const Nest &nest;
  const Body &body;
  std::vector<std::set<unsigned>> written; // arrays, by element of the body
};

} // namespace

Expected<std::vector<Recomputed>> recomputedParts(const Nest &nest,
                                                  const Body &body) {
  return Parts(nest, body).run();
}

/// Refuses the parts of \p body and of bodies inside; adds the sums that have
/// one to \p found.
static Error checkBody(const Nest &nest, const Body &body,
                       std::set<unsigned> &found) {
  ASSIGN_OR_RETURN(auto parts, recomputedParts(nest, body));
  for (const Recomputed &part : parts)
    found.insert(part.sums.begin(), part.sums.end());
  for (const NodeRef &n : body) {
    const auto *l = dyn_cast<Loop>(n.get());
    const auto *g = dyn_cast<Guard>(n.get());
    if (l || g)
      RETURN_IF_ERROR(checkBody(nest, l ? l->body : g->body, found));
  }
  return Error::success();
}

Error checkRecomputed(const Nest &nest) {
  const std::vector<unsigned> sums = predicatedSums(nest.body);
  if (sums.empty())
    return Error::success();
  std::set<unsigned> found;
  RETURN_IF_ERROR(checkBody(nest, nest.body, found));
  for (unsigned sum : sums)
    if (!found.count(sum))
      return refuse("structure",
                    "the predicated sum in '" + nest.arrays[sum].name +
                        "' is no local",
                    nest.arrays[sum].range, "scalar-replace it first");
  return Error::success();
}

} // namespace convopt
