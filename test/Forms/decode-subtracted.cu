// Digits of a flat index, each of which is subtracted from what is left.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: for x in 0 .. OW {
// CHECK: sum += in[n][c][y + a][x + b] * taps[c][a][b]
__global__ void depthwise(const float *in, const float *taps, float *out, int N,
                          int C, int OH, int OW, int K) {
  const long long plane = (long long)OH * OW;
  const long long image = C * plane;
  const long long index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= N * image)
    return;
  long long rest = index;
  const int n = (int)(rest / image);
  rest -= n * image;
  const int c = (int)(rest / plane);
  rest -= c * plane;
  const int y = (int)(rest / OW);
  const int x = (int)(rest - (long long)y * OW);
  const int H = OH + K - 1, W = OW + K - 1;
  float sum = 0;
  for (int a = 0; a < K; ++a)
    for (int b = 0; b < K; ++b)
      sum += in[((n * C + c) * H + y + a) * W + x + b] *
             taps[(c * K + a) * K + b];
  out[index] = sum;
}
