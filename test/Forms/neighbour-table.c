// Steps to neighbours that a table of constants has: evenly apart, or not.
// RUN: %convopt %s -emit=nest -function=blur 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -function=blur -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -emit=nest -function=four 2>/dev/null | FileCheck --check-prefix=FOUR %s
// RUN: %convopt %s -verify=cpu -function=four -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
static const int step[5] = {-2, -1, 0, 1, 2};
static const float g[5] = {1, 4, 6, 4, 1};
// CHECK: S1: s += file_g[k] * x[i + k - 2]
void blur(const float *x, float *y, int n) {
  for (int i = 2; i < n - 2; i++) {
    float s = 0;
    for (int k = 0; k < 5; k++)
      s += g[k] * x[i + step[k]];
    y[i] = s;
  }
}

// Each place of the table is a statement of its own.
// FOUR-COUNT-4: += x[
// FOUR-NOT: += x[
void four(const float *x, float *y, int h, int w) {
  static const int dx[4] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      float s = 0;
      for (int k = 0; k < 4; k++) {
        int row = i + dy[k];
        s += x[row * w + j + dx[k]];
      }
      y[i * w + j] = s;
    }
}

// That a table is constant may be seen by what the function does with it.
// RUN: %convopt %s -emit=nest -function=count 2>/dev/null | FileCheck --check-prefix=COUNT %s
// RUN: %convopt %s -verify=cpu -function=count -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// COUNT-COUNT-3: live += board[
// COUNT-NOT: live += board[
static int down[] = {1, 0, -1};
void count(const int *board, int *next, int h, int w) {
  int right[] = {0, 1, 1};
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      int live = 0;
      for (int k = 0; k < (int)(sizeof right / sizeof *right); k++) {
        int y = i + down[k], x = j + right[k];
        if (y >= 0 && y < h && x >= 0 && x < w)
          live += board[y * w + x];
      }
      next[i * w + j] = live;
    }
}

// RUN: not %convopt %s -emit=nest -function=shown 2>&1 | FileCheck --check-prefix=SHOWN %s
// SHOWN: error: an index depends on data: 'at'
// SHOWN: note: declare 'steps' const
int steps[] = {1, 5, 2};
void shown(const int *x, int *y, int n) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = 0; k < 3; k++) {
      int at = i + steps[k];
      s += x[at];
    }
    y[i] = s;
  }
}
