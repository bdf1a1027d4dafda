//===- TensorCopies.cpp - Copies by the tensor copy engine ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   CUtensorMap in_map = {};                                      // launcher
//   const bool aligned = W % 4 == 0 && (uintptr_t)in % 16 == 0 &&
//                        f_tiled_encode(&in_map, in, {H, W}, {8, 132});
//
//   convopt_tensor_copy(&in_s[n % 2], sizeof(in_s[0]), // kernel
//                       &in_s_full[n % 2], &in_map, 8 * y_b - 2, 128 * x_b -
//                       2);
//
// The engine counts every byte of a box, those that it fills with zeros, too.
//
//===----------------------------------------------------------------------===//

#include "TensorCopies.h"
#include "HostCode.h"
#include "KernelBody.h"
#include "Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::emit {

using namespace program;

/// \p text with each of \p words replaced by what stands beside it.
static std::string
filledIn(std::string text,
         ArrayRef<std::pair<const char *, std::string>> words) {
  for (const auto &[word, with] : words)
    for (size_t at; (at = text.find(word)) != std::string::npos;)
      text.replace(at, strlen(word), with);
  return text;
}

std::vector<TensorCopy> tensorCopies(const Nest &nest) {
  std::vector<TensorCopy> copies;
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    const auto *c = dyn_cast<Copy>(&n);
    if (!c ||
        nest.arrays[c->buffer].buffer->layout.engine != BufferLayout::Tensor)
      return;
    Expected<TensorBox> box = tensorBoxOf(nest, *c);
    if (box)
      copies.push_back({c, *box});
    else // legality's to refuse; threads copy it
      consumeError(box.takeError());
  });
  return copies;
}

TensorMaps nameTensorMaps(const Nest &nest, Names &names) {
  TensorMaps maps;
  for (const TensorCopy &t : tensorCopies(nest)) {
    const Buffer &b = *nest.arrays[t.copy->buffer].buffer;
    maps.push_back({t.copy, names.fresh(nest.arrays[b.of].name + "_map")});
  }
  return maps;
}

//===----------------------------------------------------------------------===//
// The launcher
//===----------------------------------------------------------------------===//

std::string printTensorMaps(const TensorMaps &maps) {
  std::string text;
  for (const auto &[copy, name] : maps)
    text += "  CUtensorMap " + name + " = {};\n";
  return text;
}

std::string encodingText(const Context &c, const Names &names) {
  std::string text;
  for (const auto &[t, map] : zip_equal(tensorCopies(c.nest), c.tensorMaps)) {
    const Array &of = c.nest.arrays[c.nest.arrays[t.copy->buffer].buffer->of];
    std::vector<std::string> extents, box;
    for (const IndexExpr &e : of.extents)
      extents.push_back(names.wide(e));
    for (int64_t e : t.box.extents)
      box.push_back(std::to_string(e));
    text += " && " + c.helper("_encode") + "(&" + map.second + ", " + of.name +
            ", {" + join(extents, ", ") + "}, {" + join(box, ", ") + "})";
  }
  return text;
}

std::string printEncoder(const std::string &name) {
  return filledIn(
      R"(// What the tensor copy engine has to know of an array and the boxes that are
// copied: extents in elements, the slowest dimension first. False where it
// cannot be told, as by drivers before CUDA 12.
template <typename T>
static bool {name}(CUtensorMap *map, const T *array,
                   std::initializer_list<long long> extents,
                   std::initializer_list<unsigned> box) {
  static const auto encode = [] {
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
    (void)cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry,
                                           12000, cudaEnableDefault, &found);
#else
    (void)cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry,
                                  cudaEnableDefault, &found);
#endif
    if (entry == nullptr)
      (void)cudaGetLastError(); // threads copy
    return (decltype(&cuTensorMapEncodeTiled))entry;
  }();
  // The fastest dimension first; bytes alone tell the engine enough of a type.
  const CUtensorMapDataType type =
      sizeof(T) == 8   ? CU_TENSOR_MAP_DATA_TYPE_UINT64
      : sizeof(T) == 4 ? CU_TENSOR_MAP_DATA_TYPE_UINT32
      : sizeof(T) == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                       : CU_TENSOR_MAP_DATA_TYPE_UINT8;
  const unsigned rank = (unsigned)extents.size();
  cuuint64_t sizes[5], strides[5], bytes = sizeof(T);
  cuuint32_t boxes[5], steps[5];
  for (unsigned k = 0; k != rank; ++k) {
    const long long extent = extents.begin()[rank - 1 - k];
    if (extent < 1 || extent > 1LL << 32 || bytes >= 1ULL << 40)
      return false;
    sizes[k] = (cuuint64_t)extent;
    strides[k] = bytes; // of all but the fastest they are given
    bytes = bytes <= (1ULL << 40) / sizes[k] ? bytes * sizes[k] : 1ULL << 40;
    boxes[k] = box.begin()[rank - 1 - k];
    steps[k] = 1;
  }
  return encode != nullptr &&
         encode(map, type, rank, (void *)array, sizes, strides + 1, boxes,
                steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

)",
      {{"{name}", name}});
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// The engine takes coordinates of the fastest dimension first.
static std::string printTensorCopy(unsigned rank) {
  std::string text = R"(#ifndef CONVOPT_TENSOR_{N}D
#define CONVOPT_TENSOR_{N}D
// Copies the box of a tensor map that begins at an element, with zeros for what
// lies outside of the array (PTX ISA, "cp.async.bulk.tensor").
__device__ inline void convopt_tensor_copy(void *to, unsigned bytes,
                                           uint64_t *barrier,
                                           const CUtensorMap *map,
                                           {parameters}) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned b = (unsigned)__cvta_generic_to_shared(barrier);
  const unsigned d = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
               ::"r"(b), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.tensor.{N}d.shared::cluster.global"
               ".mbarrier::complete_tx::bytes [%0], [%1, {{numbers}}], [%2];"
               ::"r"(d), "l"(map), "r"(b), {operands}
               : "memory");
#endif
}
#endif

)";
  std::vector<std::string> parameters, numbers, operands;
  for (unsigned k = 0; k != rank; ++k) {
    parameters.push_back("int c" + std::to_string(rank - 1 - k));
    numbers.push_back("%" + std::to_string(3 + k));
    operands.push_back("\"r\"(c" + std::to_string(k) + ")");
  }
  return filledIn(text, {{"{N}", std::to_string(rank)},
                         {"{parameters}", join(parameters, ", ")},
                         {"{numbers}", join(numbers, ", ")},
                         {"{operands}", join(operands, ", ")}});
}

std::string printTensorCopies(const std::set<unsigned> &ranks) {
  std::string text;
  for (unsigned rank : ranks)
    text += printTensorCopy(rank);
  return text;
}

void KernelBody::lowerTensorBox(const Copy &c, Scope &s) {
  const bool isOne = nest.arrays[c.buffer].buffer->layout.depth == 1;
  const VariableRef buffer = variableOf(c.buffer);
  auto box = [&](const Expr &stage) {
    return Expr::element(buffer, isOne ? std::vector<Expr>()
                                       : std::vector<Expr>{stage});
  };
  std::vector<Expr> arguments{
      Expr::unary(Op::AddressOf, box(stageOf(c.buffer, s.names))),
      Expr::extent(box(0)), barrierOf(c, s.names),
      Expr::unary(Op::AddressOf, tensorMaps.at(&c))};
  for (const IndexExpr &e : c.base)
    arguments.push_back(s.names.value(s.names.fold(e)));
  s.call(Callee::TensorCopy, std::move(arguments));
}

} // namespace convopt::emit
