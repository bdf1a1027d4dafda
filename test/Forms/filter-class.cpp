// Filters in a class have as many channels as images, or more; whether a caller
// has that is asked at the launch.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: FileCheck --check-prefix=STAGED %s < %t.cu
// CHECK: array f_data: float[y_channels][f_channels][f_height][f_width] input
// CHECK: assume f_channels - x_channels >= 0
// VERIFIED: verified: {{[0-9]+}} shapes
// STAGED: __shared__
struct Maps {
  int count, channels, height, width;
  float *data;
  float &at(int n, int c, int y, int x) const {
    return data[((n * channels + c) * height + y) * width + x];
  }
};
void conv(const Maps &x, const Maps &f, const Maps &y, int K) {
  for (int n = 0; n < x.count; ++n)
    for (int o = 0; o < y.channels; ++o)
      for (int i = 0; i < y.height; ++i)
        for (int j = 0; j < y.width; ++j) {
          float sum = 0;
          for (int c = 0; c < x.channels; ++c)
            for (int a = 0; a < K; ++a)
              for (int b = 0; b < K; ++b)
                sum += x.at(n, c, i + a, j + b) * f.at(o, c, a, b);
          y.at(n, o, i, j) = sum;
        }
}
