// Refused: a mask that lets a tap be left out; the remedy is taken.
// RUN: %refuses 1 %s -function=skipped | FileCheck %s
// RUN: %convopt %s -function=chosen -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
void skipped(const unsigned char *x, const unsigned char *mask,
             unsigned char *y, int n, int m) {
  for (int i = 0; i < n; i++) {
    unsigned char most = 0;
    for (int k = 0; k < m; k++) {
      // CHECK: [[@LINE+2]]:12: error: a branch depends on data or is not affine [data-branch]
      // CHECK: note: read what it decides about before it, and choose the value: v = x[...]; v = mask[...] ? v : 0
      if (!mask[k])
        continue;
      if (i + k >= n)
        continue;
      if (x[i + k] > most)
        most = x[i + k];
    }
    y[i] = most;
  }
}

void chosen(const unsigned char *x, const unsigned char *mask, unsigned char *y,
            int n, int m) {
  for (int i = 0; i < n; i++) {
    unsigned char most = 0;
    for (int k = 0; k < m; k++) {
      if (i + k >= n)
        continue;
      unsigned char v = x[i + k];
      v = mask[k] ? v : 0;
      if (v > most)
        most = v;
    }
    y[i] = most;
  }
}
