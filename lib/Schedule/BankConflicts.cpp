//===- BankConflicts.cpp - What a warp's read of shared memory takes ------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BankConflicts.h"
#include "convopt/Target/Memory.h"
#include "convopt/Target/Shuffle.h"

using namespace llvm;

namespace convopt {

int64_t wavefronts(const WarpRead &r) {
  const int64_t atOnce =
      BankBytes / r.bytes; // threads, and places in the banks
  int64_t total = 0;
  for (int64_t first = 0; first < int64_t(WarpSize); first += atOnce) {
    SmallVector<int64_t, 32> places;
    for (int64_t t = first; t != first + atOnce; ++t) {
      int64_t at = 0, rest = t;
      for (auto [threads, stride] : zip(r.threads, r.strides)) {
        at += rest % threads * stride;
        rest /= threads;
      }
      const int64_t place = at / r.bytes;
      if (!is_contained(places, place))
        places.push_back(place);
    }
    SmallVector<int64_t, 32> inBank(atOnce, 0);
    for (int64_t place : places)
      ++inBank[place % atOnce];
    total += *llvm::max_element(inBank);
  }
  return total;
}

SmallVector<int64_t, 8> bytesApart(ArrayRef<unsigned> dims,
                                   ArrayRef<int64_t> extents, int64_t length,
                                   int64_t size) {
  SmallVector<int64_t, 8> apart(extents.size(), 0);
  for (unsigned d : reverse(dims)) {
    apart[d] = size;
    size *= d == dims.back() ? length : extents[d];
  }
  return apart;
}

} // namespace convopt
