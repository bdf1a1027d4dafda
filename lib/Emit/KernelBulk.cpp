//===- KernelBulk.cpp - Copies by the bulk copy engine --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (bulk) {
//     if (thread == 0) {
//       convopt_bulk_copy(&x_s[n % 2][0][0], &x[...], bytes, &x_s_full[n % 2]);
//       convopt_bulk_arrive(&x_s_full[n % 2]);
//     }
//   } else {
//     ... // as threads copy
//   }
//
// Each box of a buffer has an mbarrier. A phase of it begins with what one
// thread starts and ends once that thread has arrived and every byte has, so
// waiting for box k in its r-th use is waiting for the end of phase r. Threads
// wait one by one and see what came: no other barrier is needed for that. The
// one that stands between the last read of a box and the next copy to it is
// enough for the other direction, as nothing but the engine writes the box.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "CopyBox.h"
#include "TensorCopies.h"
#include "Text.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/ElementSize.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::emit {

bool isByEngine(const Nest &nest, const Copy &c) {
  auto engine = nest.arrays[c.buffer].buffer->layout.engine;
  if (engine == BufferLayout::Threads)
    return false;
  // What legality would refuse threads copy.
  auto succeeds = [](auto result) {
    return result ? true : (consumeError(result.takeError()), false);
  };
  if (engine == BufferLayout::Tensor)
    return succeeds(tensorBoxOf(nest, c));
  return c.from ? succeeds(runsBetween(nest, c)) : succeeds(rowsOf(nest, c));
}

Error checkBulkUnits(const Nest &nest) {
  Error problem = Error::success();
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *c = dyn_cast<Copy>(&n);
    if (!c || problem)
      return;
    const Array &a = nest.arrays[c->buffer];
    if (a.buffer->layout.engine == BufferLayout::Threads)
      return;
    std::string engine = BufferLayout::engineNames[a.buffer->layout.engine];
    int64_t vector = a.buffer->layout.vector;
    std::optional<int64_t> size = elementSize(a.elementType);
    if (size && *size * vector == 16)
      return;
    consumeError(std::move(problem));
    problem = refuse(
        "limit",
        "the " + engine + " copy engine copies 16 bytes at a time, and " +
            std::to_string(vector) + " elements '" + a.elementType + "' " +
            (size ? "are not that" : "may not be that"),
        c->range,
        size ? "give it vector " + std::to_string(16 / *size)
             : "take " + engine + " off");
  });
  return problem;
}

std::string printBulk() {
  return R"(#ifndef CONVOPT_BULK
#define CONVOPT_BULK
// Copies to shared memory by the engine that sm_90 and later have for them (PTX
// ISA, "cp.async.bulk"). One thread starts them; a phase of their mbarrier ends
// when that thread has arrived and all bytes have.
__host__ __device__ constexpr bool convopt_has_bulk() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return true;
#else
  return false;
#endif
}
__device__ inline void convopt_bulk_init(uint64_t *barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned b = (unsigned)__cvta_generic_to_shared(barrier);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}
// Addresses and bytes are multiples of 16.
__device__ inline void convopt_bulk_copy(void *to, const void *from,
                                         unsigned bytes, uint64_t *barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned b = (unsigned)__cvta_generic_to_shared(barrier);
  const unsigned d = (unsigned)__cvta_generic_to_shared(to);
  const size_t s = __cvta_generic_to_global(from);
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
               ::"r"(b), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global"
               ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(d), "l"(s), "r"(bytes), "r"(b) : "memory");
#endif
}
__device__ inline void convopt_bulk_arrive(uint64_t *barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned b = (unsigned)__cvta_generic_to_shared(barrier);
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(b) : "memory");
#endif
}
// Phases are even and odd in turn.
__device__ inline void convopt_bulk_wait(uint64_t *barrier, unsigned phase) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned b = (unsigned)__cvta_generic_to_shared(barrier);
  unsigned ended = 0;
  while (!ended)
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(ended) : "r"(b), "r"(phase) : "memory");
#endif
}
#endif

)";
}

