//===- Roles.cpp - Which loop is x, which y, which z ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Roles.h"
#include "Fields.h"
#include "convopt/Legality/Legality.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/MapLoop.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>

using namespace llvm;

namespace convopt {

bool isFree(const DependenceAnalysis &dependences, unsigned loop) {
  return none_of(dependences.dependences(), [&](const Dependence &d) {
    auto at = find(d.loops, loop) - d.loops.begin();
    return size_t(at) != d.loops.size() && d.direction[at] != Direction::Equal;
  });
}

bool isOfOutputs(const Nest &nest, const DependenceAnalysis &dependences,
                 const Loop &l) {
  return dependences.isParallel(l.id) &&
         any_of(collect<Statement>(l.body), [&](const Statement *s) {
           return uses(s->target, l.id) &&
                  !nest.arrays[s->target.array].isLocal();
         });
}

/// Whether the bounds of \p l are those of sizes alone, as a grid's are.
static bool hasOwnBounds(const Loop &l) {
  return none_of(l.bounds(), [](const Bound &b) { return b.expr.usesLoops(); });
}

namespace {

class RoleFinder {
public:
  RoleFinder(const Nest &nest, const DependenceAnalysis &dependences)
      : nest(nest), dependences(dependences) {}

  Expected<Roles> run() {
    if (Error e = findBand())
      return std::move(e);
    findOutput();
    if (roles.output) {
      findX();
      findInput();
      findZ();
      findY();
      findDepth();
    }
    for (unsigned id : parallel)
      if (id != roles.x && id != roles.y && id != roles.z)
        roles.others.push_back(id);
    return roles;
  }

private:
  Error findBand() {
    const std::vector<const Loop *> band = outermostBand(nest);
    if (band.empty())
      return refuse("structure",
                    "the computation is not one band of perfectly nested "
                    "loops, so that -tile and -reg do not apply",
                    nest.function.range, "give the steps with -schedule");
    for (const Loop *l : band) {
      roles.band.push_back(l->id);
      if (isFree(dependences, l->id) && hasOwnBounds(*l))
        parallel.push_back(l->id);
    }
    if (!parallel.empty())
      return Error::success();
    // Legality knows a witness: ask it about the outermost loop.
    Expected<Nest> mapped = mapLoop(nest, band.front()->id, LoopKind::GridX);
    if (!mapped)
      return mapped.takeError();
    if (Error e = checkLegality(dependences, *mapped))
      return e;
    return refuse("structure", "no outer loop is parallel", band.front()->range,
                  "-emit=dependences shows what each loop carries");
  }

  void findOutput() {
    long most = 0;
    for (const StatementPath &p : statements(nest)) {
      const Access &target = p.statement->target;
      long count =
          count_if(parallel, [&](unsigned l) { return uses(target, l); });
      if (!nest.arrays[target.array].isLocal() && count > most) {
        most = count;
        roles.output = target;
      }
    }
  }

  /// The parallel loop that \p e adds \p step times, the last of several.
  std::optional<unsigned> loopAlong(const IndexExpr &e,
                                    int64_t step = 1) const {
    std::optional<unsigned> along;
    for (unsigned id : parallel)
      if (std::abs(e.coefficient(loopVar(id))) == step)
        along = id;
    return along;
  }

  /// Of the innermost subscript that is not one of fields, whether constants
  /// index these or a loop, alone or as in `3 * x + c`.
  void findX() {
    ArrayRef<IndexExpr> subscripts = roles.output->subscripts;
    const IndexExpr *innermost = innermostMoving(subscripts);
    roles.x = loopAlong(*innermost);
    subscripts = subscripts.take_front(innermost - subscripts.begin());
    const int64_t fields = roles.x ? fieldsAlong(*roles.x) : 0;
    if (fields == 0)
      return;
    const IndexExpr *outer = innermostMoving(subscripts);
    std::optional<unsigned> row = loopAlong(*innermost, fields);
    if (!row || row == roles.x)
      row = outer ? loopAlong(*outer) : std::nullopt;
    if (row) {
      roles.fields = roles.x;
      roles.x = row;
    }
  }

