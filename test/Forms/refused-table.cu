// Refused: neighbours that a table lists, in a loop that threads share.
// RUN: %refuses 1 %s | FileCheck %s
// CHECK: [[@LINE+10]]:{{[0-9]+}}: error: an index depends on data: 'from' [index-data]
__global__ void sparse(const float *in, const int *table, const float *w,
                       float *out, int sites, int channels, int volume) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < sites * channels;
       i += blockDim.x * gridDim.x) {
    const int site = i / channels, c = i % channels;
    float s = 0;
    for (int k = 0; k < volume; ++k) {
      const int from = table[site * volume + k];
      if (from >= 0)
        s += in[from * channels + c] * w[k * channels + c];
    }
    out[i] = s;
  }
}
