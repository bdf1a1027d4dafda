// An output that is tested for null, and is written all the same, is there.
//
// RUN: %convopt -q %s -function=f -emit=verify-driver | FileCheck %s
// CHECK: convopt_case("n={{[0-9]+}} has_out=1"
// CHECK-NOT: convopt_case("{{.*}} has_out=0
// CHECK: finish()
// What would run without it does not.
// RUN: %convopt -q %s -function=g -emit=nest | FileCheck --check-prefix=LIVE %s
// LIVE-NOT: -has_out
// LIVE: S1: s += x[i + k]
// RUN: %status 1 %convopt %s -function=f -emit=verify-driver -shape=n=5,has_out=0 2>&1 \
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
void g(const float *x, float *out, int n) {
  for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int k = 0; k < 3; ++k)
      if (out == 0)
        s += 1;
      else
        s += x[i + k];
    out[i] = s;
  }
}
