// The result is memory of the function, which an argument takes; errors jump to the end.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
#include <stdlib.h>

// CHECK: S0: out[i] += in[i + j] * w[j]
int conv(const float *in, int n, const float *w, int k, float **result) {
  int rc = -1;
  float *out = NULL;
  if (n < k || k < 1)
    goto done;
  out = calloc(n - k + 1, sizeof(float));
  if (out == NULL)
    goto done;
  for (int i = 0; i < n - k + 1; i++)
    for (int j = 0; j < k; j++)
      out[i] += in[i + j] * w[j];
  *result = out;
  rc = 0;
done:
  return rc;
}
