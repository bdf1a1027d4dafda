//===- ThreadDigits.cpp - What a hardware index computes ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Threads.h"
#include "convopt/Nest/Polynomial.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

std::optional<std::pair<hardware::Kind, unsigned>> hardware::parse(Var v) {
  if (v.kind != Var::Param || v.id < first)
    return std::nullopt;
  return std::make_pair(Kind((v.id - first) / 3), (v.id - first) % 3);
}

bool hardware::isIn(const IndexExpr &e) {
  return any_of(e.vars(), [](Var v) { return parse(v).has_value(); });
}

bool hardware::isOfLaunch(const IndexExpr &e) {
  return isIn(e) && none_of(e.vars(), [](Var v) {
           const auto h = parse(v);
           return h && h->first != BlockDim && h->first != GridDim;
         });
}

/// The ways to count the threads of a grid of rows, as rowsText has them.
static std::array<IndexExpr, 3> waysOfRows() {
  using namespace hardware;
  auto x = [](Kind kind) { return index(kind, 0); };
  auto y = [](Kind kind) { return index(kind, 1); };
  const IndexExpr block = x(BlockIdx) + y(BlockIdx) * x(GridDim);
  const IndexExpr line = y(BlockIdx) * y(BlockDim) + y(ThreadIdx);
  return {x(ThreadIdx) + block * x(BlockDim),
          x(ThreadIdx) + x(BlockIdx) * x(BlockDim) +
              line * x(GridDim) * x(BlockDim),
          x(ThreadIdx) + y(ThreadIdx) * x(BlockDim) +
              block * x(BlockDim) * y(BlockDim)};
}

const char *hardware::rowsText(unsigned way) {
  static constexpr const char *texts[] = {
      "(blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x",
      "blockIdx.x * blockDim.x + threadIdx.x + (blockIdx.y * blockDim.y + "
      "threadIdx.y) * gridDim.x * blockDim.x",
      "(blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x * blockDim.y + "
      "threadIdx.x + threadIdx.y * blockDim.x"};
  return texts[way];
}

IndexExpr hardware::withRows(const IndexExpr &e) {
  for (const auto &[way, number] : enumerate(waysOfRows()))
    if (const IndexExpr rest = e - number; !isIn(rest))
      return index(Rows, way) + rest;
  return e;
}

/// The dimension d where \p v is `kind.d`.
static std::optional<unsigned> dimensionOf(const IndexExpr &e,
                                           hardware::Kind kind) {
  std::optional<Var> v = e.asVar();
  auto h = v ? hardware::parse(*v) : std::nullopt;
  if (!h || h->first != kind)
    return std::nullopt;
  return h->second;
}

static bool isWidth(const IndexExpr &e) {
  return e.asConstant().value_or(0) > 0 ||
         dimensionOf(e, hardware::BlockDim).has_value();
}

/// `blockIdx`, `threadIdx` or `blockIdx * width + threadIdx`.
static std::optional<ThreadDigit> parseBase(const IndexExpr &e) {
  ThreadDigit d;
  const std::optional<Var> whole = e.asVar();
  if (auto h = whole ? hardware::parse(*whole) : std::nullopt;
      h && h->first == hardware::Rows) {
    d.block = d.thread = 0;
    d.width = hardware::index(hardware::BlockDim, 0);
    d.rows = h->second;
    return d;
  }
  IndexExpr rest = e;
  for (unsigned k = 0; k != 3; ++k) {
    IndexExpr t = hardware::index(hardware::ThreadIdx, k);
    if (e.coefficient(*t.asVar()) != 1)
      continue;
    d.thread = k;
    rest -= t;
    break;
  }
  for (unsigned k = 0; k != 3; ++k) {
    IndexExpr b = hardware::index(hardware::BlockIdx, k);
    std::optional<IndexExpr> c = rest.symbolicCoefficient(*b.asVar());
    if (!c || c->isZero())
      continue;
    if (!isWidth(*c) || rest != *c * b)
      return std::nullopt;
    if (!d.thread && *c != IndexExpr(1))
      return std::nullopt;
    d.block = k;
    d.width = *c;
    return d;
  }
  if (!rest.isZero() || !d.thread)
    return std::nullopt;
  d.width = hardware::index(hardware::BlockDim, *d.thread);
  return d;
}

