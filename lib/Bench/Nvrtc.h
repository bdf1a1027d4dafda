//===- Nvrtc.h - Compiling CUDA at run time ---------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_NVRTC_H
#define CONVOPT_LIB_BENCH_NVRTC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace convopt::bench {

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

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_NVRTC_H
