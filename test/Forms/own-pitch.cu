// One matrix of a product has rows of another length than is summed or written,
// or windows that overlap: which of both is not known, so a product of any
// stride is staged element by element.
// RUN: %convopt %s -function=ab -o %t.cu -verify=cpu 2>&1 | FileCheck %s
// RUN: %convopt %s -function=pa -o %t.cu -verify=cpu 2>&1 | FileCheck %s
// RUN: %convopt %s -function=abt -o %t.cu -verify=cpu 2>&1 | FileCheck %s
// RUN: %convopt %s -function=abt -emit=schedule | FileCheck %s --check-prefix=STEPS
// CHECK: verified: {{[0-9]+}} shapes
// CHECK-NOT: for
// CHECK: _tiled: {{.*}} outputs a thread ({{.*}}); 'A', 'B' in shared memory
// CHECK-NOT: =1
// STEPS: stage=B,l_o,shared,unfolded
#define ENTRY                                                                  \
  int i = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int j = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (i >= m || j >= n)                                                        \
    return;                                                                    \
  float s = 0;                                                                 \
  for (int l = 0; l < k; ++l)

__global__ void ab(const float *A, const float *B, float *C, int m, int n,
                   int k, int ldb) {
  ENTRY s += A[i * k + l] * B[l * ldb + j];
  C[i * n + j] = s;
}

__global__ void pa(const float *A, const float *B, float *C, int m, int n,
                   int k, int lda) {
  ENTRY s += A[i * lda + l] * B[l * n + j];
  C[i * n + j] = s;
}

__global__ void abt(const float *A, const float *B, float *C, int m, int n,
                    int k, int ldb) {
  ENTRY s += A[i * k + l] * B[j * ldb + l];
  C[i * n + j] = s;
}
