// Rasmussen and Utne (2025), figure 12 and appendix B, "direct mapped": one
// thread an output element, images square, the grid padded to whole blocks and
// the threads beyond the image sent home first.

#include <cstdio>
#include <vector>

template <class ElTp, int radius>
__global__ void convNaive(ElTp *input, ElTp *kernel, ElTp *output, int widthIn,
                          int widthOut, int nIn, int nOut) {
  int gidx = blockIdx.x * blockDim.x + threadIdx.x;
  int gidy = blockIdx.y * blockDim.y + threadIdx.y;
  int gidz = blockIdx.z * blockDim.z + threadIdx.z;
  if (gidx >= widthOut || gidy >= widthOut || gidz >= nOut)
    return;

  ElTp sum = 0.0f;
  int size = 2 * radius + 1;
  for (int c = 0; c < nIn; c++) {
    for (int row = 0; row < size; row++) {
      for (int col = 0; col < size; col++) {
        int inRow = gidy + row;
        int inCol = gidx + col;
        sum += input[c * widthIn * widthIn + inRow * widthIn + inCol] *
               kernel[c * nOut * size * size + gidz * size * size + row * size +
                      col];
      }
    }
  }
  output[gidz * widthOut * widthOut + gidy * widthOut + gidx] = sum;
}

int main() {
  const int nIn = 8, nOut = 8, widthIn = 66, radius = 1;
  const int size = 2 * radius + 1, widthOut = widthIn - size + 1;
  std::vector<float> input(nIn * widthIn * widthIn, 1.0f);
  std::vector<float> kernel(nIn * nOut * size * size, 0.5f);
  std::vector<float> output(nOut * widthOut * widthOut);

  float *dInput, *dKernel, *dOutput;
  cudaMalloc((void **)&dInput, input.size() * sizeof(float));
  cudaMalloc((void **)&dKernel, kernel.size() * sizeof(float));
  cudaMalloc((void **)&dOutput, output.size() * sizeof(float));
  cudaMemcpy(dInput, input.data(), input.size() * sizeof(float),
             cudaMemcpyHostToDevice);
  cudaMemcpy(dKernel, kernel.data(), kernel.size() * sizeof(float),
             cudaMemcpyHostToDevice);

  dim3 block(32, 4, 2);
  dim3 grid((widthOut + block.x - 1) / block.x,
            (widthOut + block.y - 1) / block.y, (nOut + block.z - 1) / block.z);
  convNaive<float, radius>
      <<<grid, block>>>(dInput, dKernel, dOutput, widthIn, widthOut, nIn, nOut);

  cudaError_t error =
      cudaMemcpy(output.data(), dOutput, output.size() * sizeof(float),
                 cudaMemcpyDeviceToHost);
  cudaFree(dInput);
  cudaFree(dKernel);
  cudaFree(dOutput);
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g, expected %g\n", output[0], 0.5 * nIn * size * size);
  return output[0] == 0.5f * nIn * size * size ? 0 : 1;
}
