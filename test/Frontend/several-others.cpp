// Where several functions are loop nests, all others are named, too, with what
// they are; a method without loops names what it calls.
//
// RUN: not %convopt %s -o %t.cu 2>&1 | FileCheck %s
// CHECK: error: several functions are loop nests and -function chooses none
// CHECK-NEXT: note: 'rows'
// CHECK-NEXT: note: 'columns'
// CHECK-NEXT: note: not 'fill', which has no sum
// CHECK-NEXT: note: not 'gather': an index depends on data
// CHECK-NEXT: note: not 'Net::blur', a method: -function=Net::blur takes it
// RUN: not %convopt %s -function=Net::compute -o %t.cu 2>&1 | FileCheck %s --check-prefix=CALLS
// CALLS: error: 'Net::compute' has no loops of its own [no-nest]
// CALLS-NEXT: note: choose one that it calls: -function=Net::blur
struct Net {
  float *a, *b;
  void blur(const float *x, float *y, int n) {
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k)
        y[i] += x[i + k];
  }
  void compute(int n) { blur(a, b, n); }
};
void rows(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      y[i] += x[i + k];
}
void columns(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 5; ++k)
      y[i] += x[i + 2 * k];
}
void fill(float *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = 1;
}
void gather(const float *x, const int *at, float *y, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      y[i] += x[at[i] + k];
}
