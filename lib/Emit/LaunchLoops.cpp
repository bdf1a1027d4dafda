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
#include "Text.h"
#include "convopt/Transforms/Bounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::emit {

using program::Expr;

namespace {
class Launches {
public:
  Launches(const Context &c, Names &names, ArrayRef<ArrayArgument> arrays,
           ArrayRef<HostBuffer> filled, ArrayRef<HostSlice> slices,
           const LaunchNames &own)
      : c(c), names(names), arrays(arrays), filled(filled), slices(slices),
        own(own), error(own.error), stream(own.stream) {}

  std::string print();

private:
  std::string step(const std::string &call, const std::string &condition = "");
  bool isIn(const HostBuffer &b, size_t level) const {
    return is_contained(c.mapping.host[level].copies, b.copy);
  }
  bool isPacked(const HostBuffer &b) const {
    return b.array->buffer->memory == Buffer::Global ||
           !isDirect(c.nest, *b.copy);
  }
  std::string printLevel(size_t level);
  std::string printInside(size_t level);
  std::string printLoop(size_t level);
  std::string printStreams(size_t level);
  std::string printCopies(bool out);
  std::string printPacking(const HostBuffer &b, size_t level);
  std::string printFreeing(const HostBuffer &b);
  std::string printConstants(const std::string &launches);
  std::string printCall();

  const Context &c;
  Names &names;
  ArrayRef<ArrayArgument> arrays;
  ArrayRef<HostBuffer> filled;
  ArrayRef<HostSlice> slices;
  const LaunchNames &own;
  const std::string &error;
  std::string stream;       // the current one
  std::string lanes, event; // of the loop over streams
};
} // namespace

/// `if (error == cudaSuccess) error = CALL;`
std::string Launches::step(const std::string &call,
                           const std::string &condition) {
  return "  if (" + error + " == cudaSuccess" +
         (condition.empty() ? "" : " && " + condition) + ")\n    " + error +
         " = " + call + ";\n";
}

/// The memory of a buffer, and what fills it.
std::string Launches::printPacking(const HostBuffer &b, size_t level) {
  const Array &buffer = *b.array;
  const ArrayArgument &of = sourceOf(c, b, arrays);
  std::string goesOn =
      "  if (" + error + " == cudaSuccess && " + b.elements + " != 0)";
  std::string text = "  " + buffer.elementType + " *" + buffer.name +
                     " = nullptr;\n" + goesOn + "\n    " + error +
                     " = cudaMallocAsync(&" + buffer.name + ", " + b.elements +
                     " * sizeof(" + buffer.elementType + "), " + stream +
                     ");\n" + goesOn + " {\n";
  std::string pack = names.fresh("pack"), small = packKernel(c, buffer, "int");
  text += "    const auto " + pack + " = ";
  if (c.offsetType.empty())
    text += small;
  else
    text += of.elements + " <= INT_MAX && " + b.elements + " <= INT_MAX - " +
            std::to_string(PackThreads) + "\n      ? " + small +
            "\n      : " + packKernel(c, buffer, "long long");
  std::string threads = std::to_string(PackThreads);
  return text + ";\n    " + pack + "<<<(unsigned)((" + b.elements + " + " +
         std::to_string(PackThreads - 1) + ") / " + threads + "), " + threads +
         ", 0, " + stream + ">>>(" + of.argument->name + ", " + buffer.name +
         sizeArguments(c, loopsAround(c.mapping, level)) + ");\n    " + error +
         " = cudaGetLastError();\n  }\n";
}

std::string Launches::printFreeing(const HostBuffer &b) {
  std::string freed = names.fresh("freed");
  return "  if (" + b.array->name + " != nullptr) {\n    const cudaError_t " +
         freed + " = cudaFreeAsync(" + b.array->name + ", " + stream +
         ");\n    " + error + " = " + error + " == cudaSuccess ? " + freed +
         " : " + error + ";\n  }\n";
}

