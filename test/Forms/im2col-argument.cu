// The matrix of an image's windows, as caffe fills it: the number of its columns
// is an argument, which the launcher finds to be a product of extents.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: refused
// VERIFIED: verified: {{[0-9]+}} shape
#define KERNEL_LOOP(i, n)                                                      \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n);                 \
       i += blockDim.x * gridDim.x)

// CHECK: assume {{.*}} "the bounds check of 'c_im' is the product of extents"
// CHECK: for c_im in 0 .. floordiv(n, height_col * width_col) {
template <typename T>
__global__ void im2col(const int n, const T *image, const int height,
                       const int width, const int kernel_h, const int kernel_w,
                       const int pad_h, const int pad_w, const int stride_h,
                       const int stride_w, const int dilation_h,
                       const int dilation_w, const int height_col,
                       const int width_col, T *columns) {
  KERNEL_LOOP(index, n) {
    const int h_index = index / width_col;
    const int h_col = h_index % height_col;
    const int w_col = index % width_col;
    const int c_im = h_index / height_col;
    const int c_col = c_im * kernel_h * kernel_w;
    const int h_offset = h_col * stride_h - pad_h;
    const int w_offset = w_col * stride_w - pad_w;
    T *column = columns;
    column += (c_col * height_col + h_col) * width_col + w_col;
    const T *window = image;
    window += (c_im * height + h_offset) * width + w_offset;
    for (int i = 0; i < kernel_h; ++i)
      for (int j = 0; j < kernel_w; ++j) {
        int h_im = h_offset + i * dilation_h;
        int w_im = w_offset + j * dilation_w;
        *column = (h_im >= 0 && w_im >= 0 && h_im < height && w_im < width)
                      ? window[i * dilation_h * width + j * dilation_w]
                      : 0;
        column += height_col * width_col;
      }
  }
}
template __global__ void im2col<float>(int, const float *, int, int, int, int,
                                       int, int, int, int, int, int, int, int,
                                       float *);
