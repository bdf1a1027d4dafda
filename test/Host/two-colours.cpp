// RUN: %convopt %s -function=Spins::sweep -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=relax -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %status 2 %convopt %s -function=torus 2>&1 | FileCheck %s --check-prefix=TORUS
// RUN: %convopt %s -function=torus -assume=h=64,w=128 -o %t.cu
// Points of one colour that are set in place from their neighbours, which have
// the other one: also around the ends where sizes are even.
// VERIFIED: verified: {{[0-9]+}} shape
// TORUS: error: loop 'y' cannot be mapped to grid.x: S0[y=0, x=0] must run before S0[y=2, x=0] [Mapping]
// TORUS: note: for example with w = 1, h = 3, color = 0
#include <vector>
template <int L> class Spins {
public:
  Spins() : spins_(L * L), at_(L * L) {}
  void sweep(int color) {
    for (int y = 0; y < L; ++y)
      for (int x = 0; x < L; ++x) {
        if ((x + y) % 2 != color)
          continue;
        int nn = spins_[y * L + (x + 1) % L] + spins_[y * L + (x + L - 1) % L] +
                 spins_[((y + 1) % L) * L + x] +
                 spins_[((y + L - 1) % L) * L + x];
        if (at_[y * L + x] < spins_[y * L + x] * nn)
          spins_[y * L + x] = -spins_[y * L + x];
      }
  }

private:
  std::vector<signed char> spins_;
  std::vector<float> at_;
};
void run() { Spins<64>().sweep(0); }
void relax(float *u, const float *f, int w, int h, int color) {
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++)
      if ((i + j) % 2 == color)
        u[i * w + j] = 0.25f * (u[(i - 1) * w + j] + u[(i + 1) * w + j] +
                                u[i * w + j - 1] + u[i * w + j + 1]) +
                       f[i * w + j];
}
void torus(float *u, int w, int h, int color) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      if ((y + x) % 2 == color)
        u[y * w + x] =
            0.25f * (u[y * w + (x + 1) % w] + u[y * w + (x + w - 1) % w] +
                     u[(y + 1) % h * w + x] + u[(y + h - 1) % h * w + x]);
}
