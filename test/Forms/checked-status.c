// Arguments are checked, the output is cleared, and the time is printed.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,2,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct {
  int n, c, h, w;
} tensor_shape;

enum status { OK, BAD_SHAPE, NULL_DATA };

// CHECK: argument os_n "int @" param
// CHECK: S0: out[n][m][y][x] += in[n][c][y + i][x + j] * wt[m][c][i][j]
enum status conv_nchw(const float *in, const tensor_shape *is, const float *wt,
                      const tensor_shape *ws, float *out,
                      const tensor_shape *os) {
  if (!in || !wt || !out)
    return NULL_DATA;
  if (is->c != ws->c || os->c != ws->n) {
    fprintf(stderr, "channels differ: %d and %d\n", is->c, ws->c);
    return BAD_SHAPE;
  }
  assert(os->h == is->h - ws->h + 1);
  assert(os->w == is->w - ws->w + 1);
  clock_t begin = clock();
  memset(out, 0, sizeof(float) * os->n * os->c * os->h * os->w);
  for (int n = 0; n < os->n; n++)
    for (int m = 0; m < os->c; m++)
      for (int c = 0; c < is->c; c++)
        for (int y = 0; y < os->h; y++)
          for (int x = 0; x < os->w; x++)
            for (int i = 0; i < ws->h; i++)
              for (int j = 0; j < ws->w; j++)
                out[((n * os->c + m) * os->h + y) * os->w + x] +=
                    in[((n * is->c + c) * is->h + y + i) * is->w + x + j] *
                    wt[((m * ws->c + c) * ws->h + i) * ws->w + j];
  printf("%.3f s\n", (double)(clock() - begin) / CLOCKS_PER_SEC);
  return OK;
}
