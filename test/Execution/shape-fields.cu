// Sizes that are fields are given as the source has them, or as the nest does.
// RUN: %convopt %s -o %t.cu -verify=cpu -shape=p.width=30,p.height=20,p.tw=3,p.th=2 -shape=p_width=9,p_height=8,p.tw=9,p_th=1 2>&1 | FileCheck %s
// RUN: %convopt %s -o %t.cu -assume='p.width>p.tw' -assume=p.tw=3 2>&1 | FileCheck --check-prefix=FACT %s
// RUN: %refuses 1 %s -verify=cpu -shape=p.depth=3 | FileCheck --check-prefix=NONE %s
// CHECK: ok   p_width=30 p_tw=3 p_height=20 p_th=2:
// CHECK: ok   p_width=9 p_tw=9 p_height=8 p_th=1:
// CHECK: verified: 2 shapes
// FACT: ssd_tiled: for p_tw=3, p_width>p_tw;
// NONE: error: the nest has no size 'p.depth' [shape]
// NONE: note: give -shape=p_width=...,p_tw=...,p_height=...,p_th=...
struct Params {
  int width, height, tw, th;
};
__global__ void ssd(const float *img, const float *t, float *score, Params p) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x > p.width - p.tw || y > p.height - p.th)
    return;
  float s = 0;
  for (int j = 0; j < p.th; ++j)
    for (int i = 0; i < p.tw; ++i) {
      float d = img[(y + j) * p.width + x + i] - t[j * p.tw + i];
      s += d * d;
    }
  score[y * (p.width - p.tw + 1) + x] = s;
}
