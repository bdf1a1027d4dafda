//===- CudaKernels.cpp - Loading, launching and timing --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"
#include "CudaLibraries.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/Shuffle.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::bench {

void CudaDevice::describeFunction(CUfunction function, int64_t threads,
                                  int64_t dynamicSharedBytes,
                                  LoadedKernel &kernel) {
  auto attribute = [&](CUfunction_attribute which) -> std::optional<int64_t> {
    int value = 0;
    if (cuda.cuFuncGetAttribute(&value, which, function) != 0)
      return std::nullopt;
    return value;
  };
  kernel.registers = attribute(CU_FUNC_ATTRIBUTE_NUM_REGS);
  kernel.staticSharedBytes = attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  kernel.dynamicSharedBytes = dynamicSharedBytes;
  kernel.threadsPerBlock = threads;
  int blocks = 0;
  if (cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(
          &blocks, function, int(threads), size_t(dynamicSharedBytes)) != 0)
    return;
  const int64_t warps = blocks * divideCeil(threads, WarpSize);
  kernel.occupancy = double(warps) / warpsPerMultiprocessor;
}

static int64_t product(const std::array<int64_t, 3> &sizes) {
  return sizes[0] * sizes[1] * sizes[2];
}

Error CudaDevice::loadWithNvrtc(const KernelSource &source,
                                LoadedKernel &kernel) {
  ASSIGN_OR_RETURN(CompiledProgram program,
                   compileProgram(source.code, {source.entry}, about.arch));
  ASSIGN_OR_RETURN(CUfunction function,
                   loadFunction(program, program.names[0]));
  if (source.dynamicSharedBytes > 0)
    RETURN_IF_ERROR(cuda.check(
        cuda.cuFuncSetAttribute(function,
                                CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                int(source.dynamicSharedBytes)),
        "asking for " + Twine(source.dynamicSharedBytes) +
            " bytes of shared memory"));
  describeFunction(function, product(source.block), source.dynamicSharedBytes,
                   kernel);
  kernel.spillBytes = program.info[program.names[0]].spillBytes;
  loaded.push_back(
      {source.label, source.entry, function, nullptr, true, false});
  return Error::success();
}

Error CudaDevice::loadWithNvcc(const KernelSource &source,
                               LoadedKernel &kernel) {
  ASSIGN_OR_RETURN(HostLibrary library, buildWithNvcc(source, about.arch));
  kernel.registers = library.info.registers;
  kernel.spillBytes = library.info.spillBytes;
  kernel.staticSharedBytes = library.info.sharedBytes;
  loaded.push_back({source.label, source.entry, nullptr, library.launcher,
                    source.isCapturable, source.isFile});
  return Error::success();
}

Expected<LoadedKernel> CudaDevice::load(const KernelSource &source) {
  LoadedKernel kernel;
  RETURN_IF_ERROR(source.compiler == Compiler::Nvrtc
                      ? loadWithNvrtc(source, kernel)
                      : loadWithNvcc(source, kernel));
  kernel.id = unsigned(loaded.size()) - 1;
  return kernel;
}

Error CudaDevice::callLauncher(const Loaded &code, Arguments arguments,
                               CUstream stream) {
  arguments.push_back(reinterpret_cast<uintptr_t>(stream));
  std::vector<void *> pointers;
  for (uint64_t &a : arguments)
    pointers.push_back(&a);
  // Launchers return a cudaError_t, whose numbers are those of a CUresult
  // where both have them.
  return cuda.check(code.launcher(pointers.data()), "launching " + code.label);
}

void CudaDevice::inspect(LoadedKernel &kernel, const Launch &launch) {
  const Loaded &code = loaded[kernel.id];
  if (!code.launcher || !code.isCapturable)
    return;
  Expected<RecordedLaunch> recorded = recordLaunch(
      cuda, StringRef(code.entry).split('<').first, [&](CUstream stream) {
        return callLauncher(code, launch.arguments, stream);
      });
  if (recorded)
    describeFunction(recorded->function, product(recorded->block),
                     recorded->dynamicSharedBytes, kernel);
  else // columns stay empty, and the kernel is measured all the same
    consumeError(recorded.takeError());
}

Error CudaDevice::launch(const LoadedKernel &kernel, const Launch &launch) {
  const Loaded &code = loaded[kernel.id];
  lastIsFile = code.isFile;
  if (code.launcher)
    return callLauncher(code, launch.arguments, /*stream=*/nullptr);
  Arguments values = launch.arguments;
  std::vector<void *> pointers;
  for (uint64_t &a : values)
    pointers.push_back(&a);
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
    ASSIGN_OR_RETURN(Buffer buffer, allocate("double", size / 8));
    flushBuffer = buffer;
  }
  RETURN_IF_ERROR(poison(flushBuffer));
  return run("convopt_read",
             {flushBuffer.address, uint64_t(flushBuffer.elements / 2),
              result.address});
}

/// About 20 microseconds: longer than the host takes for a launch.
static constexpr uint64_t SpinCycles = 40000;

Expected<double> CudaDevice::time(bool cold, function_ref<Error()> work,
                                  Clocks *during) {
  if (cold)
    RETURN_IF_ERROR(flush());
  if (Error e = run("convopt_spin", {SpinCycles}, 1, 1))
    return std::move(e);
  RETURN_IF_ERROR(
      cuda.check(cuda.cuEventRecord(start, nullptr), "cuEventRecord"));
  RETURN_IF_ERROR(work());
  RETURN_IF_ERROR(
      cuda.check(cuda.cuEventRecord(stop, nullptr), "cuEventRecord"));
  if (during)
    *during = clocks();
  RETURN_IF_ERROR(cuda.check(cuda.cuEventSynchronize(stop), "the kernel"));
  lastOverrun = 0;
  if (lastIsFile) {
    const double end = seconds();
    RETURN_IF_ERROR(synchronize());
    lastOverrun = 1e3 * (seconds() - end);
  }
  float milliseconds = 0;
  RETURN_IF_ERROR(
      cuda.check(cuda.cuEventElapsedTime(&milliseconds, start, stop),
                 "cuEventElapsedTime"));
  return milliseconds;
}

} // namespace convopt::bench
