//===- KernelBulk.cpp - TMA bulk copies -----------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (bulk) {
//     if (thread == 0) {
//       convopt_bulk_copy(&x_s[n % 2][0][0], &x[...], bytes, &x_s_full[n % 2]);
//       convopt_bulk_arrive(&x_s_full[n % 2]);
//     }
//   } else {
//     ... // as threads copy
//   }
//
// Each box of a buffer has an mbarrier. A phase of it begins with what one
// thread starts and ends once that thread has arrived and every byte has, so
// waiting for box k in its r-th use is waiting for the end of phase r. Threads
// wait one by one and see what came: no other barrier is needed for that. The
// one that stands between the last read of a box and the next copy to it is
// enough for the other direction, as nothing but TMA writes the box.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "CopyBox.h"
#include "TensorCopies.h"
#include "Values.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Target/Memory.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

bool isByTma(const Nest &nest, const Copy &c) {
  auto kind = nest.arrays[c.buffer].buffer->layout.copyKind;
  if (kind == BufferLayout::Threads)
    return false;
  // What legality would refuse threads copy.
  if (kind == BufferLayout::Tensor)
    return expectedToOptional(tensorBoxOf(nest, c)).has_value();
  return c.from ? expectedToOptional(runsBetween(nest, c)).has_value()
                : expectedToOptional(rowsOf(nest, c)).has_value();
}

Error checkBulkUnits(const Nest &nest) {
  for (const Copy *c : collect<Copy>(nest.body)) {
    const Array &a = nest.arrays[c->buffer];
    if (a.buffer->layout.copyKind == BufferLayout::Threads)
      continue;
    std::string kind = BufferLayout::copyKindNames[a.buffer->layout.copyKind];
    int64_t vector = a.buffer->layout.vector;
    std::optional<int64_t> size = elementSize(a.elementType);
    if (!size || *size * vector != AccessBytes)
      return refuse("limit",
                    "a TMA " + kind + " copy copies 16 bytes at a time, and " +
                        std::to_string(vector) + " elements '" + a.elementType +
                        "' " + (size ? "are not that" : "may not be that"),
                    c->range,
                    size ? "give it vector " +
                               std::to_string(AccessBytes / *size)
                         : "take " + kind + " off");
  }
  return Error::success();
}

/// The block that thread 0 runs alone.
KernelBody::Scope KernelBody::byOneThread(Scope &s) const {
  if (mapping.threads() == 1)
    return s;
  return s.in(s.add<If>(Expr::binary(Op::Equal, thread, 0)).body);
}

void KernelBody::lowerBulkBarriers(Scope &s) {
  if (!bulk)
    return;
  Expr has = Expr::call({Callee::HasBulk, ""}, {});
  s.add<Declaration>(bulk, helpers.aligned ? both(helpers.aligned, has) : has)
      .isConstexpr = true;
  Block inits;
  Scope init = s.in(inits);
  for (auto &[buffer, b] : bulkBuffers) {
    const std::string &name = nest.arrays[buffer].name;
    const int64_t depth = nest.arrays[buffer].buffer->layout.depth;
    Variable full{root.fresh(name + "_full"), {Type::Barrier, "uint64_t"}};
    full.memory = Memory::Shared;
    full.extents = {depth};
    b.full = std::make_shared<Variable>(std::move(full));
    s.add<Declaration>(b.full);
    if (b.isCounted) {
      b.phases = std::make_shared<Variable>(
          Variable{root.fresh(name + "_phases"), Type::unsignedInteger()});
      s.add<Declaration>(b.phases, 0).comment = "of each box, a bit";
    }
    auto call = [&](Scope at, Expr k) {
      at.call(Callee::BulkInit,
              {Expr::unary(Op::AddressOf, Expr::element(b.full, {k}))});
    };
    if (depth == 1) {
      call(init, 0);
      continue;
    }
    auto k = std::make_shared<Variable>(Variable{root.fresh("k")});
    call(init.in(init.add<For>(k, 0, depth).body), Expr(k));
  }
  Scope inner = s.in(s.add<If>(bulk).body);
  append_range(*byOneThread(inner).block, inits);
  inner.call(Callee::SyncThreads);
}

/// How much of a row TMA copies: its elements in whole vectors, and of
/// those what lies in the array. `min(26, H - 20 * y_b) * 86`
Expr KernelBody::rangeOf(const Copy &c, const CopyBox &box,
                         const Scope &s) const {
  const Array &buffer = nest.arrays[c.buffer];
  const Array &of = nest.arrays[buffer.buffer->of];
  const unsigned d = box.row->dim;
  IndexExpr length = buffer.extents[d], n(box.vector);
  if (!box.isJoined &&
      !IndexExpr::mod(nest.expandDefinitions(length), n).isZero())
    length = IndexExpr::floorDiv(length + n - 1, n) * n;
  IndexExpr left = of.extents[d] - c.base[d];
  if (isAlways({Constraint::NonNegative, left - length}, s)) {
    IndexExpr all = box.isJoined ? box.row->extent : length;
    return s.names.value(s.names.fold(all));
  }
  auto value = [&](const IndexExpr &e) {
    return asInt(s.names.value(e), s.names, e);
  };
  Expr range =
      Expr::call({Callee::Min, ""}, {value(length), value(s.names.fold(left))});
  const StorageMap map(nest, buffer);
  if (box.isJoined)
    for (size_t k = d + 1; k != buffer.extents.size(); ++k)
      range = range * s.names.value(map.extent(k));
  return range;
}

