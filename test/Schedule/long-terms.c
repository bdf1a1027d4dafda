// Terms with divisions and calls: bodies hold a few of them, and one output a
// thread is enough where outputs are few.
// RUN: %convopt %s -function=coulomb -assume=n=65536 -emit=schedule | FileCheck %s --check-prefix=ONE
// RUN: %convopt %s -function=coulomb -assume=n=1048576 -emit=schedule | FileCheck %s --check-prefix=MANY
// RUN: %convopt %s -function=products -assume=n=65536 -emit=schedule | FileCheck %s --check-prefix=SHORT
// RUN: %convopt %s -function=coulomb -o %t.cu -verify=cpu 2>&1 | FileCheck %s
// CHECK: verified:
// CHECK: coulomb_tiled_many: for {{[0-9]+}} blocks or more; 64 threads a block, 12 outputs a thread
// CHECK: coulomb_tiled: 64 threads a block, an output a thread
// ONE: strip-mine=i,64,i_b,i_t
// ONE: strip-mine=j,64,j_o,j_i
// ONE-NEXT: strip-mine=j_i,4,j_i_s,j_i_u
// ONE-NEXT: unroll=j_i_u
// ONE: stage=q,j_o,shared
// ONE: stage=q,j_i_s,registers,vector:4
// A thread has so many terms in an iteration that it is rolled, and an element
// is read where it is used.
// MANY: register-tile=i_r
// MANY: strip-mine=j,64,j_o,j_i
// MANY-NOT: unroll
// MANY-NOT: {{stage=[xq],.*,registers}}
// SHORT: unroll=j_i
// SHORT-NOT: j_i_u
#include <math.h>
void coulomb(const float *x, const float *q, float *f, int n) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++) {
      float d = x[j] - x[i];
      s += q[j] / sqrtf(d * d + 0.01f);
    }
    f[i] = s;
  }
}
void products(const float *x, const float *q, float *f, int n) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += q[j] * (x[j] - x[i]);
    f[i] = s;
  }
}
