// RUN: %host %s %t
// A step of two rows is no stride of a dimension: planes have 11 rows and 9.
// CALL: average(3, 5, 4, 132, 12, 1)
// CALL: average(2, 4, 30, 540, 60, 1)
// CALL: average(3, 4, 9, 400, 40, 2)
void average(const float *in, float *out, int C, int oh, int ow, int cs, int rs,
             int ps) {
  for (int c = 0; c < C; ++c)
    for (int y = 0; y < oh; ++y)
      for (int x = 0; x < ow; ++x)
        out[(c * oh + y) * ow + x] =
            0.25f * (in[c * cs + 2 * y * rs + 2 * x * ps] +
                     in[c * cs + 2 * y * rs + (2 * x + 1) * ps] +
                     in[c * cs + (2 * y + 1) * rs + 2 * x * ps] +
                     in[c * cs + (2 * y + 1) * rs + (2 * x + 1) * ps]);
}
