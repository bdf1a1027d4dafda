// Spans, which lead to elements of others; of each the pointer and how many
// there are become parameters.
// RUN: %convopt %s -emit=nest -- -std=c++20 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu -- -std=c++20 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16 -reg=x:2 -verify=cpu -o %t.cu -- -std=c++20 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <cstddef>
#include <span>

// CHECK: argument taps_size "unsigned long @" param from "taps.size()"
// CHECK: argument line_data "const float *@" array from "line.data()"
// CHECK: s += line_data[x + k] * taps_data[k]
void conv(std::span<const float> line, const std::span<const float> &taps,
          const std::span<float> out) {
  if (line.size() + 1 < out.size() + taps.size())
    return;
  for (std::size_t x = 0; x < out.size(); ++x) {
    float s = 0;
    for (std::size_t k = 0; k < taps.size(); ++k)
      s += line[x + k] * taps[k];
    out[x] = s;
  }
}
