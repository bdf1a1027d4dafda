//===- SharedLibrary.cpp - Libraries that are found at run time -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaLibraries.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace convopt::bench {

/// `FOLDER/python3*/{site,dist}-packages/nvidia`, as far as they exist.
static void addWheelRoots(const Twine &lib, std::vector<std::string> &roots) {
  std::error_code error;
  for (sys::fs::directory_iterator it(lib, error), end; it != end && !error;
       it.increment(error)) {
    if (!sys::path::filename(it->path()).starts_with("python3"))
      continue;
    for (const char *packages : {"site-packages", "dist-packages"}) {
      SmallString<128> root(it->path());
      sys::path::append(root, packages, "nvidia");
      if (sys::fs::is_directory(root))
        roots.push_back(std::string(root));
    }
  }
}

static std::vector<std::string> wheelRoots() {
  std::vector<std::string> roots;
  for (const char *variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (auto prefix = sys::Process::GetEnv(variable))
      addWheelRoots(*prefix + "/lib", roots);
  if (auto python = sys::findProgramByName("python3")) {
    SmallString<128> real;
    if (!sys::fs::real_path(*python, real)) {
      StringRef prefix = sys::path::parent_path(sys::path::parent_path(real));
      addWheelRoots(prefix + "/lib", roots);
    }
  }
  SmallString<128> home;
  if (sys::path::home_directory(home))
    addWheelRoots(home + "/.local/lib", roots);
  addWheelRoots("/usr/local/lib", roots);
  addWheelRoots("/usr/lib", roots);
  return roots;
}

std::vector<std::string> cudaFolders(ArrayRef<StringRef> wheels) {
  std::vector<std::string> folders;
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (auto root = sys::Process::GetEnv(variable)) {
      folders.push_back(*root + "/lib64");
      folders.push_back(*root + "/lib");
    }
  folders.push_back("/usr/local/cuda/lib64");
  folders.push_back("/usr/lib/x86_64-linux-gnu");
  for (const std::string &root : wheelRoots())
    for (StringRef wheel : wheels)
      folders.push_back(root + "/" + wheel.str() + "/lib");
  return folders;
}

std::optional<sys::DynamicLibrary> openLibrary(ArrayRef<StringRef> names,
                                               ArrayRef<std::string> folders) {
  for (StringRef name : names) {
    auto library = sys::DynamicLibrary::getPermanentLibrary(name.str().c_str());
    if (library.isValid())
      return library;
  }
  for (const std::string &folder : folders)
    for (StringRef name : names) {
      std::string path = folder + "/" + name.str();
      if (!sys::fs::exists(path))
        continue;
      auto library = sys::DynamicLibrary::getPermanentLibrary(path.c_str());
      if (library.isValid())
        return library;
    }
  return std::nullopt;
}

} // namespace convopt::bench
