//===- CudaDriver.cpp - The CUDA driver's interface -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"
#include "SharedLibrary.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::bench {

static Error missing(const Twine &message) {
  return make_error<Refusal>(ExitStatus::Missing, "device", message.str());
}

Expected<CudaDriver> CudaDriver::load() {
  auto library = openLibrary({"libcuda.so.1"}, {});
  if (!library)
    return missing("the CUDA driver (libcuda.so.1) was not found");
  CudaDriver driver;
#define ENTRY(name, parameters)                                                \
  driver.name = reinterpret_cast<CUresult(*) parameters>(                      \
      library->getAddressOfSymbol(#name));                                     \
  if (!driver.name)                                                            \
    return missing("the CUDA driver has no " #name);
#include "CudaDriver.def"
  return driver;
}

Error CudaDriver::check(CUresult result, const Twine &what) const {
  if (result == 0)
    return Error::success();
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  return refuse("device", (what + ": " +
                           (name ? std::string(name)
                                 : "error " + std::to_string(result)) +
                           (text ? " (" + std::string(text) + ")" : ""))
                              .str());
}

} // namespace convopt::bench
