// RUN: %host %s %t
// A stride along the samples of channels-last signals whose number of outputs
// is an argument: signals are not taken for samples.
// CALL: reduce(3, 70, 5, 12, 4, 2)
// CALL: reduce(2, 129, 3, 8, 3, 1)
__global__ void conv(const float *in, const float *w, float *out, int samples,
                     int channels, int filters, int taps, int step, int steps) {
  int f = threadIdx.x + blockIdx.x * blockDim.x;
  int t = blockIdx.y * blockDim.y + threadIdx.y;
  int signal = blockIdx.z;
  if (f >= filters || t >= steps)
    return;
  float sum = 0;
  for (int i = 0; i < taps; i++)
    for (int c = 0; c < channels; c++)
      sum += in[(signal * samples + t * step + i) * channels + c] *
             w[(i * channels + c) * filters + f];
  out[(signal * steps + t) * filters + f] = sum;
}

void reduce(const float *in, const float *w, float *out, int signals,
            int samples, int channels, int filters, int taps, int step) {
  int steps = (samples - taps) / step + 1;
  dim3 blocks((filters + 7) / 8, (steps + 15) / 16, signals);
  conv<<<blocks, dim3(8, 16)>>>(in, w, out, samples, channels, filters, taps,
                                step, steps);
}
