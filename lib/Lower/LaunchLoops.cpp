//===- LaunchLoops.cpp - The launches of a launcher -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   take, fill                          what the host fills before all loops
///   fork
///   for (int n_b = 0; ...) {            a loop over streams or launches
///     copy in, take, fill
///     kernel<<<...>>>(..., n_b)
///     give back, copy out
///   }
///   join, give back
///
/// Every step runs where all before it went well, but for what gives back.
///
//===----------------------------------------------------------------------===//

#include "LaunchParts.h"
#include "PackKernels.h"
#include "Values.h"
#include "convopt/Nest/Intervals.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

using program::Assignment;
using program::For;
using program::Op;

namespace {
class Launches {
public:
  Launches(const Context &c, Names &names, ArrayRef<ArrayArgument> arrays,
           ArrayRef<HostBuffer> filled, ArrayRef<HostSlice> slices,
           const LaunchVariables &own)
      : c(c), names(names), arrays(arrays), filled(filled), slices(slices),
        own(own), error(own.error), stream(own.stream) {}

  void lower(Block &b);

private:
  bool isPacked(const HostBuffer &b) const {
    return b.array->buffer->memory == Buffer::Global ||
           !isDirect(c.nest, *b.copy);
  }
  Expr fresh(Type type, const char *wish, bool isConst = false) {
    return variable(std::move(type), names.fresh(wish), isConst);
  }
  /// Holds \p mutex, a variable of the file, to the end of \p b.
  void lock(const std::string &mutex, Block &b);
  void lowerLevel(size_t level, Block &b);
  void lowerInside(size_t level, Block &b);
  void lowerLoop(size_t level, Block &b);
  void lowerStreams(size_t level, Block &b);
  void lowerCopies(bool out, Block &b);
  Expr copyOf(const HostSlice &s);
  void lowerPacking(const HostBuffer &buffer, size_t level, Block &b);
  void lowerFreeing(const HostBuffer &buffer, Block &b);
  void lowerCall(Block &b);

  const Context &c;
  Names &names;
  ArrayRef<ArrayArgument> arrays;
  ArrayRef<HostBuffer> filled;
  ArrayRef<HostSlice> slices;
  const LaunchVariables &own;
  const Expr error;
  Expr stream;       // the current one
  Expr lanes, event; // of the loop over streams
};
} // namespace

/// The memory of a buffer, and what fills it.
void Launches::lowerPacking(const HostBuffer &buffer, size_t level, Block &b) {
  const ArrayArgument &of = sourceOf(c, buffer, arrays);
  const Expr some = Expr::binary(Op::NotEqual, buffer.elements, 0);
  take(c, error, buffer.memory, buffer.elements, buffer.array->elementType,
       stream,
       (buffer.array->buffer->unfolding ? "the matrix of '" : "a copy of '") +
           of.array->name + "'",
       b);
  Block &packs = where(b, both(succeeded(error), some));
  const Expr most = known("INT_MAX", Type::integer());
  Expr pack = fresh(handle("auto"), "pack", /*isConst=*/true);
  Expr small = known(packKernel(c, *buffer.array, "int"));
  if (!c.offsetType.empty())
    small = Expr::select(
        both(Expr::binary(Op::LessEqual, of.elements, most),
             Expr::binary(Op::LessEqual, buffer.elements, most - PackThreads)),
        small, known(packKernel(c, *buffer.array, "long long")));
  define(packs, pack, small);
  Expr blocks = packBlocks(c, buffer, names);
  std::vector<Expr> arguments{of.pointer, buffer.memory};
  append_range(arguments,
               sizeArguments(c, loopsAround(c.mapping, level), names));
  add<program::CallStmt>(
      packs, launch({pack, Expr::cast(Type::unsignedInteger(), blocks),
                     PackThreads, 0, stream},
                    std::move(arguments)));
  add<Assignment>(packs, error, call("cudaGetLastError", {}));
}

void Launches::lowerFreeing(const HostBuffer &buffer, Block &b) {
  finish(where(b, isNot(buffer.memory, "nullptr")), error,
         fresh(errorType(), "freed", /*isConst=*/true),
         call("cudaFreeAsync", {buffer.memory, stream}));
}

