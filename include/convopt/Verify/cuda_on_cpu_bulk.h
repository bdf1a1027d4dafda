//===- cuda_on_cpu_bulk.h - TMA on the CPU ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of cuda_on_cpu.h that stands for TMA of sm_90, under
/// the names by which emitted kernels use them, and for what of cuda.h a
/// launcher needs to tell them of an array. A copy leaves NaNs in the buffer
/// and arrives when its barrier is waited for. What the driver or a device
/// would refuse, or leave undefined, ends the program with a message.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_CUDA_ON_CPU_BULK_H
#define CONVOPT_VERIFY_CUDA_ON_CPU_BULK_H

#include "cuda_on_cpu.h"
#include <algorithm>

//===----------------------------------------------------------------------===//
// Barriers and ranges of memory
//===----------------------------------------------------------------------===//

/// In place of the kernel's own. CUDA_ON_CPU_WITHOUT_TMA makes the device
/// one before sm_90, where threads copy.
#define CONVOPT_BULK
#ifdef CUDA_ON_CPU_WITHOUT_TMA
constexpr bool convopt_has_bulk() { return false; }
#else
constexpr bool convopt_has_bulk() { return true; }
#endif

namespace cuda_on_cpu {
inline BulkBarrier &bulkBarrier(const void *barrier) {
  if (!scheduler.current)
    fault("a bulk copy outside of a kernel");
  auto found = scheduler.bulkBarriers.find(barrier);
  if (found == scheduler.bulkBarriers.end())
    faultInThread("an mbarrier that no thread has initialised");
  return found->second;
}

/// Starts a copy of \p bytes that \p arrive ends.
template <class F>
void startBulk(void *to, size_t bytes, uint64_t *barrier, F arrive) {
  BulkBarrier &b = bulkBarrier(barrier);
  if (b.arrived)
    faultInThread("a bulk copy in a phase that is to end");
  b.copies.push_back(arrive);
  // Reads that come too early or are not done yet find no numbers.
  std::memset(to, 0xFF, bytes);
}
} // namespace cuda_on_cpu

inline void convopt_bulk_init(uint64_t *barrier) {
  if (!cuda_on_cpu::scheduler.bulkBarriers.try_emplace(barrier).second)
    cuda_on_cpu::faultInThread("an mbarrier initialised twice");
}

inline void convopt_bulk_copy(void *to, const void *from, unsigned bytes,
                              uint64_t *barrier) {
  if (!bytes || bytes % 16 || reinterpret_cast<uintptr_t>(to) % 16 ||
      reinterpret_cast<uintptr_t>(from) % 16)
    cuda_on_cpu::faultInThread("a bulk copy of a size or alignment that "
                               "devices do not have");
  cuda_on_cpu::startBulk(to, bytes, barrier,
                         [=] { std::memcpy(to, from, bytes); });
}

inline void convopt_bulk_arrive(uint64_t *barrier) {
  cuda_on_cpu::BulkBarrier &b = cuda_on_cpu::bulkBarrier(barrier);
  if (b.arrived)
    cuda_on_cpu::faultInThread("a second arrival in a phase of an mbarrier");
  b.arrived = true;
}

inline void convopt_bulk_wait(uint64_t *barrier, unsigned phase) {
  cuda_on_cpu::BulkBarrier &b = cuda_on_cpu::bulkBarrier(barrier);
  while (b.phase % 2 == phase) {
    if (!b.arrived) {
      cuda_on_cpu::scheduler.current->polling = true;
      cuda_on_cpu::scheduler.suspend();
      continue;
    }
    for (const auto &arrive : b.copies)
      arrive();
    b.copies.clear();
    b.arrived = false;
    ++b.phase;
  }
  ++cuda_on_cpu::scheduler.waited;
}

//===----------------------------------------------------------------------===//
// Tensor maps (CUDA Driver API, "Tensor Map Object Management")
//===----------------------------------------------------------------------===//

using cuuint32_t = uint32_t;
using cuuint64_t = uint64_t;
enum CUtensorMapDataType {
  CU_TENSOR_MAP_DATA_TYPE_UINT8,
  CU_TENSOR_MAP_DATA_TYPE_UINT16,
  CU_TENSOR_MAP_DATA_TYPE_UINT32,
  CU_TENSOR_MAP_DATA_TYPE_INT32,
  CU_TENSOR_MAP_DATA_TYPE_UINT64,
  CU_TENSOR_MAP_DATA_TYPE_INT64,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
};
enum CUtensorMapInterleave { CU_TENSOR_MAP_INTERLEAVE_NONE };
enum CUtensorMapSwizzle { CU_TENSOR_MAP_SWIZZLE_NONE };
enum CUtensorMapL2promotion {
  CU_TENSOR_MAP_L2_PROMOTION_NONE,
  CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B
};
enum CUtensorMapFloatOOBfill { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE };

struct alignas(128) CUtensorMap {
  cuuint64_t opaque[16];
};

namespace cuda_on_cpu {

/// What a CUtensorMap holds here; by dimension, the fastest first.
struct TensorMap {
  const char *array;
  cuuint32_t rank, bytes; // of an element
  cuuint64_t sizes[5], strides[5];
  cuuint32_t box[5];

  size_t boxBytes() const {
    size_t all = bytes;
    for (cuuint32_t k = 0; k != rank; ++k)
      all *= box[k];
    return all;
  }

