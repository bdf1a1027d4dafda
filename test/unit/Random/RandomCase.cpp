//===- RandomCase.cpp - A nest and where it runs --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomCase.h"
#include "RandomConvolution.h"
#include "RandomNest.h"
#include "convopt/Target/Gpu.h"

using namespace llvm;

namespace convopt::test {

Case randomCase(Random &random, Draw draw) {
  Case c;
  const bool isOfProducts = draw == Draw::Products;
  const bool isOfSums = draw == Draw::Sums;
  c.nest = isOfProducts || isOfSums || random.chance(80)
               ? RandomConvolution(random, isOfProducts).text()
               : RandomNest(random.pick(1u << 30)).text();
  c.isAlgebraic = isOfSums || random.chance(40);
  return c;
}

std::vector<Sizes> randomSizes(const Nest &nest, Random &random) {
  std::vector<Sizes> all(3);
  for (unsigned k = 0; k != 3; ++k)
    for (const Param &p : nest.params) {
      if (p.definition)
        continue;
      const StringRef name = p.name;
      const bool isWide = name == "H" || name == "W" || name == "D" ||
                          name == "LD" || name == "OW" || name == "OH";
      const bool isFilter = name.starts_with("K") && name.size() > 1;
      if (p.isTemplate && k != 0)
        all[k][p.name] = all[0][p.name];
      else if (isFilter)
        all[k][p.name] = random.between(1, k == 2 ? 2 : 3);
      else if (isWide)
        all[k][p.name] = k == 0   ? random.between(4, name == "LD" ? 14 : 9)
                         : k == 1 ? 4 * random.between(1, name == "LD" ? 3 : 2)
                                  : random.between(1, name == "LD" ? 12 : 5);
      else
        all[k][p.name] = k == 1 ? 2 * random.between(1, 2)
                                : random.between(1, k == 2 ? 2 : 4);
    }
  return all;
}

void chooseTarget(Case &c, Random &random) {
  c.hasBulk = random.chance(50);
  c.fullTiles = random.chance(80);
  c.isOfDoubles = random.chance(50);
  c.arch = random.chance(70)   ? "sm_90"
           : random.chance(50) ? "sm_80"
                               : random.oneOf(knownGpus()).name;
}

} // namespace convopt::test
