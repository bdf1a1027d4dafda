// A filter, a width and factors in memory of the device that the file names.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=64 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// RUN: FileCheck --check-prefix=DISPATCH %s < %t.cu
#define RADIUS 4
__constant__ float taps[2 * RADIUS + 1];
__constant__ int width;
__device__ float gain;
namespace filter {
__constant__ const float low[3] = {0.25f, 0.5f, 0.25f};
}

// CHECK: argument width "int @" param from "::width" variable 1
// CHECK: argument taps "float *@" array from "::taps" variable 9
// CHECK: argument low "const float *@" array from "::filter::low" variable 3 const
// CHECK: argument gain "float @" scalar from "::gain" in "::gain" variable 1
// CHECK: S1: sum += in[y][i + k] * taps[k + 4] * low[1]
// Where they are and what they hold is asked at each launch.
// DISPATCH: const int width = rows_tiled_fetch(rows_tiled_symbol<int>(::width), stream);
// DISPATCH: float *taps = rows_tiled_symbol<float>(::taps);
__global__ void rows(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (i < width && y < n) {
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
      if (i + k >= 0 && i + k < width)
        sum += in[y * width + i + k] * taps[k + RADIUS] * filter::low[1];
    out[y * width + i] = sum * gain;
  }
}

void run(const float *in, float *out, int n, int w, cudaStream_t s) {
  rows<<<dim3((w + 127) / 128, n), 128, 0, s>>>(in, out, n);
}
