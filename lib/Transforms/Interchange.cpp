//===- Interchange.cpp - Reorder perfectly nested loops ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for y in 0 .. H {            for x in 0 .. W {
//     for x in 0 .. W {            for y in 0 .. H {
//       S[y, x]: ...                 S[y, x]: ...
//     }                            }
//   }                            }
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Interchange.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Bounds.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

namespace {

/// A bound `d * t < e + c * r` becomes one of r, by solving it for r. What it
/// leaves of t is what it allows at the end of r's range where it allows most:
/// elimination by Fourier and Motzkin.
///
///   for r in 0 .. 2 {                    for t in 0 .. min(4, W) {
///     for t in 0 .. min(4, W - 4 * r) {    for r in 0 .. min(2, ceildiv(W - t,
///                                                                       4)) {
class Swap {
public:
  Swap(const Loop &outer, const Loop &inner)
      : nowInner(outer), nowOuter(inner), outer(outer), inner(inner) {}

  bool run() {
    nowOuter.lower.clear();
    nowOuter.upper.clear();
    return all_of(inner.lower, [&](const Bound &b) { return add(b, false); }) &&
           all_of(inner.upper, [&](const Bound &b) { return add(b, true); });
  }

  Loop nowInner, nowOuter;

private:
  bool add(const Bound &b, bool isUpper);

  const Loop &outer, &inner;
};

} // namespace

bool Swap::add(const Bound &b, bool isUpper) {
  Var v = loopVar(outer.id);
  std::vector<Bound> &rest = isUpper ? nowOuter.upper : nowOuter.lower;
  if (!b.expr.uses(v)) {
    rest.push_back(b);
    return true;
  }
  std::optional<IndexExpr> symbolic = b.expr.symbolicCoefficient(v);
  std::optional<int64_t> c = symbolic ? symbolic->asConstant() : std::nullopt;
  if (!c || *c == INT64_MIN)
    return false;
  IndexExpr e = b.expr - IndexExpr(*c) * IndexExpr::of(v);
  // With i for the inner loop and o for the outer one, an upper bound says
  // d * i < e + c * o, a lower one d * i >= e + c * o.
  IndexExpr gap = e - IndexExpr(b.divisor) * IndexExpr::loop(inner.id);
  bool limitsAbove = isUpper == (*c < 0);
  (limitsAbove ? nowInner.upper : nowInner.lower)
      .push_back({*c < 0 ? gap : 1 - gap, std::abs(*c)});
  for (const Bound &end : limitsAbove ? outer.lower : outer.upper) {
    int64_t divisor;
    if (MulOverflow(b.divisor, end.divisor, divisor))
      return false;
    IndexExpr at = limitsAbove ? end.expr : end.expr - 1;
    rest.push_back({IndexExpr(end.divisor) * e + IndexExpr(*c) * at, divisor});
  }
  return true;
}

/// Rewrites the bounds of \p outer and \p inner, which stands directly inside
/// of it, for \p inner to stand outside. Where the bounds of \p inner use
/// \p outer, the two loops still have the same iterations between them;
/// iterations of the new outer loop may find none inside. False where a bound
/// of \p inner is not linear in \p outer with a constant coefficient.
static bool swapBounds(Loop &outer, Loop &inner) {
  Swap swap(outer, inner);
  if (!swap.run())
    return false;
  outer.lower = std::move(swap.nowInner.lower);
  outer.upper = std::move(swap.nowInner.upper);
  inner.lower = std::move(swap.nowOuter.lower);
  inner.upper = std::move(swap.nowOuter.upper);
  return true;
}

static Error checkNames(const Nest &nest, ArrayRef<unsigned> order) {
  if (order.size() < 2)
    return refuse("usage", "interchange needs two loops or more",
                  nest.function.range,
                  "name the loops of a band in their new order");
  for (size_t i = 0; i != order.size(); ++i)
    if (is_contained(order.take_front(i), order[i]))
      return refuse("usage",
                    "interchange names loop '" + nest.loopNames[order[i]] +
                        "' twice",
                    nest.function.range, "name each loop once");
  return Error::success();
}

/// The outermost of \p order: the first that the tree holds.
static const Loop *outermost(const Nest &nest, ArrayRef<unsigned> order) {
  for (const Loop *l : loops(nest))
    if (is_contained(order, l->id))
      return l;
  return nullptr;
}

static Error notPerfect(const Nest &nest, ArrayRef<unsigned> order,
                        const Loop &innermost) {
  // Point at what stands beside a loop.
  const Node *beside =
      innermost.body.empty() ? nullptr : innermost.body.front().get();
  for (const NodeRef &n : innermost.body)
    if (!isa<Loop>(n.get())) {
      beside = n.get();
      break;
    }
  return refuse("structure",
                "loops " + quoteLoops(nest, order) +
                    " are not perfectly nested: the body of '" +
                    nest.loopNames[innermost.id] + "' is not exactly one loop",
                beside && beside->range.isKnown() ? beside->range
                                                  : innermost.range,
                "distribute '" + nest.loopNames[innermost.id] +
                    "' first, or name loops of one perfectly nested band");
}

/// The band up to the innermost of \p order.
static Expected<std::vector<const Loop *>> findBand(const Nest &nest,
                                                    ArrayRef<unsigned> order) {
  const Loop *head = outermost(nest, order);
  std::vector<const Loop *> band = guardedBand(*head);
  size_t found = 0, end = 0;
  for (size_t i = 0; i != band.size(); ++i)
    if (is_contained(order, band[i]->id)) {
      ++found;
      end = i + 1;
    }
  if (found != order.size())
    return notPerfect(nest, order, *band.back());
  band.resize(end);
  return band;
}

