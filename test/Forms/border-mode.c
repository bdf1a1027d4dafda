// What lies outside of a line is clamped to it or left out, as a flag says: by
// branches that go on with the loop, or by an index that is chosen before.
// RUN: %convopt %s -function=branches -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// RUN: %convopt %s -function=chosen -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// CHECK: verified: {{[0-9]+}} shape
void branches(const float *in, const float *k, float *out, int w, int clamps) {
  for (int x = 0; x < w; ++x) {
    float acc = 0.f;
    for (int i = 0; i < 3; ++i) {
      int xx = x + i - 1;
      if (xx < 0) {
        if (clamps)
          xx = 0;
        else
          continue;
      }
      if (xx >= w) {
        if (clamps)
          xx = w - 1;
        else
          continue;
      }
      acc += in[xx] * k[i];
    }
    out[x] = acc;
  }
}

static int indexOf(int i, int n, int border) {
  switch (border) {
  case 0:
    return i < 0 ? 0 : i >= n ? n - 1 : i;
  default:
    return i;
  }
}

void chosen(const float *in, const float *k, float *out, int w, int border) {
  for (int x = 0; x < w; ++x) {
    float acc = 0.f;
    for (int i = 0; i < 3; ++i) {
      int xx = indexOf(x + i - 1, w, border);
      if (xx < 0 || xx >= w)
        continue;
      acc += in[xx] * k[i];
    }
    out[x] = acc;
  }
}
