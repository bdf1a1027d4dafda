//===- Nvml.h - Clocks of a device ------------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_NVML_H
#define CONVOPT_LIB_BENCH_NVML_H

#include "convopt/Bench/Device.h"
#include <string>

namespace convopt::bench {

/// NVIDIA's management library, for one device. Where it cannot be loaded,
/// nothing is known.
class Nvml {
public:
  /// \p busId as cuDeviceGetPCIBusId spells it.
  explicit Nvml(const std::string &busId);

  Clocks clocks() const;
  std::string driverVersion() const;

private:
  int (*clockInfo)(void *, int, unsigned *) = nullptr;
  int (*maxClockInfo)(void *, int, unsigned *) = nullptr;
  int (*throttleReasons)(void *, unsigned long long *) = nullptr;
  int (*systemDriver)(char *, unsigned) = nullptr;
  void *device = nullptr;
};

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_NVML_H
