// What is left of a flat index, and its parts: the groups of channels. The
// second one computes its images of channels that it divided before.
// RUN: %convopt %s -function=groups -emit=nest | FileCheck --check-prefix=GROUPS %s
// RUN: %convopt %s -function=groups -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=groups -tile=16,4,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=planes -emit=nest 2>/dev/null | FileCheck --check-prefix=PLANES %s
// RUN: %convopt %s -function=planes -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// GROUPS: for b in 0 .. N {
// GROUPS: for y in 0 .. H {
// GROUPS: for x in 0 .. W {
__global__ void groups(const float *in, const float *w, float *out, int N,
                       int C, int O, int G, int H, int W, int K) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= O * H * W)
    return;
  const int x = i % W;
  const int y = (i / W) % H;
  const int o = i / (W * H);
  const int b = blockIdx.y;
  if (b >= N)
    return;
  const int og = O / G, cg = C / G;
  const int g = o / og, first = g * cg;
  float sum = 0;
  for (int c = 0; c < cg; ++c)
    for (int p = 0; p < K; ++p)
      for (int q = 0; q < K; ++q)
        sum += in[((b * C + first + c) * (H + K - 1) + y + p) * (W + K - 1) +
                  x + q] *
               w[((o * cg + c) * K + p) * K + q];
  out[((b * O + o) * H + y) * W + x] = sum;
}

// PLANES: for i_2_div in 0 .. N {
// PLANES: for i_2_mod in 0 .. O {
// PLANES: for x in 0 .. W {
__global__ void planes(const float *in, const float *w, float *out, int N,
                       int O, int W, int K) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N * O * W)
    return;
  int x = i % W;
  i /= W;
  int o = i % O, b = i / O;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += in[b * (W + K - 1) + x + k] * w[o * K + k];
  out[i * W + x] = sum;
}