void KernelBody::printBulkBarriers(const Scope &s) {
  if (bulk.empty())
    return;
  line(s) << "constexpr bool " << bulk << " = "
          << (helpers.aligned.empty() ? "" : helpers.aligned + " && ")
          << "convopt_has_bulk();\n";
  std::vector<std::string> inits;
  for (auto &[buffer, b] : bulkBuffers) {
    const std::string &name = nest.arrays[buffer].name;
    const std::string depth =
        std::to_string(nest.arrays[buffer].buffer->layout.depth);
    b.full = root.fresh(name + "_full");
    line(s) << "__shared__ uint64_t " << b.full << "[" << depth << "];\n";
    if (b.isCounted) {
      b.phases = root.fresh(name + "_phases");
      line(s) << "unsigned " << b.phases << " = 0; // of each box, a bit\n";
    }
    std::string init = "convopt_bulk_init(&" + b.full;
    if (depth == "1") {
      inits.push_back(init + "[0]);\n");
      continue;
    }
    std::string k = root.fresh("k");
    inits.push_back("for (int " + k + " = 0; " + k + " < " + depth + "; ++" +
                    k + ")\n");
    inits.push_back("  " + init + "[" + k + "]);\n");
  }
  line(s) << "if (" << bulk << ") {\n";
  Scope inner = s, one = s;
  ++inner.indent;
  one.indent += mapping.threads() == 1 ? 1 : 2;
  if (mapping.threads() != 1)
    line(inner) << "if (" << thread << " == 0) {\n";
  for (const std::string &text : inits)
    line(one) << text;
  if (mapping.threads() != 1)
    line(inner) << "}\n";
  line(inner) << "__syncthreads();\n";
  line(s) << "}\n";
}

/// How much of a row the engine copies: its elements in whole vectors, and of
/// those what lies in the array. `min(26, H - 20 * y_b) * 86`
std::string KernelBody::rangeText(const Copy &c, const CopyBox &box,
                                  const Scope &s) const {
  const Array &buffer = nest.arrays[c.buffer];
  const Array &of = nest.arrays[buffer.buffer->of];
  const unsigned d = box.row->dim;
  IndexExpr length = buffer.extents[d], n(box.vector);
  if (!box.isJoined &&
      !IndexExpr::mod(nest.expandDefinitions(length), n).isZero())
    length = IndexExpr::floorDiv(length + n - 1, n) * n;
  IndexExpr left = of.extents[d] - c.base[d];
  std::string text;
  if (isAlways({Constraint::NonNegative, left - length}, s)) {
    IndexExpr all = box.isJoined ? box.row->extent : length;
    return s.names.operand(s.names.fold(all));
  }
  text = "min(" + s.names.expr(length) + ", " +
         s.names.expr(s.names.fold(left)) + ")";
  if (box.isJoined)
    for (size_t k = d + 1; k != buffer.extents.size(); ++k)
      if (buffer.extents[k] != IndexExpr(1))
        text += " * " + s.names.operand(allocatedExtent(nest, buffer, k));
  return text;
}

/// One range after another, by the thread that runs this.
void KernelBody::printRanges(const Copy &c, const CopyBox &box, Scope s) {
  const Array &buffer = nest.arrays[c.buffer];
  const Array &of = nest.arrays[buffer.buffer->of];
  const unsigned indent = s.indent;
  CopyPlace p{std::vector<IndexExpr>(buffer.extents.size()), {}, false};
  std::vector<std::string> tests;
  for (const CopyDim &d : box.rows)
    openDim(s, box, d, p, "0", "1");
  for (unsigned d = 0; d != box.row->dim; ++d)
    append_range(tests, endsOf(c, box, p, d, s));
  IndexExpr left = of.extents[box.row->dim] - c.base[box.row->dim] - 1;
  if (!isAlways({Constraint::NonNegative, left}, s))
    tests.push_back(
        s.names.compare({Constraint::NonNegative, s.names.fold(left)}));
  std::vector<IndexExpr> there = p.at;
  for (size_t d = 0; d != there.size(); ++d)
    there[d] = s.names.fold(there[d] + c.base[d]);
  if (!tests.empty()) {
    line(s) << "if (" << join(tests, " && ") << ")\n";
    ++s.indent;
  }
  line(s) << "convopt_bulk_copy(&" << place(c.buffer, p.at, s.names) << ", &"
          << accessText(nest, Access{buffer.buffer->of, there}, s.names) << ", "
          << rangeText(c, box, s) << " * sizeof(" << buffer.elementType << "), "
          << barrierText(c, s.names) << ");\n";
  s.indent -= !tests.empty();
  while (s.indent != indent) {
    --s.indent;
    line(s) << "}\n";
  }
}