/// A copy of \p count elements by TMA.
static std::vector<Expr> bulkArguments(Expr to, Expr from, Expr count,
                                       Expr barrier) {
  Expr bytes = count * Expr::sizeOf(from.type());
  return {Expr::unary(Op::AddressOf, std::move(to)),
          Expr::unary(Op::AddressOf, std::move(from)), bytes,
          std::move(barrier)};
}

/// One range after another, by the thread that runs this.
void KernelBody::lowerRanges(const Copy &c, const CopyBox &box, Scope s) {
  const Array &buffer = nest.arrays[c.buffer];
  const Array &of = nest.arrays[buffer.buffer->of];
  CopyPlace p{std::vector<IndexExpr>(buffer.extents.size()), {}, false};
  for (const CopyDim &d : box.rows)
    openDim(s, box, d, p, 0, 1);
  Expr test;
  for (unsigned d = 0; d != box.row->dim; ++d)
    test = both(test, endsOf(c, box, p, d, s));
  IndexExpr left = of.extents[box.row->dim] - c.base[box.row->dim] - 1;
  if (!isAlways({Constraint::NonNegative, left}, s))
    test = both(test, s.names.condition(Constraint{Constraint::NonNegative,
                                                   s.names.fold(left)}));
  std::vector<IndexExpr> there = p.at;
  for (size_t d = 0; d != there.size(); ++d)
    there[d] = s.names.fold(there[d] + c.base[d]);
  if (test) {
    auto &guard = s.add<If>(test);
    guard.isBraced = false;
    s = s.in(guard.body);
  }
  s.call(Callee::BulkCopy,
         bulkArguments(place(c.buffer, p.at, s.names),
                       element({buffer.buffer->of, there}, s.names),
                       rangeOf(c, box, s), barrierOf(c, s.names)));
}

/// `&x_s_full[n % 2]`
Expr KernelBody::barrierOf(const Copy &c, const Names &names) const {
  int64_t depth = nest.arrays[c.buffer].buffer->layout.depth;
  Expr at = depth == 1 ? 0 : stageOf(c.buffer, names);
  return Expr::unary(Op::AddressOf,
                     Expr::element(bulkBuffers.at(c.buffer).full, {at}));
}

/// The same from a buffer in global memory, which has room for all of them.
void KernelBody::lowerRuns(const Copy &c, Scope s) {
  const Array &buffer = nest.arrays[c.buffer];
  CopyRuns runs = cantFail(runsBetween(nest, c)); // isByTma has asked
  CopyBox box;
  CopyPlace p{std::vector<IndexExpr>(buffer.extents.size()), {}, false};
  for (unsigned d : runs.dims)
    openDim(s, box, {d, buffer.extents[d], coordinateName(nest, buffer, d)}, p,
            0, 1);
  std::vector<IndexExpr> there = p.at;
  for (size_t d = 0; d != there.size(); ++d)
    there[d] += c.base[d] - copySites.at(*c.from).copy->base[d];
  s.call(Callee::BulkCopy,
         bulkArguments(
             place(c.buffer, p.at, s.names), place(*c.from, there, s.names),
             s.names.value(s.names.fold(runs.length)), barrierOf(c, s.names)));
}

void KernelBody::lowerBulkCopy(const Copy &c, Scope &s) {
  auto &test = s.add<If>(bulk);
  Scope byTma = s.in(test.body);
  Scope one = byOneThread(byTma);
  if (nest.arrays[c.buffer].buffer->layout.copyKind == BufferLayout::Tensor)
    lowerTensorBox(c, one);
  else if (c.from)
    lowerRuns(c, one);
  else
    lowerRanges(c, boxOf(c), one);
  one.call(Callee::BulkArrive, {barrierOf(c, s.names)});
  lowerThreadsCopy(c, s.in(test.otherwise));
  inFlight.push_back(&c);
}

void KernelBody::lowerBulkWaits(Scope &s) {
  if (inFlight.empty())
    return;
  auto &test = s.add<If>(bulk);
  test.isBraced = inFlight.size() != 1 ||
                  bulkBuffers.at(inFlight.front()->buffer).isCounted;
  Scope inner = s.in(test.body);
  for (const Copy *c : inFlight) {
    const BulkBuffer &b = bulkBuffers.at(c->buffer);
    const Loop &l = *copySites.at(c->buffer).loop;
    const int64_t depth = nest.arrays[c->buffer].buffer->layout.depth;
    Expr slot = depth == 1 ? Expr() : stageOf(c->buffer, s.names);
    Expr phase = 0, bit = 1;
    if (b.isCounted) {
      Expr shifted =
          slot ? Expr::binary(Op::ShiftRight, b.phases, slot) : Expr(b.phases);
      phase = Expr::binary(Op::BitAnd, shifted, 1);
      if (slot)
        bit =
            Expr::binary(Op::ShiftLeft, Expr(1, Type::unsignedInteger()), slot);
    } else if (!isParallel(l.kind)) {
      phase = roundOf(c->buffer, s.names) / Expr(depth) % Expr(2);
    }
    inner.call(Callee::BulkWait, {barrierOf(*c, s.names), phase});
    if (b.isCounted)
      inner.add<Assignment>(b.phases, bit, Assignment::Update::Xor);
  }
  inFlight.clear();
}

} // namespace convopt::lower
