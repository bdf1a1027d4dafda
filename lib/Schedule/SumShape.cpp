//===- SumShape.cpp - A sum's loops and reads as numbers ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumShape.h"
#include "BodyCost.h"
#include "Fields.h"
#include "LaunchPlan.h"
#include "StorePlan.h"
#include "SumReads.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Schedule/Resources.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Target/Memory.h"
#include "convopt/Transforms/Stage.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;

namespace convopt {

/// What sizes are taken to be that are not known: the length of a dot product,
/// and of a window of one dimension; output channels, input channels.
static constexpr int64_t UnknownDot = 1024, UnknownLine = 64,
                         UnknownOutputs = 64, UnknownInputs = 64;
/// Terms of a sum that is short.
static constexpr int64_t MostOfShort = 10;

bool ReadShape::uses(unsigned loop) const {
  return any_of(coefficients, [&](const PerLoop &c) { return c[loop] != 0; });
}

int64_t ReadShape::extent(unsigned dim, const PerLoop &counts) const {
  const PerLoop &c = coefficients[dim];
  int64_t extent = isField(dim) ? fields : 1, stride = isField(dim) ? 1 : 0;
  for (size_t l = 0; l != counts.size(); ++l)
    if (counts[l] > 1)
      stride = std::gcd(stride, c[l]);
  for (size_t l = 0; l != counts.size() && stride != 0; ++l)
    extent += c[l] / stride * (counts[l] - 1);
  return extent;
}

int64_t ReadShape::box(const PerLoop &counts) const {
  int64_t all = 1;
  for (size_t d = 0; d != coefficients.size(); ++d)
    all *= extent(d, counts);
  return all;
}

int64_t ReadShape::row(const PerLoop &counts) const {
  const unsigned last = coefficients.size() - 1;
  return extent(last, counts) *
         (areAllFields && last != 0 ? extent(last - 1, counts) : 1);
}

int64_t SumShape::length() const {
  int64_t length = 1;
  for (unsigned l = RoleCount; l != loops(); ++l)
    length *= extents[l];
  return length * rounds;
}

double SumShape::outputs() const {
  double outputs = double(others);
  for (unsigned r = 0; r != RoleCount; ++r)
    outputs *= double(extents[r]);
  return outputs;
}

double SumShape::work() const { return outputs() * double(length()); }

namespace {

class ShapeFinder {
public:
  ShapeFinder(const Nest &nest, const Roles &roles, bool anyLength,
              UnknownSizes sizes)
      : nest(nest), roles(roles), anyLength(anyLength), sizes(sizes) {
    shape.ids = {roles.x, roles.y, roles.z};
    shape.hasChannels = roles.hasChannels();
    shape.hasPixels = roles.z && roles.z == roles.fields;
  }

  std::optional<SumShape> run() {
    for (const StatementPath &p : statements(nest))
      if (isSummed(p) || (p.statement->isReduction() && !sum.statement))
        sum = p;
    if (!sum.statement)
      return std::nullopt;
    shape.hasRows = findRows();
    takeRow();
    for (const Loop *l : loops(nest))
      if (isOther(l->id))
        addOther(*l);
    if (!findLoops())
      return std::nullopt;
    for (const StatementPath &p : statements(nest))
      addReads(p);
    if (shape.reads.empty())
      return std::nullopt;
    shape.registers =
        registersOf(nest.arrays[sum.statement->target.array].elementType);
    const Loop &inner = *loopsAmong(sum.enclosing).back();
    shape.cells = cellsOf(nest, inner);
    shape.cases = casesOf(inner);
    shape.products = productsOf(inner);
    shape.instructions = instructionsOf(inner);
    shape.fields = std::min(shape.fields, shape.products);
    shape.sums = sumsOf(
        nest, [&](const Loop &l) { return !isParallel(&l) && carries(&l); });
    const bool isApart = takesParts(uses, /*mayOverlap=*/false);
    shape.takesParts = isApart || (shape.loops() == RoleCount + 1 &&
                                   hasOverlap && !shape.isWindowAlone() &&
                                   all_of(shape.reads, slidesAlongRows) &&
                                   takesParts(uses, /*mayOverlap=*/true));
    shape.slides = shape.takesParts && !isApart;
    shape.hasStrips &= !shape.takesParts || shape.column() != RoleCount;
    if (shape.rounds != 1 && !(isOfWindow ? shape.slides : shape.takesParts))
      return std::nullopt;
    findStored();
    shape.isShort = isShort();
    return std::move(shape);
  }

private:
  /// Rows that share nothing, as a filter's along x, are still y where nothing
  /// else is: a block of several is less long.
  void takeRow() {
    if (roles.x && !roles.y && !roles.z && !roles.others.empty() &&
        !shape.hasRows)
      shape.ids[1] = roles.others.back();
  }

