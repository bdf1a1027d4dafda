// Sizes by reference, and a filter with the name of the function.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: parameter w "const int &@"
// CHECK: argument w "int @" param
// CHECK: argument sharpen_2 "const float *@" array
void sharpen(const float *in, const int &w, const int &h, const float *sharpen,
             const int &k, const float &scale, float *out) {
  const int ow = w - k + 1, oh = h - k + 1;
  for (int y = 0; y < oh; ++y)
    for (int x = 0; x < ow; ++x) {
      float sum = 0;
      for (int j = 0; j < k; ++j)
        for (int i = 0; i < k; ++i)
          sum += in[(y + j) * w + x + i] * sharpen[j * k + i];
      out[y * ow + x] = scale * sum;
    }
}
