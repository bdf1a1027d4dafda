// A view of the output, made of parameters by a list.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
struct View {
  float *data;
  int c, h, w;
  float &at(int i, int j, int k) const { return data[(i * h + j) * w + k]; }
};

// CHECK: argument out_data "float *@" array from "out.data"
// CHECK: for y in 0 .. H - K + 1
// CHECK: S2: out_data[m][y][x] = s
void conv(const float *in, const float *f, float *y, int C, int H, int W,
          int M, int K) {
  const View out{y, M, H - K + 1, W - K + 1};
  for (int m = 0; m < M; m++)
    for (int y = 0; y < H - K + 1; y++)
      for (int x = 0; x < W - K + 1; x++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
              s += in[(c * H + y + i) * W + x + j] *
                   f[((m * C + c) * K + i) * K + j];
        out.at(m, y, x) = s;
      }
}
