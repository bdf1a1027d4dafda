//===- CudaDriver.cpp - The CUDA driver's interface -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaLibraries.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::bench {

static Error missingDriver(const Twine &message) {
  return make_error<Refusal>(ExitStatus::Missing, "device", message.str());
}

Expected<CudaDriver> CudaDriver::load() {
  auto library = openLibrary({"libcuda.so.1"}, {});
  if (!library)
    return missingDriver("the CUDA driver (libcuda.so.1) was not found");
  CudaDriver driver;
#define ENTRY(name, parameters)                                                \
  if (!findSymbol(*library, #name, driver.name))                               \
    return missingDriver("the CUDA driver has no " #name);
#include "CudaDriver.def"
  return driver;
}

/// What can be done about \p result; empty where nothing is known.
static std::string remedyFor(CUresult result) {
  switch (result) {
  case 2: // CUDA_ERROR_OUT_OF_MEMORY
    return "end what else uses the device, or choose a smaller shape";
  case 1:   // CUDA_ERROR_INVALID_VALUE
  case 701: // CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
    return "choose smaller values for -tile or -reg, or stage less";
  case 700: // CUDA_ERROR_ILLEGAL_ADDRESS
  case 715: // CUDA_ERROR_ILLEGAL_INSTRUCTION
  case 716: // CUDA_ERROR_MISALIGNED_ADDRESS
  case 719: // CUDA_ERROR_LAUNCH_FAILED
    return "'convopt -emit=verify-driver' makes a program to run under "
           "compute-sanitizer";
  }
  return "";
}

Error CudaDriver::check(CUresult result, const Twine &what) const {
  if (result == 0)
    return Error::success();
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  return refuse(
      "device",
      (what + ": " +
       (name ? std::string(name) : "error " + std::to_string(result)) +
       (text ? " (" + std::string(text) + ")" : ""))
          .str(),
      {}, remedyFor(result));
}

} // namespace convopt::bench
