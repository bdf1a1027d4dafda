// RUN: %convopt %s -function=sum -emit=nest | FileCheck %s --check-prefix=SUM
// RUN: %convopt %s -function=sum -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=correlate -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=series -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=quotient -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=most -o %t.cu -verify=cpu 2>&1 | FileCheck %s --check-prefix=VERIFIED
// CUDA's complex numbers are structures of two numbers, and their functions
// are what they compute.
// SUM:      for a in 0 .. m {
// SUM-NEXT: acc_x = (acc_x + ({{.*}}w_data[a][0] * x_data[a][t][0]{{.*}} - {{.*}}w_data[a][1] * x_data[a][t][1]
// SUM-NEXT: acc_y = (acc_y + ({{.*}}w_data[a][0] * x_data[a][t][1]{{.*}} + {{.*}}w_data[a][1] * x_data[a][t][0]
// SUM-NEXT: }
// Where there is no toolkit, they are convopt's own.
// RUN: rm -rf %t && mkdir %t && cp %source/include/convopt/Verify/complex_on_cpu.h %t/cuComplex.h
// RUN: %convopt %s -function=sum -emit=nest -- -isystem %t | FileCheck %s --check-prefix=SUM
// RUN: %convopt %s -function=correlate -o %t.cu -verify=cpu -- -isystem %t 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=series -o %t.cu -verify=cpu -- -isystem %t 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=quotient -o %t.cu -verify=cpu -- -isystem %t 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %convopt %s -function=most -o %t.cu -verify=cpu -- -isystem %t 2>&1 | FileCheck %s --check-prefix=VERIFIED
// VERIFIED: verified: {{[0-9]+}} shapes
#include <cuComplex.h>
__global__ void sum(const cuFloatComplex *x, const cuFloatComplex *w,
                    cuFloatComplex *o, int n, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  cuFloatComplex acc = make_cuFloatComplex(0.f, 0.f);
  for (int a = 0; a < m; a++)
    acc = cuCaddf(acc, cuCmulf(w[a], x[a * n + t]));
  o[t] = acc;
}
__global__ void correlate(const cuDoubleComplex *x, const cuDoubleComplex *w,
                          cuComplex *o, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  cuDoubleComplex s = make_cuDoubleComplex(0, 0);
  for (int k = 0; k < 7; ++k)
    s = cuCfma(w[k], cuConj(x[t + k]), s);
  o[t] = cuComplexDoubleToFloat(s);
}
// A structure that is set from itself is computed as a whole first.
__global__ void series(const cuComplex *x, float *o, int n, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  cuComplex z = make_cuComplex(0, 0);
  for (int k = 0; k < m; ++k)
    z = cuCaddf(cuCmulf(z, z), x[t]);
  o[t] = cuCrealf(z) * cuCrealf(z) + cuCimagf(z) * cuCimagf(z);
}
__global__ void quotient(const cuComplex *x, const cuComplex *y, cuComplex *o,
                         int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n)
    o[t] = cuCdivf(x[t], cuCsubf(y[t], make_cuComplex(8, 8)));
}
__global__ void most(const cuDoubleComplex *x, double *o, int n, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  double s = 0;
  for (int k = 0; k < m; ++k)
    s = fmax(s, cuCabs(x[t + k]));
  o[t] = s;
}
