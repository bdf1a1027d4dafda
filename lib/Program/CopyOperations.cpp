//===- CopyOperations.cpp - Copies that run ahead -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operations.h"
#include "convopt/Target/Memory.h"

using namespace llvm;

namespace convopt::program {

void EndGroup::run(Lanes lanes) {
  if (!prior) {
    for (Lane t : lanes)
      m.commit(t);
    return;
  }
  const Word *groups = prior->eval(lanes);
  for (Lane t : lanes) {
    if (groups[t] < 0)
      return m.fault(t, "waits for all but " + Twine(groups[t]) + " groups");
    m.waitPrior(t, groups[t]);
  }
}

/// What a copy of \p bytes is for the elements of \p s; 0 after a fault.
static int64_t countOf(Machine &m, Lane t, const Storage &s, int64_t bytes) {
  if (bytes > 0 && bytes % s.elementBytes == 0)
    return bytes / s.elementBytes;
  m.fault(t, "copies " + Twine(bytes) + " bytes of elements of " +
                 Twine(s.elementBytes));
  return 0;
}

void CopyAsync::run(Lanes lanes) {
  const Word *size = bytes->eval(lanes),
             *chosen = copies ? copies->eval(lanes) : nullptr;
  if (m.hasFailed)
    return;
  for (Lane t : lanes) {
    const bool isAsync = isAsyncSize(size[t]);
    if (!isAsync && !anySize)
      return m.fault(t, "copies " + Twine(size[t]) +
                            " bytes, and devices have copies of 4, 8 and 16");
    const int64_t count = countOf(m, t, *to.storage, size[t]);
    if (m.hasFailed)
      return;
    const bool isCopied = !chosen || chosen[t];
    for (Place *p : {&to, &from}) {
      if (p == &from && !isCopied) // is not looked at
        break;
      p->eval(m, t, count, isAsync ? size[t] : p->storage->elementBytes);
      if (m.hasFailed)
        return;
    }
    Storage *source = isCopied ? from.storage : nullptr;
    if (isAsync) {
      m.startAsync(t, *to.storage, to.indices[t], source, from.indices[t],
                   count);
      continue;
    }
    for (int64_t k = 0; k != count; ++k)
      m.write(*to.storage, to.indices[t] + k, t,
              source ? m.read(*from.storage, from.indices[t] + k, t) : 0);
  }
}

void UseBarrier::run(Lanes lanes) {
  barrier.eval(m, lanes, 1, barrier.storage->elementBytes);
  const Word *phase = parity && !m.hasFailed ? parity->eval(lanes) : nullptr;
  for (Lane t : lanes) {
    if (m.hasFailed)
      return;
    if (callee == Callee::BulkInit)
      m.initBarrier(t, *barrier.storage, barrier.indices[t]);
    else if (callee == Callee::BulkArrive)
      m.arrive(t, *barrier.storage, barrier.indices[t]);
    else
      m.waitBulk(t, *barrier.storage, barrier.indices[t], phase[t]);
  }
}

void CopyBulk::run(Lanes lanes) {
  const Word *size = bytes->eval(lanes);
  if (!m.hasFailed)
    barrier.eval(m, lanes, 1, barrier.storage->elementBytes);
  for (Lane t : lanes) {
    if (m.hasFailed)
      return;
    if (size[t] < 1 || size[t] % AccessBytes)
      return m.fault(t, "has the engine copy " + Twine(size[t]) +
                            " bytes, and it copies multiples of 16");
    const int64_t count = countOf(m, t, *to.storage, size[t]);
    for (Place *p : {&to, &from}) {
      if (m.hasFailed)
        return;
      p->eval(m, t, count, p->storage->elementBytes);
      if (!m.hasFailed)
        p->eval(m, t, 1, AccessBytes);
    }
    if (m.hasFailed)
      return;
    BulkBarrier::Copy copy{to.storage, from.storage, to.indices[t], count, {}};
    for (int64_t k = 0; k != count; ++k)
      copy.fromIndices.push_back(from.indices[t] + k);
    m.startBulk(t, *barrier.storage, barrier.indices[t], std::move(copy));
  }
}

void CopyBox::run(Lanes lanes) {
  const Word *size = bytes->eval(lanes);
  int64_t count = 1;
  for (int64_t e : map.box)
    count *= e;
  if (!m.hasFailed)
    barrier.eval(m, lanes, 1, barrier.storage->elementBytes);
  std::vector<const Word *> corner;
  for (const ValueRef &c : coordinates)
    corner.push_back(c->eval(lanes));
  for (Lane t : lanes) {
    if (m.hasFailed)
      return;
    if (size[t] != count * to.storage->elementBytes)
      return m.fault(t, "expects " + Twine(size[t]) + " bytes of a box of " +
                            Twine(count) + " elements");
    if (corner.back()[t] * to.storage->elementBytes % AccessBytes)
      return m.fault(t, "copies a box that begins at column " +
                            Twine(corner.back()[t]) +
                            ", between multiples of 16 bytes");
    to.eval(m, t, count, to.storage->elementBytes);
    if (!m.hasFailed)
      to.eval(m, t, 1, TensorAlignment);
    if (m.hasFailed)
      return;
    BulkBarrier::Copy copy{to.storage, &from, to.indices[t], count, {}};
    for (int64_t k = 0; k != count; ++k) {
      int64_t rest = k, stride = 1, index = 0;
      bool isInside = true;
      for (size_t d = map.box.size(); d-- != 0;) {
        const int64_t at = corner[d][t] + rest % map.box[d];
        rest /= map.box[d];
        isInside &= at >= 0 && at < map.extents[d];
        index += at * stride;
        stride *= map.extents[d];
      }
      if (isInside && index >= from.size)
        return m.fault(t, "copies a box of a map that is larger than '" +
                              map.array + "'");
      copy.fromIndices.push_back(isInside ? index : -1);
    }
    m.startBulk(t, *barrier.storage, barrier.indices[t], std::move(copy));
  }
}

} // namespace convopt::program
