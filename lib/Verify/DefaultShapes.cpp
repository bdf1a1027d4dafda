//===- DefaultShapes.cpp - Sizes that exercise a nest ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Many shapes are proposed, some known to be of use and most of them drawn
/// (ShapeProposals.h). Each is tried on the nest itself: which statements run,
/// which guards hold and which fail, how often loops run (NestSample.h), and on
/// the kernels: which of them run, in which instance, with how many blocks and
/// copies (KernelSample.h). Those are taken, one after another, that show most
/// of what no other has shown yet for what they cost.
///
//===----------------------------------------------------------------------===//

#include "ShapeCheck.h"
#include "ShapeProposals.h"
#include "TemplateInstances.h"
#include "convopt/Nest/StorageMap.h"
#include "llvm/ADT/BitVector.h"

using namespace llvm;

namespace convopt {
namespace verify {

/// All shapes but the first, together, and but those that run new code; one
/// that takes as much by itself leaves the others theirs.
constexpr double mostOfAll = 5e6;
/// Shapes, those that only some part of a kernel asks for, and those that run
/// new code.
constexpr size_t usualShapes = 8, manyShapes = 40, mostShapes = 48;
/// Of what a shape costs however small it is, in statements.
constexpr double leastOperations = 3e4;

/// What does not run new code has to show the more the more operations it
/// takes, in multiples of the first, but no more than `dearest` times as much.
constexpr double cheapOperations = 3e4, dearest = 4;

/// What is the nest's own counts for more than sizes alone.
static int weightOf(const Feature &f) {
  switch (static_cast<Seen>(f[0])) {
  case Seen::Kernel:
    return 64;
  case Seen::Runs:
  case Seen::Holds:
  case Seen::Fails:
  case Seen::Instance:
  case Seen::Branch:
  case Seen::Single:
    return 8;
  case Seen::KernelLoop:
    switch (static_cast<KernelLoop>(f[2] & 0xFF)) {
    case KernelLoop::Second:
    case KernelLoop::Blocks:
    case KernelLoop::Whole:
    case KernelLoop::Wraps:
    case KernelLoop::Long:
      return 8;
    case KernelLoop::Full:
    case KernelLoop::Partial:
      return 1;
    }
    break;
  case Seen::Trips:
  case Seen::Bounds:
  case Seen::Whole:
    return 4;
  case Seen::Inner:
    return 16;
  case Seen::Repeated:
    return static_cast<KernelLoop>(f[2] & 0xFF) == KernelLoop::Wraps ? 16 : 4;
  case Seen::Tight:
    return f[2] == failsAlone ? 8 : 4;
  case Seen::Way:
  case Seen::Alone:
  case Seen::Border:
  case Seen::Stepped:
  case Seen::Value:
  case Seen::Given:
    return 8;
  case Seen::First:
  case Seen::Edge:
  case Seen::PlainEdge:
    return 3;
  case Seen::Size:
    return 2;
  case Seen::InKernel:
    return static_cast<Seen>(f[2] >> 32) == Seen::Fails ? 4 : 1;
  case Seen::Stores:
  case Seen::Apart:
    return 1;
  }
  llvm_unreachable("every kind is above");
}

/// Whether it is code that runs, or runs again; not how often.
static bool isNewCode(const Feature &f) {
  const Seen kind = static_cast<Seen>(f[0]);
  return kind == Seen::Kernel || kind == Seen::Branch || kind == Seen::Way ||
         (kind == Seen::Repeated &&
          static_cast<KernelLoop>(f[2] & 0xFF) != KernelLoop::Long);
}

/// Whether it tells code that runs from code that is right, for what a shape
/// without tiles may cost: blocks that all are full, which their strides decide
/// about, comparisons that decide alone, and long loops in each branch.
static bool isOfEdges(const Feature &f) {
  auto is = [&](Seen kind, KernelLoop how) {
    return static_cast<Seen>(f[0]) == kind &&
           static_cast<KernelLoop>(f[2] & 0xFF) == how;
  };
  return static_cast<Seen>(f[0]) == Seen::Alone ||
         static_cast<Seen>(f[0]) == Seen::Border ||
         is(Seen::KernelLoop, KernelLoop::Whole) ||
         is(Seen::Repeated, KernelLoop::Long);
}

namespace {
/// A proposal with its features by number, and what it is worth after what was
/// chosen before.
struct Candidate {
  const Proposal *proposal;
  std::vector<unsigned> features;
  int gain = 0;
  bool runsNewCode = false;

