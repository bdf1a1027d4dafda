//===- SharedLibrary.h - Libraries that are found at run time ---*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_SHAREDLIBRARY_H
#define CONVOPT_LIB_BENCH_SHAREDLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/DynamicLibrary.h"
#include <optional>
#include <string>
#include <vector>

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

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_SHAREDLIBRARY_H
