// One dimension: a signal and zeros beyond its ends.

void signal(const float *in, const float *taps, float *out, int n, int width,
            int pad) {
  for (int i = 0; i < n; i++) {
    float sum = 0.0f;
    for (int j = 0; j < width; j++) {
      int at = i + j - pad;
      if (at >= 0 && at < n)
        sum += in[at] * taps[j];
    }
    out[i] = sum;
  }
}
