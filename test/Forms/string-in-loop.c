// Strings are compared for each output, and once for all of them.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: nest conv_{{nest}}
// CHECK: argument [[RELU:compare[d0-9]+]] "int @" param
// CHECK: argument [[LEAKY:compare[d0-9]+]] "int @" param
// CHECK: if -[[RELU]] == 0
// CHECK: if {{.*}}[[RELU]]{{.*}} and -[[LEAKY]] == 0
// RUN: FileCheck --check-prefix=CALL %s < %t.cu
// CALL: conv_{{nest}}_tiled({{.*}}activation ? strcmp(activation, "relu") : 0
#include <string.h>

void conv(const float *x, const float *w, float *y, int n, int m,
          const char *activation) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += x[i + k] * w[k];
    if (strcmp(activation, "relu") == 0)
      s = s > 0 ? s : 0;
    else if (!strcmp(activation, "leaky"))
      s = s > 0 ? s : 0.1f * s;
    y[i] = s;
  }
}
