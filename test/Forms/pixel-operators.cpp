// A class of vectors with operators, methods and a constructor.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=x:16,y:2 -reg=y:2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes
struct Vec3 {
  float x, y, z;
  Vec3() = default;
  Vec3(float x, float y, float z) : x(x), y(y), z(z) {}
  Vec3 &operator+=(const Vec3 &o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  Vec3 scaled(float s) const { return Vec3(x * s, y * s, z * s); }
  float dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
};
inline Vec3 operator*(const Vec3 &a, float s) {
  return {a.x * s, a.y * s, a.z * s};
}
inline Vec3 operator+(Vec3 a, Vec3 b) {
  return Vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

// CHECK: sum_x += (in_data[y + dy][x + dx][0] * kernel[dy + r][dx + r])
// CHECK: more_z += (in_data[y + dy][x + dx][2] * kernel[dy + r][dx + r])
void smooth(const Vec3 *in, Vec3 *out, float *luma, int w, int h,
            const float *kernel, int r) {
  const int size = 2 * r + 1;
  for (int y = r; y < h - r; ++y)
    for (int x = r; x < w - r; ++x) {
      Vec3 sum{0, 0, 0}, more(1.0f, 2.0f, 3.0f);
      for (int dy = -r; dy <= r; ++dy)
        for (int dx = -r; dx <= r; ++dx) {
          const Vec3 &v = in[(y + dy) * w + x + dx];
          const float s = kernel[(dy + r) * size + dx + r];
          sum = sum + v * s;
          more += v.scaled(s);
        }
      out[y * w + x] = sum;
      luma[y * w + x] = more.dot(sum);
    }
}
