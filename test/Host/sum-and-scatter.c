// RUN: %host %s %t
// CALL: layer(3, 5, 9, 12)
// CALL: layer(1, 17, 5, 4)
// The gradient of filters, added up in a local, and that of the image, in the
// same loops: statements of one body are of two kernels.

void layer(int C, int K, int P, int Q, const float *x, const float *dy,
           const float *w, float *dw, float *dx) {
  for (int k = 0; k < K; k++)
    for (int c = 0; c < C; c++)
      for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++) {
          float a = 0;
          for (int p = 0; p < P; p++)
            for (int q = 0; q < Q; q++) {
              float g = dy[(k * P + p) * Q + q];
              a += g * x[(c * (P + 2) + p + r) * (Q + 2) + q + s];
              dx[(c * (P + 2) + p + r) * (Q + 2) + q + s] +=
                  g * w[((k * C + c) * 3 + r) * 3 + s];
            }
          dw[((k * C + c) * 3 + r) * 3 + s] = a;
        }
}
