//===- Components.cpp - What of a loop's body stays together --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for r in 0 .. 3 {              for r in 0 .. 3 {
//     local a                        local a
//     a = 0                          a = 0
//     for i in 0 .. N {              for i in 0 .. N {
//       a += d[i] * x[i + r]           a += d[i] * x[i + r]
//       e[i + r] += d[i] * w[r]      }
//     }                              g[r] = a
//     g[r] = a                     }
//   }                              for r_2 in 0 .. 3 {
//                                    for i_2 in 0 .. N {
//                                      e[i_2 + r_2] += d[i_2] * w[r_2]
//                                    }
//                                  }
//
//===----------------------------------------------------------------------===//

#include "Components.h"
#include "convopt/Legality/Reassociation.h"
#include "convopt/Transforms/Distribute.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/BitVector.h"

using namespace llvm;

namespace convopt {

/// Whether \p n sets an element, and reads nothing.
static bool isSet(const NodeRef &n) {
  const auto *s = dyn_cast<Statement>(n.get());
  return s && !s->accumulates() && s->operands.empty();
}

/// The \p units of \p body. Nothing takes a guard apart.
static Body unitsOf(const Body &body, Units units) {
  Body all;
  for (const NodeRef &n : body)
    if (const auto *l = dyn_cast<Loop>(n.get()); l && units != Units::Parts)
      append_range(all, unitsOf(l->body, units));
    else if (!isa<Local>(n.get()))
      all.push_back(n);
  return all;
}

namespace {

/// The strongly connected components of the dependences among units (Allen and
/// Kennedy, Optimizing Compilers for Modern Architectures, 2.4), but for those
/// that loops around carry.
class Components {
public:
  /// \p band, of which the first has \p outer loops around.
  Components(const Pipeline &pipeline, ArrayRef<const Loop *> band,
             unsigned outer, Units kind)
      : nest(pipeline.nest()), units(unitsOf(band.back()->body, kind)),
        after(units.size(), BitVector(units.size())), first(units.size()),
        copy(units.size()), shared(band.size()) {
    size_t depth = 0;
    for (auto [k, n] : enumerate(units))
      for (const Statement *s : collect<Statement>({n})) {
        unitOf[s->id] = k;
        depth = std::max(depth, s->iterators.size() - outer);
        if (s->isReduction() &&
            isAllowed(reordering(nest, *s), pipeline.legality()))
          reordered.insert(s->id);
      }
    waits.assign(units.size(), BitVector(depth));
    tieLocals(band.front()->body);
    if (kind == Units::Parts)
      tieSets();
    for (const Dependence &d : pipeline.dependences().dependences())
      add(d, outer);
    close();
    for (const Dependence &d : pipeline.dependences().dependences())
      addWait(d, outer);
    sort();
    number(kind);
  }

  /// How many copies of a loop there are to be.
  unsigned count() const { return copies; }
  /// Whether some wait for themselves in other loops of the band than others.
  bool differ() const {
    return any_of(order,
                  [&](unsigned c) { return !areLike(order.front(), c); });
  }
  /// The copy that \p s goes to.
  unsigned copyOf(const Statement &s) const {
    return copy[first[unitOf.at(s.id)]];
  }

private:
  /// Whether components \p b and \p c wait for themselves in the same loops of
  /// the band.
  bool areLike(unsigned b, unsigned c) const {
    for (size_t at = 0; at != shared; ++at)
      if (waits[b].test(at) != waits[c].test(at))
        return false;
    return true;
  }

  void tie(unsigned a, unsigned b) {
    after[a].set(b);
    after[b].set(a);
  }

  /// A local that is declared in \p body has a value for each iteration, and
  /// what uses that stays together. A scalar may have several, of which
  /// dependences tell.
  void tieLocals(const Body &body) {
    for (const Local *l : collect<Local>(body)) {
      locals.push_back(l->array);
      std::optional<unsigned> user;
      for (auto [k, n] : enumerate(units))
        if (!nest.arrays[l->array].extents.empty() && touches({n}, l->array)) {
          tie(user.value_or(k), k);
          user = k;
        }
    }
  }

  /// Sums that a loop adds up begin together.
  void tieSets() {
    for (unsigned k = 1; k < units.size(); ++k)
      if (isSet(units[k - 1]) && isSet(units[k]))
        tie(k - 1, k);
  }

  /// The units of \p d, where it is none that loops around carry.
  std::optional<std::pair<unsigned, unsigned>> endsOf(const Dependence &d,
                                                      unsigned outer) const {
    const auto source = unitOf.find(d.source), sink = unitOf.find(d.sink);
    if (source == unitOf.end() || sink == unitOf.end() ||
        any_of(ArrayRef(d.direction).take_front(outer), [](Direction at) {
          return at == Direction::Less || at == Direction::Greater;
        }))
      return std::nullopt;
    return std::pair(source->second, sink->second);
  }

  void add(const Dependence &d, unsigned outer) {
    const auto ends = endsOf(d, outer);
    if (!ends ||
        (d.reduction && reordered.count(d.source) && reordered.count(d.sink)))
      return;
    after[ends->first].set(ends->second);
    if (d.kind == DependenceKind::Flow && is_contained(locals, d.array))
      tie(ends->first, ends->second);
  }

