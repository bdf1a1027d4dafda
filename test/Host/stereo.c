// RUN: %host %s %t
// Two channels side by side, decimated by a factor that is smaller than the
// filter.
// CALL: stereo(100, 31, 4)
// CALL: stereo(33, 5, 1)
// CALL: stereo(20, 3, 7)
void stereo(const short *x, const short *h, short *y, int frames, int taps,
            int step) {
  for (int f = 0; f < frames; f++)
    for (int c = 0; c < 2; c++) {
      long long sum = 1 << 14;
      for (int k = 0; k < taps; k++)
        sum += (int)x[2 * (f * step + taps - 1 - k) + c] * h[k];
      y[2 * f + c] = (short)(sum >> 15);
    }
}
