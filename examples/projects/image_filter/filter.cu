// Filters an image with masks of several widths, with zeros around the image.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__global__ void filter(const float *image, const float *mask, float *result,
                       int width, int height, int maskWidth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int r = maskWidth / 2;
  float sum = 0.0f;
  for (int i = -r; i <= r; i++)
    for (int j = -r; j <= r; j++)
      if (y + i >= 0 && y + i < height && x + j >= 0 && x + j < width)
        sum +=
            image[(y + i) * width + x + j] * mask[(i + r) * maskWidth + j + r];
  result[y * width + x] = sum;
}

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

static float *to_device(const std::vector<float> &values) {
  float *p;
  check(cudaMalloc(&p, values.size() * sizeof(float)));
  check(cudaMemcpy(p, values.data(), values.size() * sizeof(float),
                   cudaMemcpyHostToDevice));
  return p;
}

int main(int argc, char **argv) {
  const int width = argc > 1 ? std::atoi(argv[1]) : 4096;
  const int height = width * 3 / 4;
  std::vector<float> image(size_t(width) * height), result(image.size());
  for (size_t i = 0; i < image.size(); i++)
    image[i] = float(i * 37 % 256);
  float *in = to_device(image), *out = to_device(result);
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));

  for (int maskWidth = 3; maskWidth <= 9; maskWidth += 2) {
    std::vector<float> weights(maskWidth * maskWidth);
    for (size_t i = 0; i < weights.size(); i++)
      weights[i] = float(i * 5 % 7) / 64;
    float *mask = to_device(weights);
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    filter<<<grid, block>>>(in, mask, out, width, height, maskWidth);
    check(cudaEventRecord(begin));
    filter<<<grid, block>>>(in, mask, out, width, height, maskWidth);
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    check(cudaGetLastError());
    float time = 0;
    check(cudaEventElapsedTime(&time, begin, end));
    check(cudaMemcpy(result.data(), out, result.size() * sizeof(float),
                     cudaMemcpyDeviceToHost));
    double total = 0;
    for (float v : result)
      total += v;
    std::printf("mask %d: mean %.4f, corner %.4f\n", maskWidth,
                total / double(result.size()), result[0]);
    std::fprintf(stderr, "mask %d: %.3f ms\n", maskWidth, time);
    cudaFree(mask);
  }
  cudaFree(in);
  cudaFree(out);
}
