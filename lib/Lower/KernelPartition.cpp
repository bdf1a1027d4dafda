//===- KernelPartition.cpp - The threads of a block at a copy -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "CopyBox.h"
#include "SharedMemory.h"
#include "ThreadPartition.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

/// Turns of a thread at one copy that are unrolled.
static constexpr int64_t MostCounted = 40;

/// `factor * e`; e where there is no factor.
static Expr times(const Expr &factor, const Expr &e) {
  return factor ? factor * e : e;
}

/// Opens a loop of \p v from \p first on in steps of \p step.
For &KernelBody::openLoop(Scope &s, Var v, Expr first, Expr end, Expr step) {
  auto &loop =
      s.add<For>(s.names.declared(v), first, end, step ? step : Expr(1));
  s.block = &loop.body;
  return loop;
}

/// Says how far a coordinate counts.
static void setCount(Names &names, Var v, const CopyDim &d) {
  if (std::optional<int64_t> extent = d.extent.asConstant())
    names.setCount(v, *extent - 1);
}

/// Opens a loop over dimension \p d of a box and binds its coordinate.
For &KernelBody::openDim(Scope &s, const CopyBox &box, const CopyDim &d,
                         CopyPlace &p, Expr first, Expr step) {
  Var v = s.names.variable(d.name);
  setCount(s.names, v, d);
  bool isRow = box.row && d.dim == box.row->dim;
  (box.isJoined && isRow ? p.along : p.at[d.dim]) = IndexExpr::of(v);
  return openLoop(s, v, first, s.names.value(d.extent), step);
}

/// Opens what one of the threads that share \p extent places has of them, from
/// \p first on, which is less than \p step: an unrolled loop over its turns. A
/// step that is no number divides the extent.
Var KernelBody::openTurns(Scope &s, StringRef name, int64_t extent, Expr first,
                          const Expr &step) {
  const bool isNumber = step.kind() == Expr::Number;
  Expr at = first;
  if (!isNumber || extent > step.number()) {
    Var turn = s.names.variable("turn");
    openLoop(s, turn, 0,
             isNumber ? divideCeil(uint64_t(extent), uint64_t(step.number()))
                      : Expr(extent) / step,
             1)
        .unroll = For::Always;
    at = first + step * s.names(turn);
  }
  Var v = s.names.variable(name, /*isConst=*/true);
  s.names.setCount(v, extent - 1);
  declare(s, v, at);
  if (isNumber && extent % step.number() != 0)
    s = s.in(s.add<If>(Expr::binary(Op::Less, s.names(v), extent)).body);
  return v;
}

/// Opens the loops over the rows of a box, of which the thread takes those from
/// \p first on in steps of \p step: nested loops, or one that counts all rows.
void KernelBody::openRows(Scope &s, const CopyBox &box, CopyPlace &p,
                          Expr first, Expr step,
                          const CopyPartition &partition) {
  if (partition.isNested || box.rows.size() == 1) {
    for (auto [n, d] : enumerate(box.rows)) {
      const bool isPartitioned = n == partition.sharedDim;
      if (isPartitioned && partition.isCounted && !step.isNumber(1)) {
        p.at[d.dim] = IndexExpr::of(
            openTurns(s, d.name, *nest.constantOf(d.extent), first, step));
        continue;
      }
      For &loop = openDim(s, box, d, p, isPartitioned ? first : 0,
                          isPartitioned ? step : Expr(1));
      if (partition.isCounted) {
        loop.unroll = For::Always;
        p.unrolled.insert(*p.at[d.dim].asVar());
      }
    }
    return;
  }
  std::vector<Expr> extents;
  for (const CopyDim &d : box.rows)
    extents.push_back(s.names.value(d.extent));
  Var k = s.names.variable("k");
  if (partition.isCounted)
    k = openTurns(s, "k", partition.rows, first, step);
  else
    openLoop(s, k, first, product(extents), step);
  if (box.isContiguous) {
    p.number = IndexExpr::of(k);
    return;
  }
  Expr rest = s.names(k);
  for (size_t n = box.rows.size(); n-- != 0;) {
    const CopyDim &d = box.rows[n];
    Var v = s.names.variable(d.name, /*isConst=*/true);
    setCount(s.names, v, d);
    const Expr &extent = extents[n];
    declare(s, v, n ? rest % extent : rest);
    p.at[d.dim] = IndexExpr::of(v);
    rest = rest / extent;
  }
}

