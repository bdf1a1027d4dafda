// A window whose width is known at run time only is staged whole where a block
// has room: a strip of the innermost loop has its window in registers. The kernel
// is one of those beside the general one, which serves other widths.
// RUN: %convopt %s -function=image -emit=schedule | FileCheck %s --check-prefix=IMAGE
// IMAGE:      # image_tiled_staged, where
// IMAGE:      #   register-tile=
// IMAGE:      #   strip-mine=b,4,b_o,b_i
// IMAGE-NEXT: #   unroll=b_i
// IMAGE-NEXT: #   stage=x,j_t,shared,pitch:4,vector:4,async:1
// IMAGE-NEXT: #   stage=f,j_t,shared,pitch:4,async:1
// IMAGE-NEXT: #   stage=x,b_o,registers,vector:4
// IMAGE-NEXT: #   stage=f,b_o,registers,vector:4
// IMAGE-NEXT: # image_tiled_staged_few, where k>=3:
// IMAGE:      # other sizes:
// IMAGE-NOT:  stage=

// A channel at a time, and of strides the usual one.
// RUN: %convopt %s -function=layer -emit=schedule | FileCheck %s --check-prefix=LAYER
// LAYER:      # layer_tiled_stride1, where stride=1
// LAYER:      #   strip-mine=b,4,b_o,b_i
// LAYER-NEXT: #   unroll=b_i
// LAYER:      #   stage=x,c,shared,pitch:4,{{.*}}depth:2
// LAYER:      #   stage=x,b_o,registers,vector:4

// Nothing is gained by a kernel that leaves the window where it is, nor by one
// that stages all of an image for its filter's gradient, nor for known widths.
// RUN: %convopt %s -function=strided -emit=schedule | FileCheck %s --check-prefix=NONE
// RUN: %convopt %s -function=gradient -emit=schedule | FileCheck %s --check-prefix=NONE
// RUN: %convopt %s -function=image -assume=k=9 -emit=schedule | FileCheck %s --check-prefix=NONE
// NONE-NOT: staged

// A tile is full whose last strip is. Rows have the length of whole strips.
// RUN: %convopt %s -function=image -staging=shared -tile=j:32,i:4 -reg=j:4,i:2 -o - | FileCheck %s --check-prefix=CODE
// CODE:      image_tiled_launch(const float
// CODE:      {{^}}  if (k < 1)
// CODE-NEXT:   return
// CODE-NOT:  {{^}}  if (k < 1)
// CODE:      const dim3 grid(
// RUN: %convopt %s -function=padded -boundary=full-tiles -staging=shared -tile=j:32,i:4 -reg=j:4,i:2 -o - | FileCheck %s --check-prefix=PADDED
// PADDED:      {{^}}  const int x_s_pitch = 128 + 4 * ((k + 3) / 4);
// PADDED:      {{^}}  if (inside && r <= i0 && i0 + k < h + r && r <= j0 &&
// PADDED-NEXT: {{^}}      j0 + k + 3 <= w + r) {      // a full tile needs no guard
// PADDED:      {{^}}          if (b < k) {
// PADDED-NOT:  if (
// PADDED:      s[i_r][j_r] +=
// RUN: %convopt %s -function=padded -boundary=full-tiles -verify=cpu -q -o %t.cu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=layer -verify=cpu -q -o %t.cu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// VERIFIED: verified: {{[0-9]+}} shapes
// Sizes for which a block has no room are refused where there is no other kernel.
// RUN: %convopt %s -function=image -staging=shared -verify=cpu -shape=h=300,w=300,k=300 -shape=h=20,w=20,k=9 -q -o %t.cu 2>&1 | FileCheck %s --check-prefix=ROOM
// ROOM: ok   h=20 w=20 k=9: integer-exact
// ROOM: ok   h=300 w=300 k=300: refused

void image(const float *x, const float *f, float *y, int h, int w, int k) {
  for (int i = 0; i < h - k + 1; i++)
    for (int j = 0; j < w - k + 1; j++) {
      float s = 0;
      for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++)
          s += x[(i + a) * w + j + b] * f[a * k + b];
      y[i * (w - k + 1) + j] = s;
    }
}

void layer(const float *x, const float *f, float *y, int M, int C, int h, int w,
           int k, int stride) {
  int oh = (h - k) / stride + 1, ow = (w - k) / stride + 1;
  for (int m = 0; m < M; m++)
    for (int i = 0; i < oh; i++)
      for (int j = 0; j < ow; j++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int a = 0; a < k; a++)
            for (int b = 0; b < k; b++)
              s += x[(c * h + i * stride + a) * w + j * stride + b] *
                   f[((m * C + c) * k + a) * k + b];
        y[(m * oh + i) * ow + j] = s;
      }
}

void strided(const float *x, const float *f, float *y, int n, int k, int s) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < k; j++)
      sum += x[i * s + j] * f[j];
    y[i] = sum;
  }
}

void gradient(const float *x, const float *dy, float *df, int h, int w, int k) {
  for (int a = 0; a < k; a++)
    for (int b = 0; b < k; b++) {
      float s = 0;
      for (int i = 0; i < h - k + 1; i++)
        for (int j = 0; j < w - k + 1; j++)
          s += dy[i * (w - k + 1) + j] * x[(i + a) * w + j + b];
      df[a * k + b] = s;
    }
}

void padded(const float *x, const float *f, float *y, int h, int w, int k) {
  int r = k / 2;
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      float s = 0;
      for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
          int row = i + a - r, column = j + b - r;
          if (row >= 0 && row < h && column >= 0 && column < w)
            s += x[row * w + column] * f[a * k + b];
        }
      y[i * w + j] = s;
    }
}
