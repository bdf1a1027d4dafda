#include "smooth.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv) {
  const int width = argc > 1 ? atoi(argv[1]) : 1024, height = width * 3 / 4;
  const float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
  const int radius = 2, pixels = (height + 2 * radius) * (width + 2 * radius);
  float *image = malloc(sizeof(float) * pixels);
  float *result = malloc(sizeof(float) * height * width);
  if (!image || !result)
    return 1;
  for (int i = 0; i < pixels; ++i)
    image[i] = (float)(i * 37 % 256);

  for (int round = 0; round < 2; ++round) { /* the second is timed */
    struct timespec begin, end;
    timespec_get(&begin, TIME_UTC);
    smooth(image, weights, result, height, width, radius);
    timespec_get(&end, TIME_UTC);
    if (round)
      fprintf(stderr, "smooth: %.3f ms\n",
              (end.tv_sec - begin.tv_sec) * 1e3 +
                  (end.tv_nsec - begin.tv_nsec) * 1e-6);
  }
  double total = 0;
  for (int i = 0; i < height * width; ++i)
    total += result[i];
  printf("%d x %d: mean %.4f, corner %.4f\n", width, height,
         total / ((double)height * width), result[0]);
  free(image);
  free(result);
  return 0;
}
