void conv(const float *in, const float *w, float *out, int N, int C, int O,
          int groups, int H, int W, int K) {
  int OH = H - K + 1, OW = W - K + 1;
  int cpg = C / groups, opg = O / groups;
  for (int n = 0; n < N; n++)
    for (int g = 0; g < groups; g++)
      for (int oc = 0; oc < opg; oc++)
        for (int y = 0; y < OH; y++)
          for (int x = 0; x < OW; x++) {
            float s = 0;
            for (int ic = 0; ic < cpg; ic++)
              for (int i = 0; i < K; i++)
                for (int j = 0; j < K; j++)
                  s += in[((n * C + g * cpg + ic) * H + y + i) * W + x + j] *
                       w[(((g * opg + oc) * cpg + ic) * K + i) * K + j];
            out[((n * O + g * opg + oc) * OH + y) * OW + x] = s;
          }
}
