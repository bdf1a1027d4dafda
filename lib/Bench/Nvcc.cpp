//===- Nvcc.cpp - Building a launcher with nvcc ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaLibraries.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Verify/Toolchain.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::bench {

/// Reads each argument as what the launcher takes.
static const char *const Caller = R"(

namespace {
template <class... A, std::size_t... I>
int convopt_apply(cudaError_t (*launcher)(A...), void **arguments,
                  std::index_sequence<I...>) {
  return launcher(*static_cast<std::remove_cv_t<A> *>(arguments[I])...);
}
template <class... A>
int convopt_call(cudaError_t (*launcher)(A...), void **arguments) {
  return convopt_apply(launcher, arguments, std::index_sequence_for<A...>());
}
} // namespace

extern "C" int convopt_bench_launch(void **arguments) {
  return convopt_call(&)";

std::string hostLibraryText(const KernelSource &source) {
  return "#define main convopt_user_main\n#include \"kernel.cu\"\n#undef "
         "main\n" +
         (Caller + source.launcher) + ", arguments);\n}\n";
}

/// What ptxas said of the entry: `conv_tiled_kernel<int, ...>` is mangled as
/// `...conv_tiled_kernelIi...`.
static PtxasInfo infoOf(StringRef entry, StringRef log) {
  auto [base, arguments] = entry.split('<');
  std::string mangled = base.str();
  if (arguments.starts_with("int"))
    mangled += "Ii";
  else if (arguments.starts_with("long long"))
    mangled += "Ix";
  for (const auto &[name, info] : parsePtxasInfo(log))
    if (StringRef(name).contains(mangled))
      return info;
  return {};
}

static Expected<std::vector<std::string>>
argumentsFor(const KernelSource &source, StringRef arch,
             const verify::PrivateDirectory &directory) {
  std::vector<std::string> arguments = {
      "-arch=" + arch.str(), "-O3",   "-std=c++17", "-w", "-shared",
      "-Xcompiler",          "-fPIC", "-Xptxas",    "-v"};
  if (!source.folder.empty()) {
    RETURN_IF_ERROR(verify::checkForNvcc("the folder", source.folder));
    arguments.push_back("-I" + source.folder);
  }
  arguments.push_back(directory.file("library.cu"));
  arguments.push_back("-o");
  arguments.push_back(directory.file("library.so"));
  return arguments;
}

static constexpr unsigned SecondsToCompile = 300;

static Error compile(const KernelSource &source, StringRef arch,
                     const verify::PrivateDirectory &directory,
                     PtxasInfo &info) {
  auto nvcc = verify::findNvcc();
  if (!nvcc)
    return make_error<Refusal>(ExitStatus::Missing, "compile",
                               "nvcc was not found", SourceRange(),
                               "-compiler=nvrtc needs none");
  RETURN_IF_ERROR(directory.write("kernel.cu", source.code));
  RETURN_IF_ERROR(directory.write("library.cu", hostLibraryText(source)));
  ASSIGN_OR_RETURN(auto arguments, argumentsFor(source, arch, directory));
  ASSIGN_OR_RETURN(auto result, verify::runChild(*nvcc, arguments, directory,
                                                 SecondsToCompile));
  if (result.status != 0) {
    SmallVector<StringRef> lines;
    StringRef(result.err).trim().split(lines, '\n', -1, false);
    return refuse("compile",
                  "nvcc does not compile the kernel: " + result.problem +
                      join(ArrayRef(lines).take_front(8), "; "));
  }
  info = infoOf(source.entry, result.err);
  return Error::success();
}

Expected<HostLibrary> buildWithNvcc(const KernelSource &source,
                                    StringRef arch) {
  ASSIGN_OR_RETURN(auto directory, verify::PrivateDirectory::create());
  HostLibrary result;
  RETURN_IF_ERROR(compile(source, arch, directory, result.info));
  std::string problem;
  auto library = sys::DynamicLibrary::getPermanentLibrary(
      directory.file("library.so").c_str(), &problem);
  if (!library.isValid())
    return refuse("compile",
                  "the library that nvcc made does not load: " + problem);
  result.launcher = reinterpret_cast<HostLauncher>(
      library.getAddressOfSymbol("convopt_bench_launch"));
  if (!result.launcher)
    return refuse("compile", "the library that nvcc made has no launcher");
  return result;
}

} // namespace convopt::bench
