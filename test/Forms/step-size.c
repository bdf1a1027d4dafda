// Loops whose step is a size: images with a stride, counted beside them.
// RUN: %convopt %s -function=image -emit=nest | FileCheck %s
// RUN: %convopt %s -function=image -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=image -tile=16,4 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: FileCheck --check-prefix=FLOOR %s < %t.cu
// RUN: %convopt %s -function=down -emit=nest 2>/dev/null | FileCheck --check-prefix=DOWN %s
// RUN: %convopt %s -function=down -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=taps -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: param i_steps: int = floordiv(h - k, sy) + 1
// CHECK: param j_steps: int = floordiv(w - k, sx) + 1
// CHECK: array out: float[i_steps][j_steps] output
// CHECK: assume sy - 1 >= 0 "the step of 'i' is positive"
// CHECK: for i in 0 .. i_steps {
// CHECK: for j in 0 .. j_steps {
// CHECK: S1: s += in[i * sy + a][j * sx + b] * f[a][b]
// An image that is smaller than the filter by one has no outputs.
// FLOOR: {{^ }}const int i_steps = 1 + image_tiled_floordiv(h - k, sy);
void image(const float *in, const float *f, float *out, int h, int w, int k,
           int sy, int sx) {
  int at = 0;
  for (int i = 0; i <= h - k; i += sy)
    for (int j = 0; j <= w - k; j += sx) {
      float s = 0;
      for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++)
          s += in[(i + a) * w + j + b] * f[a * k + b];
      out[at++] = s;
    }
}

// DOWN: for i in 0 .. i_steps {
// DOWN: S1: s += in[a + n - i * step - k] * f[a]
void down(const float *in, const float *f, float *out, int n, int k,
          unsigned step) {
  int m = 0;
  for (int i = n - k; i >= 0; i = i - (int)step, m++) {
    float s = 0;
    for (int a = 0; a < k; a++)
      s += in[i + a] * f[a];
    out[m] = s;
  }
}

// What the iterator is after the loop.
void taps(const float *in, const float *f, float *out, int n, int k, int by) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    int a;
    for (a = 1; a < k; a += by)
      s += in[i + a] * f[a];
    out[i] = s + in[i + a];
  }
}
