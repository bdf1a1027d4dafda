//===- ConvolutionLibrary.h - Ways to compute a layer -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What measuring needs of a library that has convolutions. There are two:
/// cuDNN, and a simulated one that follows a script.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_CONVOLUTIONLIBRARY_H
#define CONVOPT_LIB_BENCH_CONVOLUTIONLIBRARY_H

#include "convopt/Bench/Device.h"
#include "convopt/Bench/Shapes.h"

namespace convopt::bench {

/// An algorithm of the library, with its parameters.
struct Way {
  std::string name;     // "implicit GEMM", "engine 34, Winograd"
  bool isDirect = true; // computes the sum of the definition, term by term
};

/// Device addresses; the layouts are N C H W and K C/groups R S.
struct LayerBuffers {
  uint64_t input = 0, filter = 0, output = 0, workspace = 0;

  friend bool operator==(const LayerBuffers &a, const LayerBuffers &b) {
    return a.input == b.input && a.filter == b.filter && a.output == b.output &&
           a.workspace == b.workspace;
  }
};

/// One layer, in plain FP32. What a way cannot do is an error of rule "cudnn".
class ConvolutionLibrary {
public:
  virtual ~ConvolutionLibrary() = default;

  virtual std::string version() const = 0;
  /// Those that are likely to be fast come first.
  virtual llvm::ArrayRef<Way> ways() const = 0;
  /// What could not be asked for more ways, for the note; empty: everything.
  virtual std::string trouble() const = 0;
  /// Makes ways()[\p way] ready; gives the bytes of workspace that it needs.
  virtual llvm::Expected<size_t> prepare(size_t way) = 0;
  /// Starts ways()[\p way], which is prepared.
  virtual llvm::Error run(size_t way, const LayerBuffers &buffers) = 0;
};

/// Looks for cuDNN 9 in \p where (a folder or the file itself) or, if that is
/// empty, in the usual places. Its graph interface is left alone unless
/// \p withGraph. Refuses (status Missing) where there is none.
llvm::Expected<std::unique_ptr<ConvolutionLibrary>>
openCudnn(const LayerShape &layer, const std::string &where, bool withGraph);

/// The library in the script \p path, whose ways are kernels of \p device
/// (docs/Bench.md, "Tests without a GPU"). Refuses (status Missing) a script
/// without one.
llvm::Expected<std::unique_ptr<ConvolutionLibrary>>
openSimulatedLibrary(llvm::StringRef path, Device &device, bool withGraph);

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_CONVOLUTIONLIBRARY_H
