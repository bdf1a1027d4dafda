//===- CudnnBackend.h - Descriptors of cuDNN's graphs -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// As much of cudnn_graph.h as is used, with the numbers that the reference of
/// cuDNN 9 gives ("cudnn_graph Library", enumeration types), and descriptors
/// that end with their scope. An error names the attribute that was refused.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_CUDNNBACKEND_H
#define CONVOPT_LIB_BENCH_CUDNNBACKEND_H

#include "Cudnn.h"
#include "convopt/Support/Refusal.h"

namespace convopt::bench {

using cudnnBackendDescriptor_t = void *;
enum cudnnBackendDescriptorType_t : int {
  CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR = 1,
  CUDNN_BACKEND_ENGINE_DESCRIPTOR = 2,
  CUDNN_BACKEND_ENGINECFG_DESCRIPTOR = 3,
  CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR = 4,
  CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR = 5,
  CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR = 7,
  CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR = 10,
  CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR = 15,
  CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR = 16,
  CUDNN_BACKEND_TENSOR_DESCRIPTOR = 17,
};
enum cudnnBackendAttributeType_t : int {
  CUDNN_TYPE_HANDLE = 0,
  CUDNN_TYPE_DATA_TYPE = 1,
  CUDNN_TYPE_INT64 = 3,
  CUDNN_TYPE_FLOAT = 4,
  CUDNN_TYPE_VOID_PTR = 6,
  CUDNN_TYPE_CONVOLUTION_MODE = 7,
  CUDNN_TYPE_HEUR_MODE = 8,
  CUDNN_TYPE_KNOB_TYPE = 9,
  CUDNN_TYPE_NUMERICAL_NOTE = 11,
  CUDNN_TYPE_BACKEND_DESCRIPTOR = 15,
};
enum cudnnBackendNumericalNote_t : int {
  CUDNN_NUMERICAL_NOTE_TENSOR_CORE = 0,
  CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS = 1,
  CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION = 2,
  CUDNN_NUMERICAL_NOTE_FFT = 3,
  CUDNN_NUMERICAL_NOTE_WINOGRAD = 5,
  CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4 = 6,
  CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6 = 7,
  CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13 = 8,
};
enum cudnnBackendHeurMode_t : int {
  CUDNN_HEUR_MODE_B = 1,
  CUDNN_HEUR_MODE_FALLBACK = 2,
  CUDNN_HEUR_MODE_A = 3,
};

/// An attribute's number, and its name for messages.
struct CudnnAttribute {
  int number;
  const char *name;
};
#define ATTRIBUTE(name, number)                                                \
  inline constexpr CudnnAttribute name{number, #name};
#include "CudnnGraph.def"

/// The functions.
struct CudnnBackend {
#define FUNCTION(name, parameters) cudnnStatus_t(*name) parameters = nullptr;
#include "CudnnGraph.def"
  const char *(*cudnnGetErrorString)(cudnnStatus_t) = nullptr;

  static llvm::Expected<CudnnBackend>
  load(const llvm::sys::DynamicLibrary &library);
  llvm::Error check(cudnnStatus_t status, const char *what) const;
};

/// A descriptor that it owns. After a value that cuDNN does not take, `set`
/// does nothing; `check` and `finalize` say which it was.
class CudnnDescriptor {
public:
  static llvm::Expected<CudnnDescriptor>
  create(const CudnnBackend &backend, cudnnBackendDescriptorType_t type);
  CudnnDescriptor(CudnnDescriptor &&other)
      : backend(other.backend), handle(std::exchange(other.handle, nullptr)),
        failed(other.failed), refused(other.refused) {}
  CudnnDescriptor &operator=(CudnnDescriptor &&other) {
    std::swap(backend, other.backend);
    std::swap(handle, other.handle);
    std::swap(failed, other.failed);
    std::swap(refused, other.refused);
    return *this;
  }
  ~CudnnDescriptor() {
    if (handle)
      backend->cudnnBackendDestroyDescriptor(handle);
  }

  void set(const CudnnAttribute &a, cudnnBackendAttributeType_t type,
           int64_t count, const void *values);
  /// One value, or a descriptor.
  template <class T>
  void set(const CudnnAttribute &a, cudnnBackendAttributeType_t type, T value) {
    return set(a, type, 1, &value);
  }
  void set(const CudnnAttribute &a, llvm::ArrayRef<int64_t> values) {
    return set(a, CUDNN_TYPE_INT64, int64_t(values.size()), values.data());
  }
  void set(const CudnnAttribute &a, const CudnnDescriptor &value) {
    return set(a, CUDNN_TYPE_BACKEND_DESCRIPTOR, value.handle);
  }
  llvm::Error check() const { return backend->check(failed, refused); }
  llvm::Error finalize(const char *what);

  /// Up to \p most values.
  template <class T>
  llvm::Expected<std::vector<T>> get(const CudnnAttribute &a,
                                     cudnnBackendAttributeType_t type,
                                     int64_t most) const {
    std::vector<T> values(static_cast<size_t>(most));
    int64_t count = 0;
    RETURN_IF_ERROR(get(a, type, most, count, values.data()));
    values.resize(size_t(std::clamp<int64_t>(count, 0, most)));
    return values;
  }
  /// Descriptors of \p type: up to \p most, or as many as there are.
  llvm::Expected<std::vector<CudnnDescriptor>>
  getDescriptors(const CudnnAttribute &a, cudnnBackendDescriptorType_t type,
                 int64_t most = 0) const;

  cudnnBackendDescriptor_t raw() const { return handle; }

private:
  CudnnDescriptor(const CudnnBackend &backend, cudnnBackendDescriptor_t handle)
      : backend(&backend), handle(handle) {}
  llvm::Error get(const CudnnAttribute &a, cudnnBackendAttributeType_t type,
                  int64_t most, int64_t &count, void *values) const;

  const CudnnBackend *backend;
  cudnnBackendDescriptor_t handle;
  cudnnStatus_t failed{}; // of the first value that was refused
  const char *refused = "";
};

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_CUDNNBACKEND_H
