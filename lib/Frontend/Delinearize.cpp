//===- Delinearize.cpp - Dimensions of flat pointers ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Delinearize.h"
#include "convopt/Nest/Polynomial.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;

namespace convopt {

// Shapes tried; strides of real accesses give fewer than twenty.
static constexpr size_t maxShapes = 128;

IndexExpr LinearShape::extent(size_t k) const {
  return *divideExactly(strides[k + 1], strides[k]);
}

static bool isOverLoops(const Atom &a) {
  return a.isVar() ? a.asVar().kind == Var::Loop
                   : a.num().usesLoops() || a.den().usesLoops();
}

/// \p e as `sum of coefficient * atom`, the atoms loops or quotients of loops;
/// the empty atom list holds what has none.
static std::optional<std::map<Monomial, IndexExpr>> byLoop(const IndexExpr &e) {
  std::map<Monomial, IndexExpr> groups;
  for (const auto &[m, c] : e.terms()) {
    Monomial loops, rest;
    for (const Atom &a : m)
      (isOverLoops(a) ? loops : rest).push_back(a);
    if (loops.size() > 1)
      return std::nullopt;
    groups[loops] += term(rest, c);
  }
  return groups;
}

std::map<Monomial, IndexExpr> coefficientsOf(const IndexExpr &e) {
  return *byLoop(e);
}

bool isLinearInLoops(const IndexExpr &e) {
  return e.isValid() && byLoop(e).has_value();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static void extendShapes(LinearShape &current, ArrayRef<IndexExpr> strides,
                         std::vector<LinearShape> &result) {
  if (result.size() >= maxShapes)
    return;
  result.push_back(current);
  for (const IndexExpr &s : strides) {
    if (s == current.strides.back() ||
        !divideExactly(s, current.strides.back()))
      continue;
    current.strides.push_back(s);
    extendShapes(current, strides, result);
    current.strides.pop_back();
  }
}

std::optional<IndexExpr> commonFactor(const IndexExpr &a, const IndexExpr &b) {
  if (a.terms().size() != 1 || b.terms().size() != 1)
    return std::nullopt;
  const auto &[m, c] = *a.terms().begin();
  const auto &[n, d] = *b.terms().begin();
  Monomial common;
  std::set_intersection(m.begin(), m.end(), n.begin(), n.end(),
                        std::back_inserter(common));
  return term(common, std::gcd(c, d));
}

std::vector<LinearShape> candidateShapes(ArrayRef<PlacedAccess> accesses,
                                         int64_t fields, const Prover &prover) {
  std::vector<IndexExpr> strides;
  auto add = [&](const IndexExpr &s) {
    if (!is_contained(strides, s) && s != IndexExpr(1))
      strides.push_back(s);
  };
  for (const PlacedAccess &a : accesses)
    for (const auto &[atoms, c] : coefficientsOf(a.subscripts[0]))
      if (!atoms.empty() && !c.isZero())
        add(prover.signOf(c, a.domain) > 0 ? c : -c);
  size_t coefficients = strides.size();
  for (size_t i = 0; i != coefficients; ++i)
    for (size_t j = 0; j != i; ++j)
      if (auto common = commonFactor(strides[i], strides[j]))
        if (!common->isConstant())
          add(*common);
  add(fields);
  std::vector<LinearShape> result;
  LinearShape flat{{IndexExpr(1)}};
  extendShapes(flat, strides, result);
  stable_sort(result, [](const LinearShape &a, const LinearShape &b) {
    return a.rank() > b.rank();
  });
  return result;
}

std::vector<IndexExpr> decompose(const IndexExpr &offset,
                                 const LinearShape &shape) {
  std::vector<IndexExpr> subscripts(shape.rank());
  for (const auto &[atoms, c] : coefficientsOf(offset)) {
    IndexExpr rest = c, value = term(atoms, 1);
    for (size_t k = shape.rank(); k-- > 0;) {
      const IndexExpr &s = shape.strides[k];
      Quotient parts = divide(rest, s);
      auto number = parts.remainder.constantTerm();
      // A constant such as 65 = 1 * 64 + 1.
      if (auto n = s.asConstant(); n && atoms.empty() && number) {
        int64_t whole = divideFloorSigned(number, *n);
        parts.quotient += whole;
        parts.remainder -= whole * *n;
      }
      subscripts[k] += parts.quotient * value;
      rest = parts.remainder;
    }
  }
  return subscripts;
}

using AllSubscripts = ArrayRef<std::vector<IndexExpr>>;

/// Whether \p subscript has a loop times a size at which loops of the outputs
/// end, none of them its own.
static bool stepsByRows(const IndexExpr &subscript, const ProofDomain &d,
                        const ArrayUsage &usage) {
  return any_of(coefficientsOf(subscript), [&](const auto &group) {
    return !group.first.empty() && any_of(group.second.vars(), [&](Var size) {
      bool isRow = false, isOwn = false;
      for (const Loop *l : d.loops)
        if (is_contained(l->upper, Bound{IndexExpr::of(size), 1})) {
          isRow |= usage.outputLoops.count(loopVar(l->id)) != 0;
          isOwn |= subscript.uses(loopVar(l->id));
        }
      return isRow && !isOwn;
    });
  });
}

/// Whether \p subscripts have no digits of loops, as groups of elements do:
/// `i / 4` in `x[i / 4 * 4 + 1]`.
static bool areOfLoopsAlone(const std::vector<IndexExpr> &subscripts) {
  return none_of(subscripts, [](const IndexExpr &e) {
    return findQuotient(e, [](const Atom &a) { return a.num().usesLoops(); });
  });
}

/// Whether the innermost dimension of \p shape is the fields of its elements:
/// each access is to one of them, and they are those of the source's
/// structures or, where it has none, accesses are to several.
static bool areFields(const LinearShape &shape, AllSubscripts all,
                      const ArrayUsage &usage) {
  const auto count =
      shape.rank() > 1 ? shape.strides[1].asConstant() : std::nullopt;
  std::set<int64_t> touched;
  for (const std::vector<IndexExpr> &s : all) {
    const std::optional<int64_t> field = s[0].asConstant();
    if (!count || !field)
      return false;
    touched.insert(*field);
  }
  return usage.fields > 1 ? *count == usage.fields
                          : touched.size() > 1 && all_of(all, areOfLoopsAlone);
}

/// A size that is an inner extent is not also a stride within a dimension:
/// `stride` in `x[(y * stride + i) * W + ...]` is no extent. The length of rows
/// is no step within one: `x[y * W + x * P]` is not `x[x][y * W]`. And some
/// loop indexes each inner dimension, but for fields and for what lies between
/// columns that are a \p step apart.
static bool isPlausible(const Delinearized &d, ArrayRef<PlacedAccess> accesses,
                        const std::optional<IndexExpr> &step,
                        const ArrayUsage &usage) {
  const LinearShape &shape = d.shape;
  const AllSubscripts all = d.subscripts;
  std::set<Var> sizes;
  const bool hasStep = step && shape.rank() > 1 && shape.strides[1] == *step;
  for (size_t k = hasStep || d.hasFields; k + 1 < shape.rank(); ++k) {
    for (Var v : shape.extent(k).vars())
      sizes.insert(v);
    if (none_of(all, [&](const auto &s) { return s[k].usesLoops(); }))
      return false;
    for (auto [a, s] : zip(accesses, all))
      if (stepsByRows(s[k], a.domain, usage))
        return false;
  }
  for (const std::vector<IndexExpr> &subscripts : all)
    for (const IndexExpr &e : subscripts)
      for (const auto &[atoms, c] : coefficientsOf(e))
        if (!atoms.empty() &&
            any_of(c.vars(), [&](Var v) { return sizes.count(v); }))
          return false;
  return true;
}

/// How many loops of the output share a subscript with another one.
static size_t mixedSubscripts(AllSubscripts all,
                              const std::set<Var> &outputLoops) {
  size_t mixed = 0;
  for (const std::vector<IndexExpr> &subscripts : all)
    for (const IndexExpr &e : subscripts) {
      size_t loops =
          count_if(e.vars(), [&](Var v) { return outputLoops.count(v) != 0; });
      mixed += std::max<size_t>(loops, 1) - 1;
    }
  return mixed;
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

namespace {

/// What one subscript needs to stay in `0 .. extent`.
struct RangeNeeds {
  Needs lower, upper;
  bool proved() const { return lower.empty() && upper.empty(); }
};

} // namespace

/// Whether each fact of \p a is one of \p b with more sizes added.
static bool asksLess(const RangeNeeds &a, const RangeNeeds &b) {
  auto isLess = [](const Needs &few, const Needs &many) {
    return all_of(few, [&](const IndexExpr &e) {
      return any_of(many, [&](const IndexExpr &more) {
        return all_of((e - more).terms(),
                      [](const auto &t) { return t.second > 0; });
      });
    });
  };
  return isLess(a.lower, b.lower) && isLess(a.upper, b.upper);
}

static std::optional<RangeNeeds> inRange(const IndexExpr &e,
                                         const IndexExpr &extent,
                                         const ProofDomain &d,
                                         const Prover &prover) {
  ASSIGN_OR_RETURN(Needs lower, prover.nonNegative(e, d));
  ASSIGN_OR_RETURN(Needs upper, prover.nonNegative(extent - e - 1, d));
  return RangeNeeds{lower, upper};
}

static void add(std::vector<ShapeNeed> &needs, const Needs &facts,
                size_t dimension, ShapeNeed::Kind kind, size_t access) {
  for (const IndexExpr &f : facts)
    if (none_of(needs, [&](const ShapeNeed &n) { return n.fact == f; }))
      needs.push_back({f, dimension, kind, access});
}

/// Proves \p subscripts (innermost first), moving whole rows between
/// neighbours where the constants call for it.
static bool proveSubscripts(std::vector<IndexExpr> &subscripts,
                            const LinearShape &shape, const ProofDomain &d,
                            const Prover &prover, size_t access,
                            std::vector<ShapeNeed> &needs) {
  for (size_t k = 0; k + 1 < shape.rank(); ++k) {
    IndexExpr extent = shape.extent(k);
    std::optional<RangeNeeds> kept;
    int64_t rows = 0;
    auto shareOf = [&](const RangeNeeds &n) {
      return std::min(prover.shareOf(n.lower), prover.shareOf(n.upper));
    };
    // Mirrored borders go back by two rows, where the image is wide enough, and
    // clamped ones end a column before the next, where there is one.
    for (int64_t carry : {0, 1, -1, 2, -2}) {
      std::optional<RangeNeeds> n =
          inRange(subscripts[k] + extent * IndexExpr(carry), extent, d, prover);
      if (n && (carry == 0 || n->proved() ||
                ((!kept || shareOf(*kept) == SizeSamples::HardlyAny ||
                  asksLess(*n, *kept)) &&
                 shareOf(*n) >= SizeSamples::Many))) {
        kept = n;
        rows = carry;
      }
      if (n && n->proved())
        break;
    }
    if (!kept)
      return false;
    subscripts[k] += extent * IndexExpr(rows);
    subscripts[k + 1] -= rows;
    add(needs, kept->lower, k, ShapeNeed::Start, access);
    add(needs, kept->upper, k, ShapeNeed::End, access);
  }
  std::optional<Needs> lower = prover.nonNegative(subscripts.back(), d);
  if (!lower)
    return false;
  add(needs, *lower, shape.rank() - 1, ShapeNeed::Start, access);
  return true;
}

/// True where the subscripts of dimension \p k hold loops of outputs only, or
/// others only.
static bool isIndexedBy(AllSubscripts all, size_t k, bool outputLoops,
                        const ArrayUsage &usage) {
  return all_of(all, [&](const std::vector<IndexExpr> &s) {
    return all_of(s[k].vars(), [&](Var v) {
      return v.kind != Var::Loop ||
             (usage.outputLoops.count(v) != 0) == outputLoops;
    });
  });
}

/// A fact that contradicts the loops, or a start that is negative for all but
/// few sizes, is a mistake or a wrong shape.
static bool canHold(const ShapeNeed &n, const ProofDomain &d,
                    const Prover &prover) {
  Prover::Reach reach = prover.reach(n.fact, d);
  return reach == Prover::Reach::Open ||
         (reach == Prover::Reach::Bounded && n.kind == ShapeNeed::End);
}

/// The loops of outputs in the subscripts of dimension \p k, and the others.
static std::pair<std::set<Var>, std::set<Var>>
loopsIn(AllSubscripts all, size_t k, const ArrayUsage &usage) {
  std::pair<std::set<Var>, std::set<Var>> loops;
  for (const std::vector<IndexExpr> &s : all)
    for (Var v : s[k].vars())
      if (v.kind == Var::Loop)
        (usage.outputLoops.count(v) ? loops.first : loops.second).insert(v);
  return loops;
}

/// Whether windows slide along a dimension inside of \p k.
static bool hasWindowInside(AllSubscripts all, size_t k,
                            const ArrayUsage &usage) {
  return any_of(seq<size_t>(0, k), [&](size_t d) {
    auto [outputs, others] = loopsIn(all, d, usage);
    return !outputs.empty() && !others.empty();
  });
}

/// Whether dimension \p k holds the rows of a window, and the outermost the
/// filter's: `y * s` of `d` in `x[y * s + i * d]`. That is what `x[c][y * s]`
/// with channels of `d` rows looks like, so of a nest that has windows along
/// other dimensions alone.
static bool splitsWindow(AllSubscripts all, size_t k, const ArrayUsage &usage) {
  size_t rank = all[0].size();
  auto [outputs, none] = loopsIn(all, k, usage);
  auto [more, others] = loopsIn(all, k + 1, usage);
  if (k + 2 != rank || outputs.size() != 1 || !none.empty() || !more.empty() ||
      others.size() != 1)
    return false;
  return hasWindowInside(all, k, usage);
}

bool ArrayUsage::isPitch(const IndexExpr &extent) const {
  auto isOne = [&](const IndexExpr &e) {
    const std::optional<Var> v = e.asVar();
    return v && pitches.count(*v);
  };
  return isOne(extent) ||
         (extent.terms().size() == 1 &&
          findQuotient(extent, [&](const Atom &a) { return isOne(a.num()); }));
}

/// Whether \p n of \p d, which has no windows, says that a row of a matrix is
/// no longer than the pitch, or that a matrix is no longer than that of its
/// batch.
static bool isOfPitch(const ShapeNeed &n, const Delinearized &d,
                      const ArrayUsage &usage) {
  if (n.kind != ShapeNeed::End ||
      hasWindowInside(d.subscripts, d.shape.rank(), usage))
    return false;
  const IndexExpr extent = d.shape.extent(n.dimension);
  return (n.fact - extent).isAffine() &&
         (n.dimension == d.hasFields ? extent.asVar().has_value()
                                     : usage.isPitch(extent));
}

/// Whether \p n says that an image has as many channels as a sum takes of it:
/// `c < IC` of `x[(b * IC + c) * H + ...]`, where outputs have their own
/// channels between images and what windows slide along. Without, the channels
/// would be a window that slides along images.
static bool isOfImages(const ShapeNeed &n, const Delinearized &d,
                       const ArrayUsage &usage) {
  const AllSubscripts all = d.subscripts;
  if (n.kind != ShapeNeed::End || n.dimension == 0 ||
      !usage.isPitch(d.shape.extent(n.dimension)) ||
      !hasWindowInside(all, n.dimension, usage))
    return false;
  std::set<Var> inside;
  for (size_t k = 0; k != n.dimension; ++k)
    inside.merge(loopsIn(all, k, usage).first);
  const std::set<Var> images = loopsIn(all, n.dimension + 1, usage).first;
  auto isOuter = [&](Var outer, Var inner) {
    return usage.outputOrder.count({outer, inner}) != 0;
  };
  return any_of(usage.outputLoops, [&](Var channel) {
    return !images.count(channel) && !inside.count(channel) &&
           all_of(images, [&](Var b) { return isOuter(b, channel); }) &&
           all_of(inside, [&](Var x) { return isOuter(channel, x); });
  });
}

/// Whether \p n says that the pitch of a batch is a multiple of the next
/// smaller stride, of matrices that sums read: callers choose it so, and
/// without it nothing of them can be staged.
static bool isOfBatch(const ShapeNeed &n, const Delinearized &d,
                      const ArrayUsage &usage) {
  const AllSubscripts all = d.subscripts;
  return n.kind == ShapeNeed::Strides &&
         findQuotient(n.fact,
                      [&](const Atom &a) {
                        const std::optional<Var> v = a.num().asVar();
                        return v && usage.pitches.count(*v);
                      }) &&
         !hasWindowInside(all, d.shape.rank(), usage) &&
         any_of(seq<size_t>(0, d.shape.rank()), [&](size_t k) {
           return !loopsIn(all, k, usage).second.empty();
         });
}

/// Whether what \p d takes for pitches are those of other arrays, too, or the
/// lengths of filters.
static bool hasPitchesOfOthers(const Delinearized &d, const ArrayUsage &usage) {
  return d.rank() <= usage.pitchedRank ||
         (!d.hasPitch && all_of(d.pitchedLoops, [&](Var v) {
           return usage.pitchedLoops.count(v) || usage.channels.count(v);
         }));
}

/// Whether \p n says that a filter is as long as what a sum takes of it:
/// `i < wc` of `w[(o * wc + i) * K + k]`, for an image without `o`.
static bool isOfFilter(const ShapeNeed &n, const Delinearized &d,
                       const ArrayUsage &usage) {
  const AllSubscripts all = d.subscripts;
  if (n.kind != ShapeNeed::End || !usage.isPitch(d.shape.extent(n.dimension)) ||
      !isIndexedBy(all, n.dimension, false, usage))
    return false;
  const std::set<Var> outputs = loopsIn(all, n.dimension + 1, usage).first;
  return !outputs.empty() && llvm::includes(usage.channels, outputs);
}

/// Whether \p n says no more than that a size is at least one, as all are.
static bool isOfSize(const ShapeNeed &n) {
  return (n.fact + 1).asVar().has_value();
}

/// Is \p n worth a dimension of \p shape, which gets to know of a pitch?
static bool isAcceptable(const ShapeNeed &n, Delinearized &shape,
                         const ArrayUsage &usage, const ProofDomain &d,
                         const Prover &prover) {
  const AllSubscripts all = shape.subscripts;
  if (!canHold(n, d, prover))
    return false;
  if (n.kind != ShapeNeed::End || isOfSize(n))
    return true;
  if (prover.reach(n.fact, d) == Prover::Reach::Bounded)
    return usage.isAssigned;
  if (!usage.isRead)
    return true;
  // A step is as small as a filter, and no number of rows.
  const SizeSamples::Share share = prover.shareOf({n.fact});
  if (splitsWindow(all, n.dimension, usage) && share < SizeSamples::Many)
    return false;
  // Windows that do not overlap: `s` in `x[i * s + p]` is at least their size.
  // What a stride is a multiple of is no step of a window: channels in images.
  if (!isIndexedBy(all, n.dimension, false, usage) ||
      !isIndexedBy(all, n.dimension + 1, true, usage) ||
      (n.fact.hasQuotient() && share != SizeSamples::HardlyAny &&
       hasWindowInside(all, n.dimension, usage)))
    return true;
  if (isOfImages(n, shape, usage))
    return true;
  if (!isOfPitch(n, shape, usage))
    return false;
  if (n.dimension == shape.hasFields)
    shape.hasPitch = true;
  else
    shape.pitchedLoops.merge(loopsIn(all, n.dimension + 1, usage).first);
  return true;
}

/// Proves the accesses in the shape of \p d, which gets their subscripts, or
/// returns false where that takes facts that are not acceptable.
static bool proveShape(Delinearized &d, ArrayRef<PlacedAccess> accesses,
                       const std::optional<IndexExpr> &step,
                       const ArrayUsage &usage, const Prover &prover) {
  for (const PlacedAccess &a : accesses)
    d.subscripts.push_back(decompose(a.subscripts[0], d.shape));
  d.hasFields = areFields(d.shape, d.subscripts, usage);
  if (!isPlausible(d, accesses, step, usage))
    return false;
  for (auto [id, a] : enumerate(accesses)) {
    size_t before = d.needs.size();
    if (!proveSubscripts(d.subscripts[id], d.shape, a.domain, prover, id,
                         d.needs))
      return false;
    for (const ShapeNeed &n : drop_begin(d.needs, before))
      if (!isAcceptable(n, d, usage, a.domain, prover))
        return false;
  }
  return true;
}

/// How many loops of the outputs have, further in, one that is further out
/// there: columns of the outputs are rows of the array, or images are.
static size_t astray(AllSubscripts all, const ArrayUsage &usage) {
  size_t count = 0;
  for (const std::vector<IndexExpr> &subscripts : all) {
    std::set<Var> inside; // innermost first
    for (const IndexExpr &e : subscripts) {
      const std::set<Var> vars = e.vars();
      for (Var v : vars)
        count += any_of(inside, [&](Var w) {
          return usage.outputOrder.count({w, v}) != 0;
        });
      inside.insert(vars.begin(), vars.end());
    }
  }
  return count;
}

/// How many sizes and numbers loops are multiplied by in their subscripts.
static size_t roughness(AllSubscripts all) {
  size_t factors = 0;
  for (const std::vector<IndexExpr> &subscripts : all)
    for (const IndexExpr &e : subscripts)
      for (const auto &[loops, c] : coefficientsOf(e))
        if (!loops.empty())
          factors += c.vars().size() + none_of(c.terms(), [](const auto &t) {
                       return std::abs(t.second) == 1;
                     });
  return factors;
}

/// Whether nothing says that a subscript differs where loops do: an only one
/// with strides, or one with a stride that is taken for a multiple of another
/// one, by which rows of `x[y * W + x * P]` overlap.
static bool mayOverlap(AllSubscripts all, const std::set<Var> &outputLoops) {
  return any_of(all, [&](const std::vector<IndexExpr> &subscripts) {
    return any_of(subscripts, [&](const IndexExpr &e) {
      return !e.isAffine() &&
             (subscripts.size() == 1 ||
              (e.hasQuotient() &&
               mixedSubscripts(std::vector<IndexExpr>{e}, outputLoops) != 0));
    });
  });
}

static ShapeCost costOf(const Delinearized &d, const ArrayUsage &usage,
                        const Prover &prover) {
  auto isOfChannels = [&](const ShapeNeed &n) {
    const std::optional<Var> v = d.subscripts[n.access][n.dimension].asVar();
    return n.kind == ShapeNeed::End && v && usage.channels.count(*v) != 0;
  };
  Needs facts;
  for (const ShapeNeed &n : d.needs)
    if (!isOfSize(n) && !isOfChannels(n) && !isOfImages(n, d, usage) &&
        !isOfFilter(n, d, usage) &&
        !(usage.pitchedRank >= d.rank() && isOfPitch(n, d, usage)) &&
        !isOfBatch(n, d, usage))
      facts.push_back(n.fact);
  SizeSamples::Share share = prover.shareOf(facts);
  return {usage.needsRows && mayOverlap(d.subscripts, usage.outputLoops),
          share == SizeSamples::HardlyAny,
          mixedSubscripts(d.subscripts, usage.outputLoops),
          astray(d.subscripts, usage),
          share < SizeSamples::Many,
          !usage.isRead &&
              any_of(facts,
                     [](const IndexExpr &fact) { return fact.hasQuotient(); }),
          roughness(d.subscripts),
          -int64_t(d.shape.rank()),
          facts.size()};
}

std::vector<Delinearized> delinearize(ArrayRef<PlacedAccess> accesses,
                                      ArrayRef<IndexExpr> facts,
                                      const std::optional<IndexExpr> &step,
                                      const ArrayUsage &usage,
                                      const Prover &prover) {
  std::vector<Delinearized> shapes;
  for (const LinearShape &shape :
       candidateShapes(accesses, usage.fields, prover)) {
    Delinearized d;
    d.shape = shape;
    add(d.needs, facts.vec(), shape.rank() - 1, ShapeNeed::Strides, 0);
    if (proveShape(d, accesses, step, usage, prover))
      shapes.push_back(std::move(d));
  }
  return shapes;
}

const Delinearized *cheapest(ArrayRef<Delinearized> shapes,
                             const ArrayUsage &usage, const Prover &prover) {
  const Delinearized *best = nullptr;
  std::optional<ShapeCost> least;
  for (const Delinearized &d : shapes) {
    if (!hasPitchesOfOthers(d, usage))
      continue;
    ShapeCost cost = costOf(d, usage, prover);
    if (least && *least <= cost)
      continue;
    best = &d;
    least = std::move(cost);
  }
  return best;
}

std::optional<std::vector<ShapeNeed>>
withinExtents(ArrayRef<PlacedAccess> accesses, ArrayRef<IndexExpr> extents,
              const Prover &prover) {
  std::vector<ShapeNeed> needs;
  for (auto [id, a] : enumerate(accesses)) {
    size_t before = needs.size();
    ASSIGN_OR_RETURN(Needs lower,
                     prover.nonNegative(a.subscripts[0], a.domain));
    add(needs, lower, extents.size(), ShapeNeed::Start, id);
    for (auto [k, extent] : enumerate(extents)) {
      ASSIGN_OR_RETURN(RangeNeeds n,
                       inRange(a.subscripts[k + 1], extent, a.domain, prover));
      size_t dimension = extents.size() - 1 - k;
      add(needs, n.lower, dimension, ShapeNeed::Start, id);
      add(needs, n.upper, dimension, ShapeNeed::End, id);
    }
    for (const ShapeNeed &n : drop_begin(needs, before))
      if (!canHold(n, a.domain, prover))
        return std::nullopt;
  }
  return needs;
}

} // namespace convopt
