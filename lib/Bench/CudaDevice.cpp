//===- CudaDevice.cpp - A GPU through its driver --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"
#include "DeviceKernels.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::bench {

Expected<int> CudaDevice::attribute(CUdevice_attribute which, CUdevice device) {
  int value = 0;
  RETURN_IF_ERROR(cuda.check(cuda.cuDeviceGetAttribute(&value, which, device),
                             "cuDeviceGetAttribute"));
  return value;
}

/// FP32 lanes of a multiprocessor (CUDA C++ Programming Guide, "Arithmetic
/// Instructions").
static int lanesOf(int major, int minor) {
  bool isSmall = major == 7 || (major == 8 && minor == 0);
  return isSmall ? 64 : 128;
}

Error CudaDevice::describe(CUdevice device) {
  char name[256] = "", busId[64] = "";
  RETURN_IF_ERROR(cuda.check(cuda.cuDeviceGetName(name, sizeof name, device),
                             "cuDeviceGetName"));
  RETURN_IF_ERROR(
      cuda.check(cuda.cuDeviceGetPCIBusId(busId, sizeof busId, device),
                 "cuDeviceGetPCIBusId"));
  nvml.emplace(busId);
  size_t total = 0;
  RETURN_IF_ERROR(
      cuda.check(cuda.cuDeviceTotalMem_v2(&total, device), "cuDeviceTotalMem"));
  static constexpr CUdevice_attribute wanted[] = {
      CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
      CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
      CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
      CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE,
      CU_DEVICE_ATTRIBUTE_CLOCK_RATE,
      CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE,
      CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH,
      CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
      CU_DEVICE_ATTRIBUTE_WARP_SIZE};
  std::map<int, int> value;
  for (CUdevice_attribute which : wanted) {
    ASSIGN_OR_RETURN(int one, attribute(which, device));
    value[which] = one;
  }
  const int major = value[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR];
  const int minor = value[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR];
  about.name = name;
  about.arch = "sm_" + std::to_string(major) + std::to_string(minor);
  about.memoryBytes = int64_t(total);
  about.l2Bytes = value[CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE];
  about.multiprocessors = value[CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT];
  warpsPerMultiprocessor =
      value[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR] /
      value[CU_DEVICE_ATTRIBUTE_WARP_SIZE];
  const double hertz = value[CU_DEVICE_ATTRIBUTE_CLOCK_RATE] * 1e3;
  about.nominalPeak =
      2.0 * lanesOf(major, minor) * about.multiprocessors * hertz;
  about.nominalBandwidth =
      2.0 * value[CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE] * 1e3 *
      value[CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH] / 8;
  about.driver = nvml->driverVersion();
  int version = 0;
  if (cuda.cuDriverGetVersion(&version) == 0)
    about.cuda = std::to_string(version / 1000) + "." +
                 std::to_string(version % 1000 / 10);
  return Error::success();
}

Error CudaDevice::open() {
  auto missing = [](Error e) {
    return make_error<Refusal>(ExitStatus::Missing, "device",
                               "no GPU can be used: " + toString(std::move(e)));
  };
  int devices = 0;
  CUdevice device = 0;
  CUcontext context = nullptr;
  if (Error e = cuda.check(cuda.cuInit(0), "cuInit"))
    return missing(std::move(e));
  if (Error e = cuda.check(cuda.cuDeviceGetCount(&devices), "devices"))
    return missing(std::move(e));
  if (devices == 0)
    return make_error<Refusal>(ExitStatus::Missing, "device",
                               "the CUDA driver sees no GPU");
  RETURN_IF_ERROR(cuda.check(cuda.cuDeviceGet(&device, 0), "cuDeviceGet"));
  // The primary context, which the runtime uses as well: in code that nvcc
  // compiled, and in cuDNN.
  RETURN_IF_ERROR(cuda.check(cuda.cuDevicePrimaryCtxRetain(&context, device),
                             "cuDevicePrimaryCtxRetain"));
  RETURN_IF_ERROR(cuda.check(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent"));
  RETURN_IF_ERROR(describe(device));
  for (CUevent *event : {&start, &stop})
    RETURN_IF_ERROR(cuda.check(cuda.cuEventCreate(event, 0), "cuEventCreate"));
  return loadOwnKernels();
}

Expected<CUfunction> CudaDevice::loadFunction(const CompiledProgram &program,
                                              StringRef name) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  RETURN_IF_ERROR(
      cuda.check(cuda.cuModuleLoadData(&module, program.cubin.data()),
                 "loading the kernel"));
  RETURN_IF_ERROR(cuda.check(
      cuda.cuModuleGetFunction(&function, module, name.str().c_str()),
      "finding the kernel"));
  return function;
}

Error CudaDevice::loadOwnKernels() {
  std::vector<std::string> entries = {"convopt_hash", "convopt_read",
                                      "convopt_spin"};
  for (const char *type : {"float", "double"})
    for (const char *kernel :
         {"convopt_fill", "convopt_widen", "convopt_compare"})
      entries.push_back(std::string(kernel) + "<" + type + ">");
  ASSIGN_OR_RETURN(CompiledProgram program,
                   compileProgram(DataKernels, entries, about.arch));
  for (size_t k = 0; k != entries.size(); ++k) {
    ASSIGN_OR_RETURN(CUfunction function,
                     loadFunction(program, program.names[k]));
    own[entries[k]] = function;
  }
  ASSIGN_OR_RETURN(Buffer words,
                   allocate("double", sizeof(Found) / sizeof(double)));
  result = words;
  return Error::success();
}

Expected<std::unique_ptr<Device>> openCudaDevice() {
  ASSIGN_OR_RETURN(CudaDriver driver, CudaDriver::load());
  auto device = std::make_unique<CudaDevice>(driver);
  RETURN_IF_ERROR(device->open());
  return device;
}

} // namespace convopt::bench
