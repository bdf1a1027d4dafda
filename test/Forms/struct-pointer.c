// Sizes in a struct that is passed by its address.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=2,8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

typedef struct {
  int channels, height, width;
} Shape;

typedef struct {
  Shape in, out;
  int kernel, stride, pad;
  float scale;
} ConvParams;

static int offset(const Shape *s, int c, int y, int x) {
  return (c * s->height + y) * s->width + x;
}

// CHECK: parameter p "const ConvParams *@" object "ConvParams" 1
// CHECK: argument p_in_height "int @" param from "p->in.height"
// CHECK: S1: sum += x[c][oy * p_stride + ky - p_pad][ox * p_stride + kx - p_pad] * w[o][c][ky][kx]
// CHECK: S2: y[o][oy][ox] = sum * p_scale
void conv(const float *x, const float *w, float *y, const ConvParams *p) {
  for (int o = 0; o < p->out.channels; o++)
    for (int oy = 0; oy < p->out.height; oy++)
      for (int ox = 0; ox < p->out.width; ox++) {
        float sum = 0;
        for (int c = 0; c < p->in.channels; c++)
          for (int ky = 0; ky < p->kernel; ky++)
            for (int kx = 0; kx < p->kernel; kx++) {
              const int iy = oy * p->stride + ky - p->pad;
              const int ix = ox * p->stride + kx - p->pad;
              if (iy < 0 || iy >= p->in.height || ix < 0 || ix >= p->in.width)
                continue;
              sum += x[offset(&p->in, c, iy, ix)] *
                     w[((o * p->in.channels + c) * p->kernel + ky) * p->kernel + kx];
            }
        y[offset(&p->out, o, oy, ox)] = sum * p->scale;
      }
}
