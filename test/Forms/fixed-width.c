// Integers of 64 bits keep the names of <stdint.h>: a long may have 32.
// RUN: %convopt %s -o %t.cu 2>/dev/null
// RUN: FileCheck %s --input-file %t.cu
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: {{^}}#else // for nvcc
// CHECK-NOT: {{[^g] long [^l]|\(long\)}}
// CHECK: (int64_t)
#include <stdint.h>
void requantise(const int32_t *x, const int64_t *bias, int32_t *y, int n,
                int m, int shift) {
  for (int i = 0; i < n; i++) {
    int64_t sum = bias[i];
    for (int k = 0; k < m; k++)
      sum += (int64_t)x[i + k] * (int64_t)x[i];
    y[i] = (int32_t)(sum >> 8);
  }
}
