// RUN: %host %s %t
// A name within a template for what a type of its parameter has.
// CALL: smooth<float>(1000, 5)
// CALL: smooth<double>(333, 8)
template <typename T> struct Traits {
  typedef T sum;
};

template <typename T>
void smooth(const T *x, const T *w, T *y, int n, int k) {
  typedef typename Traits<T>::sum Sum;
  for (int i = 0; i + k <= n; ++i) {
    Sum s = Sum();
    for (int j = 0; j < k; ++j)
      s += x[i + j] * w[j];
    y[i] = s;
  }
}
template void smooth<float>(const float *, const float *, float *, int, int);