/// `&x_s_full[n % 2]`
std::string KernelBody::barrierText(const Copy &c, const Names &names) const {
  int64_t depth = nest.arrays[c.buffer].buffer->layout.depth;
  return "&" + bulkBuffers.at(c.buffer).full + "[" +
         (depth == 1 ? "0" : stageText(c.buffer, names)) + "]";
}

/// The same from a buffer in global memory, which has room for all of them.
void KernelBody::printRuns(const Copy &c, Scope s) {
  const Array &buffer = nest.arrays[c.buffer];
  const unsigned indent = s.indent;
  CopyRuns runs = cantFail(runsBetween(nest, c)); // isByEngine has asked
  CopyBox box;
  CopyPlace p{std::vector<IndexExpr>(buffer.extents.size()), {}, false};
  for (unsigned d : runs.dims)
    openDim(s, box,
            {d, buffer.extents[d], coordinateName(nest, buffer.buffer->of, d)},
            p, "0", "1");
  std::vector<IndexExpr> there = p.at;
  for (size_t d = 0; d != there.size(); ++d)
    there[d] += c.base[d] - fillings.at(*c.from).copy->base[d];
  line(s) << "convopt_bulk_copy(&" << place(c.buffer, p.at, s.names) << ", &"
          << place(*c.from, there, s.names) << ", "
          << s.names.operand(s.names.fold(runs.length)) << " * sizeof("
          << buffer.elementType << "), " << barrierText(c, s.names) << ");\n";
  while (s.indent != indent) {
    --s.indent;
    line(s) << "}\n";
  }
}

void KernelBody::printBulkCopy(const Copy &c, const Scope &s) {
  Scope inner = s, one = s;
  ++inner.indent;
  one.indent += mapping.threads() == 1 ? 1 : 2;
  line(s) << "if (" << bulk << ") {\n";
  if (mapping.threads() != 1)
    line(inner) << "if (" << thread << " == 0) {\n";
  if (nest.arrays[c.buffer].buffer->layout.engine == BufferLayout::Tensor)
    printTensorBox(c, one);
  else if (c.from)
    printRuns(c, one);
  else
    printRanges(c, boxOf(c), one);
  line(one) << "convopt_bulk_arrive(" << barrierText(c, s.names) << ");\n";
  if (mapping.threads() != 1)
    line(inner) << "}\n";
  line(s) << "} else {\n";
  printThreadsCopy(c, inner);
  line(s) << "}\n";
  underWay.push_back(&c);
}

void KernelBody::printBulkWaits(const Scope &s) {
  if (underWay.empty())
    return;
  bool isOne = underWay.size() == 1 &&
               !bulkBuffers.at(underWay.front()->buffer).isCounted;
  line(s) << "if (" << bulk << ")" << (isOne ? "" : " {") << "\n";
  Scope inner = s;
  ++inner.indent;
  for (const Copy *c : underWay) {
    const BulkBuffer &b = bulkBuffers.at(c->buffer);
    const Loop &l = *fillings.at(c->buffer).loop;
    int64_t depth = nest.arrays[c->buffer].buffer->layout.depth;
    std::string slot = depth == 1 ? "" : stageText(c->buffer, s.names);
    std::string phase = "0";
    if (b.isCounted)
      phase = b.phases + (slot.empty() ? "" : " >> (" + slot + ")") + " & 1";
    else if (!isParallel(l.kind))
      phase = roundText(c->buffer, s.names) +
              (depth == 1 ? "" : " / " + std::to_string(depth)) + " % 2";
    line(inner) << "convopt_bulk_wait(" << barrierText(*c, s.names) << ", "
                << phase << ");\n";
    if (b.isCounted)
      line(inner) << b.phases
                  << " ^= " << (slot.empty() ? "1" : "1u << (" + slot + ")")
                  << ";\n";
  }
  if (!isOne)
    line(s) << "}\n";
  underWay.clear();
}

} // namespace convopt::emit