  /// Whether parts of what \p r reads, if it is read in parts, have a box and
  /// go along rows: the nearest cache holds what neighbours above have read.
  static bool slidesAlongRows(const ReadShape &r) {
    return !r.uses(RoleCount) || (r.hasBox && r.along()[RoleCount] != 0);
  }

  /// SumShape::isShort.
  bool isShort() const {
    const auto reads = readsOf(*sum.statement);
    const auto elements = count_if(reads, [&](const Operand &o) {
      return roles.x && convopt::uses(o.access, *roles.x);
    });
    return roles.x && roles.y && !roles.hasChannels() && isLengthKnown &&
           shape.fields == 1 && shape.length() * elements <= MostOfShort &&
           all_of(shape.reads, [](const ReadShape &r) { return r.hasBox; }) &&
           none_of(select<Guard>(sum.enclosing),
                   [&](const Guard *g) {
                     return shape.loops() != RoleCount + 1 ||
                            any_of(g->conditions, [&](const Constraint &c) {
                              return c.expr.uses(loopVar(*roles.x));
                            });
                   }) &&
           all_of(reads, [](const Operand &o) { return o.otherwise.empty(); });
  }

  /// Whether \p loop is parallel and has no place in the tile.
  bool isOther(unsigned loop) const {
    return is_contained(roles.others, loop) && shape.ids[1] != loop;
  }

  void addOther(const Loop &l) {
    std::optional<int64_t> trips = constantTrips(nest, l);
    otherTrips.emplace_back(l.id, trips.value_or(INT32_MAX));
    shape.others *=
        std::clamp<int64_t>(trips.value_or(sizes.images), 1, INT32_MAX);
    shape.isGuessed |= !trips;
    shape.last = trips ? std::optional(l.id) : std::nullopt;
    shape.lastExtent = trips.value_or(1);
  }

  bool isParallel(const Loop *l) const {
    return is_contained(shape.ids, std::optional<unsigned>(l->id));
  }

  int64_t guess(unsigned role) const {
    const long roles =
        count_if(shape.ids, [](const auto &id) { return id.has_value(); });
    if (roles == 1)
      return shape.hasRows ? sizes.image : sizes.line;
    // Columns and what else the input does not use are a matrix.
    return this->roles.channels == shape.ids[role] && (role != 2 || roles == 3)
               ? UnknownOutputs
               : sizes.image;
  }

  /// SumShape::hasRows. What all outputs read is a row, too.
  bool findRows() const {
    std::vector<unsigned> roles;
    for (const Loop *l : loops(nest))
      if (isParallel(l))
        roles.push_back(l->id);
    const Loop *around = nullptr; // all that is summed
    for (const Loop *l : select<Loop>(sum.enclosing))
      if (!around && !isParallel(l) && carries(l))
        around = l;
    bool areSame = true, hasRow = false;
    for (const StatementPath &p : statements(nest)) {
      if (!around || none_of(select<Loop>(p.enclosing),
                             [&](const Loop *l) { return l == around; }))
        continue;
      for (const Operand &o : readsOf(*p.statement)) {
        const Access &a = o.access;
        if (nest.arrays[a.array].isLocal() || a.subscripts.empty() ||
            a == p.statement->target)
          continue;
        const size_t used =
            count_if(roles, [&](unsigned l) { return convopt::uses(a, l); });
        if (used != 0 && used != roles.size())
          return false;
        areSame &= used == 0;
        const IndexExpr *last = innermostMoving(a.subscripts);
        hasRow |= used != 0 && last && isRow(p, *last);
      }
    }
    return areSame || hasRow;
  }

  /// Whether the sum of \p p goes along the dimension of the subscript \p last,
  /// and neighbours along x do not.
  bool isRow(const StatementPath &p, const IndexExpr &last) const {
    return shape.ids.front() && !last.uses(loopVar(*shape.ids.front())) &&
           any_of(select<Loop>(p.enclosing), [&](const Loop *l) {
             return !isParallel(l) && carries(l) && last.uses(loopVar(l->id)) &&
                    constantTrips(nest, *l).value_or(MostFields + 1) >
                        MostFields;
           });
  }

