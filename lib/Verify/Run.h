//===- Run.h - What drivers are compiled and run with -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_RUN_H
#define CONVOPT_LIB_VERIFY_RUN_H

#include "convopt/Verify/Toolchain.h"
#include <chrono>

namespace convopt::verify {

/// The texts of DriverRuntime.h, DriverValues.h and DriverArrays.h.
llvm::StringRef driverRuntimeText();

/// The headers for a host by their names.
llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> hostHeaders();

/// Writes them to \p folder/include, and under the names that CUDA code
/// includes, all the same.
llvm::Error writeHostHeaders(llvm::StringRef folder);

/// The headers for a host and the runtime of drivers as a precompiled header of
/// clang, and the code of their functions as an object, so that neither is
/// compiled with each driver. They are kept in the user's cache directory
/// (`$XDG_CACHE_HOME/convopt`), one folder for each compiler and its options.
class Precompiled {
public:
  /// Takes them from there, where they are put the first time. Nothing where
  /// that cannot be done, or \p options define names that they could have.
  static std::optional<Precompiled> with(const HostCompiler &compiler,
                                         llvm::ArrayRef<std::string> options,
                                         const PrivateDirectory &directory,
                                         unsigned seconds);

  /// What a compiler is to be told of the header.
  std::vector<std::string> arguments() const;
  /// The path of the object.
  std::string object() const { return file("runtime.o"); }

  /// A driver compiles without them alone: a header of the system has changed.
  void discard() const;

private:
  explicit Precompiled(llvm::StringRef folder) : folder(folder) {}
  llvm::Error compile(const HostCompiler &compiler,
                      llvm::ArrayRef<std::string> options,
                      const PrivateDirectory &directory,
                      unsigned seconds) const;
  std::string file(llvm::StringRef name) const {
    return folder + "/" + name.str();
  }

  std::string folder;
};

/// Prints the lines of a driver as they come. On a terminal the shapes that are
/// right are one line that moves: the last of them, its number and its time.
class Progress {
public:
  Progress(llvm::raw_ostream &os, size_t shapes);
  ~Progress() { clear(); }

  void add(llvm::StringRef line);
  /// What goes on, until the next line.
  void say(llvm::StringRef text) {
    if (isTerminal)
      move(text);
  }
  /// How many shapes were right, wrong or not run.
  size_t ended() const { return shapesEnded; }

private:
  void clear();
  void move(llvm::StringRef text);

  llvm::raw_ostream &os;
  const size_t shapes;
  const bool isTerminal;
  size_t shapesEnded = 0;
  bool isMoved = false; // a line stands that is to be written over
  bool isPart = false;  // lines belong to a shape that is not printed
  std::chrono::steady_clock::time_point began;
};

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

#endif // CONVOPT_LIB_VERIFY_RUN_H
