//===- CudaLibraries.h - What is loaded of CUDA when it runs ----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// As much of cuda.h as is used, so that neither building nor running needs a
/// toolkit. Names and values are those of cuda.h.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_CUDALIBRARIES_H
#define CONVOPT_LIB_BENCH_CUDALIBRARIES_H

#include "convopt/Bench/Device.h"
#include "llvm/Support/DynamicLibrary.h"
#include <map>

namespace convopt::bench {

/// Folders in which CUDA's libraries are installed: those of the environment
/// (CUDA_PATH, CUDA_HOME), /usr/local/cuda, and the `nvidia` packages that pip
/// puts beside PyTorch, of which \p wheels names the folders ("cudnn").
std::vector<std::string> cudaFolders(llvm::ArrayRef<llvm::StringRef> wheels);

/// The first of \p names that loads: by the loader's own search, or from one
/// of \p folders.
std::optional<llvm::sys::DynamicLibrary>
openLibrary(llvm::ArrayRef<llvm::StringRef> names,
            llvm::ArrayRef<std::string> folders);

/// Sets \p function to what \p library has by \p name; false where that is
/// nothing.
template <class F>
bool findSymbol(llvm::sys::DynamicLibrary library, const char *name,
                F &function) {
  function = reinterpret_cast<F>(library.getAddressOfSymbol(name));
  return function;
}

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;

enum CUdevice_attribute : int {
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13, // kHz
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,       // kHz
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37, // bits
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
};

enum CUfunction_attribute : int {
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
};

/// The entry points, as members of the same names.
struct CudaDriver {
#define ENTRY(name, parameters) CUresult(*name) parameters = nullptr;
#include "CudaDriver.def"

  /// Loads libcuda.so.1. Refuses (status Missing) where there is none, or an
  /// older one that lacks something.
  static llvm::Expected<CudaDriver> load();

  /// Success, or \p what with the name and text of \p result (rule "device").
  llvm::Error check(CUresult result, const llvm::Twine &what) const;
};

/// A kernel as a launcher would start it.
struct RecordedLaunch {
  CUfunction function = nullptr;
  std::array<int64_t, 3> block{1, 1, 1};
  int64_t dynamicSharedBytes = 0;
};

/// Has \p launch start its work on a stream that only records it, and finds
/// the kernel whose name contains \p name among what was recorded, or else the
/// one of the most threads. Nothing runs. Refuses (rule "device") where the
/// driver cannot record, or where nothing was started.
llvm::Expected<RecordedLaunch>
recordLaunch(const CudaDriver &cuda, llvm::StringRef name,
             llvm::function_ref<llvm::Error(CUstream)> launch);

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

/// What ptxas says of a kernel.
struct PtxasInfo {
  std::optional<int64_t> registers;
  std::optional<int64_t> spillBytes; // that are stored
  std::optional<int64_t> sharedBytes;
};

/// Reads what `ptxas -v` prints, by the kernel's name in the object.
std::map<std::string, PtxasInfo> parsePtxasInfo(llvm::StringRef log);

/// A program for one architecture.
struct CompiledProgram {
  std::vector<char> cubin;
  std::vector<std::string> names; // in the object, of the entries asked for
  std::map<std::string, PtxasInfo> info;
};

/// Compiles \p code, of which \p entries (names of kernels with their template
/// arguments) are wanted, for \p arch ("sm_90"). Refuses (status Missing)
/// where there is no NVRTC and (rule "compile") what it refuses.
llvm::Expected<CompiledProgram>
compileProgram(llvm::StringRef code, llvm::ArrayRef<std::string> entries,
               llvm::StringRef arch);

/// Calls a launcher: pointers to its arguments, the stream among them; returns
/// its cudaError_t.
using HostLauncher = int (*)(void **);

struct HostLibrary {
  HostLauncher launcher = nullptr;
  PtxasInfo info; // of the entry, where ptxas spoke of it
};

/// Builds the file \p source, with a function that calls its launcher, as a
/// shared library and loads it into this process. Refuses (status Missing)
/// where there is no nvcc, (rule "nvcc") a folder whose name nvcc would hand
/// to a shell, and (rule "compile") what nvcc refuses.
llvm::Expected<HostLibrary> buildWithNvcc(const KernelSource &source,
                                          llvm::StringRef arch);

/// What buildWithNvcc compiles.
std::string hostLibraryText(const KernelSource &source);

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_CUDALIBRARIES_H
