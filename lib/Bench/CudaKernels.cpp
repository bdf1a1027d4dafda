//===- CudaKernels.cpp - Loading, launching and timing --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"

using namespace llvm;

namespace convopt::bench {

Error CudaDevice::findOccupancy(const KernelSource &source, CUfunction function,
                                LoadedKernel &kernel) {
  const int64_t threads = source.block[0] * source.block[1] * source.block[2];
  int blocks = 0;
  if (Error e = cuda.check(cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                               &blocks, function, int(threads),
                               size_t(source.dynamicSharedBytes)),
                           "cuOccupancyMaxActiveBlocksPerMultiprocessor"))
    return e;
  const int64_t warps = blocks * ((threads + 31) / 32);
  kernel.occupancy = double(warps) / warpsPerMultiprocessor;
  return Error::success();
}

Error CudaDevice::loadWithNvrtc(const KernelSource &source,
                                LoadedKernel &kernel) {
  Expected<CompiledProgram> program =
      compileProgram(source.code, {source.entry}, about.arch);
  if (!program)
    return program.takeError();
  Expected<CUfunction> function = loadFunction(*program, program->names[0]);
  if (!function)
    return function.takeError();
  if (source.dynamicSharedBytes > 0)
    if (Error e = cuda.check(
            cuda.cuFuncSetAttribute(
                *function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                int(source.dynamicSharedBytes)),
            "asking for " + Twine(source.dynamicSharedBytes) +
                " bytes of shared memory"))
      return e;
  auto attribute = [&](CUfunction_attribute which) -> std::optional<int64_t> {
    int value = 0;
    if (cuda.cuFuncGetAttribute(&value, which, *function) != 0)
      return std::nullopt;
    return value;
  };
  kernel.registers = attribute(CU_FUNC_ATTRIBUTE_NUM_REGS);
  kernel.spillBytes = attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  kernel.staticSharedBytes = attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  loaded.push_back({source.label, *function, nullptr});
  return findOccupancy(source, *function, kernel);
}

Error CudaDevice::loadWithNvcc(const KernelSource &source,
                               LoadedKernel &kernel) {
  Expected<HostLibrary> library = buildWithNvcc(source, about.arch);
  if (!library)
    return library.takeError();
  kernel.registers = library->info.registers;
  kernel.spillBytes = library->info.spillBytes;
  kernel.staticSharedBytes = library->info.sharedBytes;
  loaded.push_back({source.label, nullptr, library->launcher});
  return Error::success();
}

Expected<LoadedKernel> CudaDevice::load(const KernelSource &source) {
  LoadedKernel kernel;
  if (Error e = source.compiler == Compiler::Nvrtc
                    ? loadWithNvrtc(source, kernel)
                    : loadWithNvcc(source, kernel))
    return std::move(e);
  kernel.id = unsigned(loaded.size()) - 1;
  return kernel;
}

Error CudaDevice::launch(const LoadedKernel &kernel, const Launch &launch) {
  const Loaded &code = loaded[kernel.id];
  Arguments values = launch.arguments;
  if (code.launcher)
    values.push_back(0); // the stream
  std::vector<void *> pointers;
  for (uint64_t &a : values)
    pointers.push_back(&a);
  if (code.launcher) {
    // Launchers return a cudaError_t, whose numbers are those of a CUresult
    // where both have them.
    return cuda.check(code.launcher(pointers.data()),
                      "launching " + code.label);
  }
  auto dim = [](int64_t n) { return static_cast<unsigned>(n); };
  return cuda.check(
      cuda.cuLaunchKernel(code.function, dim(launch.grid[0]),
                          dim(launch.grid[1]), dim(launch.grid[2]),
                          dim(launch.block[0]), dim(launch.block[1]),
                          dim(launch.block[2]), dim(launch.dynamicSharedBytes),
                          nullptr, pointers.data(), nullptr),
      "launching " + code.label);
}

/// Three times the cache: written, so that nothing of the kernel's data is
/// left in it, then read, so that no write-back of ours falls into the time.
Error CudaDevice::flush() {
  if (flushBuffer.address == 0) {
    const int64_t size = std::max<int64_t>(3 * about.l2Bytes, 64 << 20);
    Expected<Buffer> buffer = allocate("double", size / 8);
    if (!buffer)
      return buffer.takeError();
    flushBuffer = *buffer;
  }
  if (Error e = poison(flushBuffer))
    return e;
  return run("convopt_read",
             {flushBuffer.address, uint64_t(flushBuffer.elements / 2),
              result.address});
}

/// About 20 microseconds: longer than the host takes for a launch.
static constexpr uint64_t SpinCycles = 40000;

Expected<double> CudaDevice::time(bool cold, function_ref<Error()> work) {
  if (cold)
    if (Error e = flush())
      return std::move(e);
  if (Error e = run("convopt_spin", {SpinCycles}, 1, 1))
    return std::move(e);
  if (Error e = cuda.check(cuda.cuEventRecord(start, nullptr), "cuEventRecord"))
    return std::move(e);
  if (Error e = work())
    return std::move(e);
  if (Error e = cuda.check(cuda.cuEventRecord(stop, nullptr), "cuEventRecord"))
    return std::move(e);
  if (Error e = cuda.check(cuda.cuEventSynchronize(stop), "the kernel"))
    return std::move(e);
  float milliseconds = 0;
  if (Error e = cuda.check(cuda.cuEventElapsedTime(&milliseconds, start, stop),
                           "cuEventElapsedTime"))
    return std::move(e);
  return milliseconds;
}

} // namespace convopt::bench
