#include <cstddef>
void conv(const float *in, const float *w, float *out, int N, int C, int H,
          int W, int O, int K) {
  const size_t inPlane = (size_t)H * W, inImage = C * inPlane;
  const int OH = H - K + 1, OW = W - K + 1;
  const size_t outPlane = (size_t)OH * OW, outImage = O * outPlane;
  const int taps = K * K, filter = C * taps;
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int y = 0; y < OH; y++)
        for (int x = 0; x < OW; x++) {
          float s = 0;
          for (int c = 0; c < C; c++)
            for (int i = 0; i < K; i++)
              for (int j = 0; j < K; j++)
                s += in[n * inImage + c * inPlane + (y + i) * W + x + j] *
                     w[o * filter + c * taps + i * K + j];
          out[n * outImage + o * outPlane + y * OW + x] = s;
        }
}
