//===- CudnnBackend.cpp - Descriptors of cuDNN's graphs -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudnnBackend.h"
#include "CudaLibraries.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::bench {

Expected<CudnnBackend> CudnnBackend::load(const sys::DynamicLibrary &library) {
  CudnnBackend backend;
#define FUNCTION(name, parameters)                                             \
  if (!findSymbol(library, #name, backend.name))                               \
    return refuse("cudnn", "cuDNN has no " #name);
#include "CudnnGraph.def"
  if (!findSymbol(library, "cudnnGetErrorString", backend.cudnnGetErrorString))
    return refuse("cudnn", "cuDNN has no cudnnGetErrorString");
  return backend;
}

Error CudnnBackend::check(cudnnStatus_t status, const char *what) const {
  if (status == 0)
    return Error::success();
  return refuse("cudnn",
                std::string(what) + ": " + cudnnGetErrorString(status));
}

Expected<CudnnDescriptor>
CudnnDescriptor::create(const CudnnBackend &backend,
                        cudnnBackendDescriptorType_t type) {
  cudnnBackendDescriptor_t handle = nullptr;
  const std::string what =
      "cudnnBackendCreateDescriptor of type " + std::to_string(type);
  RETURN_IF_ERROR(backend.check(
      backend.cudnnBackendCreateDescriptor(type, &handle), what.c_str()));
  return CudnnDescriptor(backend, handle);
}

void CudnnDescriptor::set(const CudnnAttribute &a,
                          cudnnBackendAttributeType_t type, int64_t count,
                          const void *values) {
  if (failed != 0)
    return;
  refused = a.name;
  failed =
      backend->cudnnBackendSetAttribute(handle, a.number, type, count, values);
}

Error CudnnDescriptor::finalize(const char *what) {
  RETURN_IF_ERROR(check());
  return backend->check(backend->cudnnBackendFinalize(handle), what);
}

Error CudnnDescriptor::get(const CudnnAttribute &a,
                           cudnnBackendAttributeType_t type, int64_t most,
                           int64_t &count, void *values) const {
  return backend->check(backend->cudnnBackendGetAttribute(
                            handle, a.number, type, most, &count, values),
                        a.name);
}

Expected<std::vector<CudnnDescriptor>>
CudnnDescriptor::getDescriptors(const CudnnAttribute &a,
                                cudnnBackendDescriptorType_t type,
                                int64_t most) const {
  int64_t count = most;
  if (count == 0)
    RETURN_IF_ERROR(get(a, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, count, nullptr));
  // cuDNN fills descriptors that it is given.
  std::vector<CudnnDescriptor> all;
  std::vector<cudnnBackendDescriptor_t> handles;
  for (int64_t k = 0; k < count; ++k) {
    ASSIGN_OR_RETURN(CudnnDescriptor one, create(*backend, type));
    handles.push_back(one.handle);
    all.push_back(std::move(one));
  }
  int64_t found = 0;
  if (count > 0)
    RETURN_IF_ERROR(
        get(a, CUDNN_TYPE_BACKEND_DESCRIPTOR, count, found, handles.data()));
  all.erase(all.begin() + std::clamp<int64_t>(found, 0, count), all.end());
  return all;
}

} // namespace convopt::bench
