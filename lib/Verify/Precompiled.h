//===- Precompiled.h - What drivers begin with, compiled --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_PRECOMPILED_H
#define CONVOPT_LIB_VERIFY_PRECOMPILED_H

#include "convopt/Verify/Toolchain.h"

namespace convopt::verify {

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

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_PRECOMPILED_H
