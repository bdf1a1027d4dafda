//===- LayerNests.h - Nests that the tests of Bench share -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What `convopt -emit=nest` gives for the forms that layers are written in,
/// without the parts that do not bear on sizes.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_BENCH_LAYERNESTS_H
#define CONVOPT_TEST_UNIT_BENCH_LAYERNESTS_H

#include "convopt/Dependence/Dependence.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include "gtest/gtest.h"

namespace convopt::test {

/// examples/naive_conv.cu.
inline const char *const Figure3 = R"(
nest conv from "naive_conv.cu"
param N: int
param O: int
param H: int
param W: int
param F: int
param OH: int = H - F + 1
param OW: int = W - F + 1
array inputs: float[N][H][W] input
array filters: float[N][O][F][F] input
array outputs: float[O][OH][OW] output
array sum: float local
for o in 0 .. O {
  for y in 0 .. OH {
    for x in 0 .. OW {
      local sum
      S0: sum = 0.0f
      for n in 0 .. N {
        for i in 0 .. F {
          for j in 0 .. F {
            S1: sum += inputs[n][y + i][x + j] * filters[n][o][i][j]
          }
        }
      }
      S2: outputs[o][y][x] = sum
    }
  }
}
)";

/// examples/course_k7.cu with filters of constant size, summed in place.
inline const char *const Course7 = R"(
nest conv from "course.cu"
param B: int
param M: int
param C: int
param H: int
param W: int
array y: float[B][M][H - 6][W - 6] output
array x: float[B][C][H][W] input
array k: float[M][C][7][7] input
for b in 0 .. B {
  for m in 0 .. M {
    for h in 0 .. H - 6 {
      for w in 0 .. W - 6 {
        S0: y[b][m][h][w] = 0
        for c in 0 .. C {
          for p in 0 .. 7 {
            for q in 0 .. 7 {
              S1: y[b][m][h][w] += x[b][c][h + p][w + q] * k[m][c][p][q]
            }
          }
        }
      }
    }
  }
}
)";

/// examples/thesis_kernel.cu: square images, the filter's radius a template
/// parameter, the output's width an argument of its own.
inline const char *const Square = R"(
nest convNaive from "thesis_kernel.cu"
template "template <class ElTp, int radius>"
template argument "ElTp" type
template argument "radius"
param radius: int template
param widthIn: int
param widthOut: int
param nIn: int
param nOut: int
param size: int = 2 * radius + 1
array input: ElTp[nIn][widthIn][widthIn] input
array kernel: ElTp[nIn][nOut][size][size] input
array output: ElTp[nOut][widthOut][widthOut] output
array sum: ElTp local
assume widthIn - 2 * radius - widthOut >= 0 "column of 'input' stays within its row"
for gidz in 0 .. nOut {
  for gidy in 0 .. widthOut {
    for gidx in 0 .. widthOut {
      local sum
      S0: sum = 0.0f
      for c in 0 .. nIn {
        for row in 0 .. size {
          for col in 0 .. size {
            S1: sum += input[c][gidy + row][gidx + col] * kernel[c][gidz][row][col]
          }
        }
      }
      S2: output[gidz][gidy][gidx] = sum
    }
  }
}
)";

/// Zero padding and a stride, both run-time values, by a guarded read; the
/// pixel and the weight pass through locals.
inline const char *const Padded = R"(
nest conv from "padded.c"
param C: int
param H: int
param W: int
param M: int
param K: int
param stride: int
param pad: int
param Ho: int = floordiv(H + 2 * pad - K, stride) + 1
param Wo: int = floordiv(W + 2 * pad - K, stride) + 1
array x: float[C][H][W] input
array k: float[M][C][K][K] input
array y: float[M][Ho][Wo] output
array s: float local
array pixel: float local
assume stride - 1 >= 0 "the divisor is positive"
for m in 0 .. M {
  for h in 0 .. Ho {
    for w in 0 .. Wo {
      local s
      S0: s = 0.0f
      for c in 0 .. C {
        for p in 0 .. K {
          for q in 0 .. K {
            local pixel
            S1: pixel = guarded(h * stride + p - pad >= 0 and H + pad - h * stride - p - 1 >= 0 and w * stride + q - pad >= 0 and W + pad - w * stride - q - 1 >= 0, x[c][h * stride + p - pad][w * stride + q - pad], 0.0f)
            S2: s += pixel * k[m][c][p][q]
          }
        }
      }
      S3: y[m][h][w] = s
    }
  }
}
)";

