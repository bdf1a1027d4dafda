//===- Toolchain.h - Compilers, GPUs and child processes --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_TOOLCHAIN_H
#define CONVOPT_VERIFY_TOOLCHAIN_H

#include "convopt/Support/Interrupt.h"
#include "llvm/Support/Error.h"

namespace convopt::verify {

/// A C++ compiler, the C compiler that goes with it and a linker that is faster
/// than its own, as paths. The linker is empty if there is none, or the
/// compiler takes no path of one.
struct HostCompiler {
  std::string name, cxx, cc, linker;
};

/// Those that are installed, the preferred one first.
std::vector<HostCompiler> hostCompilers();

/// nvcc on the path or in its usual place.
std::optional<std::string> findNvcc();

/// Whether the CUDA driver is installed and sees a device.
bool hasGpu();

/// nvcc gives its arguments to a shell. Refuses (rule "nvcc") \p text, which
/// \p what names, where it holds anything that a shell could take for more
/// than a word.
llvm::Error checkForNvcc(llvm::StringRef what, llvm::StringRef text);

/// Writes \p text to a file; refuses (rule "verify") where it cannot.
llvm::Error writeFile(const std::string &path, llvm::StringRef text);

/// A directory that only this process uses, removed at the end, by a signal
/// too. Its path is plain enough for nvcc.
class PrivateDirectory {
public:
  static llvm::Expected<PrivateDirectory> create();
  PrivateDirectory(PrivateDirectory &&other)
      : scope(std::move(other.scope)), path_(std::move(other.path_)) {
    other.path_.clear();
  }
  ~PrivateDirectory();

  std::string file(llvm::StringRef name) const {
    return path_ + "/" + name.str();
  }
  /// Writes \p text to \p name in the directory.
  llvm::Error write(llvm::StringRef name, llvm::StringRef text) const {
    return writeFile(file(name), text);
  }
  const std::string &path() const { return path_; }

private:
  explicit PrivateDirectory(std::string path)
      : scope(std::make_unique<CleanupScope>()), path_(std::move(path)) {}
  std::unique_ptr<CleanupScope> scope;
  std::string path_;
};

/// What ChildResult::problem says of a child that was stopped, by its time
/// limit or a signal that this process was sent.
constexpr llvm::StringLiteral TimedOut = "time limit",
                              Interrupted = "interrupted";

using EachLine = llvm::function_ref<void(llvm::StringRef)>;

/// How a child ended and what it printed.
struct ChildResult {
  int status = -1; // its exit status; negative where it has none
  std::string out, err;
  std::string problem; // a crash, the time limit, or why it did not start
};

/// Runs \p program (no shell), for at most \p seconds, with temporary files in
/// \p directory and without the user's sanitizer options. \p eachLine is given
/// the whole lines of its standard output as they come.
llvm::Expected<ChildResult> runChild(llvm::StringRef program,
                                     llvm::ArrayRef<std::string> arguments,
                                     const PrivateDirectory &directory,
                                     unsigned seconds,
                                     EachLine eachLine = nullptr);

} // namespace convopt::verify

#endif // CONVOPT_VERIFY_TOOLCHAIN_H
