// RUN: %host %s %t
// CALL: filtered(33, 2)
// CALL: filtered(1, 1)
// A part all of whose arrays are small and of constant size asks nothing about
// offsets. A row of the function is one array for all iterations of 't', and no
// element of it is for each thread of a warp: 'row[3]' is one.

void filtered(int n, int steps, float *filter, float *x, float *y) {
  for (int k = 0; k < 5; k++)
    filter[k] = 0.25f * k;
  for (int t = 0; t < steps; t++) {
    float row[64];
    for (int q = 0; q < 64; q++)
      row[q] = x[q];
    for (int i = 0; i < n; i++)
      row[3] += y[i * 64] * filter[2];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 64; j++)
        y[i * 64 + j] = y[i * 64 + j] * 0.25f + row[j];
  }
}