/// \p launches between what waits for the last launch that read the constants
/// and what lets the next one fill them; alone where there are none.
std::string Launches::printConstants(const std::string &launches) {
  if (copiesTo(c.nest, c.mapping, Buffer::Constant).empty())
    return launches;
  std::string lock = names.fresh("lock"), read = names.fresh("read");
  std::string helper = c.helper("_constants"), done = names.fresh("done");
  return "  const std::lock_guard<std::mutex> " + lock + "(" + helper +
         "_busy);\n  cudaEvent_t " + read + " = nullptr;\n" +
         step(helper + "_read(&" + read + ")") +
         step("cudaStreamWaitEvent(" + stream + ", " + read + ", 0)") +
         launches + "  if (" + read + " != nullptr) {\n    const cudaError_t " +
         done + " = cudaEventRecord(" + read + ", " + stream + ");\n    " +
         error + " = " + error + " == cudaSuccess ? " + done + " : " + error +
         ";\n  }\n";
}

std::string Launches::printCall() {
  std::vector<std::string> arguments;
  for (const Argument &a : c.nest.function.arguments)
    arguments.push_back(passedText(c, a));
  for (const Copy *copy : copiesTo(c.nest, c.mapping, Buffer::Global))
    arguments.push_back(c.nest.arrays[copy->buffer].name);
  for (const auto &[loop, name] : c.hostLoops)
    arguments.push_back(name);
  for (const auto &[copy, name] : c.tensorMaps)
    arguments.push_back(name);
  std::string call = "    " + own.kernel + "<<<" + own.grid + ", " + own.block +
                     ", " + own.bytes + ", " + stream + ">>>(" +
                     llvm::join(arguments, ", ") + ");\n";
  if (own.error.empty())
    return call;
  // A launch of no blocks is an error.
  std::vector<Constraint> some;
  for (const auto &loops : c.mapping.grid)
    for (const Loop *l : loops)
      for (const Bound &b : l->upper) {
        IndexExpr extent = b.expr - IndexExpr(b.divisor) * l->lower[0].expr;
        if (b.expr.usesLoops() &&
            !isProvablyNonNegative(c.nest, extent - 1, c.mapping.hostLoops()))
          some.push_back({Constraint::NonNegative, extent - 1});
      }
  std::string runs = error + " == cudaSuccess";
  if (!some.empty())
    runs += " && " + names.conjunction(some);
  return "  if (" + runs + ") {\n" +
         (gridVaries(c) ? printGrid(c, names, own.grid) : "") + call + "    " +
         error + " = cudaGetLastError();\n  }\n";
}

/// What an iteration copies from the host, or back to it.
std::string Launches::printCopies(bool out) {
  const Loop &l = *c.mapping.hostLoops().front();
  Names cast = names;
  cast.bind(loopVar(l.id), Expr::cast({program::Type::Wide, "long long"},
                                      names(loopVar(l.id))));
  auto wide = [&](const IndexExpr &e) {
    return isLinear(e) ? cast.expr(e) : names.wide(e);
  };
  std::string i = names.text(loopVar(l.id)), text, sharing;
  std::string first = i + " == " + lowerText(l, names);
  for (const HostSlice &s : slices) {
    if (s.isOutput() != out)
      continue;
    const ArrayArgument &a = *llvm::find_if(
        arrays, [&](const ArrayArgument &a) { return a.array == s.array; });
    std::vector<std::string> inRow;
    for (const IndexExpr &e : drop_begin(s.array->extents, s.dim + 1))
      inRow.push_back(names.wide(e));
    std::string size = " * sizeof(" + s.array->elementType + ")";
    std::string device = "(void *)" + s.argument->name;
    IndexExpr before =
        s.end.substitute(loopVar(l.id), IndexExpr::loop(l.id) - 1);
    text += step(
        c.helper("_copy") + "(" +
            (out ? s.host + ", " + device : device + ", " + s.host) + ", " +
            wide(s.first) + ", " + wide(s.end) + ", " + c.helper("_elements") +
            "({" + llvm::join(inRow, ", ") + "})" + size + ", " + a.elements +
            size + ", cudaMemcpy" + (out ? "DeviceToHost" : "HostToDevice") +
            ", " + stream +
            (s.overlaps ? ", " + first + " ? 0 : " + wide(before) : "") + ")",
        s.host + " != nullptr");
    if (s.overlaps)
      sharing = s.host;
  }
  if (sharing.empty())
    return text;
  // Rows that the iteration before has copied come on another stream.
  std::string given = sharing + " != nullptr";
  return text +
         step("cudaStreamWaitEvent(" + stream + ", " + event + ", 0)",
              given + " && " + i + " != " + lowerText(l, names)) +
         step("cudaEventRecord(" + event + ", " + stream + ")", given);
}

