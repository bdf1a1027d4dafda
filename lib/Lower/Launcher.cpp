//===- Launcher.cpp - Checks, grid and launch -----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchParts.h"
#include "SharedMemory.h"
#include "Values.h"
#include "Vectors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::lower {

using program::Op;

/// The versions in turn: the first that says that it launched its kernel.
static void tryVersions(const Context &c, Names &names, const Expr &stream,
                        Block &b) {
  if (c.versions.empty())
    return;
  Expr taken = variable(Type::boolean(), names.fresh("taken"));
  Expr error = variable(errorType(), names.fresh("error"));
  std::vector<Expr> arguments = c.arguments;
  arguments.insert(arguments.end(), {stream, taken});
  define(b, taken, known("false", Type::boolean()));
  for (const std::string &version : c.versions) {
    Expr tried = call(version + c.templateArguments(), arguments);
    if (&version == &c.versions.front())
      define(b, error, tried);
    else
      add<program::Assignment>(b, error, tried);
    add<program::Return>(where(b, taken, /*isBraced=*/false), error);
  }
}

/// The blocks along dimension \p d of one launch or, with \p across, of the
/// largest; with \p areNearlyFull those with three quarters of their outputs.
static Expr gridOf(const Context &c, const Names &names, unsigned d,
                   bool across, bool areNearlyFull = false) {
  Expr all(1);
  for (const Loop *l : c.mapping.grid[d]) {
    Expr extent =
        extentOf(across ? acrossLaunches(*l) : *l, names, areNearlyFull);
    bool isFirst = l == c.mapping.grid[d].front();
    if (isFirst && c.mapping.grid[d].size() > 1)
      extent = Expr::cast(wide("long long"), extent);
    all = all * extent;
  }
  return all;
}

static Expr areSmall(const Context &c, ArrayRef<ArrayArgument> buffers,
                     ArrayRef<HostBuffer> filled) {
  Expr all;
  auto add = [&](const Array &a, const Expr &elements) {
    if (!isSmall(a))
      all = both(all, Expr::binary(Op::LessEqual, elements,
                                   known("INT_MAX", Type::integer())));
  };
  for (const ArrayArgument &b : buffers)
    if (isTouched(c, b))
      add(*b.array, b.elements);
  for (const HostBuffer &b : filled)
    add(*b.array, b.elements);
  return all;
}

static bool gridVaries(const Context &c, unsigned d) {
  return any_of(c.mapping.grid[d],
                [](const Loop *l) { return variesByLaunch(*l); });
}

bool gridVaries(const Context &c) {
  return gridVaries(c, 0) || gridVaries(c, 1) || gridVaries(c, 2);
}

static void defineDim3(Block &b, const Expr &v, std::vector<Expr> sizes) {
  define(b, v, construct(v.type(), std::move(sizes)));
}

static Expr narrowed(const Expr &e) {
  return Expr::cast(Type::unsignedInteger(), e);
}

void defineGrid(const Context &c, const Names &names, const Expr &grid,
                Block &b) {
  std::vector<Expr> sizes;
  for (unsigned d = 0; d != 3; ++d) {
    auto constant = constantGrid(c.nest, c.mapping, d);
    Expr blocks = gridOf(c, names, d, /*across=*/false);
    if (constant && !gridVaries(c, d))
      blocks = *constant;
    else if (c.mapping.grid[d].size() > 1)
      blocks = narrowed(blocks);
    sizes.push_back(blocks);
  }
  defineDim3(b, grid, sizes);
}

/// `grid_x` and the like with their limits, `grid` and `block`; no fewer blocks
/// that are nearly full than \p least.
static void defineDimensions(const Context &c, Names &names, const Expr &least,
                             const LaunchVariables &own, Block &b) {
  std::vector<Expr> sizes, threads;
  Expr tooMany, nearlyFull(1);
  for (unsigned d = 0; d != 3; ++d) {
    threads.push_back(c.mapping.blockDim[d]);
    if (auto constant = constantGrid(c.nest, c.mapping, d)) {
      sizes.push_back(*constant);
      nearlyFull = nearlyFull * *constant;
      continue;
    }
    Expr blocks = gridOf(c, names, d, /*across=*/true);
    nearlyFull = nearlyFull *
                 Expr::cast(wide("long long"),
                            gridOf(c, names, d, true, /*areNearlyFull=*/true));
    if (d == 0 && c.mapping.grid[d].size() <= 1) {
      sizes.push_back(blocks);
      continue;
    }
    Expr size =
        variable(wide("long long"),
                 names.fresh(std::string("grid_") + dimensionName(d)), true);
    sizes.push_back(narrowed(define(b, size, blocks)));
    tooMany =
        either(tooMany, Expr::binary(Op::Greater, size, c.gpu.gridDim[d]));
  }
  refuseWhere(c, b, tooMany, "cudaErrorInvalidConfiguration",
              "a grid that the device can launch");
  if (least)
    refuseWhere(c, b, Expr::binary(Op::Less, nearlyFull, least),
                "cudaErrorInvalidConfiguration",
                "as many blocks as make it the fastest");
  if (!gridVaries(c))
    defineDim3(b, own.grid, sizes);
  defineDim3(b, own.block, threads);
}

