//===- main.cpp - convopt -------------------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `convopt naive_conv.cu -tile=32,2,2 -reg=8,4 -o tiled.cu`
///
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "convopt/Support/Refusal.h"
#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return convopt::runTool([&] {
    convopt::Options options;
    if (llvm::Error e = options.parse(argc, argv))
      return int(convopt::report(std::move(e), llvm::errs(), ""));
    return int(convopt::runDriver(options));
  });
}