static std::vector<Atom> quotients(const IndexExpr &e) {
  std::vector<Atom> result;
  for (const auto &[m, c] : e.terms())
    for (const Atom &a : m)
      if (!a.isVar() && !is_contained(result, a) &&
          (hardware::isIn(a.num()) || hardware::isIn(a.den())))
        result.push_back(a);
  return result;
}

static IndexExpr valueOf(const Atom &q) {
  return IndexExpr::floorDiv(q.num(), q.den());
}

/// `floor(base / divisor)`, `mod modulus` or not, not scaled.
static std::optional<ThreadDigit> parseUnscaled(const IndexExpr &e) {
  std::vector<Atom> q = quotients(e);
  auto made =
      [](const IndexExpr &base, const IndexExpr &divisor,
         std::optional<IndexExpr> modulus) -> std::optional<ThreadDigit> {
    ASSIGN_OR_RETURN(ThreadDigit d, parseBase(base));
    d.isFlat = d.thread && (divisor != IndexExpr(1) || modulus);
    d.divisor = divisor;
    d.modulus = std::move(modulus);
    return d;
  };
  if (q.empty())
    return made(e, 1, std::nullopt);
  if (q.size() == 1) {
    const Atom &a = q[0];
    if (e == valueOf(a))
      return made(a.num(), a.den(), std::nullopt);
    if (e == a.num() - a.den() * valueOf(a))
      return made(a.num(), 1, a.den());
  }
  if (q.size() != 2)
    return std::nullopt;
  for (int swap : {0, 1}) {
    const Atom &fast = q[swap], &slow = q[1 - swap];
    std::optional<IndexExpr> modulus =
        fast.num() == slow.num() ? divideExactly(slow.den(), fast.den())
                                 : std::nullopt;
    if (modulus && e == valueOf(fast) - *modulus * valueOf(slow))
      return made(fast.num(), fast.den(), modulus);
  }
  return std::nullopt;
}

/// The width that scales every block index in \p e.
static IndexExpr commonWidth(const IndexExpr &e) {
  for (unsigned k = 0; k != 3; ++k) {
    IndexExpr dim = hardware::index(hardware::BlockDim, k);
    if (!e.isZero() && divideExactly(e, dim))
      return dim;
  }
  return std::gcd(commonFactor(e), e.constantTerm());
}

IndexExpr loopOf(Nest &nest, ThreadVariable &v) {
  if (!v.loop) {
    v.loop = std::make_shared<Loop>(nest.addLoopName(v.name), v.range);
    v.loop->lower.push_back({0, 1});
  }
  return IndexExpr::loop(v.loop->id);
}

std::optional<ThreadDigit> parseDigit(const IndexExpr &value) {
  IndexExpr e = normalizeQuotients(value);
  if (std::optional<ThreadDigit> d = parseUnscaled(e))
    return d;
  for (unsigned k = 0; k != 3; ++k) {
    IndexExpr t = hardware::index(hardware::ThreadIdx, k);
    if (e.coefficient(*t.asVar()) != 1)
      continue;
    IndexExpr blocks = e - t;
    IndexExpr width = commonWidth(blocks);
    std::optional<IndexExpr> digit =
        width.isZero() ? std::nullopt : divideExactly(blocks, width);
    std::optional<ThreadDigit> d = digit ? parseUnscaled(*digit) : std::nullopt;
    if (!d || d->thread)
      return std::nullopt;
    d->thread = k;
    d->width = width;
    return d;
  }
  return std::nullopt;
}

} // namespace convopt