static Error refuseBounds(const Nest &nest, const Loop &outer,
                          const Loop &inner) {
  const std::string &name = nest.loopNames[outer.id];
  return refuse("structure",
                "the bounds of loop '" + nest.loopNames[inner.id] + "' use '" +
                    name + "', which would no longer be outside it",
                inner.range,
                "keep '" + name + "' outside '" + nest.loopNames[inner.id] +
                    "'");
}

/// Drops bounds of \p l that another one with the same divisor implies.
static void dropImplied(const Nest &nest, Loop &l,
                        ArrayRef<const Loop *> enclosing) {
  for (auto *bounds : {&l.lower, &l.upper})
    for (size_t i = bounds->size(); i-- != 0;) {
      const Bound &b = (*bounds)[i];
      auto implies = [&](const Bound &other) {
        IndexExpr slack =
            bounds == &l.upper ? b.expr - other.expr : other.expr - b.expr;
        return &other != &b && other.divisor == b.divisor &&
               isProvablyNonNegative(nest, slack, enclosing);
      };
      if (any_of(*bounds, implies))
        bounds->erase(bounds->begin() + i);
    }
}

/// Moves the loop at \p from of \p band outwards to \p to, past one loop after
/// the other.
static Error moveOutwards(const Nest &nest,
                          MutableArrayRef<std::shared_ptr<Loop>> band,
                          std::vector<const Loop *> enclosing, size_t from,
                          size_t to) {
  for (size_t i = 0; i != to; ++i)
    enclosing.push_back(band[i].get());
  for (size_t i = from; i != to; --i) {
    Loop &outer = *band[i - 1], &inner = *band[i];
    bool isUsed = false;
    for (const auto *bounds : {&inner.lower, &inner.upper})
      isUsed |= any_of(*bounds, [&](const Bound &b) {
        return b.expr.uses(loopVar(outer.id));
      });
    if (isUsed) {
      if (!swapBounds(outer, inner))
        return refuseBounds(nest, outer, inner);
      std::vector<const Loop *> around = enclosing;
      for (size_t j = to; j != i - 1; ++j)
        around.push_back(band[j].get());
      simplifyBounds(nest, inner, around);
      dropImplied(nest, inner, around);
      around.push_back(&inner);
      simplifyBounds(nest, outer, around);
      dropImplied(nest, outer, around);
    }
    std::swap(band[i - 1], band[i]);
  }
  return Error::success();
}

/// The conditions between the loops of \p band, whose guards are about outer
/// loops and hold as well further in.
static std::vector<Constraint> guardsBetween(ArrayRef<const Loop *> band) {
  std::vector<Constraint> conditions;
  for (const Loop *l : band.drop_back())
    for (const Node *n = l->body.front().get();
         const auto *g = dyn_cast<Guard>(n); n = g->body.front().get())
      append_range(conditions, g->conditions);
  return conditions;
}

/// The host runs the outermost loops.
static Error checkHost(const Nest &nest,
                       ArrayRef<std::shared_ptr<Loop>> reordered) {
  for (size_t k = 1; k < reordered.size(); ++k) {
    const Loop &outer = *reordered[k - 1], &inner = *reordered[k];
    if (isHost(inner.kind) && !isHost(outer.kind))
      return refuse("structure",
                    "loop '" + nest.loopNames[inner.id] +
                        "' of launches would stand inside loop '" +
                        nest.loopNames[outer.id] + "'",
                    inner.range, "keep it outside, or map it to serial first");
  }
  return Error::success();
}

Expected<Nest> interchange(const Nest &nest, ArrayRef<unsigned> order) {
  RETURN_IF_ERROR(checkNames(nest, order));
  for (unsigned id : order)
    RETURN_IF_ERROR(findLoop(nest, id).takeError());
  ASSIGN_OR_RETURN(std::vector<const Loop *> band, findBand(nest, order));

  ASSIGN_OR_RETURN(LoopPath head, findLoop(nest, band.front()->id));
  std::vector<const Loop *> enclosing = loopsAmong(head.enclosing);
  std::vector<std::shared_ptr<Loop>> reordered;
  for (const Loop *l : band)
    reordered.push_back(std::make_shared<Loop>(*l));
  auto next = order.begin();
  for (size_t to = 0; to != band.size(); ++to) {
    unsigned stays = band[to]->id;
    unsigned id = is_contained(order, stays) ? *next++ : stays;
    size_t from =
        find_if(reordered, [&](const auto &l) { return l->id == id; }) -
        reordered.begin();
    RETURN_IF_ERROR(moveOutwards(nest, reordered, enclosing, from, to));
  }
  RETURN_IF_ERROR(checkHost(nest, reordered));

  Body body = band.back()->body;
  if (std::vector<Constraint> sunk = guardsBetween(band); !sunk.empty()) {
    auto guard = std::make_shared<Guard>(band.back()->range);
    guard->conditions = std::move(sunk);
    guard->body = std::move(body);
    body = {std::move(guard)};
  }
  for (std::shared_ptr<Loop> &l : reverse(reordered)) {
    l->body = std::move(body);
    body = {std::move(l)};
  }
  return replaceLoop(nest, band.front()->id, body);
}

static Expected<PassCall> bindInterchange(StepWords &words) {
  return PassCall([words](const Nest &nest, PrimitiveDone) -> Expected<Nest> {
    std::vector<unsigned> order;
    for (const std::string &name : words) {
      ASSIGN_OR_RETURN(unsigned loop, findLoopByName(nest, name));
      order.push_back(loop);
    }
    return interchange(nest, order);
  });
}

const Pass interchangePass{"interchange", "LOOP,LOOP,...",
                           "Put perfectly nested loops in this order",
                           bindInterchange};

} // namespace convopt
