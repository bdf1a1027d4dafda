// The kernel of a text book: a filter of an image of one channel, zeros beyond
// its border, a row and a column of threads.

__global__ void image(const float *in, const float *mask, float *out,
                      int maskWidth, int pad, int width, int height) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < height && col < width) {
    float value = 0.0f;
    for (int j = 0; j < maskWidth; j++)
      for (int k = 0; k < maskWidth; k++) {
        int curRow = row + j - pad;
        int curCol = col + k - pad;
        if (curRow >= 0 && curRow < height && curCol >= 0 && curCol < width)
          value += in[curRow * width + curCol] * mask[j * maskWidth + k];
      }
    out[row * width + col] = value;
  }
}

void run(const float *in, const float *mask, float *out, int maskWidth, int pad,
         int width, int height) {
  dim3 block(16, 16);
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  image<<<grid, block>>>(in, mask, out, maskWidth, pad, width, height);
}
