// A pooling as darknet has it: how many outputs there are is an argument, and
// the index is divided in place. The slowest part may be a remainder, too.
// RUN: %convopt %s -function=pool -emit=nest 2>/dev/null | FileCheck --check-prefix=POOL %s
// RUN: %convopt %s -function=pool -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=upsample -emit=nest 2>/dev/null | FileCheck --check-prefix=BATCH %s
// RUN: %convopt %s -function=upsample -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape

// POOL: for id_2 in 0 .. floordiv(n, h * w * c) {
// POOL-NEXT: for k in 0 .. c {
__global__ void pool(int n, int in_h, int in_w, int in_c, int stride, int size,
                     int pad, const float *input, float *output) {
  int h = (in_h + pad - size) / stride + 1;
  int w = (in_w + pad - size) / stride + 1;
  int c = in_c;
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n)
    return;
  int j = id % w;
  id /= w;
  int i = id % h;
  id /= h;
  int k = id % c;
  id /= c;
  int b = id;
  float most = -1e38f;
  for (int l = 0; l < size; ++l)
    for (int m = 0; m < size; ++m) {
      int y = -pad / 2 + i * stride + l;
      int x = -pad / 2 + j * stride + m;
      int valid = (y >= 0 && y < in_h && x >= 0 && x < in_w);
      float v = (valid != 0) ? input[x + in_w * (y + in_h * (k + b * in_c))]
                             : -1e38f;
      most = (v > most) ? v : most;
    }
  output[j + w * (i + h * (k + c * b))] = most;
}

// BATCH-DAG: assume w * h * c * batch - N >= 0 "the bounds check of 'b' is the product of extents"
// BATCH-DAG: assume -(N % (w * h * c)) >= 0 "the bounds check of 'b' is the product of extents"
// BATCH: for b in 0 .. floordiv(N, w * h * c) {
__global__ void upsample(int N, const float *x, int w, int h, int c, int batch,
                         float scale, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N)
    return;
  int out_w = i % w;
  i = i / w;
  int out_h = i % h;
  i = i / h;
  int out_c = i % c;
  i = i / c;
  int b = i % batch;
  out[((b * c + out_c) * h + out_h) * w + out_w] =
      scale * x[((b * c + out_c) * h + out_h) * w + out_w];
}
