// A template's bias that may be null, beside values of its type.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8,1 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: argument has_bias "int @" param from "bias" != 0
// CHECK: argument has_scales "int @" param from "scales" != 0
template <typename T>
__global__ void conv(const T *__restrict__ in, const T *__restrict__ w,
                     const T *__restrict__ bias,
                     const T *__restrict__ scales, T *__restrict__ out, int O,
                     int OH, int OW, int K) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int o = blockIdx.z;
  if (x >= OW || y >= OH || o >= O)
    return;
  T sum = bias ? bias[o] : static_cast<T>(0);
  const T scale = scales != nullptr ? scales[o] : T(1);
  for (int a = 0; a < K; ++a)
    for (int b = 0; b < K; ++b)
      sum += in[(y + a) * (OW + K - 1) + x + b] * w[(o * K + a) * K + b];
  out[(o * OH + y) * OW + x] = sum * scale;
}

template __global__ void conv<float>(const float *, const float *,
                                     const float *, const float *, float *, int,
                                     int, int, int);