  /// How many elements \p loop is over, if these are few and no window slides
  /// along them, such as the colours of a pixel, but along other loops; else 0.
  /// Without windows they may be a small image's columns as well.
  int64_t fieldsAlong(unsigned loop) const {
    const auto all = loops(nest);
    const Loop *l = *find_if(all, [&](auto *l) { return l->id == loop; });
    const int64_t trips = constantTrips(nest, *l).value_or(0);
    if (trips < 1 || trips > MostFields)
      return 0;
    bool isWindow = false, isBesideWindow = false;
    for (const StatementPath &p : statements(nest))
      for (const Operand &o : readsOf(*p.statement)) {
        isWindow |= isWindowed(o.access, loop, trips);
        isBesideWindow |= any_of(parallel, [&](unsigned l) {
          return l != loop && isWindowed(o.access, l);
        });
      }
    return isWindow || !isBesideWindow ? 0 : trips;
  }

  /// A window: a subscript that adds up \p loop and a loop that is not
  /// parallel, unless that moves by whole elements of \p fields.
  bool isWindowed(const Access &a, unsigned loop, int64_t fields = 0) const {
    return any_of(a.subscripts, [&](const IndexExpr &e) {
      return e.uses(loopVar(loop)) && any_of(e.vars(), [&](Var v) {
               const int64_t step = e.coefficient(v);
               return v.kind == Var::Loop && !dependences.isParallel(v.id) &&
                      (fields == 0 || step == 0 || step % fields != 0);
             });
    });
  }

  void findInput() {
    int best = 0;
    for (const StatementPath &p : statements(nest))
      for (const Operand &o : readsOf(*p.statement)) {
        const Access &a = o.access;
        if (nest.arrays[a.array].isLocal() || a.array == roles.output->array)
          continue;
        bool window =
            any_of(parallel, [&](unsigned l) { return isWindowed(a, l); });
        int score = 2 * window + (roles.x && uses(a, *roles.x));
        if (score > best) {
          best = score;
          roles.input = a;
          hasWindow = window;
        }
      }
  }

  /// Parallel loops that the output uses, without x and z, from its innermost
  /// subscript outwards.
  std::vector<unsigned> candidates() const {
    std::vector<unsigned> result;
    for (const IndexExpr &e : reverse(roles.output->subscripts))
      for (unsigned id : reverse(parallel))
        if (e.uses(loopVar(id)) && id != roles.x && id != roles.z &&
            !is_contained(result, id))
          result.push_back(id);
    return result;
  }

  void findZ() {
    if (!roles.input)
      return;
    for (unsigned id : candidates())
      if (!uses(*roles.input, id)) {
        roles.z = roles.channels = id;
        return;
      }
    roles.z = roles.fields;
    if (hasWindow && roles.x && !uses(*roles.input, *roles.x))
      roles.channels = roles.x;
  }

  void findY() {
    for (unsigned id : candidates())
      if (!hasWindow || roles.fields || isWindowed(*roles.input, id)) {
        roles.y = id;
        return;
      }
  }

  /// Of a volume, where nothing else is z.
  void findDepth() {
    for (unsigned id : candidates())
      if (!roles.z && hasWindow && id != roles.y &&
          isWindowed(*roles.input, id))
        roles.z = id;
  }

