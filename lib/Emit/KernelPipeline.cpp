//===- KernelPipeline.cpp - Copies that run ahead -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for n in 0 .. N {              fill(0)
//     barrier                      for n in 0 .. N {
//     copy b = ... // depth 2        wait for the copies of iteration n
//     barrier                        barrier
//     ... in b                       if (n + 1 < N) fill(n + 1)
//   }                                ... in b[n % 2]
//                                  }
//
// One barrier does: whoever passes it in iteration n has left the box of
// iteration n - 1 behind, which is the one that is filled next.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "KernelBody.h"
#include "Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::emit {

/// The depth of a copy that runs ahead, else 1.
static int64_t depthOf(const Nest &nest, const NodeRef &n) {
  const auto *c = dyn_cast<Copy>(n.get());
  return c ? nest.arrays[c->buffer].buffer->layout.depth : 1;
}

int64_t pipelineDepth(const Nest &nest, const Loop &l) {
  int64_t depth = 1;
  for (const NodeRef &n : l.body)
    depth = std::max(depth, depthOf(nest, n));
  return depth;
}

/// `n + 1` for the loop's variable or its first value \p from.
static std::string ahead(const std::string &from, int64_t iterations) {
  if (int64_t value; !StringRef(from).getAsInteger(10, value))
    return std::to_string(value + iterations);
  return from + " + " + std::to_string(iterations);
}

void KernelBody::printPipelined(const Loop &l, const Scope &s) {
  int64_t depth = pipelineDepth(nest, l);
  Scope inner = s;
  inner.loops.insert(l.id);
  ++inner.indent;
  std::string name = inner.names.fresh(baseName(nest.loopNames[l.id]));
  inner.names.bind(loopVar(l.id), name);
  std::string lower = lowerText(l, s.names), upper = upperText(l, s.names);
  std::string fill = root.fresh("fill");

  line(s) << "auto " << fill << " = [&](int " << name
          << ") { // starts the copies of an iteration\n";
  Body rest;
  bool filled = false;    // the barriers around the copies are behind
  bool byThreads = false; // some in every instance of the kernel
  for (const NodeRef &n : l.body) {
    if (depthOf(nest, n) != 1) {
      printCopy(*cast<Copy>(n.get()), inner);
      byThreads |= !isByEngine(nest, *cast<Copy>(n.get()));
      continue;
    }
    filled |= !isa<Local>(n.get()) && !isa<Barrier>(n.get());
    if (filled || isa<Local>(n.get()))
      rest.push_back(n);
  }
  line(s) << "};\n";

  std::string unless = byThreads ? "" : "if (!" + bulk + ")\n";
  auto printPipeline = [&](const Scope &at, const std::string &call) {
    if (!unless.empty())
      line(at) << unless << "  ";
    line(at) << "__pipeline_" << call << ";\n";
  };
  bool isRepeated =
      any_of(s.loops, [&](unsigned id) { return !threadLoops.count(id); });
  if (isRepeated)
    line(s) << "__syncthreads();\n";
  for (int64_t k = 0; k != depth - 1; ++k) {
    std::string first = k == 0 ? lower : ahead(lower, k);
    line(s) << "if (" << first << " < " << upper << ")\n";
    line(s) << "  " << fill << "(" << first << ");\n";
    printPipeline(s, "commit()");
  }
  line(s) << "for (int " << name << " = " << lower << "; " << name << " < "
          << upper << "; ++" << name << ") {" << origin(l.range) << "\n";
  printPipeline(inner, "wait_prior(" + std::to_string(depth - 2) + ")");
  line(inner) << "__syncthreads();\n";
  line(inner) << "if (" << ahead(name, depth - 1) << " < " << upper << ")\n";
  line(inner) << "  " << fill << "(" << ahead(name, depth - 1) << ");\n";
  printPipeline(inner, "commit()");
  printBulkWaits(inner);
  printBody(rest, inner, /*together=*/true);
  line(s) << "}\n";
}

} // namespace convopt::emit
