// RUN: %convopt %s -emit=nest | FileCheck --check-prefix=NEST %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// CHECK: verified: {{[0-9]+}} shapes
// Pixels of a clamped image, of which one field is copied and not used.
// NEST: array in_data: unsigned char[h][w][4] input border(clamp, clamp, none)
// NEST: p_w = guarded({{.*}}, in_data[y + j][x + i][3], border)
// NEST: r += guarded({{.*}}, in_data[y + j][x + i][0], border) * f[j + 2][i + 2]
__global__ void blur(const uchar4 *in, uchar4 *out, const float *f, int w,
                     int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float r = 0, g = 0, b = 0;
  for (int j = -2; j <= 2; ++j)
    for (int i = -2; i <= 2; ++i) {
      uchar4 p = in[min(max(y + j, 0), h - 1) * w + min(max(x + i, 0), w - 1)];
      float t = f[(j + 2) * 5 + i + 2];
      r += p.x * t;
      g += p.y * t;
      b += p.z * t;
    }
  out[y * w + x] =
      make_uchar4((unsigned char)r, (unsigned char)g, (unsigned char)b, 255);
}
