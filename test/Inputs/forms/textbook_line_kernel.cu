__global__ void conv(const float *in, const float *mask, float *out, int width,
                     int maskWidth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width)
    return;
  int r = maskWidth / 2;
  float s = 0;
  for (int j = -r; j <= r; j++)
    if (i + j >= 0 && i + j < width)
      s += in[i + j] * mask[j + r];
  out[i] = s;
}
