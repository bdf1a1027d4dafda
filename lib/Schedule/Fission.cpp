//===- Fission.cpp - Loops side by side in kernels of their own -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for k in 0 .. K {            for k in 0 .. K {
//     for y in 0 .. H {            for y in 0 .. H {
//       t[k][y] = ...                t[k][y] = ...
//     }                            }
//     for y in 0 .. H / 2 {      }
//       out[k][y] =
//         max(t[k][2 * y], ...)  for k_2 in 0 .. K {
//     }                            for y_2 in 0 .. H / 2 {
//   }                                out[k_2][y_2] = ...
//                                  }
//                                }
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Fission.h"
#include "Components.h"
#include "Expansion.h"
#include "OneThread.h"
#include "Preparations.h"
#include "Rematerialization.h"
#include "Roots.h"
#include "convopt/Nest/Text.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Schedule/Siblings.h"
#include "convopt/Target/Shuffle.h"
#include "convopt/Transforms/Interchange.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {
namespace {

/// The most parts that are looked at: each may be jammed to the next.
constexpr size_t MostRoots = 16;
/// Iterations that keep a device busy with a thread for each.
constexpr int64_t LargeBatch = 1 << 16;

using Part = KernelSequence::Part;

class Fission {
public:
  /// \p expansions made locals arrays of the nest.
  Fission(Pipeline pipeline, ArrayRef<Expansion> expansions)
      : pipeline(std::move(pipeline)) {
    for (const Expansion &e : expansions) {
      expanded.push_back(e.array);
      if (e.isOfWarp)
        ofWarp.push_back(e.array);
    }
  }
  std::optional<KernelSequence> run();

private:
  std::vector<Root> rootsOf(const Nest &nest) const {
    return convopt::rootsOf(nest, opened);
  }
  Part partOf(const Nest &nest, ArrayRef<Root> roots) const {
    return convopt::partOf(nest, roots, ofWarp);
  }
  std::optional<size_t> freeLoops(const Pipeline &start) const;
  bool areBetter(size_t k, size_t count, size_t before);
  bool isWorthMemory(size_t k, size_t count, const Pipeline &one) const;
  bool usesMemoryBadly(const Pipeline &one) const;
  std::optional<unsigned> moveOut(const Loop &outer,
                                  const DependenceAnalysis &dependences);
  bool takeApart(size_t k);

  Pipeline pipeline;
  std::vector<Step> earlier;              // steps before the pipeline's
  std::vector<unsigned> expanded, ofWarp; // arrays
  std::set<unsigned> opened; // loops that run kernels in turn
};

} // namespace

/// \p nest with its loops side by side jammed, as far as they can be.
static std::optional<Pipeline> jammed(const Nest &nest,
                                      const LegalityOptions &legality) {
  std::optional<Pipeline> pipeline =
      expectedToOptional(Pipeline::create(nest, legality));
  if (pipeline)
    jamSiblings(*pipeline);
  return pipeline;
}

/// Whether \p l has at least as many iterations as a warp has threads, as far
/// as is known.
static bool isLong(const Nest &nest, const Loop &l) {
  return constantTrips(nest, l).value_or(WarpSize) >= int64_t(WarpSize);
}

/// The loops over outputs that blocks and threads can share.
static std::vector<const Loop *> freeBand(const Pipeline &p) {
  std::vector<const Loop *> band = outermostBand(p.nest());
  erase_if(band, [&](const Loop *l) {
    return !isFree(p.dependences(), l->id) ||
           !isOfOutputs(p.nest(), p.dependences(), *l);
  });
  return band;
}

/// How many there are after what the default begins with, but for short ones
/// where arrays are expanded; none where there is no loop for a grid.
std::optional<size_t> Fission::freeLoops(const Pipeline &start) const {
  std::optional<size_t> most;
  auto count = [&](const Pipeline &p) {
    if (!errorToBool(findRoles(p.nest(), p.dependences()).takeError()))
      most = std::max<size_t>(most.value_or(0),
                              count_if(freeBand(p), [&](const Loop *l) {
                                return expanded.empty() || isLong(p.nest(), *l);
                              }));
  };
  count(start);
  for (const std::vector<Step> &steps : preparations(start)) {
    Pipeline prepared = start;
    if (!errorToBool(prepared.applyAll(steps)))
      count(prepared);
  }
  return most;
}

/// Whether iterations of \p l are independent, or wait for one another for a
/// sum alone.
static bool isParallelOrSum(const DependenceAnalysis &d, const Loop &l) {
  return any_of(d.loopFacts(), [&](const LoopFacts &facts) {
    return facts.loop == l.id && (facts.parallel || facts.reduction);
  });
}

