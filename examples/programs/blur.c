/* Smooths a grey picture with a filter of any odd width, zeros around it. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  int width, height;
  float *pixels;
} Picture;

static Picture new_picture(int width, int height) {
  Picture p;
  p.width = width;
  p.height = height;
  p.pixels = malloc(sizeof(float) * width * height);
  assert(p.pixels != NULL);
  return p;
}

void filter(const Picture *in, Picture *out, const float *mask, int mask_width) {
  int r = mask_width / 2;
  int y, x, i, j;

  for (y = 0; y < in->height; y++) {
    for (x = 0; x < in->width; x++) {
      float sum = 0.0f;
      for (i = -r; i <= r; i++) {
        for (j = -r; j <= r; j++) {
          int yy = y + i;
          int xx = x + j;
          if (yy < 0 || yy >= in->height || xx < 0 || xx >= in->width)
            continue;
          sum += in->pixels[yy * in->width + xx] *
                 mask[(i + r) * mask_width + (j + r)];
        }
      }
      out->pixels[y * in->width + x] = sum;
    }
  }
}

int main(int argc, char **argv) {
  int size = argc > 1 ? atoi(argv[1]) : 1024, width, i, round;
  Picture a = new_picture(size, size * 3 / 4);
  Picture b = new_picture(a.width, a.height);

  for (i = 0; i < a.width * a.height; i++)
    a.pixels[i] = (float)(i * 37 % 256);
  for (width = 3; width <= 15; width += 4) {
    float mask[15 * 15];
    struct timespec begin, end;
    double sum = 0;
    for (i = 0; i < width * width; i++)
      mask[i] = 1.0f / (width * width);
    memset(b.pixels, 0, sizeof(float) * b.width * b.height);
    filter(&a, &b, mask, width);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (round = 0; round < 3; round++)
      filter(&a, &b, mask, width);
    clock_gettime(CLOCK_MONOTONIC, &end);
    fprintf(stderr, "blur %d: %.3f ms\n", width,
            ((end.tv_sec - begin.tv_sec) * 1e3 +
             (end.tv_nsec - begin.tv_nsec) * 1e-6) /
                3);
    for (i = 0; i < b.width * b.height; i++)
      sum += b.pixels[i];
    printf("%d x %d by %d: mean %.4f, corner %.4f, centre %.4f\n", b.width,
           b.height, width, sum / (b.width * b.height), b.pixels[0],
           b.pixels[b.height / 2 * b.width + b.width / 2]);
  }
  free(a.pixels);
  free(b.pixels);
  return 0;
}
