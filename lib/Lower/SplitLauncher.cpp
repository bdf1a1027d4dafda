//===- SplitLauncher.cpp - The launches of sums that blocks share ---------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   float *sum_parts = nullptr;
//   cudaError_t error = conv_tiled_take(&sum_parts, bytes, stream);
//   if (error == cudaSuccess)
//     error = conv_tiled_parts_launch(x, y, N, sum_parts, stream);
//   if (error == cudaSuccess)
//     error = conv_tiled_sums_launch(x, y, N, sum_parts, stream);
//   free sum_parts
//
//===----------------------------------------------------------------------===//

#include "LaunchParts.h"
#include "LowerKernel.h"
#include "SplitKernels.h"
#include "Values.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

FunctionDefinition lowerSplitLauncher(const Lowered &whole) {
  const Context &c = whole.context;
  Names names = whole.names;
  LauncherHead head = lowerHead(c, names);
  Block &b = head.function.body;
  checkDivisors(c, names, b);
  checkRanges(c, names, b);
  defineSizes(c.nest, names, b);

  const LaunchMemory memory(c, &whole.split.front()->nest, names, b);
  const Expr error = variable(errorType(), names.fresh("error"));
  define(b, error, known("cudaSuccess"));
  memory.take(c, error, head.stream, b);
  std::vector<Expr> arguments = c.arguments;
  append_range(arguments, memory.pointers());
  arguments.push_back(head.stream);
  if (head.taken)
    arguments.push_back(head.taken);
  for (const auto &kernel : whole.split)
    step(b, error,
         call(kernel->context.name("_launch") + c.templateArguments(),
              arguments),
         kernel == whole.split.front() ? Expr() : head.taken);
  memory.free(error, head.stream, names, b);
  add<program::Return>(b, error);
  b = dropUnused(b);
  return std::move(head.function);
}

} // namespace convopt::lower
