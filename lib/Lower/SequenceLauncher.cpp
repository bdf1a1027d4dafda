//===- SequenceLauncher.cpp - The launches of kernels in turn -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   cudaError_t error = cudaSuccess;
//   for (int t = 0; t < T && error == cudaSuccess; ++t) {
//     error = heat_tiled_1_launch(a, b, H, W, T, stream);
//     if (error == cudaSuccess)
//       error = heat_tiled_2_launch(a, b, H, W, T, stream);
//   }
//   return error;
//
// What sizes and arrays have to be is asked before the first launch. What is
// about one kernel alone, as its grid, is asked at its turn. Memory that one
// leaves for another is taken before the loops, and given back after them.
//
//===----------------------------------------------------------------------===//

#include "LaunchParts.h"
#include "LowerKernel.h"
#include "Values.h"

using namespace llvm;

namespace convopt::lower {

namespace {
class Sequence {
public:
  Sequence(const Context &c, Names &names, const Expr &stream)
      : c(c), names(names), stream(stream),
        error(variable(errorType(), names.fresh("error"))) {}

  void lower(ArrayRef<SequencePart> parts, Block &b) {
    std::vector<const Nest *> nests;
    for (const SequencePart &p : parts)
      nests.push_back(&p.nest.nest());
    const LaunchMemory memory(c, nests, names, b);
    passed = memory.pointers();
    if (!parts.front().around.loops.empty() || !passed.empty())
      define(b, error, known("cudaSuccess"));
    memory.take(c, error, stream, b);
    lower(parts, /*depth=*/0, b);
    memory.free(error, stream, names, b);
    add<program::Return>(b, error);
  }

private:
  void lower(ArrayRef<SequencePart> parts, size_t depth, Block &b);
  Expr launch(const SequencePart &part) const;

  const Context &c;
  Names &names;
  const Expr stream, error;
  std::vector<Expr> passed; // to each part, besides the function's arguments
};
} // namespace

Expr Sequence::launch(const SequencePart &part) const {
  std::vector<Expr> arguments = c.arguments;
  append_range(arguments, passed);
  for (const Loop *l : part.around.loops)
    if (part.around.sizes.count(l->id))
      arguments.push_back(names(loopVar(l->id)));
  arguments.push_back(stream);
  return call(c.helper(part.options.part + "_launch") + c.templateArguments(),
              std::move(arguments));
}

/// Launches \p parts, which have the \p depth outermost loops in common. There
/// is no error where \p b begins.
void Sequence::lower(ArrayRef<SequencePart> parts, size_t depth, Block &b) {
  for (bool isFirst = true; !parts.empty(); isFirst = false) {
    const SequencePart &first = parts.front();
    if (first.around.loops.size() == depth) {
      if (!isFirst || !passed.empty())
        step(b, error, launch(first));
      else if (depth == 0)
        define(b, error, launch(first));
      else
        add<program::Assignment>(b, error, launch(first));
      parts = parts.drop_front();
      continue;
    }
    const Loop &l = *first.around.loops[depth];
    const auto inside = parts.take_while([&](const SequencePart &p) {
      return p.around.loops.size() > depth && p.around.loops[depth] == &l;
    });
    names.bind(loopVar(l.id), names.fresh(baseName(first.around.names[depth])));
    program::For &f = add<program::For>(b, names(loopVar(l.id)).variable(),
                                        lowerOf(l, names), upperOf(l, names));
    f.goesOn = succeeded(error);
    lower(inside, depth + 1, f.body);
    parts = parts.drop_front(inside.size());
  }
}

FunctionDefinition lowerSequenceLauncher(const Lowered &whole,
                                         ArrayRef<SequencePart> parts) {
  const Context &c = whole.context;
  Names names = whole.names;
  LauncherHead head = lowerHead(c, names);
  Block &b = head.function.body;
  const std::vector<ArrayArgument> arrays = buffers(c, names);
  checkDivisors(c, names, b);
  checkRanges(c, names, b);
  defineSizes(c.nest, names, b);
  lowerChecks(c, names, arrays, /*filled=*/{}, b);
  Sequence(c, names, head.stream).lower(parts, b);
  b = dropUnused(b);
  return std::move(head.function);
}

} // namespace convopt::lower
