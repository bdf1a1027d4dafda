// Sizes and arrays in structures of the file.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=8,8 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

struct Layer {
  struct {
    int height, width;
  } in;
  int taps;
  float scale;
  const float *weights;
};
static struct Layer layer;

// CHECK: argument layer_in_width "int @" param from "layer.in.width"
// CHECK: argument layer_weights "const float *@" array from "layer.weights"
// CHECK: S1: sum += x[r + i][c + j] * layer_weights[i][j]
// CHECK: S2: y[r][c] = sum * layer_scale
void forward(const float *x, float *y) {
  int rows = layer.in.height - layer.taps + 1;
  int columns = layer.in.width - layer.taps + 1;
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      float sum = 0;
      for (int i = 0; i < layer.taps; i++)
        for (int j = 0; j < layer.taps; j++)
          sum += x[(r + i) * layer.in.width + c + j] *
                 layer.weights[i * layer.taps + j];
      y[r * columns + c] = sum * layer.scale;
    }
}
