//===- ThreadParts.cpp - Arithmetic on the index of a thread --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `g = k / (K / G)` of a `k` that the body uses as well is no index of its
/// own, but arithmetic on that one: on all of an index, or on what is left of
/// it (`k = i / (H * W)`).
///
//===----------------------------------------------------------------------===//

#include "Resolve.h"
#include "ThreadMapper.h"
#include "convopt/Nest/Polynomial.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

/// The value of digit \p d where it is made of \p whole, the digit that the
/// loop \p loop stands for; none where it is not.
static std::optional<IndexExpr> madeOf(const Nest &nest, const ThreadDigit &d,
                                       const ThreadDigit &whole,
                                       unsigned loop) {
  if (whole.modulus || d.block != whole.block || d.thread != whole.thread ||
      d.width != whole.width)
    return std::nullopt;
  const IndexExpr divisor = nest.expandDefinitions(d.divisor),
                  of = nest.expandDefinitions(whole.divisor);
  if (divisor == of && !d.modulus)
    return std::nullopt; // it is that digit
  std::optional<IndexExpr> by = of == IndexExpr(1) ? std::optional(d.divisor)
                                                   : divideExactly(divisor, of);
  if (!by)
    return std::nullopt;
  IndexExpr value = IndexExpr::floorDiv(IndexExpr::loop(loop), *by);
  return d.modulus ? IndexExpr::mod(value, *d.modulus) : value;
}

/// Puts \p value, over the loop \p whole, in the place of the loop \p part.
void ThreadMapper::replaceLoop(unsigned part, unsigned whole,
                               const IndexExpr &value) {
  auto replaced = [&](const IndexExpr &e) {
    return e.substitute(loopVar(part), value);
  };
  mapExpressions(nest, replaced);
  for (Obligation &o : b.obligations) {
    o.expr = replaced(o.expr);
    if (o.remainder)
      o.remainder = replaced(*o.remainder);
    for (const std::shared_ptr<Loop> &l : o.loops)
      if (l->id == part)
        l->id = whole;
    for (Constraint &c : o.guards)
      c.expr = replaced(c.expr);
  }
}

void ThreadMapper::substituteParts() {
  for (const MappedLoop &whole : std::vector<MappedLoop>(mapped)) {
    const unsigned loop = whole.variable->loop->id;
    if (none_of(mapped, [&](const MappedLoop &m) {
          return m.variable == whole.variable;
        }))
      continue;
    erase_if(mapped, [&](const MappedLoop &m) {
      // A bound of its own says that it is an index of its own.
      std::optional<IndexExpr> value =
          m.isGuarded ? std::nullopt : madeOf(nest, m.digit, whole.digit, loop);
      if (value)
        replaceLoop(m.variable->loop->id, loop, *value);
      return value.has_value();
    });
  }
}

} // namespace convopt
