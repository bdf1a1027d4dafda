// What sizes say is not used may be missing: host code copies nothing of it.
// RUN: %host %s %t
// CALL: conv(40, 3, 0, 0)
// CALL: conv(40, 3, 1, 0)
// CALL: conv(33, 4, 2, 1)
enum Norm { NONE, SHIFT, SCALE };
void conv(const float *x, const float *w, const float *shift, const float *scale, float *y, int n, int m,
          enum Norm norm, int clamp) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += x[i + k] * w[k];
    switch (norm) {
    case SHIFT:
      s += shift[i];
      break;
    case SCALE:
      s *= scale[i];
      break;
    default:
      break;
    }
    if (clamp)
      if (s < 0)
        s = 0;
    y[i] = s;
  }
}