  const Nest &nest;
  const DependenceAnalysis &dependences;
  Roles roles;
  std::vector<unsigned> parallel; // of the band
  bool hasWindow = false;
};

} // namespace

Expected<Roles> findRoles(const Nest &nest,
                          const DependenceAnalysis &dependences) {
  return RoleFinder(nest, dependences).run();
}

static std::string describe(const LoopFacts &f, const Loop &l,
                            const Roles &roles) {
  if (f.loop == roles.x)
    return "is x, the output column: contiguous in the output";
  if (f.loop == roles.y)
    return "is y, the output row";
  if (f.loop == roles.z)
    return roles.hasChannels()
               ? "is z, the output channel: the input does not use it"
               : "is z, the third dimension of the output";
  if (f.parallel)
    return is_contained(roles.others, f.loop)
               ? "is parallel and goes to the grid"
           : !is_contained(roles.band, f.loop)
               ? "is parallel but not in the outermost band"
           : hasOwnBounds(l)
               ? "is parallel only within loops that carry dependences"
               : "is parallel within loops that its bounds depend on";
  return f.reduction ? "carries a reduction" : "carries a dependence";
}

/// Why loop \p f of a function, which indexes what is written, runs in one
/// thread though nothing shows that it has to.
static std::optional<std::string>
unprovedBy(const Nest &nest, const DependenceAnalysis &dependences,
           const LoopFacts &f) {
  std::map<unsigned, const Access *> targets;
  for (const StatementPath &p : statements(nest))
    targets[p.statement->id] = &p.statement->target;
  for (const Dependence &d : dependences.dependences()) {
    auto carrier = find_if(d.direction, [](Direction direction) {
      return direction != Direction::Equal;
    });
    if (carrier == d.direction.end() ||
        d.loops[carrier - d.direction.begin()] != f.loop)
      continue;
    for (unsigned id : {d.sink, d.source}) {
      const Access &a = *targets[id];
      bool isKnown =
          all_of(a.subscripts, [](const IndexExpr &e) { return e.isAffine(); });
      if (a.array == d.array && uses(a, f.loop) && !isKnown)
        return "S" + std::to_string(d.source) + " and S" +
               std::to_string(d.sink) + " may access the same element of " +
               str(nest, a) + " in different iterations";
    }
  }
  return std::nullopt;
}

/// Why loop \p l, which \p f is about, runs in one thread although it need not,
/// as the rest of a sentence.
static std::optional<std::string>
whyInOneThread(const Nest &nest, const DependenceAnalysis &dependences,
               const Roles &roles, const LoopFacts &f, const Loop &l) {
  if (f.parallel && is_contained(roles.band, f.loop) && !hasOwnBounds(l))
    return ", as its bounds depend on other loops; begin and end it at sizes, "
           "with a guard in it for the rest";
  const auto why =
      nest.function.isKernel ? std::nullopt : unprovedBy(nest, dependences, f);
  return why ? std::optional(" for lack of a proof: " + *why) : std::nullopt;
}

/// Loops that hold nests side by side keep the parallel loops of these, which
/// index what is written, in one thread. What they declare would have to be
/// kept from one nest to the next.
static Remarks sideBySide(const Nest &nest,
                          const DependenceAnalysis &dependences,
                          const Roles &roles) {
  Remarks result;
  for (const Loop *l : loops(nest)) {
    if (!is_contained(roles.band, l->id) || !dependences.isParallel(l->id))
      continue;
    const auto nests = select<Loop>(l->body);
    const bool declares =
        any_of(l->body, [](const NodeRef &n) { return isa<Local>(n.get()); });
    std::vector<std::string> kept;
    for (const Loop *inner : collect<Loop>(l->body))
      if (isOfOutputs(nest, dependences, *inner))
        kept.push_back("'" + nest.loopNames[inner->id] + "'");
    if (std::distance(nests.begin(), nests.end()) < 2 || declares ||
        kept.empty())
      continue;
    result.push_back({Remark::Kind::Said, "roles",
                      "loop '" + nest.loopNames[l->id] +
                          "' holds nests side by side, whose loops " +
                          join(kept, ", ") +
                          " run in one thread; give each nest a loop '" +
                          nest.loopNames[l->id] + "' of its own",
                      l->range});
  }
  return result;
}

Remarks roleRemarks(const Nest &nest, const DependenceAnalysis &dependences,
                    const Roles &roles) {
  Remarks result = sideBySide(nest, dependences, roles);
  const std::vector<const Loop *> all = loops(nest);
  for (const LoopFacts &f : dependences.loopFacts()) {
    const Loop &l =
        **find_if(all, [&](const Loop *loop) { return loop->id == f.loop; });
    const std::string name = "loop '" + nest.loopNames[f.loop] + "' ";
    std::string text = name + describe(f, l, roles);
    for (const ThreadMap &m : nest.function.threadMaps)
      if (m.loop == f.loop)
        text += "; threads stand for it: " + m.str();
    if (roles.x && !roles.others.empty() && f.loop == roles.others.back() &&
        !(roles.y && roles.z))
      text += std::string("; by position, -tile= and -reg= take it for ") +
              (roles.y ? "z" : "y");
    result.push_back({Remark::Kind::Analysis, "roles", text, l.range});
    if (auto why = whyInOneThread(nest, dependences, roles, f, l))
      result.push_back({Remark::Kind::Said, "roles",
                        name + "runs in one thread" + *why, l.range});
  }
  return result;
}

} // namespace convopt