/// Whether \p count roots from number \p k are better than one with \p before
/// free loops: none has fewer, and one has more. Those without a grid are taken
/// apart, too.
bool Fission::areBetter(size_t k, size_t count, size_t before) {
  size_t most = 0;
  for (size_t end = k + count; k != end;) {
    const Nest nest = rebase(pipeline.nest());
    const std::vector<Root> roots = rootsOf(nest);
    const auto one = jammed(partOf(nest, roots[k]).nest, pipeline.legality());
    const std::optional<size_t> loops = one ? freeLoops(*one) : std::nullopt;
    if (!loops) {
      if (!takeApart(k))
        return false;
      end += rootsOf(pipeline.nest()).size() - roots.size();
      continue;
    }
    const size_t shared = isOfOneThread(*roots[k].node) ? 0 : *loops;
    if (shared < before)
      return false;
    most = std::max(most, shared);
    ++k;
  }
  return most > before;
}

/// Whether what \p count roots from number \p k pass on in memory is worth it:
/// nothing, or \p one, of all of them, uses memory or the device badly.
bool Fission::isWorthMemory(size_t k, size_t count, const Pipeline &one) const {
  const std::vector<Root> all = rootsOf(pipeline.nest());
  const auto roots = ArrayRef(all).slice(k, count);
  if (none_of(expanded, [&](unsigned array) {
        return count_if(roots, [&](const Root &root) {
                 return touches({root.node}, array);
               }) > 1;
      }))
    return true;
  return usesMemoryBadly(one);
}

/// Whether threads of \p one read from rows of their own, or have one loop.
bool Fission::usesMemoryBadly(const Pipeline &one) const {
  const std::vector<const Loop *> band = freeBand(one);
  return band.size() < 2 ||
         any_of(statements(one.nest()), [&](const StatementPath &p) {
           return any_of(readsOf(*p.statement), [&](const Operand &o) {
             const auto &at = o.access.subscripts;
             return !is_contained(expanded, o.access.array) && !at.empty() &&
                    at.back().usesLoops() &&
                    any_of(band,
                           [&](auto *l) { return uses(o.access, l->id); }) &&
                    none_of(band, [&](auto *l) {
                      return at.back().uses(loopVar(l->id));
                    });
           });
         });
}

/// Has the loop that waits for itself, within parallel ones from \p outer on,
/// run these in each of its iterations: of a batch of factorizations or of
/// recurrences, whose steps have loops for threads of their own. None where
/// there is none, or where the batch has work for all threads. \p dependences
/// are of what these loops compute.
std::optional<unsigned>
Fission::moveOut(const Loop &outer, const DependenceAnalysis &dependences) {
  const Nest &nest = pipeline.nest();
  const std::vector<const Loop *> band = perfectBand(outer);
  const auto serial = find_if(
      band, [&](const Loop *l) { return !isParallelOrSum(dependences, *l); });
  if (serial == band.end() ||
      none_of(collect<Loop>((*serial)->body), [&](const Loop *l) {
        return dependences.isParallel(l->id) && isLong(nest, *l);
      }))
    return std::nullopt;
  const unsigned id = (*serial)->id;
  std::vector<std::string> order{nest.loopNames[id]};
  int64_t batch = 1;
  for (const Loop *l : make_range(band.begin(), serial)) {
    order.push_back(nest.loopNames[l->id]);
    batch = std::min<int64_t>(batch * constantTrips(nest, *l).value_or(1),
                              INT32_MAX);
  }
  if (batch >= LargeBatch)
    return std::nullopt;
  if (errorToBool(pipeline.applyAll({{interchangePass, order}})))
    return std::nullopt;
  // Dependences are of the loops in their new order.
  ASSIGN_OR_RETURN(Pipeline fresh,
                   expectedToOptional(Pipeline::create(rebase(pipeline.nest()),
                                                       pipeline.legality())));
  append_range(earlier, pipeline.steps());
  pipeline = std::move(fresh);
  return id;
}

