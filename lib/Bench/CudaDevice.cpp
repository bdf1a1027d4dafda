//===- CudaDevice.cpp - A GPU through its driver --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"
#include "DeviceKernels.h"
#include "Nvcc.h"
#include "Nvml.h"
#include "Nvrtc.h"
#include "convopt/Bench/Device.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <cstddef>
#include <cstring>
#include <limits>
#include <map>

using namespace llvm;

namespace convopt::bench {

namespace {

/// What convopt_compare writes.
struct Found {
  uint64_t wrong = 0, first = UINT64_MAX, worst = 0;
};

class CudaDevice : public Device {
public:
  explicit CudaDevice(const CudaDriver &driver) : cuda(driver) {}
  Error open();

  const DeviceInfo &info() const override { return about; }
  Expected<int64_t> freeBytes() override;
  Clocks clocks() override { return nvml->clocks(); }
  double seconds() const override {
    return std::chrono::duration<double>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  Expected<Buffer> allocate(StringRef type, int64_t elements) override;
  Error fill(const Buffer &buffer, Data data, uint64_t seed) override;
  Error poison(const Buffer &buffer) override;
  Error widen(const Buffer &from, const Buffer &value,
              const Buffer &magnitude) override;
  Expected<uint64_t> hash(const Buffer &buffer) override;
  Expected<Comparison> compare(const Buffer &actual, const Buffer &value,
                               const Buffer &magnitude,
                               const Tolerance &tolerance) override;

  Expected<LoadedKernel> load(const KernelSource &source) override;
  Error launch(const LoadedKernel &kernel, const Launch &launch) override;
  Error synchronize() override {
    return cuda.check(cuda.cuCtxSynchronize(), "the kernel");
  }
  Expected<double> time(bool cold, function_ref<Error()> work) override;

private:
  /// A kernel of the driver, or a launcher of its own.
  struct Loaded {
    std::string label;
    CUfunction function = nullptr;
    HostLauncher launcher = nullptr;
  };

  Error describe(CUdevice device);
  Expected<int> attribute(CUdevice_attribute which, CUdevice device);
  Expected<CUfunction> loadFunction(const CompiledProgram &program,
                                    StringRef name);
  Error loadOwnKernels();
  Error loadWithNvrtc(const KernelSource &source, LoadedKernel &result);
  Error loadWithNvcc(const KernelSource &source, LoadedKernel &result);
  Error findOccupancy(const KernelSource &source, CUfunction function,
                      LoadedKernel &result);
  Error run(StringRef kernel, Arguments arguments, unsigned blocks = 0,
            unsigned threads = 256);
  Error flush();

  CudaDriver cuda;
  std::optional<Nvml> nvml;
  DeviceInfo about;
  int warpsPerMultiprocessor = 0;
  std::map<std::string, CUfunction> own;
  std::vector<Loaded> loaded;
  CUevent start = nullptr, stop = nullptr;
  Buffer flushBuffer, result; // `result`: what kernels say to the host
};

} // namespace

/// Bytes of an element that the comparison takes.
static int64_t sizeOf(const Buffer &buffer) {
  return buffer.type == "double" ? sizeof(double) : sizeof(float);
}
static int64_t bytes(const Buffer &buffer) {
  return buffer.elements * sizeOf(buffer);
}

static uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

Expected<int> CudaDevice::attribute(CUdevice_attribute which, CUdevice device) {
  int value = 0;
  if (Error e = cuda.check(cuda.cuDeviceGetAttribute(&value, which, device),
                           "cuDeviceGetAttribute"))
    return std::move(e);
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
  if (Error e = cuda.check(cuda.cuDeviceGetName(name, sizeof name, device),
                           "cuDeviceGetName"))
    return e;
  if (Error e =
          cuda.check(cuda.cuDeviceGetPCIBusId(busId, sizeof busId, device),
                     "cuDeviceGetPCIBusId"))
    return e;
  nvml.emplace(busId);
  size_t total = 0;
  if (Error e = cuda.check(cuda.cuDeviceTotalMem_v2(&total, device),
                           "cuDeviceTotalMem"))
    return e;
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
    Expected<int> one = attribute(which, device);
    if (!one)
      return one.takeError();
    value[which] = *one;
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
  if (Error e = cuda.check(cuda.cuDeviceGet(&device, 0), "cuDeviceGet"))
    return e;
  // The primary context, which the runtime uses as well: in code that nvcc
  // compiled, and in cuDNN.
  if (Error e = cuda.check(cuda.cuDevicePrimaryCtxRetain(&context, device),
                           "cuDevicePrimaryCtxRetain"))
    return e;
  if (Error e = cuda.check(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent"))
    return e;
  if (Error e = describe(device))
    return e;
  for (CUevent *event : {&start, &stop})
    if (Error e = cuda.check(cuda.cuEventCreate(event, 0), "cuEventCreate"))
      return e;
  return loadOwnKernels();
}

Expected<CUfunction> CudaDevice::loadFunction(const CompiledProgram &program,
                                              StringRef name) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  if (Error e = cuda.check(cuda.cuModuleLoadData(&module, program.cubin.data()),
                           "loading the kernel"))
    return std::move(e);
  if (Error e = cuda.check(
          cuda.cuModuleGetFunction(&function, module, name.str().c_str()),
          "finding the kernel"))
    return std::move(e);
  return function;
}

Error CudaDevice::loadOwnKernels() {
  std::vector<std::string> entries = {"convopt_hash", "convopt_read",
                                      "convopt_spin"};
  for (const char *type : {"float", "double"})
    for (const char *kernel :
         {"convopt_fill", "convopt_widen", "convopt_compare"})
      entries.push_back(std::string(kernel) + "<" + type + ">");
  Expected<CompiledProgram> program =
      compileProgram(DataKernels, entries, about.arch);
  if (!program)
    return program.takeError();
  for (size_t k = 0; k != entries.size(); ++k) {
    Expected<CUfunction> function = loadFunction(*program, program->names[k]);
    if (!function)
      return function.takeError();
    own[entries[k]] = *function;
  }
  Expected<Buffer> words = allocate("double", sizeof(Found) / sizeof(double));
  if (!words)
    return words.takeError();
  result = *words;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Expected<int64_t> CudaDevice::freeBytes() {
  size_t free = 0, total = 0;
  if (Error e = cuda.check(cuda.cuMemGetInfo_v2(&free, &total), "cuMemGetInfo"))
    return std::move(e);
  return int64_t(free);
}

Expected<Buffer> CudaDevice::allocate(StringRef type, int64_t elements) {
  Buffer buffer{0, type.str(), elements};
  CUdeviceptr address = 0;
  const int64_t wanted = std::max<int64_t>(bytes(buffer), 16);
  if (Error e = cuda.check(cuda.cuMemAlloc_v2(&address, size_t(wanted)),
                           "allocating " + Twine(wanted) + " bytes"))
    return std::move(e);
  buffer.address = address;
  return buffer;
}

/// One of our own kernels, over as many blocks as fill the device.
Error CudaDevice::run(StringRef kernel, Arguments arguments, unsigned blocks,
                      unsigned threads) {
  std::vector<void *> pointers;
  for (uint64_t &a : arguments)
    pointers.push_back(&a);
  auto function = own.find(kernel.str());
  if (function == own.end())
    return refuse("device", "no kernel " + kernel.str());
  if (!blocks)
    blocks = 8 * about.multiprocessors;
  return cuda.check(cuda.cuLaunchKernel(function->second, blocks, 1, 1, threads,
                                        1, 1, 0, nullptr, pointers.data(),
                                        nullptr),
                    "launching " + kernel);
}

static std::string forType(StringRef kernel, const Buffer &buffer) {
  return (kernel + "<" + buffer.type + ">").str();
}

Error CudaDevice::fill(const Buffer &buffer, Data data, uint64_t seed) {
  return run(forType("convopt_fill", buffer),
             {buffer.address, uint64_t(buffer.elements), seed,
              uint64_t(data == Data::Integers)});
}

Error CudaDevice::poison(const Buffer &buffer) {
  return cuda.check(cuda.cuMemsetD8Async(buffer.address, 0xFF,
                                         size_t(bytes(buffer)), nullptr),
                    "cuMemsetD8Async");
}

Error CudaDevice::widen(const Buffer &from, const Buffer &value,
                        const Buffer &magnitude) {
  return run(forType("convopt_widen", from),
             {from.address, value.address, magnitude.address,
              uint64_t(from.elements)});
}

Expected<uint64_t> CudaDevice::hash(const Buffer &buffer) {
  uint64_t sum = 0;
  if (Error e = cuda.check(
          cuda.cuMemsetD8Async(result.address, 0, sizeof sum, nullptr),
          "cuMemsetD8Async"))
    return std::move(e);
  if (Error e =
          run("convopt_hash",
              {buffer.address, uint64_t(bytes(buffer) / 4), result.address}))
    return std::move(e);
  if (Error e =
          cuda.check(cuda.cuMemcpyDtoH_v2(&sum, result.address, sizeof sum),
                     "hashing the results"))
    return std::move(e);
  return sum;
}

Expected<Comparison> CudaDevice::compare(const Buffer &actual,
                                         const Buffer &value,
                                         const Buffer &magnitude,
                                         const Tolerance &tolerance) {
  // All bits set is also the largest `first`.
  if (Error e = poison(result))
    return std::move(e);
  for (uint64_t offset : {offsetof(Found, wrong), offsetof(Found, worst)})
    if (Error e = cuda.check(
            cuda.cuMemsetD8Async(result.address + offset, 0, 8, nullptr),
            "cuMemsetD8Async"))
      return std::move(e);
  const double epsilon = actual.type == "double"
                             ? std::numeric_limits<double>::epsilon()
                             : std::numeric_limits<float>::epsilon();
  if (Error e = run(forType("convopt_compare", actual),
                    {actual.address, value.address, magnitude.address,
                     uint64_t(actual.elements), uint64_t(tolerance.exact),
                     bitsOf(tolerance.depth), bitsOf(epsilon), result.address}))
    return std::move(e);
  Found found;
  if (Error e =
          cuda.check(cuda.cuMemcpyDtoH_v2(&found, result.address, sizeof found),
                     "comparing the results"))
    return std::move(e);
  Comparison comparison;
  comparison.wrong = found.wrong;
  std::memcpy(&comparison.worst, &found.worst, sizeof(double));
  if (!found.wrong)
    return comparison;
  comparison.first = found.first;
  float single = 0;
  const bool wide = sizeOf(actual) == sizeof(double);
  void *to = wide ? static_cast<void *>(&comparison.actual) : &single;
  if (Error e =
          cuda.check(cuda.cuMemcpyDtoH_v2(
                         to, actual.address + found.first * sizeOf(actual),
                         size_t(sizeOf(actual))),
                     "reading a result"))
    return std::move(e);
  if (!wide)
    comparison.actual = single;
  if (Error e =
          cuda.check(cuda.cuMemcpyDtoH_v2(&comparison.expected,
                                          value.address + found.first * 8, 8),
                     "reading the reference"))
    return std::move(e);
  return comparison;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

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

Expected<std::unique_ptr<Device>> openCudaDevice() {
  Expected<CudaDriver> driver = CudaDriver::load();
  if (!driver)
    return driver.takeError();
  auto device = std::make_unique<CudaDevice>(*driver);
  if (Error e = device->open())
    return std::move(e);
  return device;
}

} // namespace convopt::bench