/// The loop of \p level among the streams that its launches are spread over.
std::string Launches::printStreams(size_t level) {
  const Loop &l = *c.mapping.host[level].loop;
  std::string lock = names.fresh("lock"), lane = names.fresh("lane");
  std::string outer = stream, count = std::to_string(l.streams);
  lanes = names.fresh("lanes");
  event = names.fresh("event");
  std::string text = "  const std::lock_guard<std::mutex> " + lock + "(" +
                     c.helper("_streams_busy") + ");\n  cudaStream_t " + lanes +
                     "[" + count + "] = {}; // " + outer +
                     " is the first of them\n  cudaEvent_t " + event +
                     " = nullptr;\n" +
                     step(c.helper("_fork") + "(" + outer + ", " + lanes +
                          ", " + count + ", &" + event + ")");
  stream = lane;
  text += printLoop(level);
  stream = outer;
  return text + "  " + error + " = " + c.helper("_join") + "(" + outer + ", " +
         lanes + ", " + count + ", " + event + ", " + error + ");\n";
}

std::string Launches::printLoop(size_t level) {
  const Loop &l = *c.mapping.host[level].loop;
  std::string i = names.text(loopVar(l.id));
  std::string text = "  for (int " + i + " = " + lowerText(l, names) + "; " +
                     i + " < " + upperText(l, names) + " && " + error +
                     " == cudaSuccess; ++" + i + ") {\n";
  if (l.kind != LoopKind::Stream)
    return text + printLevel(level) + "  }\n";
  std::string which = "(unsigned)" + i + " % " + std::to_string(l.streams);
  text +=
      "  const cudaStream_t " + stream + " = " + lanes + "[" + which + "];\n";
  return text + printCopies(/*out=*/false) + printLevel(level) +
         printCopies(/*out=*/true) + "  }\n";
}

/// What level \p level holds besides its buffers: the next one, or the launch.
std::string Launches::printInside(size_t level) {
  if (level + 1 == c.mapping.host.size())
    return printCall();
  bool isStream = c.mapping.host[level + 1].loop->kind == LoopKind::Stream;
  return isStream ? printStreams(level + 1) : printLoop(level + 1);
}

std::string Launches::printLevel(size_t level) {
  std::string text, constants, freeing;
  for (const HostBuffer &b : filled) {
    if (!isIn(b, level))
      continue;
    if (isPacked(b)) {
      text += printPacking(b, level);
      freeing = printFreeing(b) + freeing;
    }
    if (b.array->buffer->memory == Buffer::Constant)
      constants +=
          printFillConstant(c, b, sourceOf(c, b, arrays), names, error, stream);
  }
  std::string launches = constants + printInside(level);
  return text + (level == 0 ? printConstants(launches) : launches) + freeing;
}

std::string Launches::print() {
  if (error.empty())
    return printCall() + "  return cudaGetLastError();\n";
  return "  cudaError_t " + error + " = cudaSuccess;\n" + printLevel(0) +
         "  return " + error + ";\n";
}

std::string printLaunches(const Context &c, Names &names,
                          ArrayRef<ArrayArgument> arrays,
                          ArrayRef<HostBuffer> filled,
                          ArrayRef<HostSlice> slices, const LaunchNames &own) {
  return Launches(c, names, arrays, filled, slices, own).print();
}

} // namespace convopt::emit
