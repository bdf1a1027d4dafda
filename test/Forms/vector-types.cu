// Vectors of CUDA: positions, pixels of bytes and sums.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=at_x:16,at_y:2 -reg=at_y:2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#define R 2

// CHECK: argument in_data "const unsigned char *@" array from "(const unsigned char *)in"
// CHECK: acc_y += guarded({{.*}}, in_data[at_y + j][at_x + i][1], border) * f[j + 2][i + 2]
// CHECK: out_data[at_y][at_x][3] = in_data[
__global__ void blur(const uchar4 *in, uchar4 *out, const float *f, int w,
                     int h) {
  const int2 at = make_int2(blockIdx.x * blockDim.x + threadIdx.x,
                            blockIdx.y * blockDim.y + threadIdx.y);
  if (at.x >= w || at.y >= h)
    return;
  float3 acc = make_float3(0.f, 0.f, 0.f);
  for (int j = -R; j <= R; ++j)
    for (int i = -R; i <= R; ++i) {
      int2 from = {min(max(at.x + i, 0), w - 1), min(max(at.y + j, 0), h - 1)};
      uchar4 p = in[from.y * w + from.x];
      float t = f[(j + R) * (2 * R + 1) + i + R];
      acc.x += p.x * t;
      acc.y += p.y * t;
      acc.z += p.z * t;
    }
  out[at.y * w + at.x] =
      make_uchar4((unsigned char)acc.x, (unsigned char)acc.y,
                  (unsigned char)acc.z, in[at.y * w + at.x].w);
}
