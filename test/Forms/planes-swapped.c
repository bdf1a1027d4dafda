// Two planes of which each time step reads one and writes the other.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
#define N 40

// CHECK: array u: double[2][40]
// CHECK: S0: u[1 - t % 2][{{.*}}] = u[t % 2][
void heat(double *u, double c, int steps) {
  for (int t = 0; t < steps; t++) {
    int now = t % 2, next = 1 - now;
    for (int i = 1; i < N - 1; i++)
      u[next * N + i] = u[now * N + i] + c * (u[now * N + i + 1] -
                                              2 * u[now * N + i] +
                                              u[now * N + i - 1]);
  }
}
