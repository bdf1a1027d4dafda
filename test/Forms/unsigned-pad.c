// Sizes without a sign are not negative, which full tiles follow from.
// RUN: %convopt %s -tile=32,2 -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// RUN: %convopt %s -tile=32,2 -boundary=full-tiles -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// CHECK: verified: {{[0-9]+}} shape
void layer(const float *im, const float *w, float *out, int C, int H, int K,
           unsigned pad, unsigned dil) {
  int OH = H + 2 * pad - (dil * 2 + 1) + 1;
  for (int k = 0; k < K; k++)
    for (int y = 0; y < OH; y++) {
      float s = 0;
      for (int c = 0; c < C; c++)
        for (int i = 0; i < 3; i++) {
          int iy = y - pad + i * dil;
          if (iy >= 0 && iy < H)
            s += im[c * H + iy] * w[(k * C + c) * 3 + i];
        }
      out[k * OH + y] = s;
    }
}