  bool findLoops() {
    shape.extents.assign(RoleCount, 1);
    for (unsigned r = 0; r != RoleCount; ++r) {
      order.push_back(shape.ids[r]);
      if (!shape.ids[r])
        continue;
      for (const Loop *l : loops(nest))
        if (l->id == *shape.ids[r]) {
          const std::optional<int64_t> trips = constantTrips(nest, *l);
          shape.isKnown[r] = trips.has_value();
          shape.isGuessed |= !trips;
          shape.extents[r] = std::max<int64_t>(trips.value_or(guess(r)), 1);
        }
    }
    std::vector<const Loop *> summed;
    copy_if(select<Loop>(sum.enclosing), std::back_inserter(summed),
            [&](const Loop *l) { return !isParallel(l) && carries(l); });
    const size_t around = anyLength ? 0 : loopsAround(nest, summed);
    // A filter's width is better known: kernels for usual ones unroll it. Parts
    // of its rows are worth their copies where channels share these.
    const std::set<unsigned> window = loopsByUse(nest).window;
    auto isWindow = [&](size_t k) { return window.count(summed[k]->id) != 0; };
    isOfWindow = around != 0 && isWindow(around);
    if (isOfWindow && (around + 1 != summed.size() || !shape.hasChannels))
      return false;
    const bool isOfChannels = any_of(seq(around, summed.size()),
                                     [&](size_t k) { return !isWindow(k); });
    bool isGuessed = false;
    for (auto [k, l] : enumerate(summed)) {
      const std::optional<int64_t> trips = constantTrips(nest, *l);
      isGuessed |= !trips;
      const int64_t count = std::max<int64_t>(
          trips.value_or(k == around && isOfChannels ? UnknownInputs
                                                     : sizes.filter),
          1);
      if (k < around) {
        shape.rounds = std::min<int64_t>(shape.rounds * count, INT32_MAX);
        continue;
      }
      if (k == around)
        hasOverlap = mayOverlap(nest, *l);
      order.push_back(l->id);
      shape.extents.push_back(count);
    }
    if (summed.size() == 1 && isGuessed)
      shape.extents[RoleCount] =
          hasOverlap && isWindow(0) ? UnknownLine : UnknownDot;
    shape.isGuessed |= isGuessed;
    isLengthKnown = !isGuessed;
    shape.hasStrips = !summed.empty() && hasUnknownLength(nest, *summed.back());
    if (order.size() > RoleCount)
      shape.outermost = order[RoleCount];
    return shape.outermost.has_value();
  }

  /// Whether \p l is of the reduction: its target does not use it.
  bool carries(const Loop *l) const { return !anyUses(outputs(), l->id); }

  /// The subscripts of what the nest writes.
  std::vector<IndexExpr> outputs() const {
    std::vector<IndexExpr> result;
    for (const StatementPath &p : statements(nest))
      if (!nest.arrays[p.statement->target.array].isLocal())
        append_range(result, p.statement->target.subscripts);
    return result;
  }

  void addReads(const StatementPath &p) {
    const bool isOther = none_of(select<Loop>(p.enclosing), [&](const Loop *l) {
      return l->id == *order[RoleCount];
    });
    if (isOther && !p.statement->accumulates())
      return;
    if (!isOther)
      shape.isReordered &=
          p.statement->isReduction() || !p.statement->accumulates();
    for (const Operand &o : readsOf(*p.statement))
      if (!(o.access == p.statement->target) &&
          !nest.arrays[o.access.array].isLocal() &&
          !o.access.subscripts.empty() && !is_contained(seen, o.access.array)) {
        seen.push_back(o.access.array);
        addRead(o.access);
        if (isOther)
          shape.reads.back().ofOther = iterationsOf(p);
      }
  }

  /// Whether \p p adds in a loop, and not once, as what adds a bias does.
  bool isSummed(const StatementPath &p) const {
    return p.statement->accumulates() &&
           any_of(select<Loop>(p.enclosing),
                  [&](const Loop *l) { return !isParallel(l) && carries(l); });
  }

  /// Those of the sum of \p p.
  int64_t iterationsOf(const StatementPath &p) const {
    int64_t all = 1;
    for (const Loop *l : select<Loop>(p.enclosing))
      if (!isParallel(l) && carries(l))
        all *= constantTrips(nest, *l).value_or(all == 1 ? UnknownInputs
                                                         : sizes.filter);
    return std::max<int64_t>(all, 1);
  }

