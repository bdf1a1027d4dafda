#include "blur_tiled.h"
#include "filter_tiled.h"
#include <cstdio>

extern "C" void blur(const float *x, float *y, int n);
void run_filter(const float *x, float *y, int n);

int main() {
  float x[75], y[70], z[70];
  for (int i = 0; i < 75; ++i)
    x[i] = float(i * 7 % 32);
  blur(x, y, 70);
  blur_tiled(x, z, 70);
  for (int i = 0; i < 70; ++i)
    if (y[i] != z[i])
      return 1;
  std::printf("blur %.3f\n", z[69]);
#ifdef HOST_MEMORY_IS_THE_DEVICES
  run_filter(x, z, 70);
  std::printf("filter %.3f\n", z[69]);
#endif
}
