//===- CudaDevice.h - A GPU through its driver ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_CUDADEVICE_H
#define CONVOPT_LIB_BENCH_CUDADEVICE_H

#include "CudaLibraries.h"
#include "convopt/Bench/Device.h"
#include <chrono>

namespace convopt::bench {

/// Bytes of an element, and of all of them.
inline int64_t sizeOf(const Buffer &buffer) {
  return buffer.type == "double" ? sizeof(double) : sizeof(float);
}
inline int64_t bytes(const Buffer &buffer) {
  return buffer.elements * sizeOf(buffer);
}

/// What convopt_compare writes.
struct Found {
  uint64_t wrong = 0, first = UINT64_MAX, worst = 0;
};

/// A GPU, with its primary context and the null stream.
class CudaDevice : public Device {
public:
  explicit CudaDevice(const CudaDriver &driver) : cuda(driver) {}
  llvm::Error open();

  const DeviceInfo &info() const override { return about; }
  llvm::Expected<int64_t> freeBytes() override;
  Clocks clocks() override { return nvml->clocks(); }
  double seconds() const override {
    return std::chrono::duration<double>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  llvm::Expected<Buffer> allocate(llvm::StringRef type,
                                  int64_t elements) override;
  llvm::Error release(const Buffer &buffer) override {
    return cuda.check(cuda.cuMemFree_v2(buffer.address), "cuMemFree");
  }
  llvm::Error fill(const Buffer &buffer, Data data, uint64_t seed) override;
  llvm::Error poison(const Buffer &buffer) override;
  llvm::Error widen(const Buffer &from, const Buffer &value,
                    const Buffer &magnitude) override;
  llvm::Expected<uint64_t> hash(const Buffer &buffer) override;
  llvm::Expected<Comparison> compare(const Buffer &actual, const Buffer &value,
                                     const Buffer &magnitude,
                                     const Tolerance &tolerance) override;

  llvm::Expected<LoadedKernel> load(const KernelSource &source) override;
  void inspect(LoadedKernel &kernel, const Launch &launch) override;
  llvm::Error launch(const LoadedKernel &kernel, const Launch &launch) override;
  llvm::Error synchronize() override {
    return cuda.check(cuda.cuCtxSynchronize(), "the kernel");
  }
  llvm::Expected<double> time(bool cold, llvm::function_ref<llvm::Error()> work,
                              Clocks *during) override;
  double overrun() const override { return lastOverrun; }

private:
  /// A kernel of the driver, or a launcher of its own.
  struct Loaded {
    std::string label, entry;
    CUfunction function = nullptr;
    HostLauncher launcher = nullptr;
    bool isCapturable = true, isFile = false;
  };

  llvm::Error describe(CUdevice device);
  llvm::Expected<int> attribute(CUdevice_attribute which, CUdevice device);
  llvm::Expected<CUfunction> loadFunction(const CompiledProgram &program,
                                          llvm::StringRef name);
  llvm::Error loadOwnKernels();
  llvm::Error loadWithNvrtc(const KernelSource &source, LoadedKernel &result);
  llvm::Error loadWithNvcc(const KernelSource &source, LoadedKernel &result);
  llvm::Error callLauncher(const Loaded &code, Arguments arguments,
                           CUstream stream);
  /// What the compiled function takes, with blocks of \p threads that get
  /// \p dynamicSharedBytes each.
  void describeFunction(CUfunction function, int64_t threads,
                        int64_t dynamicSharedBytes, LoadedKernel &result);
  llvm::Error run(llvm::StringRef kernel, Arguments arguments,
                  unsigned blocks = 0, unsigned threads = 256);
  llvm::Error flush();

  CudaDriver cuda;
  std::optional<Nvml> nvml;
  DeviceInfo about;
  int warpsPerMultiprocessor = 0;
  std::map<std::string, CUfunction> own;
  std::vector<Loaded> loaded;
  CUevent start = nullptr, stop = nullptr;
  double lastOverrun = 0;     // milliseconds
  bool lastIsFile = false;    // what was launched last
  Buffer flushBuffer, result; // `result`: what kernels say to the host
};

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_CUDADEVICE_H