/// Takes root number \p k apart, if blocks and threads can share more then.
bool Fission::takeApart(size_t k) {
  const Nest nest = rebase(pipeline.nest());
  const std::vector<Root> roots = rootsOf(nest);
  const auto *loop = dyn_cast<Loop>(roots[k].node.get());
  if (!loop || roots.size() > MostRoots)
    return false;
  const Pipeline whole = pipeline;
  const std::set<unsigned> were = opened;
  const std::vector<Step> steps = earlier;
  auto restore = [&] {
    pipeline = whole;
    opened = were;
    earlier = steps;
  };
  std::optional<Pipeline> one;
  auto isWhole =
      [&] { // is asked late, as most nests have nothing to take apart
        if (!one)
          one = jammed(partOf(nest, roots[k]).nest, whole.legality());
        return one.has_value();
      };
  auto isBetter = [&] {
    const size_t count = rootsOf(pipeline.nest()).size() - roots.size() + 1;
    return isWhole() && isWorthMemory(k, count, *one) &&
           areBetter(k, count, freeLoops(*one).value_or(0));
  };
  for (Units units : {Units::Parts, Units::Statements}) {
    if (distribute(*loop, units, pipeline) && isBetter())
      return true;
    restore();
  }
  // Most nests have no loop that waits for itself around others.
  if (all_of(perfectBand(*loop),
             [&](const Loop *l) {
               return isParallelOrSum(whole.dependences(), *l);
             }) ||
      !isWhole())
    return false;
  const DependenceAnalysis &dependences = one->dependences();
  std::optional<unsigned> serial;
  if (!isParallelOrSum(whole.dependences(), *loop) &&
      !isParallelOrSum(dependences, *loop))
    serial = loop->id;
  else if (freeLoops(*one).value_or(0) <= 1)
    serial = moveOut(*loop, dependences);
  if (serial) {
    opened.insert(*serial);
    if (isBetter())
      return true;
  }
  restore();
  return false;
}

/// Whether \p root uses a local that is declared outside of it.
static bool usesOuterLocal(const Root &root) {
  return any_of(root.locals, [&](const NodeRef &n) {
    return touches({root.node}, cast<Local>(n.get())->array);
  });
}

/// The most long loops around a statement of \p part, but for that of its
/// thread.
static size_t depthOf(const Part &part) {
  size_t most = 0;
  for (const StatementPath &p : statements(part.nest)) {
    const auto around = drop_begin(p.enclosing, part.isOfOneThread);
    most = std::max<size_t>(most, count_if(around, [&](const NodeRef &n) {
                              const auto *l = dyn_cast<Loop>(n.get());
                              return l && isLong(part.nest, *l);
                            }));
  }
  return most;
}

/// Whether a sum of \p sequence that is one thread's takes as long as all else:
/// no part has more loops, and threads may not share it.
static bool sumsInOneThread(const KernelSequence &sequence,
                            const LegalityOptions &legality) {
  size_t ofThread = 0, most = 0;
  for (const Part &p : sequence.parts) {
    const size_t depth = depthOf(p);
    if (p.isOfOneThread)
      ofThread = std::max(ofThread, depth);
    else
      most = std::max(most, depth);
  }
  return !legality.associativeMath && ofThread != 0 && ofThread >= most;
}

/// Whether \p root adds up in a loop.
static bool hasSum(const Root &root) {
  return any_of(collect<Loop>({root.node}), [](const Loop *l) {
    return any_of(collect<Statement>(l->body), [&](const Statement *s) {
      return s->accumulates() && !uses(s->target, l->id);
    });
  });
}

std::optional<KernelSequence> Fission::run() {
  const bool areSeveral = rootsOf(pipeline.nest()).size() > 1;
  if (areSeveral && runsAsOne(pipeline.nest(), pipeline.legality()))
    return std::nullopt;
  for (size_t k = 0, roots = 1; k < roots && roots <= MostRoots;
       roots = rootsOf(pipeline.nest()).size())
    k += !takeApart(k);
  append_range(earlier, pipeline.steps());
  KernelSequence sequence{
      {}, std::move(earlier), rebase(setLate(pipeline.nest(), expanded)), {}};
  const LegalityOptions &legality = pipeline.legality();
  // One kernel of the same loops does, too.
  const bool isRare =
      !areSeveral && opened.empty() && restsOnRareFacts(pipeline);
  const std::vector<Root> roots = rootsOf(sequence.whole);
  if (roots.size() > MostRoots || (roots.size() < 2 && opened.empty()) ||
      any_of(roots, usesOuterLocal))
    return std::nullopt;
  for (size_t first = 0, end; first != roots.size(); first = end) {
    auto upTo = [&](size_t last) {
      return partOf(sequence.whole,
                    ArrayRef(roots).slice(first, last + 1 - first));
    };
    bool isSum = hasSum(roots[first]), isBad = false;
    if (!expanded.empty())
      if (const auto alone = jammed(upTo(first).nest, legality))
        isBad = usesMemoryBadly(*alone);
    // Threads stage what one sum reads.
    auto hasOtherSum = [&](const Root &root) {
      const bool isBoth = isSum && hasSum(root);
      isSum |= hasSum(root);
      return isBoth && isBad;
    };
    end = first + 1;
    while (end != roots.size() && roots[end].around == roots[first].around &&
           isOfOneThread(*roots[end].node) ==
               isOfOneThread(*roots[first].node) &&
           !hasOtherSum(roots[end]) &&
           (isOfOneThread(*roots[end].node) ||
            runsAsOne(upTo(end).nest, legality)))
      ++end;
    sequence.parts.push_back(upTo(end - 1));
    const std::optional<Pipeline> one =
        jammed(sequence.parts.back().nest, legality);
    if (!one || !freeLoops(*one) || (!isRare && restsOnRareFacts(*one)))
      return std::nullopt;
  }
  if ((sequence.parts.size() < 2 && opened.empty() &&
       !sequence.parts.front().isOfOneThread) ||
      sumsInOneThread(sequence, legality))
    return std::nullopt;
  return sequence;
}

