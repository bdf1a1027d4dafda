//===- Atomics.cpp - Atomic operations of CUDA ----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Target/Atomics.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt {

StringRef str(Atomic a) {
  static constexpr StringLiteral names[] = {"atomicAdd", "atomicMax",
                                            "atomicMin"};
  return names[unsigned(a)];
}

std::optional<unsigned> capabilityOf(Atomic a, StringRef type) {
  struct Entry {
    StringLiteral type;
    unsigned add, extreme; // 0: on no device
  };
  // By overloads, of which fixed-width names are others on some hosts.
  static constexpr Entry entries[] = {
      {"int", 20, 20},          {"signed", 20, 20},
      {"int32_t", 20, 20},      {"unsigned", 20, 20},
      {"unsigned int", 20, 20}, {"uint32_t", 20, 20},
      {"long long", 0, 35},     {"unsigned long long", 20, 35},
      {"float", 20, 0},         {"double", 60, 0},
      {"half", 70, 0},          {"__half", 70, 0},
      {"__nv_bfloat16", 80, 0},
  };
  const auto *entry =
      find_if(entries, [&](const Entry &e) { return e.type == type; });
  if (entry == std::end(entries))
    return std::nullopt;
  const unsigned first = a == Atomic::Add ? entry->add : entry->extreme;
  return first ? std::optional(first) : std::nullopt;
}

} // namespace convopt
