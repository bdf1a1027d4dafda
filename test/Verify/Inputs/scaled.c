void scaled(const unsigned char *src, unsigned char *dst, const int *taps, int n,
            int K, int divisor, int offset) {
  for (int x = 0; x < n; ++x) {
    int sum = 0;
    for (int k = 0; k < K; ++k)
      sum += src[x + k] * taps[k];
    sum = sum / divisor + offset;
    dst[x] = sum < 0 ? 0 : sum > 255 ? 255 : sum;
  }
}