/// Whether a part of \p sequence leaves what \p e makes an array to another,
/// which does not set it anew.
static bool isLeft(const KernelSequence &sequence, const Expansion &e) {
  size_t users = 0, setters = 0;
  for (const Part &p : sequence.parts) {
    // One thread runs roots that no loop of the source holds.
    if (p.isOfOneThread &&
        count_if(*bodyOf(*p.nest.body.front()),
                 [&](const NodeRef &n) { return touches({n}, e.array); }) > 1)
      return true;
    users += touches(p.nest.body, e.array);
    setters += touches(p.nest.body, e.array) &&
               setsFirst(p.nest.body, e.array, e.subscripts.size());
  }
  return users > 1 && setters != users;
}

/// \p sequence with a whole that takes what the source's function does: what is
/// expanded is local there.
static KernelSequence withLocals(KernelSequence sequence,
                                 ArrayRef<Expansion> expansions) {
  Nest &whole = sequence.whole;
  auto isExpanded = [&](unsigned array) {
    return any_of(expansions,
                  [&](const Expansion &e) { return e.array == array; });
  };
  erase_if(whole.function.arguments, [&](const Argument &a) {
    return a.role == Argument::ArrayArg && isExpanded(a.index);
  });
  if (!whole.function.parameters.empty())
    whole.function.parameters.resize(whole.function.parameters.size() -
                                     expansions.size());
  Body locals;
  for (const Expansion &e : expansions) {
    Array &array = whole.arrays[e.array];
    array.role = Array::LocalArray;
    locals.push_back(std::make_shared<Local>(e.array));
    std::vector<std::string> places;
    for (const IndexExpr &at : e.subscripts)
      places.push_back("[" + str(whole, at) + "]");
    sequence.expanded.push_back(array.name + join(places, ""));
  }
  whole.body.insert(whole.body.begin(), locals.begin(), locals.end());
  return sequence;
}

/// \p nest as kernels, where each local has one value for all that read it.
static std::optional<KernelSequence>
sequenceOf(const Nest &nest, const LegalityOptions &legality) {
  auto take = [&](const Nest &from, ArrayRef<Expansion> expansions) {
    std::optional<Pipeline> pipeline =
        expectedToOptional(Pipeline::create(from, legality));
    return pipeline ? Fission(std::move(*pipeline), expansions).run()
                    : std::nullopt;
  };
  ASSIGN_OR_RETURN(const auto dependences,
                   expectedToOptional(DependenceAnalysis::compute(
                       nest, legality.maxOperations)));
  std::vector<unsigned> locals;
  for (const Local *l : collect<Local>(nest.body))
    locals.push_back(l->array);
  // Until all that are expanded have to be.
  std::vector<Expansion> expansions = expansionsOf(nest, dependences);
  while (!expansions.empty()) {
    const size_t count = expansions.size();
    std::optional<KernelSequence> sequence =
        take(expand(setLate(nest, locals), expansions), expansions);
    if (!sequence)
      break;
    erase_if(expansions,
             [&](const Expansion &e) { return !isLeft(*sequence, e); });
    if (expansions.size() == count)
      return withLocals(std::move(*sequence), expansions);
  }
  return take(nest, {});
}

std::optional<KernelSequence> kernelSequence(const Nest &nest,
                                             const LegalityOptions &legality) {
  if (nest.function.isKernel)
    return std::nullopt;
  if (auto sequence = sequenceOf(nest, legality))
    return sequence;
  const std::optional<Nest> own = rematerialized(nest);
  ASSIGN_OR_RETURN(auto sequence,
                   own ? sequenceOf(*own, legality) : std::nullopt);
  for (KernelSequence::Part &p : sequence.parts)
    p.nest = withoutRepeats(std::move(p.nest));
  for (size_t k = nest.arrays.size(); k != own->arrays.size(); ++k)
    if (any_of(sequence.parts, [&](const KernelSequence::Part &p) {
          return touches(p.nest.body, k);
        }))
      sequence.again.push_back(own->arrays[k].name);
  return sequence;
}

} // namespace convopt