  /// Fills \p to with the box that begins at element \p at, zeros outside.
  void copyBox(char *to, const int *at) const {
    const size_t row = size_t(box[0]) * bytes;
    const size_t rows = boxBytes() / row;
    const int64_t first = std::max<int64_t>(0, -int64_t(at[0]));
    const int64_t last =
        std::min<int64_t>(box[0], int64_t(sizes[0]) - int64_t(at[0]));
    for (size_t r = 0; r != rows; ++r, to += row) {
      bool isInside = first < last;
      size_t rest = r;
      int64_t offset = (int64_t(at[0]) + first) * bytes;
      for (cuuint32_t k = 1; k != rank; rest /= box[k++]) {
        const int64_t c = int64_t(at[k]) + int64_t(rest % box[k]);
        isInside &= c >= 0 && cuuint64_t(c) < sizes[k];
        offset += c * int64_t(strides[k]);
      }
      std::memset(to, 0, row);
      if (isInside)
        std::memcpy(to + first * bytes, array + offset, (last - first) * bytes);
    }
  }
};
static_assert(sizeof(TensorMap) <= sizeof(CUtensorMap), "it is opaque");

inline size_t sizeOf(CUtensorMapDataType type) {
  static const unsigned char bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};
  return bytes[type];
}

} // namespace cuda_on_cpu

inline CUresult cuTensorMapEncodeTiled(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *array,
    const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
    const cuuint32_t *steps, CUtensorMapInterleave, CUtensorMapSwizzle,
    CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  auto check = [](bool holds, const char *message) {
    if (!holds)
      cuda_on_cpu::fault(message);
  };
  check(reinterpret_cast<uintptr_t>(map) % 64 == 0,
        "a tensor map that is not aligned to 64 bytes");
  check(rank >= 1 && rank <= 5, "a tensor map of other than 1 to 5 dimensions");
  check(array && reinterpret_cast<uintptr_t>(array) % 16 == 0,
        "a tensor map of an array that is not aligned to 16 bytes");
  cuda_on_cpu::TensorMap m{};
  m.array = static_cast<const char *>(array);
  m.rank = rank;
  m.bytes = cuuint32_t(cuda_on_cpu::sizeOf(type));
  m.strides[0] = m.bytes;
  check(box[0] * m.bytes % 16 == 0,
        "a tensor map whose rows of a box are no multiple of 16 bytes");
  for (cuuint32_t k = 0; k != rank; ++k) {
    check(sizes[k] >= 1 && sizes[k] <= cuuint64_t(1) << 32,
          "a tensor map of an extent outside of 1 to 2^32");
    check(box[k] >= 1 && box[k] <= 256,
          "a tensor map of a box outside of 1 to 256 elements");
    check(steps[k] == 1, "a tensor map with steps between elements");
    m.sizes[k] = sizes[k];
    m.box[k] = box[k];
    if (k == 0)
      continue;
    m.strides[k] = strides[k - 1];
    check(m.strides[k] % 16 == 0 && m.strides[k] < cuuint64_t(1) << 40,
          "a tensor map whose strides are no multiples of 16 bytes below 2^40");
    check(m.strides[k] >= m.strides[k - 1] * m.sizes[k - 1],
          "a tensor map whose strides are smaller than what they pass");
  }
  std::memcpy(static_cast<void *>(map), &m, sizeof m);
  return CUDA_SUCCESS;
}

enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess,
  cudaDriverEntryPointSymbolNotFound
};
constexpr unsigned long long cudaEnableDefault = 0;
inline cudaError_t
cudaGetDriverEntryPoint(const char *name, void **entry, unsigned long long,
                        cudaDriverEntryPointQueryResult *found) {
  const bool isKnown = std::strcmp(name, "cuTensorMapEncodeTiled") == 0;
  *entry =
      isKnown ? reinterpret_cast<void *>(&cuTensorMapEncodeTiled) : nullptr;
  *found = isKnown ? cudaDriverEntryPointSuccess
                   : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Boxes of arrays
//===----------------------------------------------------------------------===//

/// In place of the kernel's own, for any number of dimensions.
#define CONVOPT_TENSOR_1D
#define CONVOPT_TENSOR_2D
#define CONVOPT_TENSOR_3D
#define CONVOPT_TENSOR_4D
#define CONVOPT_TENSOR_5D
template <class... Int>
void convopt_tensor_copy(void *to, unsigned bytes, uint64_t *barrier,
                         const CUtensorMap *map, Int... at) {
  cuda_on_cpu::TensorMap m;
  std::memcpy(&m, map, sizeof m);
  if (m.rank != sizeof...(at))
    cuda_on_cpu::faultInThread("a tensor copy of another number of dimensions "
                               "than its map has");
  if (bytes != m.boxBytes() || reinterpret_cast<uintptr_t>(to) % 128)
    cuda_on_cpu::faultInThread("a tensor copy of another size than its map "
                               "has, or not aligned to 128 bytes");
  std::vector<int> first{int(at)...}; // the fastest first
  std::reverse(first.begin(), first.end());
  if (first[0] * int64_t(m.bytes) % 16)
    cuda_on_cpu::faultInThread("a tensor copy that begins between multiples of "
                               "16 bytes along a row");
  cuda_on_cpu::startBulk(to, bytes, barrier, [=] {
    m.copyBox(static_cast<char *>(to), first.data());
  });
}

#endif // CONVOPT_VERIFY_CUDA_ON_CPU_BULK_H
