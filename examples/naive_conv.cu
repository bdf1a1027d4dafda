// A convolution as one first writes it: each output element is a sum over the
// input channels and the filter's window. Valid mode, stride 1, sizes known at
// run time.
//
//   inputs   [N][H][W]        N input channels
//   filters  [N][O][F][F]
//   outputs  [O][H-F+1][W-F+1]
//
// The loops and layouts are those of Rasmussen and Utne (2025), figure 3.

void conv(const float *inputs, const float *filters, float *outputs, int N,
          int O, int H, int W, int F) {
  int OH = H - F + 1;
  int OW = W - F + 1;
  for (int o = 0; o < O; o++)
    for (int y = 0; y < OH; y++)
      for (int x = 0; x < OW; x++) {
        float sum = 0.0f;
        for (int n = 0; n < N; n++)
          for (int i = 0; i < F; i++)
            for (int j = 0; j < F; j++)
              sum += inputs[(n * H + y + i) * W + x + j] *
                     filters[((n * O + o) * F + i) * F + j];
        outputs[(o * OH + y) * OW + x] = sum;
      }
}
