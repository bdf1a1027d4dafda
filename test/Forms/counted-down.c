// Loops that count down to nothing, by a condition that is the iterator itself,
// or its step beside what the header moves.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S0: col[channel][r][p] = im[channel][r + p]
void unfold(const float *im, float *col, int channels, int rows, int width) {
  for (int channel = channels; channel--; im += rows + width - 1) {
    int row = 0;
    for (int r = rows; r; r--) {
      for (int p = 0; p < width; p++)
        *(col++) = im[row + p];
      row++;
    }
  }
}
