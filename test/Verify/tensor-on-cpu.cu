// TMA tensor copies on the CPU: cuda_on_cpu_bulk.h alone.
//
// RUN: %cxx -x c++ -std=c++17 -O1 -Wall -Werror -Wno-unknown-pragmas -fsanitize=address,undefined -fno-sanitize-recover=all -I %source/include/convopt/Verify %s -o %t -lboost_context
// RUN: %t good | FileCheck --check-prefix=GOOD %s
// GOOD: all good
//
// What a driver refuses.
// RUN: not %t rank 2>&1 | FileCheck --check-prefix=RANK %s
// RANK: cuda_on_cpu: error: a tensor map of other than 1 to 5 dimensions
// RUN: not %t base 2>&1 | FileCheck --check-prefix=BASE %s
// BASE: cuda_on_cpu: error: a tensor map of an array that is not aligned to 16 bytes
// RUN: not %t row 2>&1 | FileCheck --check-prefix=ROW %s
// ROW: cuda_on_cpu: error: a tensor map whose rows of a box are no multiple of 16 bytes
// RUN: not %t extent 2>&1 | FileCheck --check-prefix=EXTENT %s
// EXTENT: cuda_on_cpu: error: a tensor map of an extent outside of 1 to 2^32
// RUN: not %t box 2>&1 | FileCheck --check-prefix=BOX %s
// BOX: cuda_on_cpu: error: a tensor map of a box outside of 1 to 256 elements
// RUN: not %t step 2>&1 | FileCheck --check-prefix=STEP %s
// STEP: cuda_on_cpu: error: a tensor map with steps between elements
// RUN: not %t stride 2>&1 | FileCheck --check-prefix=STRIDE %s
// STRIDE: cuda_on_cpu: error: a tensor map whose strides are no multiples of 16 bytes below 2^40
// RUN: not %t overlap 2>&1 | FileCheck --check-prefix=OVERLAP %s
// OVERLAP: cuda_on_cpu: error: a tensor map whose strides are smaller than what they pass
//
// What a device would do anything at.
// RUN: not %t bytes 2>&1 | FileCheck --check-prefix=BYTES %s
// BYTES: cuda_on_cpu: error: a tensor copy of another size than its map has, or not aligned to 128 bytes, in block (0, 0, 0), thread (0, 0, 0)
// RUN: not %t place 2>&1 | FileCheck --check-prefix=BYTES %s
// RUN: not %t dimensions 2>&1 | FileCheck --check-prefix=DIMENSIONS %s
// DIMENSIONS: cuda_on_cpu: error: a tensor copy of another number of dimensions than its map has
// RUN: not %t unencoded 2>&1 | FileCheck --check-prefix=DIMENSIONS %s
// RUN: not %t between 2>&1 | FileCheck --check-prefix=BETWEEN %s
// BETWEEN: cuda_on_cpu: error: a tensor copy that begins between multiples of 16 bytes along a row
// RUN: not %t late 2>&1 | FileCheck --check-prefix=LATE %s
// LATE: cuda_on_cpu: error: a bulk copy in a phase that is to end
// RUN: not %t unawaited 2>&1 | FileCheck --check-prefix=UNAWAITED %s
// UNAWAITED: cuda_on_cpu: error: a block ended while bulk copies were under way

#include "cuda_on_cpu.h"
#include <string>