CopyPartition KernelBody::partitionOf(const Copy &c, const CopyBox &box,
                                      Scope &s) {
  const int64_t threads = mapping.threads(), x = mapping.blockDim[0];
  std::optional<int64_t> columns = nest.constantOf(box.row->extent), rows = 1;
  for (const CopyDim &d : box.rows) {
    std::optional<int64_t> extent = nest.constantOf(d.extent);
    rows = extent && rows ? std::optional(*extent * *rows) : std::nullopt;
  }
  CopyPartition partition;
  partition.sharedDim = box.rows.size() - 1;
  auto declared = [&](const char *what, Expr value) {
    VariableRef v = constant(root.fresh(nest.arrays[c.buffer].name + what));
    declare(s, v, value);
    return Expr(v);
  };
  if (!columns || !rows) {
    partition.alongX = !isCompileTime(nest, box.row->extent) && x > 1 &&
                       isProvablyNonNegative(nest, box.row->extent - x, {});
    if (partition.alongX)
      return partition;
    Expr count = s.names.value(box.row->extent);
    if (box.step)
      count = (s.names.value(box.row->extent - 1) + box.step) / box.step;
    partition.across =
        declared("_across", Expr::call(helpers.across, {count, threads}));
    partition.down = declared("_down", Expr(threads) / partition.across);
    partition.guard =
        Expr::binary(Op::Less, thread, partition.down * partition.across);
    return partition;
  }
  int64_t vectors = divideCeil(uint64_t(*columns), uint64_t(box.vector));
  // A column is one thread's where what belongs to it takes divisions.
  const bool isUnfolded = any_of(copySites, [&](const auto &f) {
    return nest.arrays[f.first].buffer->unfolding.has_value();
  });
  ThreadPartition wide =
      partitionThreads(threads, isUnfolded ? 1 : x, vectors, *rows);
  bool isChosen = !c.from && box.vector != 1;
  ThreadPartition single =
      isChosen ? partitionThreads(threads, isUnfolded ? 1 : x, *columns, *rows)
               : wide;
  auto isNested = [&](const ThreadPartition &d, int64_t columns) {
    int64_t last = *nest.constantOf(box.rows.back().extent);
    return 4 * (*rows / last) * turns(d, columns, last) <=
           5 * turns(d, columns, *rows);
  };
  partition.isNested =
      isNested(wide, vectors) && (!isChosen || isNested(single, *columns));
  const bool isOnePartition = wide.across == single.across;
  auto isDivided = [&](const CopyDim &d, const ThreadPartition &by) {
    return *nest.constantOf(d.extent) % by.down() == 0;
  };
  // All threads have as many turns: loops over these need no test.
  auto isEven = [&](const ThreadPartition &by, int64_t places) {
    return by.idle() == 0 && places % by.across == 0 &&
           any_of(box.rows, [&](const CopyDim &d) { return isDivided(d, by); });
  };
  partition.isEven = *columns % box.vector == 0 && isEven(wide, vectors) &&
                     (isOnePartition || isEven(single, *columns));
  // Constants are then the places in dimensions that threads do not share.
  partition.isCounted = (partition.isEven || (isOnePartition && isUnfolded)) &&
                        turns(wide, vectors, *rows) <= MostCounted;
  if (partition.isCounted) {
    // Threads share one dimension, if that takes few turns more than sharing
    // all rows, whose places have to be divided out.
    auto turnsAlong = [&](const CopyDim &d) {
      const int64_t extent = *nest.constantOf(d.extent);
      return *rows / extent * int64_t(divideCeil(extent, wide.down()));
    };
    auto least = std::min_element(box.rows.begin(), box.rows.end(),
                                  [&](const CopyDim &a, const CopyDim &b) {
                                    return turnsAlong(a) < turnsAlong(b);
                                  });
    partition.isNested =
        least != box.rows.end() &&
        (isOnePartition ||
         (isDivided(*least, wide) && isDivided(*least, single))) &&
        4 * turnsAlong(*least) <= 5 * int64_t(divideCeil(*rows, wide.down()));
    if (partition.isNested)
      partition.sharedDim = least - box.rows.begin();
    partition.rows = *rows;
  }
  // Of a template's type, an access may move fewer.
  bool isExact = box.vector == 1 ||
                 elementSize(nest.arrays[c.buffer].elementType).has_value();
  partition.isOneTurn = isExact && wide.across == vectors &&
                        single.across == (isChosen ? *columns : vectors);
  partition.alongX = x > 1 && wide.across == x && single.across == x;
  if (partition.alongX)
    return partition;
  if (wide.across == single.across) {
    partition.across = wide.across;
    partition.down = wide.down();
  } else {
    partition.across = declared(
        "_across", Expr::select(helpers.aligned, wide.across, single.across));
    partition.down = declared("_down", Expr(threads) / partition.across);
  }
  if (wide.idle() || single.idle())
    partition.guard =
        Expr::binary(Op::Less, thread, partition.down * partition.across);
  return partition;
}

