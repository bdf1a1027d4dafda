// A separable filter: the passes are kernels in turn or, with tiles, nests of
// their own. One run takes both; one of them is chosen by its line.
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=TURN %s
// TURN: verified: {{[0-9]+}} shapes
// TURN: 'two' has {{[0-9]+}} kernels
// TURN: two_tiled_1:
// TURN: two_tiled_2:
// RUN: %convopt %s -tile=x:16,y:2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=BOTH %s
// BOTH: 'two{{_}}nest':
// BOTH: verified: {{[0-9]+}} shapes
// BOTH: 'two{{_}}nest2':
// BOTH: verified: {{[0-9]+}} shapes
// RUN: not %convopt %s -emit=nest 2>&1 | FileCheck --check-prefix=SEVERAL %s
// SEVERAL: [[@LINE+11]]:3: error: several nests were found and -function chooses none
// RUN: %convopt %s -function=two:25 -emit=nest | FileCheck --check-prefix=FIRST %s
// RUN: %convopt %s -function=two:25 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=two:25 -tile=32 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=two:31 -emit=nest | FileCheck --check-prefix=SECOND %s
// RUN: %convopt %s -function=two:31 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=two:31 -tile=x:16,y:2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
// FIRST: S1: s += in[y][x + k] * g[k + r]
// SECOND: S1: s += tmp[y + k][x] * g[k + r]
void two(const float *in, float *tmp, float *out, const float *g, int w, int h, int r) {
  for (int y = 0; y < h; y++)
    for (int x = r; x < w - r; x++) {
      float s = 0;
      for (int k = -r; k <= r; k++) s += in[y * w + x + k] * g[k + r];
      tmp[y * w + x] = s;
    }
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++) {
      float s = 0;
      for (int k = -r; k <= r; k++) s += tmp[(y + k) * w + x] * g[k + r];
      out[y * w + x] = s;
    }
}
