//===- Coincidences.cpp - Sizes that are told apart -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coincidences.h"
#include "ShapeCheck.h"

using namespace llvm;

namespace convopt::verify {

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

} // namespace convopt::verify
