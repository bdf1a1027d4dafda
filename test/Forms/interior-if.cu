// Conditions on a kernel's indices beside its bounds check, which leave out
// parts of what a thread does and no thread.
// RUN: %convopt %s -emit=nest -function=neighbours 2>/dev/null | FileCheck --check-prefix=ADDED %s
// RUN: %convopt %s -emit=nest -function=inside 2>/dev/null | FileCheck --check-prefix=INSIDE %s
// RUN: %convopt %s -emit=nest -function=copied 2>/dev/null | FileCheck --check-prefix=COPIED %s
// RUN: %convopt %s -emit=nest -function=unchecked 2>/dev/null | FileCheck --check-prefix=UNCHECKED %s
// RUN: %convopt %s -emit=nest -function=twice 2>/dev/null | FileCheck --check-prefix=TWICE %s
// RUN: %convopt %s -function=neighbours -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=inside -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=copied -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -function=unchecked -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape

// ADDED: launch grid(ceildiv(w, 16), ceildiv(h, 16), 1)
// ADDED: for x in 0 .. w {
// ADDED: if w - x - 2 >= 0 {
// ADDED-NEXT: n += map[y][x + 1]
__global__ void neighbours(const int *map, int *next, int w, int h) {
  int x = blockDim.x * blockIdx.x + threadIdx.x;
  int y = blockDim.y * blockIdx.y + threadIdx.y;
  if (x < w && y < h) {
    int n = 0;
    if (x > 0)
      n += map[y * w + x - 1];
    if (x != w - 1)
      n += map[y * w + x + 1];
    if (y + 1 < h)
      n += map[(y + 1) * w + x];
    next[y * w + x] = n;
  }
}

// INSIDE: for x in 0 .. w {
// INSIDE: out[y][x] = s
__global__ void inside(const float *in, const float *f, float *out, int w,
                       int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float s = 0;
  if (x >= r && x < w - r)
    for (int i = -r; i <= r; i++)
      s += in[y * w + x + i] * f[i + r];
  out[y * w + x] = s;
}

// What is written before holds where the condition does not.
// COPIED: for x in 0 .. w {
// COPIED: out[y][x] = in[y][x]
__global__ void copied(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  out[y * w + x] = in[y * w + x];
  if (x >= 1 && x < w - 1)
    out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1];
}

// Where nothing checks bounds, such a condition is no check either.
// UNCHECKED: launch grid(
// UNCHECKED-SAME: exact
__global__ void unchecked(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  float s = in[y * w + x];
  if (x < w - 1)
    s += in[y * w + x + 1];
  out[y * w + x] = s;
}
void run(const float *in, float *out, int w, int h) {
  unchecked<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(in, out, w, h);
}

// All that is written is under both checks.
// TWICE: for x in 0 .. min(w, w - 2) {
__global__ void twice(const float *in, float *out, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < w) {
    float s = in[x];
    if (x < w - 2)
      out[x] = s + in[x + 2];
  }
}
