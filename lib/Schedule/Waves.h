//===- Waves.h - Blocks of one multiprocessor -------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_WAVES_H
#define CONVOPT_LIB_SCHEDULE_WAVES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace convopt {

/// The cycles of \p blocks, of which \p resident are together on a
/// multiprocessor, 1 or more: \p ofBlock says what each takes of these beside
/// how many. The last, no whole wave of them, have the multiprocessor alone.
inline double cyclesOfWaves(int64_t blocks, int64_t resident,
                            llvm::function_ref<double(int64_t)> ofBlock) {
  auto of = [&](int64_t count, int64_t together) {
    return count == 0 ? 0 : double(count) * ofBlock(together);
  };
  const int64_t rest = blocks % resident;
  return of(blocks - rest, resident) + of(rest, rest);
}

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_WAVES_H
