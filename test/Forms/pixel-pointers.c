// Pixels that helpers read and write by a pointer to them, and by one to those
// around.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=x:16,y:2 -reg=y:2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
typedef struct {
  float r, g, b;
} Pixel;

static float luma(const Pixel *p) {
  return 0.25f * p->r + 0.5f * p->g + 0.25f * p[0].b;
}
static float slope(const Pixel *p) { return p[1].g - (p - 1)->g; }
static void grey(Pixel *p, float v) {
  p->r = v;
  p->g = v;
  p->b = v;
}

// CHECK: acc += (0.25f * in_data[{{.*}}][x + j][0] + {{.*}} + 0.25f * in_data[{{.*}}][x + j][2]) * w[i][j]
// CHECK: acc += (in_data[{{.*}}][x + 2][1] - in_data[{{.*}}][x][1])
// CHECK: out_data[y][x][2] = acc
void edges(const Pixel *in, const float *w, Pixel *out, int H, int W) {
  for (int y = 0; y < H - 2; y++)
    for (int x = 0; x < W - 2; x++) {
      float acc = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          acc += luma(in + (y + i) * W + x + j) * w[i * 3 + j];
      const Pixel *middle = in + (y + 1) * W + x + 1;
      acc += slope(middle);
      grey(out + y * (W - 2) + x, acc);
    }
}
