// A template's size, or that of the call where it is negative: the naive code
// runs there.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: assume K >= 0
// CHECK: for k in 0 .. K {
// CHECK: sum += in[at_mod_div][at_mod_mod + k] * taps[at_mod_div][k]
template <int K>
__global__ void rows(const float *in, const float *taps, float *out, int count,
                     int C, int W, int size) {
  const int taken = K < 0 ? size : K;
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < count) {
    const int x = at % W, c = at / W % C;
    const int first = c * taken;
    float sum = 0;
    for (int k = 0; k < taken; ++k)
      sum += in[c * (W + taken) + x + k] * taps[first + k];
    out[at] = sum;
  }
}

void run(const float *in, const float *taps, float *out, int count, int C,
         int W, int size) {
  if (size == 3)
    rows<3><<<(count + 127) / 128, 128>>>(in, taps, out, count, C, W, size);
  else
    rows<-1><<<(count + 127) / 128, 128>>>(in, taps, out, count, C, W, size);
}
