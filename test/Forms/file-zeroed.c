// Arrays of the file; the loops that clear the output are a part of the nest.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: 1 shape
// CHECK: array file_output: float[8][32][32] output
// CHECK: S0: file_output[k][y][x] = 0
// CHECK: S1: file_output[k_2][y_2][x_2] += file_input[c][y_2 + i][x_2 + j] * file_filters[k_2][c][i][j]
float input[3][34][34], filters[8][3][3][3], output[8][32][32];
void layer1(void) {
  for (int k = 0; k < 8; k++)
    for (int y = 0; y < 32; y++)
      for (int x = 0; x < 32; x++)
        output[k][y][x] = 0;
  for (int k = 0; k < 8; k++)
    for (int c = 0; c < 3; c++)
      for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++)
          for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
              output[k][y][x] += input[c][y + i][x + j] * filters[k][c][i][j];
}
