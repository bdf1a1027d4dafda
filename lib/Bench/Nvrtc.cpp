//===- Nvrtc.cpp - Compiling CUDA at run time -----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaLibraries.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::bench {

namespace {

using nvrtcResult = int;
using nvrtcProgram = struct _nvrtcProgram *;

struct Library {
#define ENTRY(name, parameters) nvrtcResult(*name) parameters = nullptr;
#include "Nvrtc.def"
};

/// Ends a program's life with the scope.
struct Program {
  const Library &library;
  nvrtcProgram handle = nullptr;
  ~Program() {
    if (handle)
      library.nvrtcDestroyProgram(&handle);
  }
};

} // namespace

static std::optional<Library> loadLibrary() {
  ASSIGN_OR_RETURN(
      auto found,
      openLibrary({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
                  cudaFolders({"cu13", "cuda_nvrtc"})));
  Library library;
#define ENTRY(name, parameters)                                                \
  if (!findSymbol(found, #name, library.name))                                 \
    return std::nullopt;
#include "Nvrtc.def"
  return library;
}

static const std::optional<Library> &theLibrary() {
  static const std::optional<Library> library = loadLibrary();
  return library;
}

/// The number before \p unit in \p line.
static std::optional<int64_t> numberBefore(StringRef line, StringRef unit) {
  size_t at = line.find(unit);
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef before = line.take_front(at).rtrim();
  StringRef digits = before.take_back(
      before.size() - before.find_last_not_of("0123456789") - 1);
  int64_t value;
  if (digits.getAsInteger(10, value))
    return std::nullopt;
  return value;
}

std::map<std::string, PtxasInfo> parsePtxasInfo(StringRef log) {
  std::map<std::string, PtxasInfo> result;
  std::string entry;
  SmallVector<StringRef> lines;
  log.split(lines, '\n');
  for (StringRef line : lines) {
    if (line.contains("Compiling entry function '"))
      entry = line.split('\'').second.split('\'').first.str();
    if (entry.empty())
      continue;
    PtxasInfo &info = result[entry];
    if (auto spilled = numberBefore(line, "bytes spill stores"))
      info.spillBytes = *spilled;
    if (auto registers = numberBefore(line, "registers")) {
      info.registers = *registers;
      info.sharedBytes = numberBefore(line, "bytes smem").value_or(0);
    }
  }
  return result;
}

static std::string firstLines(StringRef text) {
  SmallVector<StringRef> lines;
  text.trim().split(lines, '\n', -1, /*KeepEmpty=*/false);
  return join(ArrayRef(lines).take_front(8), "; ");
}

/// Types of <cstdint>, limits, and minima that host headers bring to nvcc, and
/// the asynchronous copies of cuda_pipeline_primitives.h (CUDA C++ Programming
/// Guide, "Asynchronous Data Copies"; PTX ISA, "cp.async"), which a machine
/// without the toolkit does not have.
static const char *const Prelude = R"(
typedef signed char int8_t; typedef unsigned char uint8_t;
typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned int uint32_t;
typedef long int64_t; typedef unsigned long uint64_t;
#define INT_MAX 2147483647
#define INFINITY __builtin_huge_valf()
template <class T> __device__ inline T min(T a, T b) { return b < a ? b : a; }
template <class T> __device__ inline T max(T a, T b) { return a < b ? b : a; }
__device__ __forceinline__ void
__pipeline_memcpy_async(void *to, const void *from, size_t bytes,
                        size_t zeros = 0) {
#if __CUDA_ARCH__ >= 800
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const unsigned read = static_cast<unsigned>(bytes - zeros);
  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :: "r"(shared), "l"(from), "r"(read) : "memory");
  else if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                 :: "r"(shared), "l"(from), "r"(read) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :: "r"(shared), "l"(from), "r"(read) : "memory");
#else
  if (bytes == 16)
    *static_cast<int4 *>(to) = zeros ? int4() : *static_cast<const int4 *>(from);
  else if (bytes == 8)
    *static_cast<int2 *>(to) = zeros ? int2() : *static_cast<const int2 *>(from);
  else
    *static_cast<int *>(to) = zeros ? 0 : *static_cast<const int *>(from);
#endif
}
__device__ __forceinline__ void __pipeline_commit() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;");
#endif
}
/// Waits for all but the last \p groups; for all where those are many.
__device__ __forceinline__ void __pipeline_wait_prior(int groups) {
#if __CUDA_ARCH__ >= 800
  switch (groups) {
#define CONVOPT_WAIT(n)                                                        \
  case n:                                                                      \
    asm volatile("cp.async.wait_group " #n ";");                               \
    return;
    CONVOPT_WAIT(1) CONVOPT_WAIT(2) CONVOPT_WAIT(3) CONVOPT_WAIT(4)
    CONVOPT_WAIT(5) CONVOPT_WAIT(6) CONVOPT_WAIT(7)
#undef CONVOPT_WAIT
  default:
    asm volatile("cp.async.wait_group 0;");
  }
#endif
}
#line 1
)";

