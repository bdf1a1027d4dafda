// RUN: %host %s %t
// CALL: run<3>(40, 66)
// CALL: run<5>(33, 70)
template <int K> struct Sizes {
  int h, w;
};
template <typename T, int K>
__global__ void conv(const T *in, const T *f, T *out, int H, int W) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (x > W - K || y > H - K)
    return;
  T sum = 0;
  for (int i = 0; i < K; ++i)
    for (int j = 0; j < K; ++j)
      sum += in[(y + i) * W + x + j] * f[i * K + j];
  out[y * (W - K + 1) + x] = sum;
}

template <int K>
void launch(const float *in, const float *f, float *out, const Sizes<K> &s) {
  dim3 grid((s.w + 31) / 32, s.h - K + 1);
  conv<float, K><<<grid, 32>>>(in, f, out, s.h, s.w);
}

template <int K>
void run(const float *in, const float *f, float *out, int H, int W) {
  launch<K>(in, f, out, Sizes<K>{H, W});
}
