// What a class within a parameter's keeps private cannot be set from outside,
// whether a method returns a size or where the elements are.
// RUN: %status 1 %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// RUN: sed 's/\.image\.at(\([^)]*\))/.values[\1]/g' %s > %t.cpp
// RUN: %status 1 %convopt %t.cpp -verify=cpu -o %t.cu 2>&1 | FileCheck %s
// CHECK: error: no '{{[xy]}}' can be made to call 'blur' with: its parts cannot be set from outside [verify]
#include <vector>
class Plane {
  std::vector<float> all;
  int n;
public:
  int width() const { return n; }
  float &at(int i) { return all[i]; }
  const float &at(int i) const { return all[i]; }
};
struct Image {
  Plane image;
  float *values;
};
void blur(const Image &x, Image &y) {
  for (int i = 1; i < x.image.width() - 1; i++)
    y.image.at(i) = x.image.at(i - 1) + x.image.at(i + 1);
}
