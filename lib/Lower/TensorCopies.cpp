//===- TensorCopies.cpp - TMA tensor copies -------------------------------===//
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
// TMA counts every byte of a box, those that it fills with zeros, too.
//
//===----------------------------------------------------------------------===//

#include "TensorCopies.h"
#include "HostCode.h"
#include "KernelBody.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

std::vector<TensorCopy> tensorCopies(const Nest &nest) {
  std::vector<TensorCopy> copies;
  for (const Copy *c : collect<Copy>(nest.body)) {
    if (nest.arrays[c->buffer].buffer->layout.copyKind != BufferLayout::Tensor)
      continue;
    // What is refused is legality's to refuse; threads copy it.
    if (const auto box = expectedToOptional(tensorBoxOf(nest, *c)))
      copies.push_back({c, *box});
  }
  return copies;
}

TensorMaps nameTensorMaps(const Nest &nest, Names &names) {
  TensorMaps maps;
  for (const TensorCopy &t : tensorCopies(nest)) {
    const Buffer &b = *nest.arrays[t.copy->buffer].buffer;
    maps.push_back(
        {t.copy, variable({Type::Element, "CUtensorMap"},
                          names.fresh(nest.arrays[b.of].name + "_map"))});
  }
  return maps;
}

//===----------------------------------------------------------------------===//
// The launcher
//===----------------------------------------------------------------------===//

Expr encoded(const Context &c, const Names &names) {
  Expr all;
  for (const auto &[t, map] : zip_equal(tensorCopies(c.nest), c.tensorMaps)) {
    const unsigned of = c.nest.arrays[t.copy->buffer].buffer->of;
    std::vector<Expr> extents, box(t.box.extents.begin(), t.box.extents.end());
    for (const IndexExpr &e : c.nest.arrays[of].extents)
      extents.push_back(names.wideValue(e));
    all = both(
        all, call(c.helper(Helper::Encode, "_encode"),
                  {Expr::unary(Op::AddressOf, map.second), c.pointerOf(of),
                   Expr::list(std::move(extents)), Expr::list(std::move(box))},
                  Type::boolean()));
  }
  return all;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

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

} // namespace convopt::lower