/// Columns outside, since what depends on a column is the same in all rows.
void KernelBody::lowerPartitioned(const Copy &c, const CopyBox &box,
                                  CopyPlace &p, Scope &s) {
  CopyPartition partition = partitionOf(c, box, s);
  Expr column = program::threadIndex(0), row = threadOf(mapping, {1, 2});
  Expr across = mapping.blockDim[0], down = threadCount(mapping, {1, 2});
  if (!partition.alongX) {
    column = thread % partition.across;
    row = thread / partition.across;
    across = partition.across;
    down = partition.down;
    if (down.isNumber(1)) // all threads along one row
      row = 0;
  }
  if (partition.guard)
    s = s.in(s.add<If>(partition.guard).body);
  else if (partition.isOneTurn)
    s = s.in(s.add<program::Scope>().body);
  if (partition.isOneTurn) {
    Var v = s.names.variable(box.row->name, /*isConst=*/true);
    setCount(s.names, v, *box.row);
    declare(s, v, times(box.step, column));
    (box.isJoined ? p.along : p.at[box.row->dim]) = IndexExpr::of(v);
  } else if (partition.isCounted && partition.isEven) {
    Var v = openTurns(s, box.row->name, *nest.constantOf(box.row->extent),
                      times(box.step, column), times(box.step, across));
    (box.isJoined ? p.along : p.at[box.row->dim]) = IndexExpr::of(v);
  } else {
    openDim(s, box, *box.row, p, times(box.step, column),
            times(box.step, across));
  }
  if (nest.arrays[c.buffer].buffer->unfolding && !c.from)
    declareUnfolded(c, box.row->dim, p, s);
  Expr ends = endsOf(c, box, p, box.row->dim, s);
  bool isFilled = !c.isStore && !fillOf(nest.arrays[c.buffer]).empty();
  if (!c.from && ends && !isFilled) {
    s = s.in(s.add<If>(ends).body);
    p.isRowInside = true;
  }
  openRows(s, box, p, row ? row : 0, down, partition);
}

void KernelBody::lowerCopy(const Copy &c, Scope &s) {
  if (isByTma(nest, c))
    lowerBulkCopy(c, s);
  else if (!c.from && nest.arrays[c.buffer].buffer->fill == AtBorder)
    lowerBorderCopy(c, s);
  else
    lowerThreadsCopy(c, s);
}

void KernelBody::lowerThreadsCopy(const Copy &c, Scope s, bool isPast) {
  const Array &buffer = nest.arrays[c.buffer];
  CopyBox box = boxOf(c, isPast);
  CopyPlace p{std::vector<IndexExpr>(buffer.extents.size()), {}, false};
  bool isShared = buffer.buffer->memory == Buffer::Shared;
  if (!isShared || mapping.threads() == 1) {
    std::vector<CopyDim> dims = box.rows;
    if (box.row)
      dims.push_back(*box.row);
    for (const CopyDim &d : dims) {
      bool isRow = d.dim == box.row->dim;
      For &loop = openDim(s, box, d, p, 0, isRow ? box.step : 1);
      if (!isShared)
        loop.unroll = For::Always;
    }
  } else if (!box.row) {
    s = s.in(s.add<If>(Expr::binary(Op::Equal, thread, 0)).body);
  } else if (box.rows.empty()) {
    openDim(s, box, *box.row, p, times(box.step, thread),
            times(box.step, mapping.threads()));
  } else {
    lowerPartitioned(c, box, p, s);
  }
  if (buffer.buffer->unfolding && !c.from)
    declareUnfolded(c, to_vector(seq<unsigned>(buffer.extents.size())), p, s);
  if (isPast)
    declareImages(c, box, p, s);
  lowerElement(c, box, p, s);
}

} // namespace convopt::lower
