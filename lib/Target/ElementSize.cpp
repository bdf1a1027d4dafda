//===- ElementSize.cpp - Bytes of an element ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Target/ElementSize.h"

using namespace llvm;

namespace convopt {

std::optional<int64_t> elementSize(StringRef type) {
  static constexpr std::pair<StringLiteral, int64_t> sizes[] = {
      {"bool", 1},           {"char", 1},
      {"signed char", 1},    {"int8_t", 1},
      {"unsigned char", 1},  {"uint8_t", 1},
      {"short", 2},          {"int16_t", 2},
      {"unsigned short", 2}, {"uint16_t", 2},
      {"_Float16", 2},       {"__half", 2},
      {"half", 2},           {"__nv_bfloat16", 2},
      {"_Bool", 1},          {"int", 4},
      {"int32_t", 4},        {"unsigned int", 4},
      {"unsigned", 4},       {"uint32_t", 4},
      {"float", 4},          {"long", 8},
      {"unsigned long", 8},  {"long long", 8},
      {"int64_t", 8},        {"unsigned long long", 8},
      {"uint64_t", 8},       {"size_t", 8},
      {"ptrdiff_t", 8},      {"double", 8},
  };
  for (const auto &[name, size] : sizes)
    if (type == name)
      return size;
  return std::nullopt;
}

} // namespace convopt
