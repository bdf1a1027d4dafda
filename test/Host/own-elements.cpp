// RUN: %host %s %t -tile=16,2,2 -reg=2,2
// RUN: grep -q '&x(0, 0, 0)' %t/emitted.cu
// A class whose elements are private and which tells no more than an element by
// its numbers.
// CALL: conv(3, 9, 11, 4, 3)
// CALL: conv(1, 16, 5, 2, 2)
#include <vector>
class Image {
  std::vector<float> all;
  int c_, h_, w_;
  int place(int c, int y, int x) const { return (c * h_ + y) * w_ + x; }

public:
  Image(int c, int h, int w) : all(c * h * w), c_(c), h_(h), w_(w) {}
  int channels() const { return c_; }
  int height() const { return h_; }
  int width() const { return w_; }
  float &operator()(int c, int y, int x) { return all[place(c, y, x)]; }
  const float &operator()(int c, int y, int x) const {
    return all[place(c, y, x)];
  }
};
static void run(const Image &x, const float *w, int k, Image &y) {
  if (k < 1)
    return;
  for (int o = 0; o < y.channels(); ++o)
    for (int i = 0; i < y.height(); ++i)
      for (int j = 0; j < y.width(); ++j) {
        float s = 0;
        for (int c = 0; c < x.channels(); ++c)
          for (int a = 0; a < k; ++a)
            for (int b = 0; b < k; ++b)
              s += x(c, i + a, j + b) *
                   w[((o * x.channels() + c) * k + a) * k + b];
        y(o, i, j) = s;
      }
}
void conv(const float *in, const float *w, float *out, int C, int H, int W,
          int O, int K) {
  Image x(C, H, W), y(O, H - K + 1, W - K + 1);
  for (int c = 0; c < C; ++c)
    for (int i = 0; i < H; ++i)
      for (int j = 0; j < W; ++j)
        x(c, i, j) = in[(c * H + i) * W + j];
  run(x, w, K, y);
  for (int o = 0; o < O; ++o)
    for (int i = 0; i < y.height(); ++i)
      for (int j = 0; j < y.width(); ++j)
        out[(o * y.height() + i) * y.width() + j] = y(o, i, j);
}