  /// Makes `after` transitive.
  void close() {
    for (unsigned by = 0; by != units.size(); ++by)
      for (BitVector &of : after)
        if (of.test(by))
          of |= after[by];
    for (unsigned k = 0; k != units.size(); ++k)
      for (first[k] = 0; first[k] != k; ++first[k])
        if (after[k].test(first[k]) && after[first[k]].test(k))
          break;
  }

  void addWait(const Dependence &d, unsigned outer) {
    const auto ends = endsOf(d, outer);
    if (!ends)
      return;
    const unsigned source = first[ends->first], sink = first[ends->second];
    const auto carrier =
        find_if(drop_begin(d.direction, outer),
                [](Direction at) { return at != Direction::Equal; });
    const size_t at = carrier - d.direction.begin() - outer;
    if (carrier == d.direction.end())
      return;
    if (source == sink)
      waits[source].set(at);
    else
      between.push_back({source, sink, unsigned(at)});
  }

  /// In the order of the source, but for what can follow its like.
  void sort() {
    std::vector<unsigned> left;
    for (unsigned k = 0; k != units.size(); ++k)
      if (first[k] == k)
        left.push_back(k);
    while (!left.empty()) {
      auto isNext = [&](unsigned c) {
        return none_of(left, [&](unsigned other) {
          return other != c && after[other].test(c);
        });
      };
      auto next = find_if(left, [&](unsigned c) {
        return !order.empty() && areLike(order.back(), c) && isNext(c);
      });
      if (next == left.end())
        next = find_if(left, isNext);
      order.push_back(*next);
      left.erase(next);
    }
  }

  /// Whether \p c can be in the copy of \p b, which comes before it, and no
  /// loop is less free for that.
  bool joins(unsigned b, unsigned c) const {
    return waits[b] == waits[c] && none_of(between, [&](const Wait &w) {
             return !waits[c].test(w.at) &&
                    ((w.sink == c && copy[w.source] == copy[b]) ||
                     (w.source == c && copy[w.sink] == copy[b]));
           });
  }

  void number(Units kind) {
    for (size_t k = 0; k != order.size(); ++k) {
      copies +=
          kind == Units::Parts || k == 0 || !joins(order[k - 1], order[k]);
      copy[order[k]] = copies;
    }
  }

  /// In which loop a component waits for another.
  struct Wait {
    unsigned source, sink; // first units
    unsigned at;
  };

  const Nest &nest;
  const Body units;
  std::map<unsigned, unsigned> unitOf; // by statement
  std::set<unsigned> reordered;        // statements whose order may change
  std::vector<unsigned> locals;
  std::vector<BitVector> after; // by unit: those that have to come after
  std::vector<unsigned> first;  // by unit: that of its component
  std::vector<unsigned> copy;   // by first unit, from 1 on; else 0
  const size_t shared;          // loops of the band
  std::vector<BitVector> waits; // by first unit: loops, those of the band first
  std::vector<Wait> between;
  std::vector<unsigned> order; // first units
  unsigned copies = 0;
};

} // namespace

/// Adds what splits \p loop and those within, inner ones first, and returns the
/// components in it.
static std::vector<unsigned> split(const Nest &nest, const Loop &loop,
                                   const Components &components,
                                   std::vector<Step> &steps) {
  std::vector<unsigned> ofParts;
  for (const NodeRef &n : loop.body)
    if (const auto *inner = dyn_cast<Loop>(n.get()))
      append_range(ofParts, split(nest, *inner, components, steps));
    else if (const auto all = collect<Statement>({n}); !all.empty())
      ofParts.push_back(components.copyOf(*all.front()));
  std::vector<unsigned> copies = ofParts;
  llvm::sort(copies);
  copies.erase(unique(copies), copies.end());
  if (copies.size() > 1) {
    std::vector<std::string> words{nest.loopNames[loop.id]};
    if (copies != ofParts)
      for (unsigned part : ofParts)
        words.push_back(
            std::to_string(find(copies, part) - copies.begin() + 1));
    steps.push_back({distributePass, words});
  }
  return copies;
}

bool distribute(const Loop &root, Units units, Pipeline &pipeline) {
  const Nest &nest = pipeline.nest();
  const Expected<LoopPath> path = findLoop(nest, root.id);
  const auto around = select<Loop>(path->enclosing);
  const unsigned outer = std::distance(around.begin(), around.end());
  const std::vector<const Loop *> band = perfectBand(*path->loop);
  for (size_t level = 0; level != band.size(); ++level) {
    const Components components(pipeline, ArrayRef(band).drop_front(level),
                                outer + level, units);
    if (components.count() < 2 ||
        (units == Units::Statements && !components.differ()))
      continue;
    std::vector<Step> steps;
    split(nest, *band[level], components, steps);
    Pipeline trial = pipeline;
    if (errorToBool(trial.applyAll(steps)) ||
        any_of(trial.nest().arrays, [](const Array &a) {
          return a.expandedDims != 0; // what crosses is in memory, or together
        }))
      continue;
    pipeline = std::move(trial);
    return true;
  }
  return false;
}

} // namespace convopt