/// One channel, a dilated and mirrored filter, padding by a guard, output
/// sizes of their own, filter rows counted from below zero.
inline const char *const Dilated = R"(
nest conv from "dilated.c"
param N: int
param H: int
param W: int
param Ho: int
param Wo: int
param R: int
param S: int
param stride: int
param dil: int
array x: float[N][H][W] input
array k: float[2 * R + 1][S] input
array y: float[N][Ho][Wo] output
for n in 0 .. N {
  for i in 0 .. Ho {
    for j in 0 .. Wo {
      S0: y[n][i][j] = 0
      for p in -R .. R + 1 {
        for q in 0 .. S {
          if i + p >= 0 and i + p <= H - 1 {
            S1: y[n][i][j] += x[n][i + p][j * stride - q * dil + dil * S - dil] * k[p + R][q]
          }
        }
      }
    }
  }
}
)";

/// A filter for each channel.
inline const char *const Depthwise = R"(
nest dw from "dw.c"
param N: int
param C: int
param H: int
param W: int
array x: float[N][C][H][W] input
array k: float[C][3][3] input
array bias: float[C] input
array y: float[N][C][H][W] output
array s: float local
for n in 0 .. N {
  for c in 0 .. C {
    for h in 0 .. H {
      for w in 0 .. W {
        local s
        S0: s = bias[c]
        for p in 0 .. 3 {
          for q in 0 .. 3 {
            if h + p - 1 >= 0 and h + p <= H and w + q - 1 >= 0 and w + q <= W {
              S1: s += x[n][c][h + p - 1][w + q - 1] * k[c][p][q]
            }
          }
        }
        S2: y[n][c][h][w] = s
      }
    }
  }
}
)";

/// Filters of one element: \p loops, one a line, are around the sum, \p ends
/// after it; the subscripts of \p row, \p column and \p filter use them.
inline std::string pointwise(const std::string &loops, const std::string &ends,
                             const std::string &row, const std::string &column,
                             const std::string &filter) {
  return R"(
nest conv from "pointwise.c"
param N: int
param C: int
param K: int
param H: int
param W: int
param stride: int
param OH: int = floordiv(H - 1, stride) + 1
param OW: int = floordiv(W - 1, stride) + 1
array x: float[N][C][H][W] input
array w: float[K][C])" +
         std::string(filter.empty() ? "" : "[1][1]") + R"( input
array y: float[N][K][OH][OW] output
array s: float local
assume stride - 1 >= 0 "the divisor is positive"
for n in 0 .. N {
  for k in 0 .. K {
    for i in 0 .. OH {
      for j in 0 .. OW {
        local s
        S0: s = 0.0f
        for c in 0 .. C {
)" + loops +
         "S1: s += x[n][c][i * stride" + row + "][j * stride" + column +
         "] * w[k][c]" + filter + "\n" + ends +
         R"(
        }
        S2: y[n][k][i][j] = s
      }
    }
  }
}
)";
}

inline Nest nestOf(llvm::StringRef text) {
  llvm::Expected<Nest> nest = parseNest(text);
  if (nest)
    return *nest;
  ADD_FAILURE() << llvm::toString(nest.takeError());
  return {};
}

/// The message of \p e, remedies included; "accepted" without one.
template <class T> std::string refusalOf(llvm::Expected<T> e) {
  if (e)
    return "accepted";
  std::string message;
  llvm::raw_string_ostream os(message);
  EXPECT_EQ(report(e.takeError(), os, ""), ExitStatus::BadInput);
  return message;
}

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_BENCH_LAYERNESTS_H