  void addRead(const Access &a) {
    const Array &array = nest.arrays[a.array];
    ReadShape read;
    read.array = a.array;
    read.bytes = elementSize(array.elementType).value_or(4);
    read.vector = read.bytes > 8 ? 1 : AccessBytes / read.bytes;
    read.copied = read.vector;
    read.allBytes = bytesOf(nest, a.array);
    read.elements = knownElements(nest, a.array);
    read.fields = fieldsOf(nest, a.array);
    const auto row = nest.constantOf(array.extents.back());
    read.areAllFields = row == read.fields;
    shape.fields = std::max(shape.fields, read.fields);
    const int64_t copied = read.fields != 0 ? read.fields : row.value_or(0);
    while (read.copied > 1 && copied % read.copied != 0)
      read.copied /= 2;
    std::vector<DimUse> &dims = uses.emplace_back();
    for (const auto &[d, e] : enumerate(a.subscripts)) {
      DimUse &use = dims.emplace_back();
      std::tie(use.byPart, use.byOthers) = movedBy(e, *shape.outermost);
      read.isOfOthers |= any_of(roles.others, [&](unsigned l) {
        return isOther(l) && e.uses(loopVar(l));
      });
      PerLoop coefficients;
      for (std::optional<unsigned> id : order) {
        int64_t c = id ? std::abs(e.coefficient(loopVar(*id))) : 0;
        bool isUsed = id && e.uses(loopVar(*id));
        read.hasBox &= !isUsed || c != 0;
        coefficients.push_back(isUsed ? std::clamp<int64_t>(c, 1, 1 << 16) : 0);
      }
      if (const int64_t step = takeStride(coefficients);
          read.fields == 0 || d + 1 != a.subscripts.size())
        read.step = step;
      read.coefficients.push_back(std::move(coefficients));
    }
    if (read.step != 1)
      read.copied = 1;
    for (auto [l, trips] : otherTrips)
      if (!anyUses(a.subscripts, l))
        read.reuse = std::min<int64_t>(read.reuse * trips, INT32_MAX);
    shape.reads.push_back(std::move(read));
  }

  /// Of a dimension of which every so many elements are read, a buffer holds
  /// these: divides \p coefficients by how many.
  int64_t takeStride(PerLoop &coefficients) const {
    int64_t stride = 0;
    for (auto [c, extent] : zip(coefficients, shape.extents))
      if (extent != 1)
        stride = std::gcd(stride, c);
    if (stride > 1)
      for (int64_t &c : coefficients)
        c = divideCeil(c, stride);
    return std::max<int64_t>(stride, 1);
  }

  /// The widest vectors that rows of every output allow.
  void findStored() {
    std::optional<int64_t> all;
    for (const StatementPath &p : statements(nest))
      if (const Access &a = p.statement->target;
          !nest.arrays[a.array].isLocal()) {
        all = std::min(all.value_or(INT64_MAX), vectorAlongRows(nest, a.array));
        shape.storedFields =
            std::max(shape.storedFields, fieldsOf(nest, a.array));
      }
    shape.stored = all.value_or(1);
  }

  const Nest &nest;
  const Roles &roles;
  const bool anyLength;
  const UnknownSizes sizes;
  StatementPath sum{nullptr, {}};
  std::vector<std::optional<unsigned>> order; // loops by their index in shape
  bool isOfWindow = false; // parts are of a window within other loops
  bool isLengthKnown = false; // of all loops of the sum
  bool hasOverlap = false; // mayOverlap, of the outermost that is staged
  std::vector<unsigned> seen;
  std::vector<std::pair<unsigned, int64_t>> otherTrips; // by loop
  std::vector<std::vector<DimUse>> uses; // of what is read, as far as parts go
  SumShape shape;
};

} // namespace

std::optional<SumShape> SumShape::of(const Nest &nest, const Roles &roles,
                                     bool anyLength, UnknownSizes sizes) {
  return ShapeFinder(nest, roles, anyLength, sizes).run();
}

bool isShortSum(const Nest &nest, const Roles &roles) {
  const std::optional<SumShape> shape = SumShape::of(nest, roles);
  return shape && shape->isShort;
}

bool stagesWindows(const Nest &nest, const SumShape &shape,
                   ArrayRef<Step> steps) {
  return all_of(shape.reads, [&](const ReadShape &r) {
    return r.ofOther != 0 || !r.uses(shape.column()) ||
           any_of(steps, [&](const Step &s) {
             return s.is(stagePass) &&
                    cantFail(StageArguments::parse(s.words)).array ==
                        nest.arrays[r.array].name;
           });
  });
}

} // namespace convopt
