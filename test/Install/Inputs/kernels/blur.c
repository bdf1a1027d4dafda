#include "taps.h"

void blur(const float x[restrict], float y[restrict], int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < WIDTH; ++j)
      sum += x[i + j] / WIDTH;
    y[i] = sum;
  }
}
