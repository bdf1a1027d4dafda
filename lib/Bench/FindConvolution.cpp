//===- FindConvolution.cpp - Recognise a layer in a nest ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Convolution.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Text.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::bench {

namespace {

/// A read or write of an array that is not local, and the loops around it.
struct Place {
  Access access;
  const Statement *statement;
  std::vector<const Loop *> loops;
};

class Finder {
public:
  Finder(const Nest &nest, Roles roles) : nest(nest), roles(std::move(roles)) {}

  Expected<Convolution> run() {
    collect();
    RETURN_IF_ERROR(findArrays());
    for (const Loop *l : input->loops)
      RETURN_IF_ERROR(place(*l));
    for (auto [axis, loop, filter] :
         {std::tuple(&result.rows, rowLoop(), rowFilter),
          std::tuple(&result.columns, roles.x, columnFilter)})
      if (loop)
        RETURN_IF_ERROR(describe(*axis, *loop, filter));
    return result;
  }

private:
  Error refuseNest(const Twine &message, SourceRange where) const {
    return refuse("structure", message.str(), where,
                  "give the nest's own sizes with -shape");
  }
  std::string loopName(unsigned l) const { return nest.loopNames[l]; }

  void collect();
  Error findArrays();
  Error findFilter();
  bool isReduced(unsigned loop) const;
  std::optional<unsigned> rowLoop() const;
  Error place(const Loop &l);
  Error placeParallel(const Loop &l, const IndexExpr &extent);
  Error placeReduced(const Loop &l, const IndexExpr &extent);
  const IndexExpr *subscriptWith(unsigned loop) const;
  Error describe(ImageAxis &axis, unsigned loop,
                 std::optional<unsigned> filter);
  Expected<IndexExpr> extentOf(const Loop &l) const;
  Expected<IndexExpr> bound(const Loop &l, bool upper) const;

