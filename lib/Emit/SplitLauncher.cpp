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

namespace convopt::emit {

using program::Op;

namespace {
/// The memory of the parts of one sum.
struct PartsMemory {
  const Array &array;
  Expr pointer, elements;
};
} // namespace

FunctionDefinition lowerSplitLauncher(const Lowered &whole) {
  const Context &c = whole.context;
  Names names = whole.names;
  LauncherHead head = lowerHead(c, names);
  Block &b = head.function.body;
  checkDivisors(c, names, b);
  checkRanges(c, names, b);
  defineSizes(c.nest, names, b);

  const Nest &written = whole.split.front()->nest;
  std::vector<PartsMemory> all;
  for (const Argument &a :
       drop_begin(written.function.arguments, c.arguments.size())) {
    const Array &array = written.arrays[a.index];
    PartsMemory m{
        array, variable(pointer(array.elementType), names.fresh(a.name)),
        variable(wide("size_t"), names.fresh(a.name + "_elements"), true)};
    std::vector<Expr> extents;
    for (const IndexExpr &e : array.extents)
      extents.push_back(names.wideValue(written.expandDefinitions(e)));
    define(b, m.elements, elementCount(c, std::move(extents)));
    all.push_back(std::move(m));
  }
  const Expr error = variable(errorType(), names.fresh("error"));
  define(b, error, known("cudaSuccess"));
  for (const PartsMemory &m : all)
    take(c, error, m.pointer, m.elements, m.array.elementType, head.stream,
         "'" + m.array.name + "'", b);
  std::vector<Expr> arguments = c.arguments;
  for (const PartsMemory &m : all)
    arguments.push_back(m.pointer);
  arguments.push_back(head.stream);
  if (head.taken)
    arguments.push_back(head.taken);
  for (const auto &kernel : whole.split)
    step(b, error,
         call(kernel->context.name("_launch") + c.templateArguments(),
              arguments),
         kernel == whole.split.front() ? Expr() : head.taken);
  for (const PartsMemory &m : reverse(all))
    finish(where(b, isNot(m.pointer, "nullptr")), error,
           variable(errorType(), names.fresh("freed"), /*isConst=*/true),
           call("cudaFreeAsync", {m.pointer, head.stream}));
  add<program::Return>(b, error);
  b = dropUnused(b);
  return std::move(head.function);
}

} // namespace convopt::emit
