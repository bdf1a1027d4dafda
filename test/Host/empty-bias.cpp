// RUN: %host %s %t -tile=16 -reg=o:2
// A bias that is empty where there is none: kernels run with one and without.
// CALL: conv(33, 5, 1)
// CALL: conv(33, 5, 0)
// CALL: conv(1, 1, 0)
#include <vector>
static void run(const std::vector<float> &x, const std::vector<float> &w,
                const std::vector<float> &bias, std::vector<float> &y, int n,
                int k) {
  if (k < 1)
    return;
  for (int o = 0; o < n; ++o) {
    float s = 0;
    if (!bias.empty())
      s = bias[o];
    for (int i = 0; i < k; ++i)
      s += x[o + i] * w[i];
    y[o] = s;
  }
}
void conv(const float *in, const float *taps, const float *b, float *out, int n,
          int k, int biased) {
  std::vector<float> x(n + k - 1), w(k), bias(biased ? n : 0), y(n);
  for (int i = 0; i < n + k - 1; ++i)
    x[i] = in[i];
  for (int i = 0; i < k; ++i)
    w[i] = taps[i];
  for (int i = 0; i < n && biased; ++i)
    bias[i] = b[i];
  run(x, w, bias, y, n, k);
  for (int i = 0; i < n; ++i)
    out[i] = y[i];
}
