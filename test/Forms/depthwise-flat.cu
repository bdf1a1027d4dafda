// Digits of a flat index, one changed under a flag, and an instance that nothing launches.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,4,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: nest depthwise
// CHECK: assume
template <typename T, int KS>
__global__ void depthwise(const T* __restrict__ in, const T* __restrict__ weight, const T* __restrict__ bias, T* __restrict__ out,
    const bool biasEnabled, const int totalElements, const int outputChannels, const int depthwiseMultiplier,
    const int inputWidth, const int inputHeight, const int outputWidth, const int outputHeight,
    const int strideWidth, const int strideHeight, const int padWidth, const int padHeight, const int dilationWidth, const int dilationHeight) {
  for (int linearIndex = blockIdx.x * blockDim.x + threadIdx.x; linearIndex < totalElements; linearIndex += blockDim.x * gridDim.x) {
    int indtmp1 = linearIndex / outputWidth;
    const int w = linearIndex - indtmp1 * outputWidth;
    int indtmp2 = indtmp1 / outputHeight;
    const int h = indtmp1 - indtmp2 * outputHeight;
    indtmp1 = indtmp2;
    indtmp2 = indtmp1 / outputChannels;
    const int c = indtmp1 - indtmp2 * outputChannels;
    const int n = indtmp2;
    int inputChannel = c;
    int inputChannels = outputChannels;
    if (depthwiseMultiplier != 1) {
      inputChannel /= depthwiseMultiplier;
      inputChannels /= depthwiseMultiplier;
    }
    int weightOffset = c * KS * KS;
    T value = biasEnabled ? bias[c] : T(0);
    const int offset0 = (n * inputChannels + inputChannel) * inputHeight * inputWidth;
#pragma unroll
    for (int kH = 0; kH < KS; ++kH) {
#pragma unroll
      for (int kW = 0; kW < KS; ++kW) {
        const int h_in = -padHeight + h * strideHeight + kH * dilationHeight;
        const int w_in = -padWidth + w * strideWidth + kW * dilationWidth;
        if ((h_in >= 0) && (h_in < inputHeight) && (w_in >= 0) && (w_in < inputWidth)) {
          const int offset = offset0 + h_in * inputWidth + w_in;
          value += weight[weightOffset] * in[offset];
        }
        ++weightOffset;
      }
    }
    out[linearIndex] = value;
  }
}
template __global__ void depthwise<float, 3>(const float*, const float*, const float*, float*, bool, int, int, int, int, int, int, int, int, int, int, int, int, int);