  const Nest &nest;
  const std::vector<StatementPath> paths = statementsByCase(nest);
  Roles roles;
  std::vector<Place> reads, writes;
  const Place *input = nullptr, *output = nullptr, *filter = nullptr;
  std::optional<unsigned> rowFilter, columnFilter; // loops
  Convolution result;
};

void Finder::collect() {
  for (const StatementPath &p : paths) {
    const std::vector<const Loop *> around = loopsAmong(p.enclosing);
    if (!nest.arrays[p.statement->target.array].isLocal())
      writes.push_back({p.statement->target, p.statement, around});
    for (const Operand &o : readsOf(*p.statement))
      if (!nest.arrays[o.access.array].isLocal())
        reads.push_back({o.access, p.statement, around});
  }
}

/// A loop that no output tells apart. Those of a filter of one element carry
/// no dependence and are reduced all the same.
bool Finder::isReduced(unsigned loop) const {
  return !uses(output->access, loop);
}

/// What Roles found, with the loops around it.
const Place *placeWith(ArrayRef<Place> places,
                       const std::optional<Access> &access) {
  const Place *at = find_if(
      places, [&](const Place &p) { return access && p.access == *access; });
  return at == places.end() ? nullptr : at;
}

Error Finder::findArrays() {
  output = placeWith(writes, roles.output);
  if (!output || !roles.x)
    return refuseNest("no loop runs along the columns of an output",
                      nest.function.range);
  input = placeWith(reads, roles.input);
  if (!input)
    return refuseNest("no input is read along the columns of the output",
                      nest.function.range);
  result.input = input->access.array;
  result.output = output->access.array;
  return findFilter();
}

/// The filter slides along nothing; a bias is over no reduced loop.
Error Finder::findFilter() {
  for (const Place &r : reads) {
    if (r.access.array == result.input && !(r.access == input->access))
      return refuseNest("'" + nest.arrays[result.input].name +
                            "' is read at several places, which no layer says",
                        r.statement->range);
    if (r.access.array == result.input || r.access.array == result.output ||
        none_of(r.loops, [&](const Loop *l) {
          return isReduced(l->id) && uses(r.access, l->id);
        }))
      continue;
    if (uses(r.access, *roles.x) || (roles.y && uses(r.access, *roles.y)))
      return refuseNest("'" + nest.arrays[r.access.array].name +
                            "' changes over the image, as no filter does",
                        r.statement->range);
    filter = filter ? filter : &r;
  }
  return Error::success();
}

/// Roles has no y where a window runs along the columns only; the rows are
/// then the innermost loop beside x that the input has a dimension for, if
/// another is left for the batch.
std::optional<unsigned> Finder::rowLoop() const {
  if (roles.y)
    return roles.y;
  std::vector<unsigned> left;
  for (unsigned l : roles.others)
    if (uses(input->access, l) && !(filter && uses(filter->access, l)))
      left.push_back(l);
  return left.size() > 1 ? std::optional(left.back()) : std::nullopt;
}

static void multiply(std::optional<IndexExpr> &product, const IndexExpr &by) {
  product = product ? *product * by : by;
}

Error Finder::place(const Loop &l) {
  ASSIGN_OR_RETURN(IndexExpr extent, extentOf(l));
  return isReduced(l.id) ? placeReduced(l, extent) : placeParallel(l, extent);
}

Error Finder::placeParallel(const Loop &l, const IndexExpr &extent) {
  const bool inInput = uses(input->access, l.id);
  const bool inFilter = filter && uses(filter->access, l.id);
  if (l.id == roles.x)
    result.columns.outputs = extent;
  else if (l.id == rowLoop())
    result.rows.outputs = extent;
  else if (!inInput && (inFilter || l.id == roles.z))
    multiply(result.outChannels, extent);
  else if (inInput && inFilter)
    multiply(result.groups, extent);
  else if (inInput)
    multiply(result.batch, extent);
  else
    return refuseNest("loop '" + Twine(loopName(l.id)) +
                          "' repeats the same sums, which no layer says",
                      l.range);
  const IndexExpr *e = subscriptWith(l.id);
  if (result.groups && inInput && inFilter && e && e->hasQuotient())
    return refuseNest("loop '" + Twine(loopName(l.id)) +
                          "' chooses input channels by a division",
                      l.range);
  return Error::success();
}

Error Finder::placeReduced(const Loop &l, const IndexExpr &extent) {
  const IndexExpr *e = subscriptWith(l.id);
  if (!e && extent == IndexExpr(1))
    return Error::success();
  if (!e)
    return refuseNest("loop '" + Twine(loopName(l.id)) +
                          "' does not move in the input",
                      l.range);
  const bool column = roles.x && e->uses(loopVar(*roles.x));
  const bool row = rowLoop() && e->uses(loopVar(*rowLoop()));
  if (!column && !row) {
    multiply(result.inChannels, extent);
    return Error::success();
  }
  std::optional<unsigned> &taken = column ? columnFilter : rowFilter;
  if (taken || (column && row))
    return refuseNest("loops '" + Twine(loopName(taken.value_or(*roles.x))) +
                          "' and '" + loopName(l.id) +
                          "' share a subscript of the input",
                      l.range);
  taken = l.id;
  (column ? result.columns : result.rows).filter = extent;
  return Error::success();
}

/// The only subscript of the input that uses \p loop; null without one.
const IndexExpr *Finder::subscriptWith(unsigned loop) const {
  for (const IndexExpr &e : input->access.subscripts)
    if (e.uses(loopVar(loop)))
      return &e;
  return nullptr;
}

/// Stride, dilation and padding are what the input's subscript says: its
/// coefficients, and how far below 0 it begins.
Error Finder::describe(ImageAxis &axis, unsigned loop,
                       std::optional<unsigned> filterLoop) {
  const auto &subscripts = input->access.subscripts;
  auto at = find_if(subscripts,
                    [&](const IndexExpr &e) { return e.uses(loopVar(loop)); });
  if (at == subscripts.end())
    return Error::success();
  auto refuseSubscript = [&] {
    return refuseNest("the input's subscript '" + str(nest, *at) +
                          "' is no stride times an output plus a filter's",
                      input->statement->range);
  };
  if (count_if(subscripts,
               [&](const IndexExpr &e) { return e.uses(loopVar(loop)); }) > 1)
    return refuseSubscript();
  IndexExpr first = nest.expandDefinitions(*at);
  for (const Loop *l : input->loops) {
    if (!first.uses(loopVar(l->id)))
      continue;
    auto step = first.symbolicCoefficient(loopVar(l->id));
    if (!step || step->usesLoops() || (l->id != loop && l->id != filterLoop))
      return refuseSubscript();
    // Sizes are positive: `-dilation` is below 0.
    const bool down =
        all_of(step->terms(), [](const auto &term) { return term.second < 0; });
    ASSIGN_OR_RETURN(IndexExpr start, bound(*l, /*upper=*/down));
    if (down && l->id == loop)
      return refuseSubscript();
    (l->id == loop ? axis.stride : axis.dilation) = down ? -*step : *step;
    first =
        first.substitute(loopVar(l->id), down ? start - IndexExpr(1) : start);
  }
  axis.padding = -first;
  axis.inputs = nest.expandDefinitions(
      nest.arrays[result.input].extents[at - subscripts.begin()]);
  return Error::success();
}

/// The bound that no other loop narrows: clipping to the image is padding.
Expected<IndexExpr> Finder::bound(const Loop &l, bool upper) const {
  std::vector<IndexExpr> free;
  for (const Bound &b : upper ? l.upper : l.lower) {
    IndexExpr e = nest.expandDefinitions(b.expr);
    if (!e.usesLoops())
      free.push_back(b.divisor == 1
                         ? e
                         : IndexExpr::floorDiv(e + IndexExpr(b.divisor - 1),
                                               IndexExpr(b.divisor)));
  }
  if (free.size() == 1)
    return free.front();
  return refuseNest("loop '" + Twine(loopName(l.id)) + "' has " +
                        (free.empty() ? "no bound" : "several bounds") +
                        " that only sizes decide",
                    l.range);
}

Expected<IndexExpr> Finder::extentOf(const Loop &l) const {
  ASSIGN_OR_RETURN(IndexExpr low, bound(l, false));
  ASSIGN_OR_RETURN(IndexExpr high, bound(l, true));
  return high - low;
}

} // namespace

Expected<Convolution> findConvolution(const Nest &original,
                                      const DependenceAnalysis &dependences) {
  ASSIGN_OR_RETURN(Roles roles, findRoles(original, dependences));
  return Finder(original, roles).run();
}

} // namespace convopt::bench