static Error refuseProgram(const Library &library, nvrtcProgram program) {
  size_t size = 0;
  std::string log;
  if (library.nvrtcGetProgramLogSize(program, &size) == 0 && size > 0) {
    log.resize(size);
    library.nvrtcGetProgramLog(program, log.data());
  }
  return refuse("compile",
                "NVRTC does not compile the kernel: " +
                    firstLines(StringRef(log).rtrim('\0')),
                {}, "-compiler=nvcc may take it");
}

static Error collect(const Library &library, nvrtcProgram program,
                     ArrayRef<std::string> entries, CompiledProgram &result) {
  for (const std::string &entry : entries) {
    const char *name = nullptr;
    if (library.nvrtcGetLoweredName(program, entry.c_str(), &name) != 0)
      return refuse("compile", "NVRTC has no kernel '" + entry + "'");
    result.names.push_back(name);
  }
  size_t size = 0;
  if (library.nvrtcGetCUBINSize(program, &size) != 0 || size == 0)
    return refuse("compile", "NVRTC gives no code for the device");
  result.cubin.resize(size);
  if (library.nvrtcGetCUBIN(program, result.cubin.data()) != 0)
    return refuse("compile", "NVRTC gives no code for the device");
  size = 0;
  if (library.nvrtcGetProgramLogSize(program, &size) == 0 && size > 0) {
    std::string log(size, '\0');
    library.nvrtcGetProgramLog(program, log.data());
    result.info = parsePtxasInfo(log);
  }
  return Error::success();
}

Expected<CompiledProgram>
compileProgram(StringRef code, ArrayRef<std::string> entries, StringRef arch) {
  const std::optional<Library> &library = theLibrary();
  if (!library)
    return make_error<Refusal>(
        ExitStatus::Missing, "compile",
        "NVRTC (libnvrtc.so.13 or libnvrtc.so.12) was not found", SourceRange(),
        "install it with the CUDA toolkit or pip, or set CUDA_PATH");
  std::string text = Prelude + code.str();
  Program program{*library};
  if (library->nvrtcCreateProgram(&program.handle, text.c_str(), "kernel.cu", 0,
                                  nullptr, nullptr) != 0)
    return refuse("compile", "NVRTC does not start");
  for (const std::string &entry : entries)
    if (library->nvrtcAddNameExpression(program.handle, entry.c_str()) != 0)
      return refuse("compile", "NVRTC does not take the name '" + entry + "'");
  std::string target = "--gpu-architecture=" + arch.str();
  const char *const options[] = {target.c_str(), "-std=c++17",
                                 "--ptxas-options=-v", "-w"};
  if (library->nvrtcCompileProgram(program.handle, std::size(options),
                                   options) != 0)
    return refuseProgram(*library, program.handle);
  CompiledProgram result;
  RETURN_IF_ERROR(collect(*library, program.handle, entries, result));
  return result;
}

} // namespace convopt::bench
