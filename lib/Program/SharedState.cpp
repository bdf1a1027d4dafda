//===- SharedState.cpp - What threads wait for at a point -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedState.h"

using namespace llvm;

namespace convopt::program {

/// Numbers of boxes and groups that differ by more are any.
static constexpr int64_t Farthest = 16;

bool SharedPlace::mayBe(const SharedPlace &other) const {
  if (array != other.array || !box || !other.box || count != other.count)
    return array == other.array;
  const std::optional<int64_t> distance = (*box - *other.box).asNumber();
  return !distance || (count ? *distance % count : *distance) == 0;
}

bool Limit::implies(const Limit &other) const {
  const auto spare = ((other.right - other.left) - (right - left)).asNumber();
  return spare && *spare >= 0;
}

void SharedState::meet() {
  erase_if(pending, [](const Pending &p) { return p.kind != Pending::Copy; });
}

void SharedState::commit() {
  for (Pending &p : pending)
    if (p.kind == Pending::Copy && p.groups <= Farthest)
      ++p.groups;
}

void SharedState::waitPrior(int64_t groups) {
  for (Pending &p : pending)
    if (p.kind == Pending::Copy && !p.barrier && p.groups > groups)
      p.kind = Pending::Write;
}

void SharedState::waitBulk(const SharedPlace &barrier) {
  erase_if(pending, [&](const Pending &p) {
    return barrier.box && p.barrier && *p.barrier == barrier;
  });
}

void SharedState::join(const SharedState &other, const Limit *here) {
  if (!isReached || !other.isReached) {
    if (other.isReached)
      *this = other;
    return;
  }
  for (const Pending &p : other.pending)
    addOnce(pending, p);
  erase_if(filled, [&](const Filled &f) {
    const bool isOnlyHere =
        here && f.end && *f.end - *f.place.box == here->right - here->left;
    return !isOnlyHere && !is_contained(other.filled, f);
  });
}

void SharedState::leave(const VariableRef &v, const std::optional<Sum> &value) {
  auto isIt = [&](const Variable &other) { return &other == v.get(); };
  auto one = [&](std::optional<Sum> &s) {
    if (!s || !s->hasVariable(isIt))
      return;
    s = value ? s->with(*v, *value) : std::nullopt;
    const auto distance = s ? (*s - Sum(Expr(v))).asNumber() : std::nullopt;
    if (distance && std::abs(*distance) > Farthest)
      s.reset();
  };
  SharedState after{isReached, {}, {}};
  for (Pending &p : pending) {
    one(p.place.box);
    one(p.end);
    if (p.barrier)
      one(p.barrier->box);
    addOnce(after.pending, p);
  }
  for (Filled &f : filled) {
    const bool hasEnd = f.end.has_value();
    one(f.place.box);
    one(f.end);
    if (f.place.box && hasEnd == f.end.has_value())
      addOnce(after.filled, f);
  }
  *this = std::move(after);
}

} // namespace convopt::program
