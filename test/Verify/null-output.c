// An output that is tested for null, and is written all the same, is there.
//
// RUN: %convopt -q %s -emit=verify-driver | FileCheck %s
// CHECK: convopt_case("n={{[0-9]+}} has_out=1"
// CHECK-NOT: convopt_case("{{.*}} has_out=0
// CHECK: finish()
// RUN: %status 1 %convopt %s -emit=verify-driver -shape=n=5,has_out=0 2>&1 \
// RUN:   | FileCheck --check-prefix=NULL %s
// NULL: error: with the shape n=5 has_out=0 'out' is null, and is used [shape]
void f(const float *x, float *out, int n) {
  for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int k = 0; k < 3; ++k)
      s += out == 0 ? 0 : x[i + k];
    out[i] = s;
  }
}