/// `const auto kernel = ...;`, the instance for these sizes and pointers.
/// Arrays of more than INT_MAX elements are rare: one instance, whose copies
/// move single elements, serves them, as nvcc compiles each that is named.
static void chooseKernel(const Context &c, Names &names,
                         ArrayRef<ArrayArgument> buffers,
                         ArrayRef<HostBuffer> filled, const Expr &kernel,
                         Block &b) {
  Expr aligned = variable(Type::boolean(), names.fresh("aligned"), true);
  Expr small = variable(Type::boolean(), names.fresh("small"), true);
  if (!c.aligned.empty()) {
    for (const auto &[copy, map] : c.tensorMaps)
      define(b, map, Expr::list({}));
    auto pointerOf = [&](const Array &a) {
      return c.pointerOf(&a - c.nest.arrays.data());
    };
    define(b, aligned,
           both(areAligned(alignedArrays(c.nest), pointerOf, names),
                encoded(c, names)));
  }
  auto instance = [&](bool isSmall, bool isAligned) {
    return known(c.name("_kernel") +
                 instanceArguments(c.nest, {isSmall, isAligned},
                                   c.nest.function.templateArgs));
  };
  Expr choice = c.aligned.empty() ? instance(true, false)
                                  : Expr::select(aligned, instance(true, true),
                                                 instance(true, false));
  const Expr fits = areSmall(c, buffers, filled); // none if all surely do
  if (!c.offsetType.empty() && fits)
    choice = Expr::select(define(b, small, fits, "offsets fit an int"), choice,
                          instance(false, false));
  define(b, kernel, choice);
}

/// The dynamic shared memory of a block; asks for it where it is more than a
/// block has without asking.
static void defineSharedBytes(const Context &c, Names &names,
                              const LaunchVariables &own, Block &b) {
  SharedMemory shared = findSharedMemory(c.nest, c.gpu.sharedPerBlock);
  Names wider = names;
  for (unsigned k = 0; k != c.nest.params.size(); ++k)
    wider.bind(paramVar(k), Expr::cast(wide("int64_t"), names(paramVar(k))));
  define(b, own.bytes, bytesOf(c.nest, shared, wider, shared.buffers.size()));
  refuseWhere(c, b,
              Expr::binary(Op::Greater, own.bytes, c.gpu.sharedPerBlockOptIn),
              "cudaErrorInvalidConfiguration",
              "no more shared memory than a block of " + c.gpu.name + " has");
  Block &more = where(
      b,
      Expr::binary(Op::Greater, own.bytes,
                   Expr::binary(Op::Mul, c.gpu.sharedPerBlock / 1024, 1024)));
  Expr error = variable(errorType(), names.fresh("error"), /*isConst=*/true);
  define(more, error,
         call("cudaFuncSetAttribute",
              {own.kernel, known("cudaFuncAttributeMaxDynamicSharedMemorySize"),
               Expr::cast(Type::integer(), own.bytes)}));
  Block &refused = where(more, isNot(error, "cudaSuccess"));
  clearLastError(refused);
  add<program::Return>(refused, error);
}

void lowerChecks(const Context &c, const Names &names,
                 ArrayRef<ArrayArgument> arrays, ArrayRef<HostBuffer> filled,
                 Block &b) {
  checkAssumptions(c, names, FactAbout::Domain, b);
  endWhereEmpty(b, emptyDomain(c, names));
  checkAssumptions(c, names, FactAbout::Other, b);
  defineElements(c, arrays, names, b);
  defineElements(c, filled, names, b);
  // What launches parts in turn has asked of what all of them touch.
  if (c.options.part.empty())
    refuseWhere(c, b, overlaps(c, arrays), "cudaErrorInvalidValue",
                "distinct arrays");
  checkConstantLimits(c, filled, b);
}

