// Much of what files have beside a nest parses, and compiles where that is
// verified.
//
// RUN: %convopt %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %convopt %s -q -o %t-verified.cu -verify=cpu -shape=n=70,k=3
// CHECK-NOT: Clang says
#include <cassert>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void conv(const float *x, const float *w, float *y, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int j = 0; j < k; ++j)
    s += x[i + j] * w[j];
  y[i] = s;
}

// As a device without atomics of doubles needs it.
__device__ double addDouble(double *p, double v) {
  unsigned long long *bits = (unsigned long long *)p, old = *bits, was;
  do {
    was = old;
    old = atomicCAS(bits, was,
                    __double_as_longlong(v + __longlong_as_double(was)));
  } while (was != old);
  return __longlong_as_double(old);
}

__global__ void atomics(unsigned *u, int *i, float *f, double *d,
                        unsigned long long *l) {
  atomicAdd(u, 1);
  atomicAdd(&u[1], 2), atomicAdd(f, 1), atomicAdd(f, 1.0), atomicAdd(d, 1);
  atomicAdd(l, 1), atomicAdd_block(i, 1), atomicAdd_system(u, 1u);
  atomicInc(u, 5), atomicDec(u, 5u), atomicXor(i, 1), atomicExch(f, 1);
  atomicMax(l, 1), atomicMin(u, 3), atomicCAS(u, 0, 1);
}

__global__ void threads(float *f, double *d, int *i, unsigned *u,
                        cudaTextureObject_t t) {
  assert(f[0] > 0);
  memcpy(f, f + 4, 16), memset(f, 0, 16);
  i[0] = clock() + clock64();
  __nanosleep(10), __threadfence_system();
  u[0] = __match_any_sync(~0u, 1) + __reduce_add_sync(~0u, u[1]);
  sincosf(f[0], f + 1, f + 2), __sincosf(f[0], f, f + 1);
  sincospif(f[0], f + 1, f + 2), sincos(d[0], d + 1, d + 2);
  f[0] = cospif(f[1]) + exp10f(f[2]) + rcbrtf(f[3]) + rhypotf(f[4], f[5]);
  f[1] = norm3df(1, 2, 3) + normcdff(f[0]) + fdividef(f[0], f[1]);
  d[0] = rsqrt(d[1]) + __dmul_rn(d[0], d[1]) + __fma_rn(d[0], d[1], d[2]);
  u[1] = __float_as_uint(f[0]) + __funnelshift_l(u[0], u[1], 3);
  u[2] = __vadd4(u[0], u[1]);
  f[2] = __ldcg(f + 1) + __uint_as_float(u[0]) + tex2D<float>(t, 1, 2);
}

__global__ void pairs(half2 *p, half *h, float2 *f) {
  p[0] = __hfma2(p[0], __hadd2(p[1], p[2]), __hmul2(p[1], p[2]));
  p[1] = __float2half2_rn(1.f), p[2] = __halves2half2(h[0], h[1]);
  f[0] = __half22float2(p[0]);
  f[1].x = __low2float(p[0]) + __high2float(p[1]);
  h[0] = hexp(h[1]);
}

__global__ void vectors(longlong2 *a, ulonglong2 *b, ushort2 *c, long2 *d) {
  *a = make_longlong2(b->x, c->y), d->x = a->y;
}

void host(float *p, cudaStream_t s) {
  cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &d, 8, 8);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray, r.res.array.array = array;
  cudaTextureDesc td = {};
  td.addressMode[0] = cudaAddressModeClamp;
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &r, &td, nullptr);
  cudaPitchedPtr pitched;
  cudaMalloc3D(&pitched, make_cudaExtent(1, 2, 3));
  cudaMemcpy3DParms m = {0};
  cudaMemcpy3D(&m);
  cudaGraph_t graph;
  cudaGraphExec_t run;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&run, graph, 0), cudaGraphLaunch(run, s);
  int can, low, high;
  cudaDeviceCanAccessPeer(&can, 0, 1), cudaDeviceEnablePeerAccess(1, 0);
  cudaDeviceGetStreamPriorityRange(&low, &high);
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
  cudaHostGetDevicePointer((void **)&p, p, 0);
  cudaPointerAttributes a;
  cudaPointerGetAttributes(&a, p);
  cudaLaunchHostFunc(s, [](void *) {}, nullptr);
  CUdevice device;
  cuInit(0), cuDeviceGet(&device, 0);
}
