//===- BranchCounts.h - Which ways branches went in a run -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_BRANCHCOUNTS_H
#define CONVOPT_LIB_VERIFY_BRANCHCOUNTS_H

#include "convopt/Verify/Toolchain.h"
#include "llvm/Support/raw_ostream.h"

namespace convopt::verify {

/// Counts how often each condition of the kernels holds and fails, with what
/// clang has for that.
class BranchCounts {
public:
  /// None where the compiler has no such tools beside it.
  static std::optional<BranchCounts> with(const HostCompiler &compiler);

  /// What the compiler is to be given for \p file of \p directory to count.
  llvm::Expected<std::vector<std::string>>
  arguments(const PrivateDirectory &directory, llvm::StringRef file) const;

  /// After a run of \p driver: names on \p os the conditions of \p kernels that
  /// held and never failed, or failed and never held, with their lines in
  /// \p text, of which the first is numbered \p firstLine; the first eight of
  /// each kernel. Says so where the counts cannot be read.
  void report(const PrivateDirectory &directory, llvm::StringRef driver,
              llvm::StringRef text, int64_t firstLine,
              llvm::ArrayRef<std::string> kernels, llvm::raw_ostream &os) const;

private:
  std::string profdata, cov; // llvm-profdata, llvm-cov
};

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_BRANCHCOUNTS_H