void Launches::lock(const std::string &mutex, Block &b) {
  const Type type = handle("std::lock_guard<std::mutex>");
  define(b, fresh(type, "lock", /*isConst=*/true),
         construct(type, {known(mutex)}));
}

void Launches::lowerCall(Block &b) {
  std::vector<Expr> arguments = passedArguments(c, names);
  for (const HostBuffer &f : filled)
    if (f.array->buffer->memory == Buffer::Global)
      arguments.push_back(f.memory);
  for (const auto &[loop, index] : c.hostLoops)
    arguments.push_back(index);
  for (const auto &[copy, map] : c.tensorMaps)
    arguments.push_back(map);
  Expr launched = launch({own.kernel, own.grid, own.block, own.bytes, stream},
                         std::move(arguments));
  if (!error) {
    add<program::CallStmt>(b, launched);
    return;
  }
  // A launch of no blocks is an error.
  std::vector<Constraint> some;
  for (const auto &loops : c.mapping.grid)
    for (const Loop *l : loops)
      for (const Bound &bound : l->upper) {
        IndexExpr extent =
            bound.expr - IndexExpr(bound.divisor) * l->lower[0].expr;
        if (bound.expr.usesLoops() &&
            !isProvablyNonNegative(c.nest, extent - 1, c.mapping.hostLoops()))
          some.push_back({Constraint::NonNegative, extent - 1});
      }
  Block &runs = where(b, both(succeeded(error), names.condition(some)));
  if (gridVaries(c))
    defineGrid(c, names, own.grid, runs);
  add<program::CallStmt>(runs, launched);
  add<Assignment>(runs, error, call("cudaGetLastError", {}));
}

/// What an iteration copies of \p s from the host, or back to it.
Expr Launches::copyOf(const HostSlice &s) {
  const Loop &l = *c.mapping.hostLoops().front();
  const Var v = loopVar(l.id);
  Names cast = names;
  cast.bind(v, Expr::cast(wide("long long"), names(v)));
  auto widened = [&](const IndexExpr &e) {
    return isLinear(e) ? cast.value(e) : names.wideValue(e);
  };
  const ArrayArgument &a = *llvm::find_if(
      arrays, [&](const ArrayArgument &a) { return a.array == s.array; });
  const Expr device = Expr::cast(handle("void *"), a.pointer);
  const bool out = s.isOutput();
  std::vector<Expr> inRow;
  for (const IndexExpr &e : drop_begin(s.array->extents, s.dim + 1))
    inRow.push_back(names.wideValue(e));
  std::vector<Expr> arguments{
      out ? s.host : device,
      out ? device : s.host,
      widened(s.first),
      widened(s.end),
      bytesOf(elementCount(c, inRow), s.array->elementType),
      a.bytes(),
      known(out ? "cudaMemcpyDeviceToHost" : "cudaMemcpyHostToDevice"),
      stream};
  if (s.overlaps)
    arguments.push_back(
        Expr::select(Expr::binary(Op::Equal, names(v), lowerOf(l, names)), 0,
                     widened(s.end.substitute(v, IndexExpr::of(v) - 1))));
  return call(c.helper(Helper::Copy, "_copy"), std::move(arguments));
}

void Launches::lowerCopies(bool out, Block &b) {
  Expr sharing;
  for (const HostSlice &s : slices) {
    if (s.isOutput() != out)
      continue;
    step(b, error, copyOf(s), isNot(s.host, "nullptr"));
    if (s.overlaps)
      sharing = s.host;
  }
  if (!sharing)
    return;
  // Rows that the iteration before has copied come on another stream.
  const Loop &l = *c.mapping.hostLoops().front();
  Expr given = isNot(sharing, "nullptr");
  Expr isLater =
      Expr::binary(Op::NotEqual, names(loopVar(l.id)), lowerOf(l, names));
  step(b, error, call("cudaStreamWaitEvent", {stream, event, 0}),
       both(given, isLater));
  step(b, error, call("cudaEventRecord", {event, stream}), given);
}

