// RUN: %host %s %t
// The same with the first row and column named.
// CALL: run(61, 47, 5)
// CALL: run(33, 70, 7)
__global__ void convolution2D(float *N, float *M, float *P, int width,
                              int height, int maskWidth) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < height && col < width) {
    float value = 0;
    int startCol = col - maskWidth / 2;
    int startRow = row - maskWidth / 2;
    for (int j = 0; j < maskWidth; j++)
      for (int k = 0; k < maskWidth; k++) {
        int curRow = startRow + j;
        int curCol = startCol + k;
        if (curRow >= 0 && curRow < height && curCol >= 0 && curCol < width)
          value += N[curRow * width + curCol] * M[j * maskWidth + k];
      }
    P[row * width + col] = value;
  }
}

void run(float *N, float *M, float *P, int width, int height, int maskWidth) {
  dim3 grid((width + 31) / 32, (height + 7) / 8), block(32, 8);
  convolution2D<<<grid, block>>>(N, M, P, width, height, maskWidth);
}