#define EXPECT(condition)                                                      \
  if (!(condition)) {                                                          \
    std::printf("line %d: %s\n", __LINE__, #condition);                        \
    return 1;                                                                  \
  }

/// An array of 3 planes of 5 rows of 8 floats, and boxes of 2 x 4 x 12 of it.
struct Request {
  cuuint32_t rank = 3;
  cuuint64_t sizes[3] = {8, 5, 3}, strides[2] = {32, 160};
  cuuint32_t box[3] = {12, 4, 2}, steps[3] = {1, 1, 1};
  int offset = 0; // of the array

  CUtensorMap encode(float *array) const {
    CUtensorMap map = {};
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry,
                                cudaEnableDefault, &found) != cudaSuccess ||
        ((decltype(&cuTensorMapEncodeTiled))entry)(
            &map, CU_TENSOR_MAP_DATA_TYPE_UINT32, rank, array + offset, sizes,
            strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
            CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
      std::printf("not encoded\n");
    return map;
  }
};

__global__ void copy(const __grid_constant__ CUtensorMap map, float *out, int z,
                     int y, int x, bool isEarly) {
  __shared__ __align__(128) float box[2][4][12];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    convopt_bulk_init(&full);
    convopt_tensor_copy(&box, sizeof(box), &full, &map, z, y, x);
    convopt_bulk_arrive(&full);
  }
  __syncthreads();
  if (!isEarly)
    convopt_bulk_wait(&full, 0);
  for (int k = threadIdx.x; k < 96; k += 32)
    out[k] = (&box[0][0][0])[k];
  if (isEarly)
    convopt_bulk_wait(&full, 0);
}

__global__ void wrong(const __grid_constant__ CUtensorMap map,
                      const std::string &what) {
  __shared__ __align__(128) float box[200];
  __shared__ uint64_t full;
  if (threadIdx.x != 0)
    return;
  convopt_bulk_init(&full);
  if (what == "late")
    convopt_bulk_arrive(&full);
  if (what == "dimensions")
    convopt_tensor_copy(&box, 384, &full, &map, 0, 0);
  convopt_tensor_copy(&box[what == "place" ? 4 : 0],
                      what == "bytes" ? 380 : 384, &full, &map, 0, 0,
                      what == "between" ? -3 : 0);
  convopt_bulk_arrive(&full);
}

template <class F> static void launch(F &&f) {
  ::cuda_on_cpu::launch(1, 32, 0, 0, f);
}

static int good(float *array, float *out) {
  const CUtensorMap map = Request{}.encode(array);
  for (int i = 0; i < 120; ++i)
    array[i] = i + 1;
  for (int z = -3; z < 5; ++z)
    for (int y = -5; y < 7; ++y)
      for (int x = -16; x < 12; x += 4) {
        launch([&] { copy(map, out, z, y, x, false); });
        for (int k = 0; k < 96; ++k) {
          const int c = z + k / 48, b = y + k / 12 % 4, a = x + k % 12;
          const bool isInside =
              c >= 0 && c < 3 && b >= 0 && b < 5 && a >= 0 && a < 8;
          EXPECT(out[k] == (isInside ? (c * 5 + b) * 8 + a + 1 : 0));
        }
      }
  // Who reads too early finds no numbers, zeros outside of the array either.
  launch([&] { copy(map, out, 0, 0, -4, true); });
  EXPECT(std::isnan(out[0]) && std::isnan(out[32]));
  // Only the encoder is known.
  void *entry = array;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSuccess;
  EXPECT(cudaGetDriverEntryPoint("cuInit", &entry, 0, &found) == cudaSuccess);
  EXPECT(!entry && found == cudaDriverEntryPointSymbolNotFound);
  EXPECT(cudaFree(array) == cudaSuccess && cudaFree(out) == cudaSuccess);
  std::printf("all good\n");
  return 0;
}

int main(int, char **argv) {
  const std::string what = argv[1];
  float *array, *out;
  if (cudaMalloc(&array, 120 * sizeof(float)) != cudaSuccess ||
      cudaMalloc(&out, 96 * sizeof(float)) != cudaSuccess)
    return 1;
  if (what == "good")
    return good(array, out);
  Request r;
  if (what == "rank")
    r.rank = 6;
  if (what == "base")
    r.offset = 1;
  if (what == "row")
    r.box[0] = 10;
  if (what == "extent")
    r.sizes[2] = 0;
  if (what == "box")
    r.box[1] = 257;
  if (what == "step")
    r.steps[1] = 2;
  if (what == "stride")
    r.strides[0] = 40;
  if (what == "overlap")
    r.strides[1] = 144;
  CUtensorMap map = r.encode(array);
  if (what == "unencoded")
    map = {};
  launch([&] { wrong(map, what); });
}