/// The loop of \p level among the streams that its launches are spread over.
void Launches::lowerStreams(size_t level, Block &b) {
  const Loop &l = *c.mapping.host[level].loop;
  const Expr outer = stream;
  lock(c.helper("_streams_busy"), b);
  lanes =
      defineArray(b, handle("cudaStream_t"), names.fresh("lanes"), l.streams,
                  outer.variable()->name + " is the first of them");
  event = define(b, fresh(handle("cudaEvent_t"), "event"), known("nullptr"));
  step(b, error,
       call(c.helper(Helper::Streams, "_fork"),
            {outer, lanes, l.streams, Expr::unary(Op::AddressOf, event)}));
  stream = fresh(handle("cudaStream_t"), "lane", /*isConst=*/true);
  lowerLoop(level, b);
  stream = outer;
  add<Assignment>(b, error,
                  call(c.helper(Helper::Streams, "_join"),
                       {outer, lanes, l.streams, event, error}));
}

void Launches::lowerLoop(size_t level, Block &b) {
  const Loop &l = *c.mapping.host[level].loop;
  const Expr index = names(loopVar(l.id));
  For &f = add<For>(b, index.variable(), lowerOf(l, names), upperOf(l, names));
  f.goesOn = succeeded(error);
  if (l.kind != LoopKind::Stream)
    return lowerLevel(level, f.body);
  Expr which = Expr::cast(Type::unsignedInteger(), index) % Expr(l.streams);
  define(f.body, stream, Expr::element(lanes.variable(), {which}));
  lowerCopies(/*out=*/false, f.body);
  lowerLevel(level, f.body);
  lowerCopies(/*out=*/true, f.body);
}

/// What level \p level holds besides its buffers: the next one, or the launch.
void Launches::lowerInside(size_t level, Block &b) {
  if (level + 1 == c.mapping.host.size())
    return lowerCall(b);
  if (c.mapping.host[level + 1].loop->kind == LoopKind::Stream)
    return lowerStreams(level + 1, b);
  lowerLoop(level + 1, b);
}

void Launches::lowerLevel(size_t level, Block &b) {
  std::vector<const HostBuffer *> packed, constant;
  for (const HostBuffer &f : filled) {
    if (!is_contained(c.mapping.host[level].copies, f.copy))
      continue;
    if (isPacked(f))
      packed.push_back(&f);
    if (f.array->buffer->memory == Buffer::Constant)
      constant.push_back(&f);
  }
  for (const HostBuffer *f : packed)
    lowerPacking(*f, level, b);
  // The last launch that read the constants has to be done before others are
  // filled in.
  Expr read;
  if (level == 0 && !copiesTo(c.nest, c.mapping, Buffer::Constant).empty()) {
    lock(c.helper("_constants_busy"), b);
    read = define(b, fresh(handle("cudaEvent_t"), "read"), known("nullptr"));
    step(b, error,
         call(c.helper(Helper::Constants, "_constants_read"),
              {Expr::unary(Op::AddressOf, read)}));
    step(b, error, call("cudaStreamWaitEvent", {stream, read, 0}));
  }
  for (const HostBuffer *f : constant)
    fillConstant(c, *f, sourceOf(c, *f, arrays), names, error, stream, b);
  lowerInside(level, b);
  if (read)
    finish(where(b, isNot(read, "nullptr")), error,
           fresh(errorType(), "done", /*isConst=*/true),
           call("cudaEventRecord", {read, stream}));
  for (const HostBuffer *f : llvm::reverse(packed))
    lowerFreeing(*f, b);
}

void Launches::lower(Block &b) {
  if (error)
    define(b, error, known("cudaSuccess"));
  lowerLevel(0, b);
  add<program::Return>(b, error ? error : call("cudaGetLastError", {}));
}

void lowerLaunches(const Context &c, Names &names,
                   ArrayRef<ArrayArgument> arrays, ArrayRef<HostBuffer> filled,
                   ArrayRef<HostSlice> slices, const LaunchVariables &own,
                   Block &b) {
  Launches(c, names, arrays, filled, slices, own).lower(b);
}

} // namespace convopt::lower
