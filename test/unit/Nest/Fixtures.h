//===- Fixtures.h - Nests that the tests share ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_NEST_FIXTURES_H
#define CONVOPT_TEST_UNIT_NEST_FIXTURES_H

#include "convopt/Nest/Text.h"
#include <gtest/gtest.h>

namespace convopt {

/// A convolution that uses most of the text format.
inline constexpr const char *convolution = R"(
nest conv from "conv \"1\".cu" @3:1-30:2
kernel
template "template <class T, int W>"
template argument "T" type
template argument "W"
argument in "const T *@" array
argument out "T *@" array
argument N "int @" param
argument rows "int @" param H
argument alpha "float @" scalar
param N: int
param H: int
param W: int template
param K: unsigned int
param OH: int = H - K + 1
array in: T[N][H][W] input @3:20-3:30
array out: T[N][floordiv(OH, 2)][W] output footprint N * H * W
array sum: float local
loops y, n, x, c, y_o, y_i
thread x "blockIdx.x * blockDim.x + threadIdx.x"
launch grid(ceildiv(W, 16), OH "OH * 1" exact, 1) block(16, 1, 1)
assume H - K >= 0 "the filter fits"

for y_o in 0 .. ceildiv(OH, 32) grid.y { @5:3-20:4
  for x in max(0, 2 - OH) .. W block.x {
    for y_i in 0 .. min(16, ceildiv(OH - 32 * y_o, 2)) unrolled {
      local sum @6:5-6:14
      S0[n = 0, y = 16 * y_o + y_i, x]: sum = (T)0.0f @7:5-7:9
      barrier
      for c in 0 .. K {
        if K - c >= 0 and y_o == 0 {
          S1[y = 16 * y_o + y_i, x, c]: sum += alpha * in[0][2 * y + c][x % 4] * guarded(x - c >= 0, in[0][c][x - c], 0.0f) + index(2 * c)
        }
      }
      S2[y = 16 * y_o + y_i, x]: out[0][y][x] max= "in`$$"[0] + s.in - `sum`(sum)
    }
  }
}
)";

inline std::string printed(const Nest &nest, PrintOptions o = {}) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(nest, os, o);
  return text;
}

inline std::string messageOf(llvm::Error e) {
  std::string text;
  llvm::raw_string_ostream os(text);
  report(std::move(e), os, "t");
  return text;
}

/// The nest of \p text, which must parse.
inline Nest parsed(llvm::StringRef text) {
  llvm::Expected<Nest> nest = parseNest(text);
  if (nest)
    return std::move(*nest);
  ADD_FAILURE() << messageOf(nest.takeError());
  return {};
}

/// The first line of what parsing \p text is refused with.
inline std::string refusal(llvm::StringRef text) {
  llvm::Expected<Nest> nest = parseNest(text);
  if (nest)
    return "accepted";
  std::string message = messageOf(nest.takeError());
  return message.substr(0, message.find('\n'));
}

} // namespace convopt

#endif // CONVOPT_TEST_UNIT_NEST_FIXTURES_H