/// The function \p f, which takes host arrays, too, as `conv_tiled_run`, and
/// the launcher that calls it.
static std::vector<FunctionDefinition>
withHostArrays(const Context &c, FunctionDefinition f, const Expr &stream,
               ArrayRef<HostSlice> slices) {
  FunctionDefinition outer = f;
  std::vector<Expr> arguments = c.arguments;
  arguments.push_back(stream);
  f.parameters.back() = parameter(stream); // without a default
  for (const HostSlice &s : slices) {
    f.parameters.push_back(parameter(s.host));
    arguments.push_back(known("nullptr"));
  }
  f.head = c.templateHead() + "static cudaError_t " + c.name("_run");
  outer.body.clear();
  add<program::Return>(outer.body, call(c.name("_run") + c.templateArguments(),
                                        std::move(arguments)));
  return {f, outer};
}

LauncherHead lowerHead(const Context &c, Names &names) {
  const bool isC = c.options.isC;
  const bool isAlone = !c.options.launcher.empty();
  const bool isStatic = c.isVersion() || !c.part.empty() || isAlone;
  LauncherHead head;
  head.stream = variable(handle("cudaStream_t"), names.fresh("stream"));
  FunctionDefinition &f = head.function = define(
      c,
      c.templateHead() +
          (isStatic ? "static "
           : isC    ? "extern \"C\" "
                    : "") +
          "cudaError_t " + (isAlone ? c.options.launcher : c.name("_launch")),
      deviceParameters(c));
  f.parameters.push_back(
      parameter(head.stream, isC || isStatic ? "" : " = nullptr"));
  if (c.isVersion() || isAlone) {
    head.taken = variable(Type::boolean(), names.fresh("taken"));
    f.parameters.push_back(
        {head.taken.variable(), "bool &" + head.taken.variable()->name});
    if (c.options.leastBlocks) {
      head.least =
          variable(wide("long long"), names.fresh("least_blocks"), true);
      f.parameters.push_back(
          {head.least.variable(), "const long long " +
                                      head.least.variable()->name + " = " +
                                      std::to_string(c.options.leastBlocks)});
    }
  }
  checkNarrowing(c, f.body);
  refuseWhere(c, f.body, factsFail(c, names), "cudaErrorInvalidValue",
              "the sizes that this kernel was made for");
  tryVersions(c, names, head.stream, f.body);
  return head;
}

std::vector<FunctionDefinition> lowerLauncher(const Context &c, Names names) {
  LaunchVariables own;
  LauncherHead head = lowerHead(c, names);
  FunctionDefinition &f = head.function;
  Block &b = f.body;
  own.stream = head.stream;
  own.grid = variable(handle("dim3"), names.fresh("grid"), true);
  own.block = variable(handle("dim3"), names.fresh("block"), true);
  std::vector<ArrayArgument> arrays = buffers(c, names);
  std::vector<HostBuffer> filled = hostBuffers(c, names);
  std::vector<HostSlice> slices = overlappedSlices(c, names);
  checkDivisors(c, names, b);
  checkRanges(c, names, b);
  defineSizes(c.nest, names, b);
  lowerChecks(c, names, arrays, filled, b);
  defineDimensions(c, names, head.least, own, b);
  own.kernel = variable(handle("auto"), names.fresh("kernel"), true);
  chooseKernel(c, names, arrays, filled, own.kernel, b);
  if (findSharedMemory(c.nest, c.gpu.sharedPerBlock).isDynamic) {
    own.bytes = variable(wide("size_t"), names.fresh("shared"), true);
    defineSharedBytes(c, names, own, b);
  }
  if (head.taken)
    add<program::Assignment>(b, head.taken, known("true", Type::boolean()));
  if (!filled.empty() || !c.hostLoops.empty())
    own.error = variable(errorType(), names.fresh("error"));
  lowerLaunches(c, names, arrays, filled, slices, own, b);
  f.body = dropUnused(b);
  if (!slices.empty())
    return withHostArrays(c, std::move(f), own.stream, slices);
  return {std::move(f)};
}

} // namespace convopt::lower
