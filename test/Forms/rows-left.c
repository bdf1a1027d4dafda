// An argument that counts the rows that are left.
// RUN: %convopt %s -emit=nest -function=rows | FileCheck --check-prefix=ROWS %s
// RUN: %convopt %s -emit=nest -function=pairs | FileCheck --check-prefix=PAIRS %s
// RUN: %convopt %s -function=rows -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=pairs -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape

// ROWS: assume h - 1 >= 0 "the condition of a 'do' loop is true at first"
void rows(const float *src, float *dst, long from, long to, int w, int h) {
  do {
    for (int x = 0; x < w; x++)
      dst[x] = src[x] + src[x + 1];
    src += from;
    dst += to;
  } while (--h);
}

// PAIRS: for i in 0 .. 2 * n {
void pairs(const float *x, float *y, int n) {
  n *= 2;
  for (int i = 0; i < n; i++)
    y[i] = x[i + 1];
}