  double worth() const {
    return gain / (leastOperations + proposal->operations);
  }
};

/// Features of all candidates, each once.
class FeatureTable {
public:
  Candidate candidateOf(const Proposal &p) {
    Candidate c{&p, {}};
    for (const Feature &f : p.features) {
      auto [it, isNew] = numbers.try_emplace(f, rows.size());
      if (isNew)
        rows.push_back(
            {weightOf(f), isNewCode(f), isOfEdges(f), /*isSeen=*/false});
      c.features.push_back(it->second);
    }
    return c;
  }
  void rate(Candidate &c) const {
    c.gain = 0;
    c.runsNewCode = false;
    for (unsigned f : c.features)
      if (!rows[f].isSeen) {
        c.gain += rows[f].weight;
        c.runsNewCode |=
            rows[f].isCode ||
            (rows[f].isOfEdges && c.proposal->operations <= mostOperations);
      }
  }
  void see(const Candidate &c) {
    for (unsigned f : c.features)
      rows[f].isSeen = true;
  }

private:
  struct Row {
    int weight;
    bool isCode, isOfEdges, isSeen;
  };
  std::map<Feature, unsigned> numbers;
  std::vector<Row> rows;
};

/// Which sizes some shape tells from others, at each place of a kernel that it
/// comes to: where a padding is half the filter in each such shape, code may
/// take one for the other.
class Coincidences {
public:
  explicit Coincidences(const Nest &nest) : nest(nest) {}

  /// What one shape tells apart, and where.
  struct Told {
    std::vector<Feature> places;
    llvm::BitVector apart;
  };
  Told told(const Shape &shape, const Features &features) const;

