// A volume as arrays of lengths that parameters give.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: t += in[z + c][y + b][x + a] * ker[c][b][a]
void conv3d(int D, int H, int W, int K, float in[D][H][W], float ker[K][K][K], float out[D - K + 1][H - K + 1][W - K + 1]) {
  for (int z = 0; z <= D - K; z++)
    for (int y = 0; y <= H - K; y++)
      for (int x = 0; x <= W - K; x++) {
        float t = 0;
        for (int c = 0; c < K; c++)
          for (int b = 0; b < K; b++)
            for (int a = 0; a < K; a++)
              t += in[z + c][y + b][x + a] * ker[c][b][a];
        out[z][y][x] = t;
      }
}
