// A depthwise layer, channels last, with stride and padding.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

template <typename T, int R>
__global__ void depthwise(const T *__restrict__ in, const T *__restrict__ weight,
                          const T *__restrict__ bias, T *__restrict__ out,
                          int batch, int height, int width, int channels,
                          int stride, int pad, int out_height, int out_width) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= batch * out_height * out_width * channels)
    return;
  const int c = index % channels;
  const int x = index / channels % out_width;
  const int y = index / channels / out_width % out_height;
  const int n = index / channels / out_width / out_height;
  T sum = bias[c];
#pragma unroll
  for (int i = 0; i < R; ++i) {
#pragma unroll
    for (int j = 0; j < R; ++j) {
      const int iy = y * stride - pad + i;
      const int ix = x * stride - pad + j;
      if (iy >= 0 && iy < height && ix >= 0 && ix < width)
        sum += in[((n * height + iy) * width + ix) * channels + c] *
               weight[(i * R + j) * channels + c];
    }
  }
  out[index] = sum;
}

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

static void layer(int batch, int height, int width, int channels, int stride) {
  const int R = 3, pad = 1;
  const int oh = (height + 2 * pad - R) / stride + 1;
  const int ow = (width + 2 * pad - R) / stride + 1;
  const size_t ins = (size_t)batch * height * width * channels;
  const size_t outs = (size_t)batch * oh * ow * channels;
  float *in, *weight, *bias, *out;
  check(cudaMallocManaged(&in, ins * sizeof(float)), "input");
  check(cudaMallocManaged(&weight, R * R * channels * sizeof(float)), "weight");
  check(cudaMallocManaged(&bias, channels * sizeof(float)), "bias");
  check(cudaMallocManaged(&out, outs * sizeof(float)), "output");
  for (size_t i = 0; i < ins; i++)
    in[i] = (float)(i % 613) / 613 - 0.5f;
  for (int i = 0; i < R * R * channels; i++)
    weight[i] = (float)(i % 37) / 37;
  for (int i = 0; i < channels; i++)
    bias[i] = (float)i / channels;

  const int threads = 256;
  const int blocks = (int)((outs + threads - 1) / threads);
  cudaStream_t stream;
  cudaEvent_t start, stop;
  check(cudaStreamCreate(&stream), "stream");
  check(cudaEventCreate(&start), "event");
  check(cudaEventCreate(&stop), "event");
  depthwise<float, R><<<blocks, threads, 0, stream>>>(
      in, weight, bias, out, batch, height, width, channels, stride, pad, oh, ow);
  check(cudaGetLastError(), "launch");
  cudaEventRecord(start, stream);
  for (int k = 0; k < 10; k++)
    depthwise<float, R><<<blocks, threads, 0, stream>>>(
        in, weight, bias, out, batch, height, width, channels, stride, pad, oh,
        ow);
  cudaEventRecord(stop, stream);
  check(cudaStreamSynchronize(stream), "layer");
  float ms;
  cudaEventElapsedTime(&ms, start, stop);
  std::fprintf(stderr, "depthwise, stride %d: %.4f ms\n", stride, ms / 10);

  double sum = 0;
  for (size_t i = 0; i < outs; i++)
    sum += out[i];
  std::printf("%d x %d x %d x %d, stride %d: mean %.7f, last %.6f\n", batch,
              height, width, channels, stride, sum / outs, out[outs - 1]);
  cudaFree(in);
  cudaFree(weight);
  cudaFree(bias);
  cudaFree(out);
}

int main(int argc, char **argv) {
  const int channels = argc > 1 ? std::atoi(argv[1]) : 64;
  layer(8, 56, 56, channels, 1);
  layer(8, 57, 55, channels, 2);
  return 0;
}
