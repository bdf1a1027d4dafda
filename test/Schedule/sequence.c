// Loops side by side that no jam makes one band are kernels in turn: one
// launcher, which asks all that it has to ask first, and one copy of the arrays.
//
// RUN: %convopt %s -function=pooled -o - 2>&1 | FileCheck %s --check-prefix=POOLED
// POOLED:      // Schedule of pooled_tiled:
// POOLED-NEXT: //   distribute=k,1
// POOLED-NEXT: // Schedule of pooled_tiled_1:
// POOLED:      // Schedule of pooled_tiled_2:
// POOLED:      static cudaError_t pooled_tiled_1_launch(
// POOLED:      static cudaError_t pooled_tiled_2_launch(
// POOLED:      cudaError_t pooled_tiled_launch(
// POOLED:        return pooled_tiled_refuse(cudaErrorInvalidValue, "distinct arrays");
// POOLED-NEXT:   cudaError_t error = pooled_tiled_1_launch(x, t, y, K, H, stream);
// POOLED-NEXT:   if (error == cudaSuccess)
// POOLED-NEXT:     error = pooled_tiled_2_launch(x, t, y, K, H, stream);
// POOLED-NEXT:   return error;
// POOLED:      void pooled_tiled(
// POOLED:        error = pooled_tiled_launch(device_x, device_t, device_y, K, H, nullptr);

// Where what was asked for is about one kernel, there is one.
// RUN: %convopt %s -function=pooled -tile=64 -o - | FileCheck %s --check-prefix=TILE --implicit-check-not='{{^}}static cudaError_t pooled_tiled_1'
// RUN: %convopt %s -function=pooled -emit=schedule | FileCheck %s --check-prefix=TILE --implicit-check-not=distribute
// TILE: map=k

// A loop that waits for itself runs its kernels in turn; of an inner bound and
// of subscripts its iteration is a size.
// RUN: %convopt %S/../Host/lu.c -o - 2>&1 | FileCheck %s --check-prefix=LU
// LU:      cudaError_t lu_tiled_1_launch(int n, float *A, int k,
// LU:      cudaError_t lu_tiled_launch(
// LU:        cudaError_t error = cudaSuccess;
// LU-NEXT:   for (int k = 0; k < n && error == cudaSuccess; ++k) {
// LU-NEXT:     error = lu_tiled_1_launch(n, A, k, stream);
// LU-NEXT:     if (error == cudaSuccess)
// LU-NEXT:       error = lu_tiled_2_launch(n, A, k, stream);
// LU-NEXT:   }
// LU-NEXT:   return error;

// A sum that waits for itself has no loop to launch.
// RUN: %convopt %s -function=heat -o - 2>&1 | FileCheck %s --check-prefix=HEAT
// HEAT: for (int t = 0; t < T && error == cudaSuccess; ++t) {
// RUN: not %convopt %s -function=solve -o - 2>&1 | FileCheck %s --check-prefix=SOLVE
// SOLVE: error: loop 'i' cannot be mapped to grid.x
// RUN: not %convopt %s -function=recursive -o - 2>&1 | FileCheck %s --check-prefix=RECURSIVE
// RECURSIVE: error: loop 'i' cannot be mapped to grid.x

// What only a kernel needs is asked at its turn, and nothing asks about
// iterations.
// RUN: %convopt %S/../Host/time-steps.c -emit=header | FileCheck %s --check-prefix=HEADER --implicit-check-not=iterations
// HEADER: // Launches the tiled kernels of 'recur' on the stream
// HEADER: // It needs, and else launches nothing and returns the error:

// A scalar keeps together what sets and reads it.
// RUN: %convopt %s -function=scaled -o - 2>&1 | FileCheck %s --check-prefix=SCALED --implicit-check-not='{{^}}static cudaError_t scaled_tiled_1'
// SCALED: scaled_tiled_kernel
// RUN: %convopt %s -function=normalised -o - 2>&1 | FileCheck %s --check-prefix=NORMALISED
// NORMALISED: //   distribute=i,1,4

void pooled(const float *x, float *t, float *y, int K, int H) {
  for (int k = 0; k < K; k++) {
    for (int h = 0; h < H; h++)
      t[k * H + h] = 2 * x[k * H + h];
    for (int h = 0; h < H / 2; h++)
      y[k * (H / 2) + h] = t[k * H + 2 * h] + t[k * H + 2 * h + 1];
  }
}

void heat(float *u, int T, int n, int m) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[((t + 1) * n + i) * m + j] =
            u[(t * n + i - 1) * m + j] + u[(t * n + i + 1) * m + j] +
            u[(t * n + i) * m + j - 1] + u[(t * n + i) * m + j + 1];
}

void solve(const float *L, float *x, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      x[i] -= L[i * n + j] * x[j];
}

void recursive(const float *x, float *y, int n) {
  for (int i = 1; i < n; i++)
    y[i] = y[i - 1] * 0.5f + x[i];
}

void scaled(const float *x, float *y, int n, int m) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += x[i * m + j];
    for (int j = 0; j < m; j++)
      y[i * m + j] = x[i * m + j] * s;
  }
}

void normalised(const float *a, float *x, float *y, const float *w, int n,
                int m) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      x[i * m + j] = a[i * m + j] + a[j];
    float s = 0;
    for (int j = 0; j < m; j++)
      s += x[i * m + j];
    for (int j = 0; j < m; j++)
      x[i * m + j] *= s;
    for (int c = 0; c < m; c++)
      for (int j = 0; j < m; j++)
        y[i * m + c] += x[i * m + j] * w[c * m + j];
  }
}
