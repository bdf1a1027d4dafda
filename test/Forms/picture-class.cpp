// A picture in a class with a vector, whose borders repeat.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
#include <algorithm>
#include <vector>

struct Image {
  int width, height;
  std::vector<unsigned char> pixels;
};

// CHECK: array in_pixels_data: unsigned char[in_height][in_width] input
// CHECK: S{{[0-9]+}}: sum += guarded({{.*}}, in_pixels_data[y + dy][x + dx], border)
void box(const Image &in, Image &out) {
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x) {
      int sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          sum += in.pixels[std::clamp(y + dy, 0, in.height - 1) * in.width +
                           std::clamp(x + dx, 0, in.width - 1)];
      out.pixels[y * in.width + x] = (unsigned char)(sum / 9);
    }
}
