//===- SequenceLauncher.cpp - The launches of kernels in turn -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   cudaError_t error = layer_tiled_1_launch(in, w, t, out, H, W, stream);
//   if (error == cudaSuccess)
//     error = layer_tiled_2_launch(in, w, t, out, H, W, stream);
//   return error;
//
// What sizes and arrays have to be is asked before the first launch, so that
// none refuses after another has run.
//
//===----------------------------------------------------------------------===//

#include "LaunchParts.h"
#include "LowerKernel.h"
#include "Values.h"

using namespace llvm;

namespace convopt::emit {

FunctionDefinition lowerSequenceLauncher(const Lowered &whole,
                                         ArrayRef<std::string> launchers) {
  const Context &c = whole.context;
  Names names = whole.names;
  LauncherHead head = lowerHead(c, names);
  Block &b = head.function.body;
  const std::vector<ArrayArgument> arrays = buffers(c, names);
  checkDivisors(c, names, b);
  checkRanges(c, names, b);
  defineSizes(c.nest, names, b);
  lowerChecks(c, names, arrays, /*filled=*/{}, b);
  const Expr error = variable(errorType(), names.fresh("error"));
  std::vector<Expr> arguments = c.arguments;
  arguments.push_back(head.stream);
  for (const std::string &launcher : launchers) {
    const Expr launched = call(launcher + c.templateArguments(), arguments);
    if (&launcher == &launchers.front())
      define(b, error, launched);
    else
      step(b, error, launched);
  }
  add<program::Return>(b, error);
  b = dropUnused(b);
  return std::move(head.function);
}

} // namespace convopt::emit
