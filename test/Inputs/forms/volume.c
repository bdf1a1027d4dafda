void conv(const float *in, const float *w, float *out, long D, long H, long W,
          long K) {
  long sy = W, sz = H * W;
  long oy = W - K + 1, oz = (H - K + 1) * (W - K + 1);
  for (long z = 0; z < D - K + 1; z++)
    for (long y = 0; y < H - K + 1; y++)
      for (long x = 0; x < W - K + 1; x++) {
        float s = 0;
        for (long p = 0; p < K; p++)
          for (long q = 0; q < K; q++)
            for (long r = 0; r < K; r++)
              s += in[(z + p) * sz + (y + q) * sy + x + r] *
                   w[p * K * K + q * K + r];
        out[z * oz + y * oy + x] = s;
      }
}
