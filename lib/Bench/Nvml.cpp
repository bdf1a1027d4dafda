//===- Nvml.cpp - Clocks of a device --------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaLibraries.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::bench {

/// NVML_CLOCK_SM of nvml.h.
static constexpr int SmClock = 1;

Nvml::Nvml(const std::string &busId) {
  auto library = openLibrary({"libnvidia-ml.so.1"}, {});
  if (!library)
    return;
  int (*init)() = nullptr;
  int (*byBusId)(const char *, void **) = nullptr;
  if (!findSymbol(*library, "nvmlInit_v2", init) ||
      !findSymbol(*library, "nvmlDeviceGetHandleByPciBusId_v2", byBusId) ||
      init() != 0)
    return;
  findSymbol(*library, "nvmlSystemGetDriverVersion", systemDriver);
  if (byBusId(busId.c_str(), &device) != 0)
    device = nullptr;
  findSymbol(*library, "nvmlDeviceGetClockInfo", clockInfo);
  findSymbol(*library, "nvmlDeviceGetMaxClockInfo", maxClockInfo);
  findSymbol(*library, "nvmlDeviceGetCurrentClocksThrottleReasons",
             throttleReasons);
}

/// The reasons of nvml.h that say that the device is slower than it could be.
static std::string spellReasons(unsigned long long bits) {
  static const std::pair<unsigned long long, const char *> reasons[] = {
      {0x04, "power cap"},
      {0x08, "hardware slowdown"},
      {0x10, "sync boost"},
      {0x20, "temperature (software)"},
      {0x40, "temperature (hardware)"},
      {0x80, "power brake"}};
  std::vector<std::string> found;
  for (auto [bit, text] : reasons)
    if (bits & bit)
      found.push_back(text);
  return join(found, ", ");
}

Clocks Nvml::clocks() const {
  Clocks result;
  if (!device)
    return result;
  unsigned mhz = 0;
  if (clockInfo && clockInfo(device, SmClock, &mhz) == 0)
    result.now = int(mhz);
  if (maxClockInfo && maxClockInfo(device, SmClock, &mhz) == 0)
    result.max = int(mhz);
  unsigned long long bits = 0;
  if (throttleReasons && throttleReasons(device, &bits) == 0)
    result.throttling = spellReasons(bits);
  return result;
}

std::string Nvml::driverVersion() const {
  char text[96] = "";
  if (systemDriver && systemDriver(text, sizeof text) == 0)
    return text;
  return "";
}

} // namespace convopt::bench
