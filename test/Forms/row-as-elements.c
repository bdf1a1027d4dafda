// A row of an array of arrays as a pointer to its elements.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: for i_div in 0 .. 10
// CHECK: for i_mod in 0 .. 12
// CHECK: S0: out[j][i_div][i_mod] += b[j]
void bias(double out[16][10][12], const double *b) {
  for (int j = 0; j < 16; ++j)
    for (int i = 0; i < 120; ++i)
      ((double *)out[j])[i] += b[j];
}
