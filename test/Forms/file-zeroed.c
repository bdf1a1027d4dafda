// Arrays of the file; the loops that clear the output stay where they are.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,4,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: 1 shape
// CHECK: array file_output: float[8][32][32] inout
// CHECK: S0: file_output[k][y][x] += file_input[c][y + i][x + j] * file_filters[k][c][i][j]
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
