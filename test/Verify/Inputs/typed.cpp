// No instance of it is in the file.
template <class T>
void typed(const T *in, const T *w, T *out, int W, int K) {
  for (int x = 0; x < W; ++x) {
    T sum = 0;
    for (int j = 0; j < K; ++j)
      sum += in[x + j] * w[j];
    out[x] = sum;
  }
}
