// Rasmussen and Utne (2025), section 3.6: the element type and the filter's
// radius are template parameters, the image's sizes are run-time values.

template <class T, int R>
void conv(const T *input, const T *filters, T *output, int inChannels,
          int outChannels, int height, int width) {
  constexpr int F = 2 * R + 1;
  const int outHeight = height - F + 1;
  const int outWidth = width - F + 1;
  for (int o = 0; o < outChannels; ++o)
    for (int y = 0; y < outHeight; ++y)
      for (int x = 0; x < outWidth; ++x) {
        T sum = 0;
        for (int n = 0; n < inChannels; ++n)
          for (int i = 0; i < F; ++i)
            for (int j = 0; j < F; ++j)
              sum += input[n * height * width + (y + i) * width + (x + j)] *
                     filters[n * outChannels * F * F + o * F * F + i * F + j];
        output[o * outHeight * outWidth + y * outWidth + x] = sum;
      }
}

void blur5x5(const float *input, const float *filters, float *output,
             int channels, int height, int width) {
  conv<float, 2>(input, filters, output, channels, channels, height, width);
}