  /// How much of that no shape has told.
  unsigned news(const Told &told) const;
  void see(const Told &told);

private:
  const Nest &nest;
  std::map<Feature, llvm::BitVector> seen; // by place
};

} // namespace

/// The place of a kernel that \p f says is come to, in either of its instances:
/// the kernel, a branch, a comparison that decides. None of other features.
static std::optional<Feature> placeOf(Feature f) {
  switch (static_cast<Seen>(f[0])) {
  case Seen::Branch:
    f[1] /= 2;
    return f;
  case Seen::Kernel:
  case Seen::Alone:
    return f;
  default:
    return std::nullopt;
  }
}

Coincidences::Told Coincidences::told(const Shape &shape,
                                      const Features &features) const {
  Told told;
  std::set<Feature> places;
  for (const Feature &f : features)
    if (const std::optional<Feature> place = placeOf(f))
      places.insert(*place);
  told.places.assign(places.begin(), places.end());
  if (places.empty())
    return told;
  const auto values = paramValues(nest, shape);
  for (const std::optional<int64_t> &a : values)
    for (const std::optional<int64_t> &b : values) {
      const bool isPair = &a != &b && a && b;
      // Of a size alone, that it is more than a few, even or odd.
      const bool isLarge = &a == &b && a > 3;
      told.apart.push_back(isPair ? *a != *b : isLarge && *a % 2 == 0);
      told.apart.push_back(isPair ? *a != *b / 2 : isLarge && *a % 2 == 1);
      told.apart.push_back(isPair && *a != *b - 1);
    }
  return told;
}

unsigned Coincidences::news(const Told &told) const {
  unsigned count = 0;
  for (const Feature &place : told.places) {
    auto it = seen.find(place);
    BitVector fresh = told.apart;
    if (it != seen.end())
      fresh.reset(it->second);
    count += fresh.count();
  }
  return count;
}

void Coincidences::see(const Told &told) {
  for (const Feature &place : told.places)
    seen[place] |= told.apart;
}

/// Adds a few cheap shapes that tell apart sizes that \p shapes do not, of the
/// same instances of a template, as each is one to compile.
static void tellApart(const Nest &nest, ArrayRef<Proposal> proposals,
                      std::vector<Shape> &shapes) {
  constexpr unsigned few = 6, least = 4;
  constexpr double cheap = 1e4;
  Coincidences sizes(nest);
  std::set<std::vector<std::string>> instances;
  for (const Shape &s : shapes)
    instances.insert(templateArguments(nest, s));
  std::vector<std::pair<const Proposal *, Coincidences::Told>> rest;
  for (const Proposal &p : proposals) {
    Coincidences::Told told = sizes.told(p.shape, p.features);
    auto isSame = [&](const Shape &s) { return s.sizes == p.shape.sizes; };
    if (any_of(shapes, isSame))
      sizes.see(told);
    else if (p.operations <= cheap &&
             instances.count(templateArguments(nest, p.shape)))
      rest.push_back({&p, std::move(told)});
  }
  for (unsigned k = 0; k != few; ++k) {
    std::pair<const Proposal *, Coincidences::Told> *best = nullptr;
    double most = 0;
    for (auto &r : rest) {
      const unsigned news = sizes.news(r.second);
      const double worth = news / (leastOperations + r.first->operations);
      if (news >= least && worth > most) {
        best = &r;
        most = worth;
      }
    }
    if (!best)
      return;
    sizes.see(best->second);
    shapes.push_back(best->first->shape);
  }
}

} // namespace verify

std::vector<Shape> defaultShapes(const Nest &original,
                                 ArrayRef<LaunchedKernel> kernels,
                                 const Gpu &gpu,
                                 ArrayRef<TemplateInstance> instances) {
  using namespace verify;
  const std::vector<Proposal> proposals =
      Proposer(original, kernels, gpu, instances).proposals();
  FeatureTable table;
  std::vector<Candidate> candidates;
  for (const Proposal &p : proposals)
    candidates.push_back(table.candidateOf(p));
  std::vector<Shape> shapes;
  double operations = 0;
  while (shapes.size() < mostShapes) {
    // What has shown all that a proposal shows is not undone.
    const int least = shapes.empty() ? 0 : shapes.size() < usualShapes ? 2 : 6;
    erase_if(candidates, [&](Candidate &c) {
      table.rate(c);
      const double cost = c.proposal->operations / cheapOperations;
      return c.gain < least ||
             (!c.runsNewCode && shapes.size() >= manyShapes) ||
             (!c.runsNewCode && c.gain < least * std::min(cost, dearest));
    });
    if (candidates.empty())
      break;
    auto best = llvm::max_element(candidates,
                                  [](const Candidate &a, const Candidate &b) {
                                    return std::pair(a.runsNewCode, a.worth()) <
                                           std::pair(b.runsNewCode, b.worth());
                                  });
    const Proposal &p = *best->proposal;
    if (operations + p.operations <= mostOfAll || best->runsNewCode) {
      if (!shapes.empty() && p.operations <= mostOfAll)
        operations += p.operations;
      shapes.push_back(p.shape);
      table.see(*best);
    }
    candidates.erase(best);
  }
  tellApart(original, proposals, shapes);
  giveTypes(original, instances, shapes);
  return shapes;
}

std::vector<std::string> kernelsToRun(ArrayRef<LaunchedKernel> kernels) {
  std::vector<std::string> names;
  const LaunchedKernel &general = kernels.back();
  bool isLeftSizes = true;
  for (const LaunchedKernel &version : kernels.drop_back()) {
    names.push_back(version.name);
    const bool hasOwnFacts = any_of(version.facts, [&](const Assumption &a) {
      return none_of(general.facts,
                     [&](const Assumption &b) { return a.fact == b.fact; });
    });
    isLeftSizes &=
        hasOwnFacts || version.leastBlocks || !hasConstantBuffers(version.nest);
  }
  if (isLeftSizes)
    names.push_back(general.name);
  return names;
}

} // namespace convopt
